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
 */

import type { DatabaseSync } from 'node:sqlite';
import { clientKeyHash } from './client-key-hash.ts';

const BUCKET_BITS = 16;
const HASH_BITS = 32;
const HEX_DIGIT_BITS = 4;
const WORD_DIGITS = HASH_BITS / HEX_DIGIT_BITS;

export class ClientKeys {
  readonly #low: number;
  readonly #high: number;

  constructor(db: DatabaseSync) {
    const { secret } = db.prepare('SELECT secret FROM client_keys').get() as { readonly secret: string };
    this.#low = wordOf(secret, 0);
    this.#high = wordOf(secret, 1);
  }

  hashOf(user: number, clientId: string): number {
    return clientKeyHash(this.#low, this.#high, user, clientId);
  }

  /** Of a done order whose client id has this hash. */
  keyOf(doneOrder: number, hashed: number): number {
    return bucketOf(doneOrder) * 2 ** HASH_BITS + hashed;
  }

  /** The keys that done orders from `first` to `last` may have, those of the newest first. */
  *among(first: number, last: number, user: number, clientId: string): Generator<number> {
    const hashed = this.hashOf(user, clientId);
    for (let bucket = bucketOf(last); bucket >= bucketOf(first); bucket--) {
      yield bucket * 2 ** HASH_BITS + hashed;
    }
  }
}

function bucketOf(doneOrder: number): number {
  return Math.floor(doneOrder / 2 ** BUCKET_BITS);
}

/** The word of 32 bits at this place of hexadecimal digits. */
function wordOf(digits: string, at: number): number {
  return Number.parseInt(digits.slice(at * WORD_DIGITS, (at + 1) * WORD_DIGITS), 16);
}
