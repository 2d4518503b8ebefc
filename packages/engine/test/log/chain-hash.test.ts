import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { chainHash, HASH_BYTES, isHashAt } from '../../src/log/record.ts';

const BODY = Buffer.from('any body of a record');
const BEFORE = 3;

test('a chain hash is SHA-256, and the same in bytes', () => {
  const bytes = Buffer.concat([Buffer.alloc(BEFORE), createHash('sha256').update(BODY).digest()]);
  assert.ok(isHashAt(bytes, BEFORE, chainHash(BODY)));
  assert.deepEqual(Buffer.from(chainHash(BODY), 'latin1'), bytes.subarray(BEFORE));
});

test('a hash with another byte, or a truncated one, does not match', () => {
  const bytes = createHash('sha256').update(BODY).digest();
  for (let at = 0; at < HASH_BYTES; at++) {
    const other = Buffer.from(bytes);
    other[at] ^= 1;
    assert.equal(isHashAt(other, 0, chainHash(BODY)), false, `byte ${at}`);
    assert.equal(isHashAt(bytes.subarray(0, at), 0, chainHash(BODY)), false, `${at} bytes`);
  }
});
