/**
 * An order book maintained from deltas, as documented: it buffers deltas, fetches a snapshot, drops deltas up to its
 * sequence, applies the rest, and from then on each must follow the last one. After a gap it starts over; meanwhile
 * `isSynced` is false and the levels are the last consistent ones.
 */

import type { BourseClient } from './client.ts';
import { ConnectionLost } from './http.ts';
import { delayMs } from './socket.ts';
import type { BookSnapshot, Level, Side } from './types.ts';

/** Price, size and the sequence of the change; size 0 removes the level. */
type Change = readonly [string, string, string];

interface Delta {
  readonly sequenceStart: number;
  readonly sequenceEnd: number;
  readonly changes: { readonly asks: readonly Change[]; readonly bids: readonly Change[] };
}

/** The part of the feed that a book needs. */
export interface DeltaSource {
  subscribe<T>(
    topic: string,
    take: (message: { readonly data: T }) => void,
    onConnection: (isConnected: boolean) => void,
  ): Promise<() => void>;
}

/** With more buffered deltas than this, synchronisation starts over. */
const BUFFERED_MAX = 100_000;

export class OrderBook {
  readonly symbol: string;
  /** Sequence of the last applied change. */
  sequence = 0;
  /** Whether the levels are those of the exchange; never while the connection is lost, nor after `close`. */
  isSynced = false;
  /** Number of synchronisations, including the first. */
  syncs = 0;
  /** Called after every change; may be set at any time. */
  onChange: ((book: OrderBook) => void) | undefined;
  readonly #client: BourseClient;
  #sides = { bids: new BookSide('bids'), asks: new BookSide('asks') };
  #buffered: Delta[] = [];
  #stopFeed: () => void = () => undefined;
  #isClosed = false;
  /** Incremented when the connection is lost, and when it is back. A snapshot requested before that misses changes. */
  #connection = 0;

  private constructor(client: BourseClient, symbol: string) {
    this.#client = client;
    this.symbol = symbol;
  }

  /** Resolves when the book is in sync for the first time. If that fails, rejects and leaves no subscription. */
  static async follow(feed: DeltaSource, client: BourseClient, symbol: string): Promise<OrderBook> {
    const book = new OrderBook(client, symbol);
    book.#stopFeed = await feed.subscribe<Delta>(
      `/market/level2:${symbol}`,
      ({ data }) => book.#applyDelta(data),
      (isConnected) => book.#turn(isConnected),
    );
    try {
      await book.#sync(true);
      if (!book.isSynced)
        throw new ConnectionLost(`the feed was lost before the book of ${symbol} was in sync`);
    } catch (error) {
      book.close();
      throw error;
    }
    return book;
  }

  /** Best first; `count` of them, or all. */
  levels(side: 'bids' | 'asks', count = Number.POSITIVE_INFINITY): readonly Level[] {
    return this.#sides[side].levels(count);
  }

  best(side: Side): Level | undefined {
    return this.#sides[side === 'buy' ? 'bids' : 'asks'].best;
  }

  close(): void {
    this.#isClosed = true;
    this.isSynced = false;
    this.#stopFeed();
  }

  #applyDelta(delta: Delta): void {
    if (!this.isSynced) {
      this.#buffered.push(delta);
      if (this.#buffered.length > BUFFERED_MAX) this.#buffered = [];
      return;
    }
    if (this.#apply(delta)) this.onChange?.(this);
    else {
      this.isSynced = false;
      this.#buffered = [delta];
      void this.#sync();
    }
  }

  /**
   * After a lost connection the missed changes would show only as a gap at the next change, which may take long. So start
   * over at once.
   */
  #turn(isConnected: boolean): void {
    this.#connection++;
    this.isSynced = false;
    this.#buffered = [];
    if (isConnected) void this.#sync();
  }

  /**
   * Retries until the book is in sync or closed, or the connection is lost: then `#turn` starts over. Only the first
   * synchronisation rejects. Later failures are retried, because the exchange may be reachable again.
   */
  async #sync(isFirst = false): Promise<void> {
    const connection = this.#connection;
    const isWanted = (): boolean => !this.#isClosed && !this.isSynced && connection === this.#connection;
    for (let attempt = 0; isWanted(); attempt++) {
      try {
        const snapshot = await this.#client.bookSnapshot(this.symbol);
        if (isWanted()) this.#begin(snapshot);
      } catch (error) {
        if (isFirst) throw error;
      }
      if (isWanted()) await new Promise((resolve) => setTimeout(resolve, delayMs(Math.min(attempt, 4))));
    }
  }

  /** If the buffered deltas do not follow the snapshot, a newer one is needed. */
  #begin({ sequence, bids, asks }: BookSnapshot): void {
    const [sidesBefore, sequenceBefore] = [this.#sides, this.sequence];
    this.#sides = { bids: new BookSide('bids', bids), asks: new BookSide('asks', asks) };
    this.sequence = Number(sequence);
    const deltas = this.#buffered;
    this.isSynced = deltas.every((delta) => this.#apply(delta));
    if (this.isSynced) {
      this.#buffered = [];
      this.syncs++;
      this.onChange?.(this);
    } else {
      this.#sides = sidesBefore;
      this.sequence = sequenceBefore;
    }
  }

  /** Returns false for a gap. */
  #apply({ sequenceStart, sequenceEnd, changes }: Delta): boolean {
    if (sequenceEnd <= this.sequence) return true;
    if (sequenceStart > this.sequence + 1) return false;
    for (const side of ['bids', 'asks'] as const) {
      for (const [price, size, sequence] of changes[side]) {
        // Price 0 only advances the sequence; changes older than the snapshot are included in it.
        if (price === '0' || Number(sequence) <= this.sequence) continue;
        this.#sides[side].set(price, size);
      }
    }
    this.sequence = sequenceEnd;
    return true;
  }
}

/** One side of a book: sorted levels, best first, so that reading the top costs no search. */
class BookSide {
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
