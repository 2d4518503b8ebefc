/**
 * Client ids of what is done, in order of time. They are stored in blocks, because there may be millions of them and
 * adding or forgetting one must not copy or visit the others. Their numbers are in typed arrays, which the garbage
 * collector does not scan.
 */

export interface DoneId {
  readonly at: number;
  readonly user: number;
  readonly clientId: string;
  readonly id: number;
}

const BLOCK_SIZE = 4096;

class Block {
  readonly at = new Float64Array(BLOCK_SIZE);
  readonly user = new Int32Array(BLOCK_SIZE);
  readonly id = new Float64Array(BLOCK_SIZE);
  readonly clientId: string[] = [];

  get isFull(): boolean {
    return this.clientId.length === BLOCK_SIZE;
  }

  read(place: number): DoneId {
    const { at, user, clientId, id } = this;
    return { at: at[place], user: user[place], clientId: clientId[place], id: id[place] };
  }
}

export class DoneIds {
  private readonly blocks: Block[] = [];
  /** Where the first remembered id is in the first block; those before it are forgotten. */
  private firstPlace = 0;

  /** `at` must not be before the time of the id added last. */
  add(at: number, user: number, clientId: string, id: number): void {
    let block = this.blocks.at(-1);
    if (block === undefined || block.isFull) {
      block = new Block();
      this.blocks.push(block);
    }
    const place = block.clientId.length;
    block.at[place] = at;
    block.user[place] = user;
    block.id[place] = id;
    block.clientId.push(clientId);
  }

  /** Takes out the oldest if it is from `until` or before; null if there is none. */
  takeUntil(until: number): DoneId | null {
    const [block] = this.blocks;
    const place = this.firstPlace;
    if (block === undefined || place === block.clientId.length || block.at[place] > until) return null;
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
      for (let place = from; place < block.clientId.length; place++) yield block.read(place);
      from = 0;
    }
  }
}
