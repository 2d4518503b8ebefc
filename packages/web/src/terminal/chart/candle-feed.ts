/** Candles of one symbol and interval: past ones by request, the current one by the feed. */

import type { Candle } from '@bourse/client';
import { keepSubscribed, marketFeed, publicClient } from '../../exchange/connection.ts';
import { type Interval, olderThan } from './chart-types.ts';

const RETRY_MS = 2_000;

export interface CandleSink {
  /** All candles, oldest first: at the start, after a lost connection, and after older ones were loaded. */
  readonly setAll: (candles: readonly Candle[]) => void;
  readonly setLast: (candle: Candle) => void;
  readonly setFailed: (error: unknown) => void;
}

export class CandleFeed {
  readonly #symbol: string;
  readonly #interval: Interval;
  readonly #sink: CandleSink;
  readonly #stop: () => void;
  #candles: readonly Candle[] = [];
  #isClosed = false;
  /** Counts the requests for the newest candles: the late response of an earlier one is dropped. */
  #loads = 0;
  #isAsking = false;
  #hasAll = false;

  constructor(symbol: string, interval: Interval, sink: CandleSink) {
    this.#symbol = symbol;
    this.#interval = interval;
    this.#sink = sink;
    this.#stop = keepSubscribed<{ readonly candles: Candle }>(
      marketFeed,
      `/market/candles:${symbol}_${interval.type}`,
      ({ data }) => this.#take(data.candles),
      (isConnected) => isConnected && void this.#load(),
    );
  }

  close(): void {
    this.#isClosed = true;
    this.#stop();
  }

  /** Loads the candles before the oldest known one, if there are any. */
  async loadOlder(): Promise<void> {
    const first = this.#candles[0];
    if (first === undefined || this.#isAsking || this.#hasAll) return;
    this.#isAsking = true;
    const load = this.#loads;
    try {
      // Without a start: a market may rest for longer than any span that one request covers.
      const older = await this.#ask({ endAt: Number(first[0]) });
      // Others have been loaded since, which need not begin where these end.
      if (load !== this.#loads) return;
      const before = olderThan(older, this.#candles);
      this.#hasAll = before.length === 0;
      if (!this.#hasAll) this.#set([...before, ...this.#candles]);
    } catch {
      // After a failure, the next scroll to the left tries again.
    } finally {
      this.#isAsking = false;
    }
  }

  /** Repeated until it succeeds: without the candles of a lost connection the chart would have a gap. */
  async #load(): Promise<void> {
    const load = ++this.#loads;
    try {
      const candles = await this.#ask();
      if (load !== this.#loads) return;
      this.#hasAll = false;
      this.#set(candles);
    } catch (error) {
      if (this.#isClosed || load !== this.#loads) return;
      this.#sink.setFailed(error);
      setTimeout(() => {
        if (!this.#isClosed && load === this.#loads) void this.#load();
      }, RETRY_MS);
    }
  }

  async #ask(range: { readonly endAt?: number } = {}): Promise<readonly Candle[]> {
    return (await publicClient.candles(this.#symbol, this.#interval.type, range)).toReversed();
  }

  #set(candles: readonly Candle[]): void {
    if (this.#isClosed) return;
    this.#candles = candles;
    this.#sink.setAll(candles);
  }

  #take(candle: Candle): void {
    const last = this.#candles.at(-1);
    if (this.#isClosed || (last !== undefined && Number(candle[0]) < Number(last[0]))) return;
    this.#candles =
      last?.[0] === candle[0] ? [...this.#candles.slice(0, -1), candle] : [...this.#candles, candle];
    if (this.#candles.length === 1) this.#sink.setAll(this.#candles);
    else this.#sink.setLast(candle);
  }
}
