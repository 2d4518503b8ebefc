import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { nodeDisk } from '../../../engine/src/io/disk.ts';
import { exportLog } from '../../src/tools/log-export.ts';
import { SignedClient } from './client.ts';
import { sandboxFor, type TestSandbox } from './exchange.ts';
import { assertLedger } from './fault-test.ts';

const SAMPLE = fileURLToPath(new URL('../../../../examples/recorded', import.meta.url));
const SYMBOL = 'BTC-USDT';
const MINUTE_MS = 60_000;

type Replay = { playing: boolean; played: number; events: number };
type Fill = { met: boolean; event: { price: string; size: string } };

/** Every trade of the log, as `bourse export DIR trades` writes it. */
async function exported({ dir }: TestSandbox): Promise<string> {
  let text = '';
  for await (const line of exportLog(nodeDisk, dir, 'trades', { symbol: SYMBOL })) text += `${line}\n`;
  return text;
}

test('the sample is replayed together with own orders, and its export can be replayed again', async (context) => {
  const first = await sandboxFor(context, { recordings: SAMPLE });
  const started = await first.call<Replay>('POST', '/market/replay', {
    symbol: SYMBOL,
    file: 'btc-usdt-book.csv',
    speed: 10,
  });
  assert.equal(started.playing, true);
  const { seq } = await first.call('GET', '/');
  const alice = new SignedClient(first.running.connection, 'alice');
  await first.call('POST', '/clock/advance', { ms: 1000 });
  const order = { side: 'buy', price: '150000', size: '0.01', timeInForce: 'IOC' };
  assert.equal((await alice.place(order)).body.code, '200000');
  const fill = await first.call<Fill>('POST', '/expect', {
    event: { kind: 'fill', where: { user: 'alice', side: 'buy' } },
    withinMs: 0,
    from: seq,
  });
  assert.equal(fill.met, true, 'it trades against the tape');
  const halfway = await first.call<Replay>('GET', '/market/replay');
  assert.ok(halfway.played > 1 && halfway.played < halfway.events, JSON.stringify(halfway));
  await first.call('POST', '/clock/advance', { ms: MINUTE_MS });
  assert.deepEqual(await first.call('GET', '/market/replay'), { playing: false });
  await assertLedger(first);

  const trades = await exported(first);
  const [head, ...lines] = trades.trim().split('\n');
  assert.ok(lines.length > 0 && head!.includes('timestamp'), head);
  const recordings = makeDirectory(context);
  writeFileSync(`${recordings}/again.csv`, trades);
  const second = await sandboxFor(context, { recordings });
  await second.call('POST', '/market/replay', { symbol: SYMBOL, file: 'again.csv', speed: 100 });
  await second.call('POST', '/clock/advance', { ms: MINUTE_MS });
  const { body } = await new SignedClient(second.running.connection, 'bob').get(
    `/api/v1/market/histories?symbol=${SYMBOL}`,
  );
  const prices = (body.data as { price: string }[]).map(({ price }) => price);
  assert.ok(prices.includes(fill.event.price), `${fill.event.price} among ${prices.join()}`);
});

test('an invalid recording is rejected with the faulty line, and changes nothing', async (context) => {
  const recordings = makeDirectory(context);
  writeFileSync(
    `${recordings}/broken.csv`,
    'timestamp,side,price,amount\n1700000000000,buy,100,1\n1700000000001,up,100,1\n',
  );
  const { ask, call } = await sandboxFor(context, { recordings });
  const before = await call('GET', '/');
  for (const [body, says] of [
    [
      { symbol: SYMBOL, file: 'broken.csv' },
      /broken\.csv, line 3 side is 'up'.*Nothing of the file was played/,
    ],
    [{ symbol: SYMBOL, file: 'none.csv' }, /there is no file 'none\.csv' in .*, which has broken\.csv; /],
    [{ symbol: SYMBOL, file: '../broken.csv' }, /must lie below the directory/],
    [{ symbol: 'NO-PE', file: 'broken.csv' }, /unknown symbol 'NO-PE'/],
    [{ symbol: SYMBOL, file: 'broken.csv', speed: -1 }, /speed must be a number above 0/],
  ] as const) {
    const answer = await ask('POST', '/market/replay', body);
    assert.equal(answer.status, 400, JSON.stringify(body));
    assert.match((answer.body as { msg: string }).msg, says);
  }
  assert.deepEqual(await call('DELETE', '/market/replay'), { playing: false });
  assert.deepEqual(await call('GET', '/'), before);
});
