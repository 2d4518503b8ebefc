/**
 * How done orders are found by client id. An index over the client ids themselves would be written at random over all of
 * its pages, and slow down as it grows. So it is over a number: the bucket in front, 2^16 done orders at a time, keeps
 * what is written together, and 32 bits of hash behind it make it small. Two client ids may have one key, so a look-up
 * compares the texts as well. It tries one key for each bucket: with smaller buckets writing costs less, and looking up
 * more.
 *
 * Users choose their client ids. Whoever knew the hash could choose thousands that have one key, and a look-up would
 * go over all of them; so it is under a secret, drawn when the database is made. Then 32 bits are enough: of the ids in
 * a bucket, whatever they are, one in 65,000 meets another by chance.
 *
 * Earlier versions of the database had other buckets and hashes. What they wrote keeps its keys until it is pruned, and
 * is looked for by them.
 */

import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { clientKeyHash } from './client-key-hash.ts';

const BUCKET_BITS = 16;
const OLD_BUCKET_BITS = 18;
const HASH_BITS = 32;
const HEX_DIGIT_BITS = 4;
const WORD_DIGITS = HASH_BITS / HEX_DIGIT_BITS;

/** The keys of done orders from `since` on, up to the next era. */
interface Era {
  readonly since: number;
  readonly bucketBits: number;
  readonly hash: (user: number, clientId: string) => number;
}

interface Row {
  readonly secret: string;
  readonly since: number;
  readonly small_since: number;
  readonly keyed_since: number;
}

export class ClientKeys {
  /** The newest first. */
  readonly #eras: readonly [Era, ...Era[]];

  constructor(db: DatabaseSync) {
    const row = db.prepare('SELECT secret, since, small_since, keyed_since FROM client_keys').get();
    const { secret, since, small_since, keyed_since } = row as unknown as Row;
    const [low, high] = [wordOf(secret, 0), wordOf(secret, 1)];
    const bySha = (user: number, clientId: string): number =>
      wordOf(hash('sha256', `${secret}${user}:${clientId}`, 'hex'), 0);
    this.#eras = [
      {
        since: keyed_since,
        bucketBits: BUCKET_BITS,
        hash: (user, clientId) => clientKeyHash(low, high, user, clientId),
      },
      { since: small_since, bucketBits: BUCKET_BITS, hash: bySha },
      { since, bucketBits: OLD_BUCKET_BITS, hash: bySha },
      { since: 0, bucketBits: OLD_BUCKET_BITS, hash: hashWithoutSecret },
    ];
  }

  /** The key under which a new done order is written. */
  of(doneOrder: number, user: number, clientId: string): number {
    const [newest] = this.#eras;
    return keyOf(bucketOf(doneOrder, newest.bucketBits), newest.hash(user, clientId));
  }

  /** The keys that done orders from `first` to `last` may have, those of the newest first. */
  *among(first: number, last: number, user: number, clientId: string): Generator<number> {
    let end = last;
    for (const era of this.#eras) {
      const begin = Math.max(first, era.since);
      if (begin <= end) yield* keysAmong(begin, end, era.bucketBits, era.hash(user, clientId));
      end = Math.min(end, era.since - 1);
      if (end < first) return;
    }
  }
}

/** FNV-1a, as the versions of the database up to 4 had it. */
function hashWithoutSecret(user: number, clientId: string): number {
  let state = Math.imul(0x811c9dc5 ^ user, 0x01000193);
  for (let i = 0; i < clientId.length; i++) state = Math.imul(state ^ clientId.charCodeAt(i), 0x01000193);
  return state >>> 0;
}

/** Of done orders from `first` to `last`, the newest first. */
function* keysAmong(first: number, last: number, bits: number, hashed: number): Generator<number> {
  const firstBucket = bucketOf(first, bits);
  for (let bucket = bucketOf(last, bits); bucket >= firstBucket; bucket--) yield keyOf(bucket, hashed);
}

function bucketOf(doneOrder: number, bits: number): number {
  return Math.floor(doneOrder / 2 ** bits);
}

function keyOf(bucket: number, hashed: number): number {
  return bucket * 2 ** HASH_BITS + hashed;
}

/** The word of 32 bits at this place of hexadecimal digits. */
function wordOf(digits: string, at: number): number {
  return Number.parseInt(digits.slice(at * WORD_DIGITS, (at + 1) * WORD_DIGITS), 16);
}
