import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Random } from '@bourse/test-kit/random.ts';
import { ByteSink } from '../../src/bytes/byte-sink.ts';
import { ByteSource, Malformed } from '../../src/bytes/byte-source.ts';

const MAX = Number.MAX_SAFE_INTEGER;

describe('numbers as bytes', () => {
  const numbers = [
    0,
    1,
    -1,
    63,
    64,
    -63,
    -64,
    8191,
    8192,
    2 ** 31,
    -(2 ** 31),
    2 ** 32,
    2 ** 52 + 1,
    MAX,
    -MAX,
  ];
  const random = new Random(1);
  for (let bits = 1; bits <= 53; bits++) {
    for (let i = 0; i < 20; i++) numbers.push(random.units(bits) * (random.chance(0.5) ? 1 : -1));
  }

  test('whole numbers of either sign come back', () => {
    const sink = new ByteSink();
    for (const number of numbers) sink.whole(number);
    const source = new ByteSource(sink.bytes.subarray(0, sink.at));
    for (const number of numbers) assert.equal(source.whole(), number + 0);
    assert.equal(source.left, 0);
  });

  test('what is not a safe whole number is refused', () => {
    for (const number of [Infinity, -Infinity, Number.NaN, 2 ** 53, 1e300]) {
      assert.throws(() => new ByteSink().whole(number), RangeError, String(number));
    }
  });

  test('amounts of any size and none come back', () => {
    const amounts = [
      ...numbers.map((number) => BigInt(number)),
      ...[53n, 63n, 64n, 100n, 200n].flatMap((bits) => [
        2n ** bits,
        2n ** bits - 1n,
        -(2n ** bits),
        1n - 2n ** bits,
      ]),
      null,
      0n,
    ];
    const sink = new ByteSink();
    for (const amount of amounts) sink.amount(amount);
    const source = new ByteSource(sink.bytes.subarray(0, sink.at));
    for (const amount of amounts) assert.equal(source.amount(), amount);
    assert.equal(source.left, 0);
  });

  test('a number that is too large or does not end is refused', () => {
    for (const bytes of [[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f], [0x80], []]) {
      assert.throws(() => new ByteSource(Uint8Array.from(bytes)).whole(), Malformed);
    }
  });
});
