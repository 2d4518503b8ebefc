/** The key of the core's hash tables, drawn for this process: nobody outside knows which prices would collide. */

import { randomBytes } from 'node:crypto';
import type { HashKey } from '@bourse/core';

export const PROCESS_HASH_KEY: HashKey = drawHashKey();

function drawHashKey(): HashKey {
  const bytes = randomBytes(8);
  return [bytes.readUInt32LE(0), bytes.readUInt32LE(4)];
}
