import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashBytes } from '../src/snapshot/bytes.ts';
import { seeded } from '@bourse/test-kit/random.ts';

const LENGTHS = [1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 32, 33, 48, 63, 100, 257];

function differingBits(a: string, b: string): number {
  let count = 0;
  for (let at = 0; at < 32; at += 8) {
    let bits = Number.parseInt(a.slice(at, at + 8), 16) ^ Number.parseInt(b.slice(at, at + 8), 16);
    for (; bits !== 0; bits &= bits - 1) count++;
  }
  return count;
}

test('32 hex digits, the same for the same bytes at any offset', (context) => {
  const random = seeded(context, 801);
  for (const length of [0, ...LENGTHS]) {
    const bytes = Uint8Array.from({ length }, () => random.bits());
    const hash = hashBytes(bytes);
    assert.match(hash, /^[0-9a-f]{32}$/);
    assert.equal(hashBytes(bytes), hash);
    for (const offset of [1, 2, 3, 8]) {
      const around = Uint8Array.from({ length: length + 20 }, () => random.bits());
      around.set(bytes, offset);
      assert.equal(hashBytes(around.subarray(offset, offset + length)), hash, `${length} bytes at ${offset}`);
    }
  }
});

test('avalanche: flipping any bit changes about half of the hash', (context) => {
  const random = seeded(context, 802);
  let flips = 0;
  let changed = 0;
  let fewest = 128;
  for (const length of LENGTHS) {
    for (const kind of ['zeros', 'ones', 'random'] as const) {
      const bytes = Uint8Array.from({ length }, () =>
        kind === 'zeros' ? 0 : kind === 'ones' ? 255 : random.bits(),
      );
      const hash = hashBytes(bytes);
      const seen = new Set([hash]);
      for (let bit = 0; bit < length * 8; bit++) {
        bytes[bit >> 3] ^= 1 << (bit & 7);
        const other = hashBytes(bytes);
        bytes[bit >> 3] ^= 1 << (bit & 7);
        seen.add(other);
        const bits = differingBits(hash, other);
        fewest = Math.min(fewest, bits);
        changed += bits;
        flips++;
      }
      assert.equal(seen.size, length * 8 + 1, `two flips of ${length} bytes of ${kind} have one hash`);
    }
  }
  const share = changed / flips / 128;
  context.diagnostic(
    `${flips} flips change ${(share * 100).toFixed(1)} % of the hash, at least ${fewest} bits`,
  );
  assert.ok(share > 0.45 && share < 0.55, `${share} of the bits`);
  assert.ok(fewest >= 20, `a flip changes ${fewest} bits only`);
});

test('different lengths have different hashes, even of zeros', () => {
  const seen = new Set<string>();
  for (let length = 0; length <= 1000; length++) seen.add(hashBytes(new Uint8Array(length)));
  for (let length = 1; length <= 1000; length++) seen.add(hashBytes(new Uint8Array(length).fill(255)));
  assert.equal(seen.size, 2001);
});

test('swapped bytes, words and blocks change the hash', (context) => {
  const random = seeded(context, 803);
  const bytes = Uint8Array.from({ length: 64 }, () => random.bits());
  const seen = new Set([hashBytes(bytes)]);
  let swaps = 0;
  for (const width of [1, 4, 16]) {
    for (let a = 0; a < 64; a += width) {
      for (let b = a + width; b < 64; b += width) {
        const swapped = bytes.slice();
        swapped.copyWithin(a, b, b + width);
        swapped.set(bytes.subarray(a, a + width), b);
        if (swapped.every((byte, i) => byte === bytes[i])) continue;
        swaps++;
        seen.add(hashBytes(swapped));
      }
    }
  }
  assert.equal(seen.size, swaps + 1);
});

const TEXTS = 200_000;
const encoder = new TextEncoder();

function countHashes(textOf: (i: number) => string): number {
  const seen = new Set<string>();
  for (let i = 0; i < TEXTS; i++) seen.add(hashBytes(encoder.encode(textOf(i))));
  return seen.size;
}

test('200,000 inputs that differ in blocks of 16 bytes do not collide', () => {
  assert.equal(
    countHashes((i) => `order ${i}`.padEnd(16)),
    TEXTS,
  );
});

test('200,000 inputs that differ in their last bytes do not collide', () => {
  assert.equal(
    countHashes((i) => `order ${i}`),
    TEXTS,
  );
});

test('known hashes: a change of the hash makes every snapshot on disk unreadable', () => {
  assert.equal(hashBytes(new Uint8Array(0)), '15cbf926903ee0beafe8d305bd1a4902');
  assert.equal(hashBytes(encoder.encode('bourse')), '0ed0a316155e937d3b4f9eb9f6ffd28d');
  assert.equal(hashBytes(encoder.encode('sixteen bytes it')), 'f78a4262812a95c2e7b0b735399b1fcd');
});
