/** One side of a book: sorted levels, best first, so that reading the top costs no search. */

import type { Level } from './types.ts';

export class BookSide {
  readonly #isBid: boolean;
  /** Best first. */
  #prices: string[];
  readonly #sizes: Map<string, string>;

  constructor(side: 'bids' | 'asks', levels: readonly Level[] = []) {
    this.#isBid = side === 'bids';
    this.#sizes = new Map(levels.map(([price, size]) => [price, size]));
    this.#prices = [...this.#sizes.keys()].toSorted((a, b) => this.#order(a, b));
  }

  /** Size 0 removes the level. */
  set(price: string, size: string): void {
    const isThere = this.#sizes.has(price);
    if (size !== '0') {
      this.#sizes.set(price, size);
      if (!isThere) this.#prices.splice(this.#placeOf(price), 0, price);
    } else if (isThere) {
      this.#sizes.delete(price);
      this.#prices.splice(this.#placeOf(price), 1);
    }
  }

  levels(count = Number.POSITIVE_INFINITY): Level[] {
    return this.#prices.slice(0, count).map((price) => [price, this.#sizes.get(price)!]);
  }

  get best(): Level | undefined {
    return this.levels(1)[0];
  }

  /** Its position, or where it belongs. */
  #placeOf(price: string): number {
    let low = 0;
    let high = this.#prices.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#order(this.#prices[middle]!, price) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #order(a: string, b: string): number {
    return this.#isBid ? comparePrices(b, a) : comparePrices(a, b);
  }
}

/** Exact: first by the length of the whole part, then digit by digit. */
function comparePrices(a: string, b: string): number {
  const [wholeA, partA = ''] = a.split('.');
  const [wholeB, partB = ''] = b.split('.');
  if (wholeA!.length !== wholeB!.length) return wholeA!.length - wholeB!.length;
  if (wholeA !== wholeB) return wholeA! < wholeB! ? -1 : 1;
  if (partA === partB) return 0;
  const length = Math.max(partA.length, partB.length);
  return partA.padEnd(length, '0') < partB.padEnd(length, '0') ? -1 : 1;
}
