/** A damaged snapshot is rejected with a message, before any of it is used. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BrokenInvariant } from '../src/values/checks.ts';
import { Exchange } from '../src/exchange.ts';
import { hashBytes } from '../src/snapshot/bytes.ts';
import { SNAPSHOT_VERSION } from '../src/snapshot/snapshot.ts';
import { richVenue } from './rich-world.ts';
import { currency, symbol, Venue } from '@bourse/test-kit/venue.ts';

/** A minimal snapshot with one of each main object. */
function smallSnapshot(): Uint8Array {
  const venue = new Venue();
  venue.do(
    currency('A', 0, 2),
    { ...currency('B', 0, 2), chains: [] },
    symbol('A-B', 0, 1, { baseIncrement: '1', baseMinSize: '1', priceIncrement: '0.01' }),
    { kind: 'add-user', name: 'u' },
    { kind: 'add-key', user: 0, key: 'k', version: 3, permissions: [], ipAllowList: [], secret: 's' },
  );
  venue.fund(0, 0, 1000n);
  venue.place(0, { symbol: 0, type: 'limit', side: 'sell', price: 100, size: 2, clientId: 'c' });
  return venue.exchange.snapshot().slice();
}

interface Damaged {
  readonly what: string;
  readonly bytes: Uint8Array;
}

function* cuts(bytes: Uint8Array, step: number): Iterable<Damaged> {
  for (let length = 0; length < bytes.length; length += step) {
    yield { what: `cut at ${length}`, bytes: bytes.slice(0, length) };
  }
}

/** The bytes are the same each time, with another bit flipped. */
function* flips(bytes: Uint8Array, step: number): Iterable<Damaged> {
  for (let bit = 0; bit < bytes.length * 8; bit += step) {
    bytes[bit >> 3] ^= 1 << (bit & 7);
    yield { what: `bit ${bit} flipped`, bytes };
    bytes[bit >> 3] ^= 1 << (bit & 7);
  }
}

function* foreign(bytes: Uint8Array): Iterable<Damaged> {
  const joined = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts));
  for (let count = 1; count < 50; count++) {
    for (const value of [0, 1, 255]) {
      const more = new Uint8Array(count).fill(value);
      yield { what: `${count} bytes of ${value} behind`, bytes: joined(bytes, more) };
      yield { what: `${count} bytes of ${value} before`, bytes: joined(more, bytes) };
    }
  }
  yield { what: 'doubled', bytes: joined(bytes, bytes) };
  yield { what: 'text', bytes: new TextEncoder().encode('{"kind":"something else altogether"}'.repeat(10)) };
  for (const value of [0, 1, 255]) yield { what: `${value}s`, bytes: new Uint8Array(1000).fill(value) };
}

/** The error of a restore; null if the bytes were accepted. */
function refusal(bytes: Uint8Array): unknown {
  try {
    Exchange.restore(bytes);
  } catch (error) {
    return error;
  }
  return null;
}

function checkRefused({ what, bytes }: Damaged): string {
  const error = refusal(bytes);
  if (!(error instanceof BrokenInvariant)) assert.fail(`${what}: ${error ?? 'was believed'}`);
  if (!/\bsnapshot\b/.test(error.message)) assert.fail(`${what}: ${error.message}`);
  return error.message;
}

const KINDS: Record<string, () => Iterable<Damaged>> = {
  'every cut of a small snapshot': () => cuts(smallSnapshot(), 1),
  'every flipped bit of a small snapshot': () => flips(smallSnapshot(), 1),
  'cuts all over a rich snapshot': () => cuts(richVenue().exchange.snapshot(), 7),
  'flipped bits all over a rich snapshot': () => flips(richVenue().exchange.snapshot().slice(), 53),
  'bytes before, behind, doubled and of other things': () => foreign(smallSnapshot()),
};

for (const [name, damaged] of Object.entries(KINDS)) {
  test(`is rejected: ${name}`, (context) => {
    let count = 0;
    for (const { what, bytes } of damaged()) {
      if (refusal(bytes) === null) assert.fail(what);
      count++;
    }
    context.diagnostic(`${count} refused`);
    assert.ok(count > 200, 'idle');
  });

  test(`gets an error message: ${name}`, () => {
    for (const one of damaged()) checkRefused(one);
  });
}

test('an intact snapshot is accepted, at any offset of its buffer', () => {
  const bytes = smallSnapshot();
  const around = new Uint8Array(bytes.length + 11).fill(7);
  around.set(bytes, 5);
  const within = around.subarray(5, 5 + bytes.length);
  assert.equal(Exchange.restore(within).hash(), Exchange.restore(bytes).hash());
});

test('the message distinguishes another format, truncation and changed content', () => {
  const bytes = smallSnapshot();
  const changed = bytes.slice();
  changed[200] ^= 1;
  assert.equal(checkRefused({ what: 'inside', bytes: changed }), 'the snapshot is undamaged');
  const renamed = bytes.slice();
  renamed[8] ^= 1;
  assert.equal(checkRefused({ what: 'name', bytes: renamed }), 'these bytes are a snapshot');
  const empty = new Uint8Array(0);
  assert.equal(checkRefused({ what: 'nothing', bytes: empty }), 'a snapshot does not end in the middle');
});

test('a snapshot of another version is rejected, with its version and the supported ones', () => {
  const bytes = smallSnapshot();
  // After the name of the format; the hash at the end is recomputed.
  const at = 'BOURSE-SNAPSHOT'.length;
  const end = bytes.length - 32;
  for (const version of [SNAPSHOT_VERSION + 1, 0, 1_000_000, -1]) {
    new DataView(bytes.buffer).setInt32(at, version, true);
    bytes.set(new TextEncoder().encode(hashBytes(bytes.subarray(0, end))), end);
    const said = checkRefused({ what: `version ${version}`, bytes });
    assert.match(said, new RegExp(`format ${version}\\b.*reads 1 to ${SNAPSHOT_VERSION}\\b`));
  }
});
