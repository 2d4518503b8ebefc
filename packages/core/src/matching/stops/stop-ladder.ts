/**
 * The stop orders of one kind in one symbol, sorted by rank so that due ones come first. The only query is: which of the
 * due ones has the smallest id? A heap would have to be emptied to answer it, again after every trade. Sorted blocks that
 * know their smallest id answer it with one step per due block.
 */

const BLOCK = 256;
const HALF = BLOCK / 2;

class Block {
  readonly ranks = new Float64Array(BLOCK);
  readonly ids = new Float64Array(BLOCK);
  count = 0;
  smallestId = Infinity;

  get lastRank(): number {
    return this.ranks[this.count - 1];
  }

  /** The first position that is not before rank and id. */
  placeOf(rank: number, id: number): number {
    const { ranks, ids } = this;
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (ranks[middle] < rank || (ranks[middle] === rank && ids[middle] < id)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  insert(at: number, rank: number, id: number): void {
    this.ranks.copyWithin(at + 1, at, this.count);
    this.ids.copyWithin(at + 1, at, this.count);
    this.ranks[at] = rank;
    this.ids[at] = id;
    this.count++;
    if (id < this.smallestId) this.smallestId = id;
  }

  remove(at: number): void {
    const id = this.ids[at];
    this.ranks.copyWithin(at, at + 1, this.count);
    this.ids.copyWithin(at, at + 1, this.count);
    this.count--;
    if (id === this.smallestId) this.#findSmallest();
  }

  /** Moves the upper half into a new block. */
  split(): Block {
    const upper = new Block();
    upper.ranks.set(this.ranks.subarray(HALF));
    upper.ids.set(this.ids.subarray(HALF));
    upper.count = BLOCK - HALF;
    this.count = HALF;
    this.#findSmallest();
    upper.#findSmallest();
    return upper;
  }

  /** Of those up to the rank; Infinity if there is none. */
  smallestUpTo(rank: number): number {
    let smallest = Infinity;
    for (let i = 0; i < this.count && this.ranks[i] <= rank; i++) {
      if (this.ids[i] < smallest) smallest = this.ids[i];
    }
    return smallest;
  }

  #findSmallest(): void {
    this.smallestId = this.smallestUpTo(Infinity);
  }
}

export class StopLadder {
  readonly #blocks: Block[] = [];

  /** Infinity if there is none. */
  get firstRank(): number {
    return this.#blocks.length === 0 ? Infinity : this.#blocks[0].ranks[0];
  }

  add(rank: number, id: number): void {
    if (this.#blocks.length === 0) this.#blocks.push(new Block());
    const index = this.#blockOf(rank, id);
    let block = this.#blocks[index];
    if (block.count === BLOCK) {
      const upper = block.split();
      this.#blocks.splice(index + 1, 0, upper);
      if (isBefore(upper.ranks[0], upper.ids[0], rank, id)) block = upper;
    }
    block.insert(block.placeOf(rank, id), rank, id);
  }

  /** `rank`: the rank it was added with. */
  remove(rank: number, id: number): void {
    const index = this.#blockOf(rank, id);
    const block = this.#blocks[index];
    block.remove(block.placeOf(rank, id));
    if (block.count === 0) this.#blocks.splice(index, 1);
  }

  /** The smallest id of those up to the rank; Infinity if there is none. */
  smallestUpTo(rank: number): number {
    let smallest = Infinity;
    for (const block of this.#blocks) {
      if (block.lastRank > rank) return Math.min(smallest, block.smallestUpTo(rank));
      if (block.smallestId < smallest) smallest = block.smallestId;
    }
    return smallest;
  }

  /** The last block that does not start after rank and id, else the first. */
  #blockOf(rank: number, id: number): number {
    let low = 0;
    let high = this.#blocks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      const { ranks, ids } = this.#blocks[middle];
      if (isBefore(rank, id, ranks[0], ids[0])) high = middle - 1;
      else low = middle;
    }
    return low;
  }
}

const isBefore = (rank: number, id: number, otherRank: number, otherId: number): boolean =>
  rank < otherRank || (rank === otherRank && id < otherId);
