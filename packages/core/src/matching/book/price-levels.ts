/**
 * Price levels: a table with one row for each level of every book, and the ladder that keeps one side of a book in order of
 * price.
 */

import { GrowingMemory } from '../../tables/growing-memory.ts';

/**
 * Layout: a row is one cache line, read as doubles and as integers (`links`). Doubles of 8: 0 price, 1 visible, 2 total;
 * integers of 16: 8 first and 9 last of the visible queue, 10 and 11 of the hidden one, 12 the ladder's block, 13 the number
 * of ordinary orders, 14 of icebergs. Literal positions for the reason given in order-rows.ts.
 *
 * A block's sums are kept here, because they change with those of its levels.
 */
export const VISIBLE_QUEUE = 0;
export const HIDDEN_QUEUE = 2;

const ROW_BYTES = 64;
const FIRST_CAPACITY = 4096;
const FIRST_BLOCKS = 128;

/**
 * Price levels of all books, one row each. A level has two queues in order of arrival, linked through the orders'
 * rows: the visible one (ordinary orders, slices of icebergs) and the hidden one.
 */
export class LevelTable {
  readonly #memory = new GrowingMemory(FIRST_CAPACITY * ROW_BYTES);
  #numbers = new Float64Array(this.#memory.buffer);
  #links = new Int32Array(this.#memory.buffer);
  #used = 0;
  /** Freed rows are chained through the first of the visible queue. */
  #free = -1;
  #blockTotals = new Float64Array(FIRST_BLOCKS);
  #blockOrdinary = new Int32Array(FIRST_BLOCKS);
  #blockIcebergs = new Int32Array(FIRST_BLOCKS);
  readonly #freeBlocks: number[] = [];
  #usedBlocks = 0;

