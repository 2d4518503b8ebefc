/** A stack of row numbers, in blocks, because adding one must not copy the others. */

import { NO_ROW } from './text-rows.ts';

const BLOCK_SIZE = 256;

export class RowStack {
  readonly #blocks: Int32Array[] = [];
  /** Of the last block. */
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
