import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clientKeyHash } from '../../../src/history/sqlite/client-key-hash.ts';

/** Published for HalfSipHash-2-4 with the key 00 01 .. 07, of the messages 00 01 .. of 4, 6, 8 .. bytes. */
const VECTORS = [
  '2a6e4689',
  '5863fc23',
  'd0b8848f',
  '94b07934',
  '57f0872f',
  'd6fff87c',
  'd9b5ac84',
  '465b8d9b',
  'e34d1045',
  '70f367fe',
];

/** The message behind its first four bytes, which are the user. */
function textOf(units: number): string {
  const bytes = Array.from({ length: 2 * units }, (_, i) => 4 + i);
  return Buffer.from(bytes).toString('utf16le');
}

describe('the hash of a client id', () => {
  it('is HalfSipHash-2-4', () => {
    for (const [units, vector] of VECTORS.entries()) {
      const hashed = Buffer.alloc(4);
      hashed.writeUInt32LE(clientKeyHash(0x03020100, 0x07060504, 0x03020100, textOf(units)));
      assert.equal(hashed.toString('hex'), vector, `${4 + 2 * units} bytes`);
    }
  });

  it('depends on the key, the user and every character', () => {
    const hashes = [
      clientKeyHash(1, 2, 3, 'abcde'),
      clientKeyHash(9, 2, 3, 'abcde'),
      clientKeyHash(1, 9, 3, 'abcde'),
      clientKeyHash(1, 2, 9, 'abcde'),
      ...Array.from('abcde', (character) => clientKeyHash(1, 2, 3, 'abcde'.replace(character, 'x'))),
      clientKeyHash(1, 2, 3, 'abcd'),
    ];
    assert.equal(new Set(hashes).size, hashes.length);
  });
});
