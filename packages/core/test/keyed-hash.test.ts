import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyedHash } from '../src/tables/text-table.ts';

/** Published vectors of HalfSipHash-2-4: key 00 01 .. 07, messages 00 01 .. of 0, 1, 2 .. bytes. */
const VECTORS = [
  'a9359f5b',
  '27475ab8',
  'fa62a603',
  '8afee704',
  '2a6e4689',
  'c5fab669',
  '5863fc23',
  '8bcf63c5',
  'd0b8848f',
];

/** The message in words, with its length in the highest byte of the last. */
function wordsOf(message: readonly number[]): Int32Array {
  const bytes = Buffer.alloc(4 * Math.floor(message.length / 4) + 4);
  bytes.set(message);
  bytes[bytes.length - 1] = message.length;
  return Int32Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readInt32LE(4 * i));
}

test('is HalfSipHash-2-4', () => {
  for (const [length, vector] of VECTORS.entries()) {
    const words = wordsOf(Array.from({ length }, (_, i) => i));
    const hashed = Buffer.alloc(4);
    hashed.writeInt32LE(keyedHash(0x03020100, 0x07060504, words, 0, words.length));
    assert.equal(hashed.toString('hex'), vector, `${length} bytes`);
  }
});

test('hashes the given range of words, at any offset', () => {
  const words = wordsOf([1, 2, 3, 4, 5, 6]);
  const among = Int32Array.of(9, ...words, 9);
  const alone = keyedHash(1, 2, words, 0, words.length);
  assert.equal(keyedHash(1, 2, among, 1, 1 + words.length), alone);
  assert.notEqual(keyedHash(1, 2, among, 0, 1 + words.length), alone);
});

test('a key above 2^31 equals its signed 32 bits', () => {
  const words = wordsOf([7]);
  const hashed = keyedHash(0xffff_fffe, 0x8000_0000, words, 0, 1);
  assert.equal(hashed, keyedHash(-2, -(2 ** 31), words, 0, 1));
  assert.equal(hashed, hashed | 0);
});
