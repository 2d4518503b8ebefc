/** Candles of one symbol and interval: past ones by request, the current one by the feed. */

import type { Candle } from '@bourse/client';
import { keepSubscribed, marketFeed, publicClient } from '../../exchange/connection.ts';
import { type Interval, olderThan } from './chart-types.ts';

const PER_REQUEST = 1_500;

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
    try {
      const endAt = Number(first[0]);
      const older = await this.#ask(endAt - PER_REQUEST * this.#interval.seconds, endAt);
      const before = olderThan(older, this.#candles);
      this.#hasAll = before.length === 0;
      if (!this.#hasAll) this.#set([...before, ...this.#candles]);
    } catch {
      // After a failure, the next scroll to the left tries again.
    } finally {
      this.#isAsking = false;
    }
  }

  async #load(): Promise<void> {
    try {
      this.#hasAll = false;
      this.#set(await this.#ask());
    } catch (error) {
      if (!this.#isClosed) this.#sink.setFailed(error);
    }
  }

  async #ask(startAt?: number, endAt?: number): Promise<readonly Candle[]> {
    const range = startAt === undefined || endAt === undefined ? {} : { startAt, endAt };
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
