/** RFC 6238, appendix B: the vectors for SHA-1, with 8 digits. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stepAt, stepOf, totpCode } from '../../src/identity/factors.ts';

const SECRET = Buffer.from('12345678901234567890');
const VECTORS: readonly (readonly [seconds: number, code: string])[] = [
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
];

test('codes equal the test vectors of the RFC', () => {
  for (const [seconds, code] of VECTORS) assert.equal(totpCode(SECRET, stepAt(seconds * 1000), 8), code);
});

test('a code is valid one step early or late, and never at or before the last used step', () => {
  const time = 1_700_000_010_000;
  const now = stepAt(time);
  const codes = [-2, -1, 0, 1, 2].map((drift) => stepOf(SECRET, totpCode(SECRET, now + drift), time, 0));
  assert.deepEqual(codes, [null, now - 1, now, now + 1, null]);
  assert.equal(stepOf(SECRET, totpCode(SECRET, now), time, now), null);
  for (const wrong of ['', '12345', '1234567', 'abcdef', '０１２３４５'])
    assert.equal(stepOf(SECRET, wrong, time, 0), null);
});
