import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Exchange } from '../src/exchange.ts';
import { CANARY, goOn, richRecords, richVenue } from './rich-world.ts';
import { goOnFromSnapshots } from './snapshot-cuts.ts';
import { applyTo, tell, Venue } from '@bourse/test-kit/venue.ts';

const isEqual = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;
const includes = (bytes: Uint8Array, text: string) => Buffer.from(bytes).includes(text);

test('an empty exchange is restored with the same bytes and hash', () => {
  const empty = new Exchange();
  const again = Exchange.restore(empty.snapshot());
  assert.ok(isEqual(again.snapshot(), empty.snapshot()));
  assert.equal(again.hash(), empty.hash());
  assert.notEqual(empty.hash(), richVenue().exchange.hash());
});

test('a rich world is restored with the same bytes, hash, counts and query results', () => {
  const { exchange } = richVenue();
  const bytes = exchange.snapshot();
  const again = Exchange.restore(bytes);
  assert.ok(isEqual(again.snapshot(), bytes));
  assert.equal(again.hash(), exchange.hash());
  assert.deepEqual(again.counts, exchange.counts);
  assert.equal(again.seq, exchange.seq);
  assert.equal(again.time, exchange.time);
  let orders = 0;
  for (let market = 0; market < exchange.counts.symbols; market++) {
    assert.equal(again.lastPrice(market), exchange.lastPrice(market));
    for (const side of ['buy', 'sell'] as const) {
      assert.deepEqual(again.resting(market, side), exchange.resting(market, side));
      assert.deepEqual(again.depth(market, side, 100), exchange.depth(market, side, 100));
      orders += exchange.resting(market, side).length;
    }
    for (let user = 0; user < exchange.counts.users; user++) {
      assert.deepEqual(again.openOrders(user, market), exchange.openOrders(user, market));
    }
  }
  assert.ok(orders > 15, 'too few orders to tell');
});

test('a snapshot changes nothing, and later commands do not change the snapshot', () => {
  const venue = richVenue();
  const bytes = venue.exchange.snapshot();
  const copy = bytes.slice();
  assert.ok(isEqual(venue.exchange.snapshot(), copy));
  goOn(venue);
  assert.ok(isEqual(bytes, copy));
  const restored = Exchange.restore(bytes);
  bytes.fill(0);
  assert.ok(isEqual(restored.snapshot(), copy), 'a restored exchange still reads the bytes it came from');
});

test('promise 5: a snapshot taken after any record continues with the same outcomes, events and hash', () => {
  const said = goOnFromSnapshots();
  assert.ok(
    said.some((text) => text.includes('"switch"')) && said.some((text) => text.includes('"expired"')),
  );
});

test('promise 15: the secret of a key is in no event or outcome; the snapshot holds it unchanged and opaque', () => {
  const { records } = richRecords();
  const exchange = new Exchange();
  let keys = 0;
  for (const record of records) {
    const text = tell(applyTo(exchange, record));
    keys += text.split('"key-set"').length - 1;
    assert.ok(!text.includes(CANARY), `record ${record.seq}`);
  }
  assert.ok(keys >= 4, 'no key was set');
  // A snapshot contains secrets as the gateway sent them: the gateway must have protected them.
  assert.ok(includes(exchange.snapshot(), `${CANARY}-two`));
  const refused = new Venue();
  refused.do({ kind: 'add-user', name: 'u' });
  const secret = `${CANARY}\u0000`;
  const key = {
    kind: 'add-key',
    user: 0,
    key: 'k',
    version: 3,
    permissions: [],
    ipAllowList: [],
    secret,
  } as const;
  const said = refused.try(key);
  assert.equal(said.outcomes[0].kind, 'rejected');
  assert.ok(!tell(said).includes(CANARY), 'a refusal repeats the secret');
});

test('a removed key leaves nothing in the snapshot', () => {
  const { exchange } = richVenue();
  assert.ok(!includes(exchange.snapshot(), 'removed'));
});
