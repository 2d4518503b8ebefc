/**
 * Request ids for replay protection. An id is kept until its request expires, and slightly longer: at most about a minute.
 * An id of 36 characters costs about 80 bytes.
 */

import type { Once } from '../commands/commands.ts';
import { reject, type Rejection } from '../commands/rejections.ts';
import type { HashKey } from '../tables/index-table.ts';
import { NO_ROW, TEXT_LENGTH_MAX, TextTable } from '../tables/text-table.ts';
import { checkPrintable, invalidValue } from '../values/checks.ts';

const BLOCK_SIZE = 256;

/** A stack of row numbers, in blocks, because adding one must not copy the others. */
class RowStack {
  readonly #blocks: Int32Array[] = [];
  /** Rows used in the last block. */
  #used = BLOCK_SIZE;

  push(row: number): void {
    if (this.#used === BLOCK_SIZE) {
      this.#blocks.push(new Int32Array(BLOCK_SIZE));
      this.#used = 0;
    }
    this.#blocks[this.#blocks.length - 1][this.#used++] = row;
  }

  /** Removes the last one; NO_ROW if there is none. */
  pop(): number {
    if (this.#blocks.length === 0) return NO_ROW;
    const row = this.#blocks[this.#blocks.length - 1][--this.#used];
    if (this.#used === 0) {
      this.#blocks.pop();
      this.#used = BLOCK_SIZE;
    }
    return row;
  }

  *[Symbol.iterator](): Generator<number, void, void> {
    for (const [number, block] of this.#blocks.entries()) {
      yield* number === this.#blocks.length - 1 ? block.subarray(0, this.#used) : block;
    }
  }
}

const ID_LENGTH_MAX = TEXT_LENGTH_MAX;
const AHEAD_MS_MAX = 60_000;

/** Ids that expire within the same bucket are removed together, once all of them have expired. */
const BUCKET_MS = 64;

const bucketOf = (time: number): number => Math.floor(time / BUCKET_MS);

/** Request ids are global: they do not belong to a user. */
const NOBODY = 0;

export class OnceIds {
  /** When each id expires. */
  readonly #untils: TextTable;
  /** Rows by expiry bucket. There are at most about a thousand buckets, because a request expires within a minute. */
  readonly #buckets = new Map<number, RowStack>();
  #oldest = Infinity;

  constructor(hashKey: HashKey) {
    this.#untils = new TextTable(hashKey);
  }

  /** Ids that have not been removed. */
  get size(): number {
    return this.#untils.size;
  }

  get buckets(): number {
    return this.#buckets.size;
  }

  /**
   * Records the id, or rejects it. An expired request is rejected too, because its id may already have been removed and a
   * replay would look like the first request.
   */
  claim(once: Once, time: number): Rejection | null {
    const refused = this.check(once, time);
    if (!refused) this.restore(once);
    return refused;
  }

  /** Like `claim`, without recording the id. */
  check({ id, until }: Once, time: number): Rejection | null {
    const row = this.#untils.find(NOBODY, id);
    if (row !== NO_ROW && this.#untils.value(row) >= time) return reject('request-repeated', { id });
    const refused = checkPrintable('once.id', id, 1, ID_LENGTH_MAX);
    if (refused) return refused;
    if (!Number.isInteger(until) || until < time || until > time + AHEAD_MS_MAX) {
      return invalidValue('once.until', until, `an integer from ${time} to ${time + AHEAD_MS_MAX}`);
    }
    return null;
  }

  restore({ id, until }: Once): void {
    const bucket = bucketOf(until);
    const row = this.#untils.find(NOBODY, id);
    if (row === NO_ROW) {
      this.#rowsOf(bucket).push(this.#untils.add(NOBODY, id, until));
      return;
    }
    // Expired, but not removed yet.
    if (bucketOf(this.#untils.value(row)) !== bucket) this.#rowsOf(bucket).push(row);
    this.#untils.setValue(row, until);
  }

  /** Removes up to `max` ids of earlier buckets. Until then, their expiry time shows that they have expired. */
  forget(time: number, max: number): void {
    const now = bucketOf(time);
    let left = max;
    while (this.#oldest < now && left > 0) {
      const row = this.#rowsOf(this.#oldest).pop();
      if (row === NO_ROW) this.#dropOldest();
      else {
        left--;
        // An id that was taken again is also in the bucket of its new expiry.
        if (bucketOf(this.#untils.value(row)) === this.#oldest) this.#untils.remove(row);
      }
    }
  }

  /** The ids that have not expired, sorted. */
  list(time: number): Once[] {
    const ids: Once[] = [];
    for (const [bucket, rows] of this.#buckets) {
      for (const row of rows) {
        const until = this.#untils.value(row);
        if (until >= time && bucketOf(until) === bucket) ids.push({ id: this.#untils.textOf(row), until });
      }
    }
    return ids.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  #rowsOf(bucket: number): RowStack {
    let rows = this.#buckets.get(bucket);
    if (!rows) {
      rows = new RowStack();
      this.#buckets.set(bucket, rows);
      this.#oldest = Math.min(this.#oldest, bucket);
    }
    return rows;
  }

  #dropOldest(): void {
    this.#buckets.delete(this.#oldest);
    this.#oldest = Math.min(...this.#buckets.keys());
  }
}
