/**
 * Client ids of what is done, in order of time. They are stored in blocks, because there may be millions of them and
 * adding or forgetting one must not copy or visit the others. They are in typed arrays, which the garbage collector does
 * not scan.
 */

export interface DoneId {
  readonly at: number;
  /** Of the client id in the table of texts. */
  readonly row: number;
  /** Of what is done. */
  readonly id: number;
}

const BLOCK_SIZE = 4096;

class Block {
  readonly at = new Float64Array(BLOCK_SIZE);
  readonly row = new Int32Array(BLOCK_SIZE);
  readonly id = new Float64Array(BLOCK_SIZE);
  used = 0;

  read(place: number): DoneId {
    return { at: this.at[place], row: this.row[place], id: this.id[place] };
  }
}

export class DoneIds {
  private readonly blocks: Block[] = [];
  /** Where the first remembered id is in the first block; those before it are forgotten. */
  private firstPlace = 0;

  /** `at` must not be before the time of the id added last. */
  add(at: number, row: number, id: number): void {
    let block = this.blocks.at(-1);
    if (block === undefined || block.used === BLOCK_SIZE) {
      block = new Block();
      this.blocks.push(block);
    }
    const place = block.used++;
    block.at[place] = at;
    block.row[place] = row;
    block.id[place] = id;
  }

  /** Takes out the oldest if it is from `until` or before; null if there is none. */
  takeUntil(until: number): DoneId | null {
    const [block] = this.blocks;
    const place = this.firstPlace;
    if (block === undefined || place === block.used || block.at[place] > until) return null;
    const oldest = block.read(place);
    this.firstPlace += 1;
    if (this.firstPlace === BLOCK_SIZE) {
      this.blocks.shift();
      this.firstPlace = 0;
    }
    return oldest;
  }

  *[Symbol.iterator](): Generator<DoneId, void, void> {
    let from = this.firstPlace;
    for (const block of this.blocks) {
      for (let place = from; place < block.used; place++) yield block.read(place);
      from = 0;
    }
  }
}