  add(price: number): number {
    let level = this.#free;
    if (level >= 0) this.#free = this.#links[(level << 4) | 8];
    else {
      if (this.#used * 16 === this.#links.length) this.#grow();
      level = this.#used++;
    }
    this.#numbers[level << 3] = price;
    this.#numbers[(level << 3) | 1] = 0;
    this.#numbers[(level << 3) | 2] = 0;
    for (let i = 8; i < 12; i++) this.#links[(level << 4) | i] = -1;
    this.#links[(level << 4) | 13] = 0;
    this.#links[(level << 4) | 14] = 0;
    return level;
  }

  remove(level: number): void {
    this.#links[(level << 4) | 8] = this.#free;
    this.#free = level;
  }

  price(level: number): number {
    return this.#numbers[level << 3];
  }

  /** The visible size, as in the book's events. */
  visible(level: number): number {
    return this.#numbers[(level << 3) | 1];
  }

  addVisible(level: number, change: number): void {
    this.#numbers[(level << 3) | 1] += change;
  }

  /** The total size, including hidden orders and the hidden rest of icebergs. */
  total(level: number): number {
    return this.#numbers[(level << 3) | 2];
  }

  addTotal(level: number, change: number): void {
    this.#numbers[(level << 3) | 2] += change;
    this.#blockTotals[this.#links[(level << 4) | 12]] += change;
  }

  /** The number of orders that are neither hidden nor icebergs. */
  ordinary(level: number): number {
    return this.#links[(level << 4) | 13];
  }

  addOrdinary(level: number, change: number): void {
    this.#links[(level << 4) | 13] += change;
    this.#blockOrdinary[this.#links[(level << 4) | 12]] += change;
  }

  addIcebergs(level: number, change: number): void {
    this.#links[(level << 4) | 14] += change;
    this.#blockIcebergs[this.#links[(level << 4) | 12]] += change;
  }

  /** Adds an ordinary order to the end of the visible queue; returns the one before it. */
  join(level: number, row: number, size: number): number {
    const numbers = this.#numbers;
    const links = this.#links;
    const n = level << 3;
    numbers[n | 1] += size;
    numbers[n | 2] += size;
    const l = level << 4;
    const last = links[l | 9];
    if (last < 0) links[l | 8] = row;
    links[l | 9] = row;
    links[l | 13]++;
    const block = links[l | 12];
    this.#blockTotals[block] += size;
    this.#blockOrdinary[block]++;
    return last;
  }

  /** Removes an ordinary order between these two from the visible queue; returns the remaining visible size. */
  part(level: number, previous: number, next: number, size: number): number {
    const numbers = this.#numbers;
    const links = this.#links;
    const n = level << 3;
    const visible = numbers[n | 1] - size;
    numbers[n | 1] = visible;
    numbers[n | 2] -= size;
    const l = level << 4;
    if (previous < 0) links[l | 8] = next;
    if (next < 0) links[l | 9] = previous;
    links[l | 13]--;
    const block = links[l | 12];
    this.#blockTotals[block] -= size;
    this.#blockOrdinary[block]--;
    return visible;
  }

  /** Adds an empty block. */
  addBlock(): number {
    const block = this.#freeBlocks.pop() ?? this.#usedBlocks++;
    if (block >= this.#blockTotals.length) this.#growBlocks();
    return block;
  }

  /** Removes a block without levels; its sums are 0. */
  removeBlock(block: number): void {
    this.#freeBlocks.push(block);
  }

  blockTotal(block: number): number {
    return this.#blockTotals[block];
  }

  hasOrdinary(block: number): boolean {
    return this.#blockOrdinary[block] > 0;
  }

  /** Whether the block has visible orders: ordinary orders or icebergs. */
  isShown(block: number): boolean {
    return this.#blockOrdinary[block] > 0 || this.#blockIcebergs[block] > 0;
  }

  /** Adds a new, empty level to a block. */
  enterBlock(level: number, block: number): void {
    this.#links[(level << 4) | 12] = block;
  }

  /** Moves a level, with its share of the sums, to another block. */
  moveToBlock(level: number, block: number): void {
    const from = this.#links[(level << 4) | 12];
    this.#blockTotals[from] -= this.total(level);
    this.#blockTotals[block] += this.total(level);
    this.#blockOrdinary[from] -= this.ordinary(level);
    this.#blockOrdinary[block] += this.ordinary(level);
    const icebergs = this.#links[(level << 4) | 14];
    this.#blockIcebergs[from] -= icebergs;
    this.#blockIcebergs[block] += icebergs;
    this.#links[(level << 4) | 12] = block;
  }

  /** A queue is VISIBLE_QUEUE or HIDDEN_QUEUE. */
  first(level: number, queue: number): number {
    return this.#links[(level << 4) | 8 | queue];
  }

  last(level: number, queue: number): number {
    return this.#links[(level << 4) | 9 | queue];
  }

  setFirst(level: number, queue: number, row: number): void {
    this.#links[(level << 4) | 8 | queue] = row;
  }

  setLast(level: number, queue: number, row: number): void {
    this.#links[(level << 4) | 9 | queue] = row;
  }

  isEmpty(level: number): boolean {
    return this.#links[(level << 4) | 8] < 0 && this.#links[(level << 4) | 10] < 0;
  }

  #grow(): void {
    this.#memory.double();
    this.#numbers = new Float64Array(this.#memory.buffer);
    this.#links = new Int32Array(this.#memory.buffer);
  }

  #growBlocks(): void {
    const totals = new Float64Array(this.#blockTotals.length * 2);
    totals.set(this.#blockTotals);
    this.#blockTotals = totals;
    const ordinary = new Int32Array(this.#blockOrdinary.length * 2);
    ordinary.set(this.#blockOrdinary);
    this.#blockOrdinary = ordinary;
    const icebergs = new Int32Array(this.#blockIcebergs.length * 2);
    icebergs.set(this.#blockIcebergs);
    this.#blockIcebergs = icebergs;
  }
}

const BUY = 0;
const BLOCK = 64;
const HALF = BLOCK / 2;

/** Of two levels of a side, the one with the higher rank is better. */
export const rankOf = (side: number, price: number): number => (side === BUY ? price : -price);

class Block {
  readonly ranks = new Float64Array(BLOCK);
  readonly levels = new Int32Array(BLOCK);
  /** Its number in the level table. */
  readonly number: number;
  count = 0;

  constructor(number: number) {
    this.number = number;
  }

  /** The first position whose rank is not below the given one. */
  lowerBound(rank: number): number {
    const { ranks } = this;
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (ranks[middle] < rank) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  insert(at: number, rank: number, level: number): void {
    const { ranks, levels } = this;
    // A loop beats copyWithin: usually only a few positions near the best price move.
    for (let i = this.count; i > at; i--) {
      ranks[i] = ranks[i - 1];
      levels[i] = levels[i - 1];
    }
    ranks[at] = rank;
    levels[at] = level;
    this.count++;
  }

  remove(at: number): void {
    const { ranks, levels } = this;
    this.count--;
    for (let i = at; i < this.count; i++) {
      ranks[i] = ranks[i + 1];
      levels[i] = levels[i + 1];
    }
  }

  /** Moves the upper half into a new block. */
  split(table: LevelTable): Block {
    const upper = new Block(table.addBlock());
    upper.ranks.set(this.ranks.subarray(HALF));
    upper.levels.set(this.levels.subarray(HALF));
    upper.count = BLOCK - HALF;
    this.count = HALF;
    for (let i = 0; i < upper.count; i++) table.moveToBlock(upper.levels[i], upper.number);
    return upper;
  }
}

/**
 * The price levels of one side of a book, in sorted blocks of up to 64 prices: a look-up is two binary searches, an
 * insertion moves at most a block, and prices near the best, where nearly everything happens, are at the end of the last
 * block. A tree has the same bounds with a cache miss per step.
 *
 * Levels are ordered by rank, best last: a bid's rank is its price, an ask's the negated price. Each block knows the sums
 * of its levels (in the level table), so that looking ahead costs a step per block, not per level.
 */
export class PriceLadder {
  /** The best level's row, -1 if the side is empty. */
  best = -1;
  readonly #side: number;
  readonly #table: LevelTable;
  /** Most orders join an existing level, which is found here without a search. */
  readonly #near: NearLevels;
  readonly #blocks: Block[];
  #count = 0;

  /** `tick`: the usual distance between prices. */
  constructor(side: number, tick: number, table: LevelTable) {
    this.#side = side;
    this.#table = table;
    this.#near = new NearLevels(tick, table);
    this.#blocks = [new Block(table.addBlock())];
  }

  /** The level at this price; -1 if there is none. */
  find(price: number): number {
    const level = this.#near.find(price);
    return level >= 0 ? level : this.#search(price);
  }

  /** Like `find`, but never searches: also -1 if a search would be needed. */
  findNear(price: number): number {
    return this.#near.find(price);
  }

  #search(price: number): number {
    const rank = rankOf(this.#side, price);
    const block = this.#blocks[this.#blockOf(rank)];
    const at = block.lowerBound(rank);
    return at < block.count && block.ranks[at] === rank ? block.levels[at] : -1;
  }

  /** The level at this price, added if there is none. */
  levelAt(price: number): number {
    const level = this.#near.find(price);
    return level >= 0 ? level : this.#searchOrAdd(price);
  }

  #searchOrAdd(price: number): number {
    const rank = rankOf(this.#side, price);
    const index = this.#blockOf(rank);
    const block = this.#blocks[index];
    const at = block.lowerBound(rank);
    const isThere = at < block.count && block.ranks[at] === rank;
    const level = isThere ? block.levels[at] : this.#table.add(price);
    if (!isThere) this.#insert(index, at, rank, level);
    this.#near.add(price, level);
    return level;
  }

  #insert(index: number, at: number, rank: number, level: number): void {
    let block = this.#blocks[index];
    let place = at;
    if (block.count === BLOCK) {
      const upper = block.split(this.#table);
      this.#blocks.splice(index + 1, 0, upper);
      if (at > HALF) {
        block = upper;
        place = at - HALF;
      }
    }
    block.insert(place, rank, level);
    this.#table.enterBlock(level, block.number);
    this.#near.makeRoom(++this.#count);
    this.#findBest();
  }

  /** Removes an empty level. */
  remove(level: number): void {
    const price = this.#table.price(level);
    const rank = rankOf(this.#side, price);
    const index = this.#blockOf(rank);
    const block = this.#blocks[index];
    block.remove(block.lowerBound(rank));
    if (block.count === 0 && this.#blocks.length > 1) {
      this.#table.removeBlock(block.number);
      this.#blocks.splice(index, 1);
    }
    this.#count--;
    this.#near.remove(price, level);
    this.#table.remove(level);
    this.#findBest();
  }

  #findBest(): void {
    const last = this.#blocks[this.#blocks.length - 1];
    this.best = last.count === 0 ? -1 : last.levels[last.count - 1];
  }

  /** Visits level rows, best first, until `visit` returns false. */
  walk(visit: (level: number) => boolean): void {
    for (let b = this.#blocks.length - 1; b >= 0; b--) {
      const block = this.#blocks[b];
      for (let i = block.count - 1; i >= 0; i--) if (!visit(block.levels[i])) return;
    }
  }

  /** The total size, including hidden quantity, of all levels from this rank up to the best. */
  totalFrom(rank: number): number {
    const table = this.#table;
    let total = 0;
    for (let b = this.#blocks.length - 1; b >= 0; b--) {
      const { ranks, levels, count, number } = this.#blocks[b];
      if (count === 0 || ranks[count - 1] < rank) break;
      if (ranks[0] >= rank) total += table.blockTotal(number);
      else for (let i = count - 1; ranks[i] >= rank; i--) total += table.total(levels[i]);
    }
    return total;
  }

  /** The best level with an ordinary order; -1 if none has one. */
  bestOrdinary(): number {
    const table = this.#table;
    for (let b = this.#blocks.length - 1; b >= 0; b--) {
      const { levels, count, number } = this.#blocks[b];
      if (!table.hasOrdinary(number)) continue;
      for (let i = count - 1; i >= 0; i--) if (table.ordinary(levels[i]) > 0) return levels[i];
    }
    return -1;
  }

  /** The best level with visible orders; -1 if none has any. */
  bestShown(): number {
    const table = this.#table;
    for (let b = this.#blocks.length - 1; b >= 0; b--) {
      const { levels, count, number } = this.#blocks[b];
      if (!table.isShown(number)) continue;
      for (let i = count - 1; i >= 0; i--) if (table.visible(levels[i]) > 0) return levels[i];
    }
    return -1;
  }

  /** The last block that starts at or below the rank, else the first. */
  #blockOf(rank: number): number {
    const blocks = this.#blocks;
    let low = 0;
    let high = blocks.length - 1;
    if (rank >= blocks[high].ranks[0]) return high;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (blocks[middle].ranks[0] <= rank) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

const FIRST_SLOTS = 64;
const SLOTS_MAX = 65_536;

/**
 * A direct-mapped cache of one side's levels: the last bits of the price, counted in ticks, choose a slot, which holds the
 * level last looked up there. Adjacent prices are in adjacent slots, so that those near the best price stay in the CPU
 * cache. A level that lost its slot is still in the ladder and found there by search; colliding prices cost no more.
 */
class NearLevels {
  /** Level rows plus 1; 0 for none. A level is in its own slot or in none, and only while it exists. */
  #slots = new Int32Array(FIRST_SLOTS);
  #mask = FIRST_SLOTS - 1;
  readonly #perTick: number;
  readonly #levels: LevelTable;

  constructor(tick: number, levels: LevelTable) {
    this.#perTick = 1 / tick;
    this.#levels = levels;
  }

  /** -1 if the level at this price is not cached or does not exist. */
  find(price: number): number {
    const level = this.#slots[this.#slotOf(price)] - 1;
    return level >= 0 && this.#levels.price(level) === price ? level : -1;
  }

  add(price: number, level: number): void {
    this.#slots[this.#slotOf(price)] = level + 1;
  }

  /** Called before the level is removed. */
  remove(price: number, level: number): void {
    const slot = this.#slotOf(price);
    if (this.#slots[slot] === level + 1) this.#slots[slot] = 0;
  }

  /** Resizes to twice the number of levels, with empty slots: each level returns when it is next looked up. */
  makeRoom(count: number): void {
    const { length } = this.#slots;
    if (count * 2 <= length || length === SLOTS_MAX) return;
    this.#slots = new Int32Array(length * 2);
    this.#mask = length * 2 - 1;
  }

  #slotOf(price: number): number {
    return (price * this.#perTick + 0.5) & this.#mask;
  }
}
