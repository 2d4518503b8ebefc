/**
 * Finds a level of one side by its price without a search: the last bits of the price, counted in ticks, choose a slot,
 * and a slot holds the level that was last looked for there. Prices near each other are in slots next to each other, so
 * that those near the best price stay in the processor's cache. A level that has lost its slot to another is still in
 * the ladder, and searched for there: prices that all choose one slot make nothing slower than that.
 */

import type { LevelTable } from './level-table.ts';

const FIRST_SLOTS = 64;
const SLOTS_MAX = 65_536;

export class NearLevels {
  /** Level rows, counted from 1; 0 for none. A level is in its own slot or in none, and only while it exists. */
  private slots = new Int32Array(FIRST_SLOTS);
  private mask = FIRST_SLOTS - 1;
  private readonly perTick: number;
  private readonly levels: LevelTable;

  constructor(tick: number, levels: LevelTable) {
    this.perTick = 1 / tick;
    this.levels = levels;
  }

  /** -1 when the level at this price is not here, or does not exist. */
  find(price: number): number {
    const level = this.slots[this.slotOf(price)] - 1;
    return level >= 0 && this.levels.price(level) === price ? level : -1;
  }

  add(price: number, level: number): void {
    this.slots[this.slotOf(price)] = level + 1;
  }

  /** The level is about to be gone. */
  remove(price: number, level: number): void {
    const slot = this.slotOf(price);
    if (this.slots[slot] === level + 1) this.slots[slot] = 0;
  }

  /** Twice as many slots as there are levels, and empty ones: each level comes back when it is next looked for. */
  makeRoom(count: number): void {
    const { length } = this.slots;
    if (count * 2 <= length || length === SLOTS_MAX) return;
    this.slots = new Int32Array(length * 2);
    this.mask = length * 2 - 1;
  }

  private slotOf(price: number): number {
    return (price * this.perTick + 0.5) & this.mask;
  }
}
