/** The thread that computes password hashes, one at a time, at the lowest priority. */

import * as crypto from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { yieldToOthers } from '@bourse/engine';

/** A task for the password thread. */
export interface HashTask {
  readonly password: string;
  /** Base64url. */
  readonly salt: string;
  /** KiB. */
  readonly memory: number;
  readonly passes: number;
}

const NICE = 10;
const TAG_BYTES = 32;

type Argon2 = (algorithm: string, parameters: object) => Buffer;
/** Since Node 24.7. Earlier versions use an implementation in JavaScript, about ten times slower. */
const native = (crypto as unknown as { readonly argon2Sync?: Argon2 }).argon2Sync;

yieldToOthers(NICE);
const portable = native ? undefined : await import('@noble/hashes/argon2.js');
parentPort?.on('message', ({ password, salt, memory, passes }: HashTask) => {
  const message = Buffer.from(password, 'utf8');
  const nonce = Buffer.from(salt, 'base64url');
  const hash = native
    ? native('argon2id', { message, nonce, parallelism: 1, tagLength: TAG_BYTES, memory, passes })
    : portable?.argon2id(message, nonce, { t: passes, m: memory, p: 1, dkLen: TAG_BYTES });
  parentPort?.postMessage(Buffer.from(hash ?? []).toString('base64url'), []);
});
