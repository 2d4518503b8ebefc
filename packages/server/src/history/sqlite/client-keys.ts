/**
 * How done orders are found by client id. An index over the client ids themselves would be written at random over all of
 * its pages, and slow down as it grows. So it is over a number: the bucket in front, 2^18 done orders at a time, keeps
 * what is written together, and 32 bits of hash behind it make it small. Two client ids may have one key, so a look-up
 * compares the texts as well.
 *
 * Users choose their client ids. Whoever knew the hash could choose thousands that have one key, and a look-up would
 * go over all of them; so a secret, drawn when the database is made, is hashed along. Then 32 bits are enough: of the
 * ids in a bucket, whatever they are, one in 16,000 meets another by chance.
 */

import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

const BUCKET_BITS = 18;
const HASH_BITS = 32;
const HEX_DIGIT_BITS = 4;

export class ClientKeys {
  readonly #secret: string;
  /** The first done order whose key has the secret: those before were written by an earlier version. */
  readonly #since: number;

  constructor(db: DatabaseSync) {
    const { secret, since } = db.prepare('SELECT secret, since FROM client_keys').get() as {
      readonly secret: string;
      readonly since: number;
    };
    this.#secret = secret;
    this.#since = since;
  }

  /** The key under which a new done order is written. */
  of(doneOrder: number, user: number, clientId: string): number {
    return keyOf(bucketOf(doneOrder), this.#hash(user, clientId));
  }

  /** The keys that done orders from `first` to `last` may have, those of the newest first. */
  *among(first: number, last: number, user: number, clientId: string): Generator<number> {
    const secretHash = this.#hash(user, clientId);
    const firstSecret = bucketOf(Math.max(first, this.#since));
    for (let bucket = bucketOf(last); bucket >= firstSecret; bucket--) yield keyOf(bucket, secretHash);
    if (first >= this.#since) return;
    const openHash = hashWithoutSecret(user, clientId);
    const lastOpen = bucketOf(Math.min(last, this.#since - 1));
    for (let bucket = lastOpen; bucket >= bucketOf(first); bucket--) yield keyOf(bucket, openHash);
  }

  /** The beginning of a SHA-256: nothing that a user sees tells the secret or another hash. */
  #hash(user: number, clientId: string): number {
    const digits = hash('sha256', `${this.#secret}${user}:${clientId}`, 'hex');
    return Number.parseInt(digits.slice(0, HASH_BITS / HEX_DIGIT_BITS), 16);
  }
}

/** FNV-1a, as the versions of the database up to 4 had it. */
function hashWithoutSecret(user: number, clientId: string): number {
  let state = Math.imul(0x811c9dc5 ^ user, 0x01000193);
  for (let i = 0; i < clientId.length; i++) state = Math.imul(state ^ clientId.charCodeAt(i), 0x01000193);
  return state >>> 0;
}

function bucketOf(doneOrder: number): number {
  return Math.floor(doneOrder / 2 ** BUCKET_BITS);
}

function keyOf(bucket: number, hashed: number): number {
  return bucket * 2 ** HASH_BITS + hashed;
}
