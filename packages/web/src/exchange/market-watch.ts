/**
 * The live state of one market, its book and last trades, kept outside React. The client's OrderBook keeps the book
 * in sync; trades start with the last hundred and continue with the feed.
 */

import { type BookSnapshot, type BourseClient, type Level, OrderBook, type Side } from '@bourse/client';
import { keepSubscribed, marketFeed, publicClient } from './connection.ts';
import { FrameSignal } from './frame-signal.ts';

const TRADES_MAX = 100;
const CALM_MS = 250;
const RETRY_MS = 1_000;

export interface MarketTrade {
  readonly id: string;
  readonly price: string;
  readonly size: string;
  /** The taker's side. */
  readonly side: Side;
  /** Milliseconds since 1970. */
  readonly time: number;
}

interface Match {
  readonly sequence: string;
  readonly tradeId: string;
  readonly price: string;
  readonly size: string;
  readonly side: Side;
  /** Nanoseconds, as text. */
  readonly time: string;
}

export class MarketWatch {
  readonly symbol: string;
  readonly bookChanged = new FrameSignal();
  /** The same, a few times per second, for estimates from the book, which need no update per frame. */
  readonly bookCalmed = new FrameSignal((tell) => setTimeout(tell, CALM_MS));
  readonly tradesChanged = new FrameSignal();
  book: OrderBook | undefined;
  /** The first snapshot, shown until the synchronised book is ready. */
  #first: BookSnapshot | undefined;
  /** Newest first; undefined until they have loaded. */
  trades: readonly MarketTrade[] | undefined;
  /**
   * Trades that the current connection has sent, newest first. Earlier ones are dropped: after a restore, or at
   * another exchange, new trades reuse the ids of abandoned ones.
   */
  #heard: readonly MarketTrade[] = [];
  #connection = 0;
  #isLoaded = false;
  readonly #client: BourseClient;
  readonly #stopTrades: () => void;
  #isClosed = false;

  /** With a signed client the book has every level, otherwise it starts with the best hundred of each side. */
  constructor(symbol: string, client: BourseClient) {
    this.symbol = symbol;
    this.#client = client;
    this.#stopTrades = keepSubscribed<Match>(
      marketFeed,
      `/market/match:${symbol}`,
      ({ data }) => this.#addTrade(data),
      (isConnected) => {
        this.#connection++;
        this.#heard = [];
        this.#isLoaded = false;
        if (isConnected) void this.#loadTrades();
      },
    );
    void this.#loadFirst();
    void this.#follow();
  }

  get hasBook(): boolean {
    return this.book !== undefined || this.#first !== undefined;
  }

  /** Whether the book is in sync with the exchange. */
  get isLive(): boolean {
    return this.book?.isSynced === true;
  }

  /** Best first; empty while there is no book. */
  levels(side: 'bids' | 'asks', count: number): readonly Level[] {
    return this.book?.levels(side, count) ?? this.#first?.[side].slice(0, count) ?? [];
  }

  close(): void {
    this.#isClosed = true;
    this.#stopTrades();
    this.book?.close();
  }

  async #loadFirst(): Promise<void> {
    try {
      this.#first = await this.#client.bookSnapshot(this.symbol);
      this.#tellBook();
    } catch {
      // Retry until the synchronised book is ready.
    }
  }

  async #follow(): Promise<void> {
    try {
      const book = await OrderBook.follow(marketFeed, this.#client, this.symbol);
      if (this.#isClosed) return book.close();
      this.book = book;
      book.onChange = () => this.#tellBook();
      this.#tellBook();
    } catch {
      if (!this.#isClosed) setTimeout(() => this.#isClosed || void this.#follow(), RETRY_MS);
    }
  }

  #tellBook(): void {
    this.bookChanged.changed();
    this.bookCalmed.changed();
  }

  async #loadTrades(): Promise<void> {
    const connection = this.#connection;
    try {
      const trades = await publicClient.trades(this.symbol);
      if (connection !== this.#connection) return;
      const loaded = trades.toReversed().map(({ sequence, price, size, side, time }) => ({
        id: sequence,
        price,
        size,
        side,
        time: Math.floor(time / 1_000_000),
      }));
      const known = new Set(loaded.map(({ id }) => id));
      const later = this.#heard.filter(({ id }) => !known.has(id) && isLater(id, loaded[0]?.id));
      this.trades = [...later, ...loaded].slice(0, TRADES_MAX);
      this.#isLoaded = true;
      this.tradesChanged.changed();
    } catch {
      setTimeout(() => {
        if (!this.#isClosed && connection === this.#connection) void this.#loadTrades();
      }, RETRY_MS);
    }
  }

  #addTrade({ sequence, price, size, side, time }: Match): void {
    const trade = { id: sequence, price, size, side, time: Number(BigInt(time) / 1_000_000n) };
    this.#heard = [trade, ...this.#heard].slice(0, TRADES_MAX);
    // Until then the trades shown are from before the connection was lost.
    if (!this.#isLoaded) return;
    this.trades = [trade, ...(this.trades ?? [])].slice(0, TRADES_MAX);
    this.tradesChanged.changed();
  }
}

const isLater = (id: string, than: string | undefined): boolean =>
  than === undefined || BigInt(id) > BigInt(than);
