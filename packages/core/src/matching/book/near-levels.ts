/**
 * A direct-mapped cache of one side's levels: the last bits of the price, counted in ticks, choose a slot, which holds the
 * level last looked up there. Adjacent prices are in adjacent slots, so that those near the best price stay in the CPU
 * cache. A level that lost its slot is still in the ladder and found there by search; colliding prices cost no more.
 */

import type { LevelTable } from './level-table.ts';

const FIRST_SLOTS = 64;
const SLOTS_MAX = 65_536;

export class NearLevels {
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
