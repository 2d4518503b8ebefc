/**
 * How done orders are found by client id. An index over the client ids themselves would be written at random over all of
 * its pages, and slow down as it grows. So it is over a number: the bucket in front, 2^16 done orders at a time, keeps
 * what is written together, and 32 bits of hash behind it make it small. Two client ids may have one key, so a look-up
 * compares the texts as well. It tries one key for each bucket: with smaller buckets writing costs less, and looking up
 * more. Versions of the database up to 5 had 2^18 in a bucket.
 *
 * Users choose their client ids. Whoever knew the hash could choose thousands that have one key, and a look-up would
 * go over all of them; so a secret, drawn when the database is made, is hashed along. Then 32 bits are enough: of the
 * ids in a bucket, whatever they are, one in 65,000 meets another by chance.
 */

import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

const BUCKET_BITS = 16;
const OLD_BUCKET_BITS = 18;
const HASH_BITS = 32;
const HEX_DIGIT_BITS = 4;

export class ClientKeys {
  readonly #secret: string;
  /** The first done order whose key has the secret: those before were written by an earlier version. */
  readonly #since: number;
  /** The first done order in a bucket of today's size. */
  readonly #smallSince: number;

  constructor(db: DatabaseSync) {
    const row = db.prepare('SELECT secret, since, small_since FROM client_keys').get() as {
      readonly secret: string;
      readonly since: number;
      readonly small_since: number;
    };
    this.#secret = row.secret;
    this.#since = row.since;
    this.#smallSince = row.small_since;
  }

  /** The key under which a new done order is written. */
  of(doneOrder: number, user: number, clientId: string): number {
    return keyOf(bucketOf(doneOrder, BUCKET_BITS), this.#hash(user, clientId));
  }

  /** The keys that done orders from `first` to `last` may have, those of the newest first. */
  *among(first: number, last: number, user: number, clientId: string): Generator<number> {
    const [since, smallSince] = [this.#since, this.#smallSince];
    const secretHash = this.#hash(user, clientId);
    yield* keysAmong(Math.max(first, smallSince), last, BUCKET_BITS, secretHash);
    yield* keysAmong(Math.max(first, since), Math.min(last, smallSince - 1), OLD_BUCKET_BITS, secretHash);
    if (first >= since) return;
    const openHash = hashWithoutSecret(user, clientId);
    yield* keysAmong(first, Math.min(last, since - 1), OLD_BUCKET_BITS, openHash);
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

/** Of done orders from `first` to `last`, the newest first; none where `last` is before `first`. */
function* keysAmong(first: number, last: number, bits: number, hashed: number): Generator<number> {
  if (last < first) return;
  const firstBucket = bucketOf(first, bits);
  for (let bucket = bucketOf(last, bits); bucket >= firstBucket; bucket--) yield keyOf(bucket, hashed);
}

function bucketOf(doneOrder: number, bits: number): number {
  return Math.floor(doneOrder / 2 ** bits);
}

function keyOf(bucket: number, hashed: number): number {
  return bucket * 2 ** HASH_BITS + hashed;
}
