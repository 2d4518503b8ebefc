/** The orders of a book: no sequence number is missing, and the remaining sizes sum to the levels of the book. */

import type { PriceLevel, SymbolSet } from '@bourse/core';
import { Level3Book, type Level3Message, type Level3Snapshot } from '@bourse/test-kit/level3-book.ts';
import type { Client } from '@bourse/test-kit/server.ts';
import type { Data } from '../feed-client.ts';
import type { Check } from './check.ts';
import type { MarketTruth } from './truth.ts';

export class Level3Check implements Check {
  readonly name = '/spotMarket/level3';
  readonly topic: string;
  /** The levels are compared when the market is at rest: a message is a step of an order, and a record has many. */
  readonly behind = 0;
  readonly #market: MarketTruth;
  readonly #http: Client;
  readonly #onFailure: (error: unknown) => void;
  #book: Level3Book | undefined;
  #gathered: Level3Message[] = [];

  constructor(market: MarketTruth, http: Client, onFailure: (error: unknown) => void) {
    this.#market = market;
    this.#http = http;
    this.#onFailure = onFailure;
    this.topic = `${this.name}:${market.terms.code}`;
  }

  get isComplete(): boolean {
    const book = this.#book;
    if (book === undefined) return this.#gathered.length === 0;
    const { terms, latestBook } = this.#market;
    const isSame = (side: 'buy' | 'sell', levels: readonly PriceLevel[]): boolean =>
      areSame(levelsOf(book, side, terms), levels);
    return isSame('buy', latestBook.bids) && isSame('sell', latestBook.asks);
  }

  take(data: Data): void {
    const message = data as unknown as Level3Message;
    if (this.#book !== undefined) {
      this.#book.apply(message);
      return;
    }
    this.#gathered.push(message);
    if (this.#gathered.length === 1) this.#fetch();
  }

  #fetch(): void {
    const { code, sizeDecimals } = this.#market.terms;
    this.#http
      .get(`/api/v3/market/orderbook/level3?symbol=${code}`)
      .then(({ json }) => {
        this.#book = new Level3Book(sizeDecimals, json.data as Level3Snapshot);
        for (const message of this.#gathered) this.#book.apply(message);
        this.#gathered = [];
      })
      .catch(this.#onFailure);
  }
}

type Level = readonly [price: number, size: number];

function levelsOf(book: Level3Book, side: 'buy' | 'sell', terms: SymbolSet): Level[] {
  const sums = new Map<number, number>();
  for (const [, price, size] of book.rows(side)) {
    const units = toUnits(price, terms.priceDecimals);
    sums.set(units, (sums.get(units) ?? 0) + toUnits(size, terms.sizeDecimals));
  }
  return [...sums];
}

const areSame = (said: readonly Level[], levels: readonly PriceLevel[]): boolean =>
  said.length === levels.length &&
  said.every(([price, size], i) => price === levels[i].price && size === levels[i].size);

function toUnits(text: string, decimals: number): number {
  const [whole, part = ''] = text.split('.');
  return Number(whole + part.padEnd(decimals, '0'));
}
