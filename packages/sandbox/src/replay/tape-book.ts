/** The book that a tape tells of: prices and amounts in the symbol's units, changed event by event. */

import type { Side } from '@bourse/core';

/** The most levels of a side that are kept: those beyond are far from where anybody trades. */
const LEVELS_MAX = 10_000;

export type Levels = ReadonlyMap<number, number>;

export class TapeBook {
  readonly #sides: Readonly<Record<Side, Map<number, number>>> = { buy: new Map(), sell: new Map() };

  /** A snapshot takes the place of all there was. */
  clear(): void {
    this.#sides.buy.clear();
    this.#sides.sell.clear();
  }

  set(side: Side, price: number, size: number): void {
    const levels = this.#sides[side];
    if (size === 0) levels.delete(price);
    else if (levels.size < LEVELS_MAX || levels.has(price)) levels.set(price, size);
  }

  /** The best prices of a side, at most so many. */
  top(side: Side, count: number): Levels {
    const sign = side === 'buy' ? -1 : 1;
    const sorted = [...this.#sides[side]].toSorted(([one], [other]) => sign * (one - other));
    return new Map(sorted.slice(0, count));
  }
}
