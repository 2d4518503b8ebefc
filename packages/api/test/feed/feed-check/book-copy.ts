/**
 * A copy of a book, maintained as documented for clients: buffer changes, fetch the book, skip changes that it already
 * has, apply the rest in order. A gap throws. Prices and sizes are in the symbol's units, in order, so that comparing
 * the whole copy is one walk.
 */

import type { PriceLevel, SymbolSet } from '@bourse/core';
import { formatSmall } from '../../../src/gateway/decimals.ts';

export interface Changes {
  readonly changes: { readonly asks: readonly Change[]; readonly bids: readonly Change[] };
  readonly sequenceStart: number;
  readonly sequenceEnd: number;
  readonly symbol: string;
  readonly time: number;
}

type Change = readonly [price: string, size: string, sequence: string];

export interface BookAnswer {
  readonly sequence: string;
  readonly asks: readonly (readonly [string, string])[];
  readonly bids: readonly (readonly [string, string])[];
}

/** A decimal in units; throws unless it is written as the exchange writes decimals. */
export function unitsOf(text: string, decimals: number): number {
  const units = Math.round(Number(text) * 10 ** decimals);
  if (formatSmall(units, decimals) !== text) throw new Error(`'${text}' is no decimal of ours`);
  return units;
}

class SideCopy {
  /** 1 where the lowest price is the best, -1 where the highest is. */
  readonly #sign: number;
  readonly #prices: number[] = [];
  readonly #sizes: number[] = [];

  constructor(sign: number) {
    this.#sign = sign;
  }

  clear(): void {
    this.#prices.length = 0;
    this.#sizes.length = 0;
  }

  set(price: number, size: number): void {
    const prices = this.#prices,
      sizes = this.#sizes,
      sign = this.#sign;
    let at = 0;
    let end = prices.length;
    while (at < end) {
      const middle = (at + end) >> 1;
      if (sign * (prices[middle] - price) < 0) at = middle + 1;
      else end = middle;
    }
    if (prices[at] === price) {
      if (size > 0) sizes[at] = size;
      else {
        prices.splice(at, 1);
        sizes.splice(at, 1);
      }
    } else if (size > 0) {
      prices.splice(at, 0, price);
      sizes.splice(at, 0, size);
    } else throw new Error(`a level at ${price} is removed that is not there`);
  }

  /** Where the copy and the levels differ first; -1 where they do not. */
  difference(levels: readonly PriceLevel[]): number {
    const prices = this.#prices,
      sizes = this.#sizes;
    const count = Math.max(levels.length, prices.length);
    for (let i = 0; i < count; i++) {
      const level = levels[i];
      if (level === undefined || level.price !== prices[i] || level.size !== sizes[i]) return i;
    }
    return -1;
  }

  show(at: number): string {
    return `${this.#prices[at] ?? 'nothing'} x ${this.#sizes[at] ?? 0}`;
  }
}

export class BookCopy {
  /** -1 until the book was fetched. */
  sequence = -1;
  readonly #terms: SymbolSet;
  readonly #asks = new SideCopy(1);
  readonly #bids = new SideCopy(-1);

  constructor(terms: SymbolSet) {
    this.#terms = terms;
  }

  get isReady(): boolean {
    return this.sequence >= 0;
  }

  forget(): void {
    this.sequence = -1;
    this.#asks.clear();
    this.#bids.clear();
  }

  fill(book: BookAnswer): void {
    for (const [price, size] of book.asks) this.#change(this.#asks, price, size);
    for (const [price, size] of book.bids) this.#change(this.#bids, price, size);
    this.sequence = Number(book.sequence);
  }

  /** Whether the copy has advanced. */
  take({ sequenceStart, sequenceEnd, changes }: Changes): boolean {
    if (sequenceEnd <= this.sequence) return false;
    if (sequenceStart > this.sequence + 1) throw new Error(`a gap: ${this.sequence}, then ${sequenceStart}`);
    const { asks, bids } = changes;
    const count = sequenceEnd - sequenceStart + 1;
    if (asks.length + bids.length !== count)
      throw new Error(`${asks.length + bids.length} changes for ${count} sequence numbers`);
    let ask = 0;
    for (let sequence = sequenceStart; sequence <= sequenceEnd; sequence++) {
      const isAsk = Number(asks[ask]?.[2]) === sequence;
      const change = isAsk ? asks[ask++] : bids[sequence - sequenceStart - ask];
      if (Number(change?.[2]) !== sequence) throw new Error(`change ${sequence} is not in its place`);
      if (sequence > this.sequence) this.#change(isAsk ? this.#asks : this.#bids, change[0], change[1]);
    }
    this.sequence = sequenceEnd;
    return true;
  }

  /** Throws where the copy is not this book. */
  compare(asks: readonly PriceLevel[], bids: readonly PriceLevel[]): void {
    const sides = [
      ['asks', this.#asks, asks],
      ['bids', this.#bids, bids],
    ] as const;
    for (const [name, copy, levels] of sides) {
      const at = copy.difference(levels);
      if (at < 0) continue;
      const { code } = this.#terms;
      const level = levels[at] ? `${levels[at].price} x ${levels[at].size}` : 'nothing';
      throw new Error(
        `${code} at ${this.sequence}, level ${at} of ${name}: ${level}, the copy has ${copy.show(at)}`,
      );
    }
  }

  #change(side: SideCopy, price: string, size: string): void {
    side.set(unitsOf(price, this.#terms.priceDecimals), unitsOf(size, this.#terms.sizeDecimals));
  }
}
