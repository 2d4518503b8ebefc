/**
 * Changes of a book: no sequence number is missing or repeated, and after each message the copy equals the exchange's
 * book.
 */

import type { SymbolSet } from '@bourse/core';
import { formatSmall } from '../../../src/gateway/decimals.ts';
import type { Client } from '@bourse/test-kit/server.ts';
import type { Data } from '../feed-client.ts';
import { type BookAnswer, BookCopy, type Changes } from './book-copy.ts';
import type { Check } from './check.ts';
import type { Cursor } from './timeline.ts';
import type { BookMoment, MarketTruth } from './truth.ts';

/** A client discards its copy and starts again after this many messages. */
const RESYNC_EVERY = 1500;

const isChange = ({ changes }: BookMoment): boolean => changes.length > 0;

export class Level2Check implements Check {
  readonly name = '/market/level2';
  readonly topic: string;
  /** Messages after which the complete copy was compared. */
  compared = 0;
  resyncs = 0;
  readonly #http: Client;
  readonly #terms: SymbolSet;
  readonly #copy: BookCopy;
  readonly #cursor: Cursor<BookMoment>;
  /** The moment that the copy has reached. */
  #moment: BookMoment;
  /** The moment that the messages have reached, whether or not the copy uses them. */
  readonly #told: Cursor<BookMoment>;
  #gathered: Changes[] = [];
  #isFetching = false;
  #sinceSync = 0;
  readonly #onFailure: (error: unknown) => void;

  constructor(market: MarketTruth, http: Client, onFailure: (error: unknown) => void) {
    this.#http = http;
    this.#onFailure = onFailure;
    this.#terms = market.terms;
    this.topic = `${this.name}:${market.terms.code}`;
    this.#copy = new BookCopy(market.terms);
    this.#cursor = market.books.follow();
    this.#moment = market.latestBook;
    this.#told = market.books.follow();
  }

  get behind(): number {
    return this.#cursor.behind;
  }

  get isComplete(): boolean {
    return this.#copy.isReady && !this.#cursor.isDue(isChange) && !this.#told.isDue(isChange);
  }

  take(data: Data): void {
    const changes = data as unknown as Changes;
    if (isBeat(changes)) {
      if (!this.#copy.isReady) this.#fetch();
      return;
    }
    if (this.#copy.isReady) this.#apply(changes);
    else {
      this.#gathered.push(changes);
      this.#fetch();
    }
    this.#checkChanges(changes, this.#told.next(isChange));
  }

  #apply(changes: Changes): void {
    if (!this.#copy.take(changes)) return;
    this.#moment = this.#cursor.next(isChange);
    const { sequence, asks, bids } = this.#moment;
    if (sequence !== changes.sequenceEnd)
      throw new Error(`${this.topic}: ${changes.sequenceEnd} is not ${sequence}`);
    this.#copy.compare(asks, bids);
    this.compared++;
    if (++this.#sinceSync < RESYNC_EVERY) return;
    this.#sinceSync = 0;
    this.#copy.forget();
  }

  /** Compares the message with exactly what happened, even if the copy does not need it. */
  #checkChanges({ changes, sequenceStart, sequenceEnd, symbol, time }: Changes, moment: BookMoment): void {
    const { code, priceDecimals, sizeDecimals } = this.#terms;
    const at = { buy: 0, sell: 0 };
    const isSame =
      symbol === code &&
      time === moment.time &&
      sequenceStart === moment.changes[0].sequence &&
      sequenceEnd === moment.sequence &&
      moment.changes.every(({ side, price, size, sequence }) => {
        const said = (side === 'buy' ? changes.bids : changes.asks)[at[side]++];
        return (
          said !== undefined &&
          said[0] === formatSmall(price, priceDecimals) &&
          said[1] === formatSmall(size, sizeDecimals) &&
          said[2] === String(sequence)
        );
      });
    if (!isSame || at.buy !== changes.bids.length || at.sell !== changes.asks.length)
      throw new Error(
        `${this.topic}: a message from ${sequenceStart} to ${sequenceEnd} is not what has happened`,
      );
  }

  #fetch(): void {
    if (this.#isFetching) return;
    this.#isFetching = true;
    this.#http
      .get(`/api/v3/market/orderbook/level2?symbol=${this.#terms.code}`)
      .then(({ json }) => {
        this.#isFetching = false;
        this.#fill(json.data as BookAnswer);
      })
      .catch(this.#onFailure);
  }

  #fill(book: BookAnswer): void {
    const copy = this.#copy,
      gathered = this.#gathered;
    copy.fill(book);
    this.resyncs++;
    if (copy.sequence !== this.#moment.sequence) {
      this.#moment = this.#cursor.next((each) => isChange(each) && each.sequence === copy.sequence);
    }
    copy.compare(this.#moment.asks, this.#moment.bids);
    this.#gathered = [];
    for (const changes of gathered) this.#apply(changes);
  }
}

/** Initial messages contain no changes. */
function isBeat({ changes, sequenceStart, sequenceEnd }: Changes): boolean {
  return sequenceStart === sequenceEnd && (changes.asks[0] ?? changes.bids[0])?.[0] === '0';
}
