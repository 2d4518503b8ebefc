/**
 * The exchange as it was some time ago: a second core that follows the log with a delay. It starts from the newest
 * snapshot that is old enough, or from the beginning of the log.
 */

import type { Exchange } from '@bourse/core';
import {
  type Clock,
  type ExchangePort,
  type HistoryReader,
  LogReader,
  nodeDisk,
  overriding,
  Snapshots,
  type Span,
} from '@bourse/engine';

export interface StaleOptions {
  readonly dir: string;
  readonly port: ExchangePort;
  readonly history: HistoryReader;
  readonly clock: Clock;
  readonly ms: number;
}

export class StaleExchange {
  readonly #options: StaleOptions;
  readonly #log: LogReader;
  #exchange: Exchange | null = null;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: StaleOptions) {
    this.#options = options;
    this.#log = new LogReader(nodeDisk, `${options.dir}/log`);
  }

  /** Changes are passed to the real exchange. */
  get port(): ExchangePort {
    return overriding(this.#options.port, { read: (query) => this.#read(query) });
  }

  /** Later rows are hidden. */
  get history(): HistoryReader {
    const { history } = this.#options;
    const before = <F extends Span>(filter: F): F => ({
      ...filter,
      until: Math.min(filter.until ?? Infinity, this.#time + 1),
    });
    const isPast = <R extends { readonly updatedAt: number }>(row: R | null): R | null =>
      row !== null && row.updatedAt <= this.#time ? row : null;
    return overriding(history, {
      order: (id) => isPast(history.order(id)),
      orderByClientId: (...args) => isPast(history.orderByClientId(...args)),
      orders: (filter) => history.orders(before(filter)),
      fills: (filter) => history.fills(before(filter)),
      ledger: (filter) => history.ledger(before(filter)),
      countOrders: (filter) => history.countOrders(before(filter)),
      countFills: (filter) => history.countFills(before(filter)),
      countLedger: (filter) => history.countLedger(before(filter)),
    });
  }

  async close(): Promise<void> {
    await this.#turn;
    await this.#log.close();
  }

  get #time(): number {
    return this.#options.clock.now() - this.#options.ms;
  }

  #read<T>(query: (exchange: Exchange) => T): Promise<T> {
    const mine = this.#turn.then(async () => query(await this.#goOn()));
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  async #goOn(): Promise<Exchange> {
    const { port } = this.#options;
    const time = this.#time;
    const exchange = (this.#exchange ??= await this.#begin(time));
    // A durable sequence.
    const last = await port.read(({ seq }) => seq);
    for await (const record of this.#log.read(exchange.seq + 1, last)) {
      if (record.time > time) break;
      exchange.apply(record);
    }
    exchange.forgetDone(Math.min(exchange.seq, this.#options.history.checkpoint));
    return exchange;
  }

  async #begin(time: number): Promise<Exchange> {
    const snapshots = new Snapshots(nodeDisk, `${this.#options.dir}/snapshots`);
    for (let seqMax = Infinity; ; ) {
      const { exchange, seq } = await snapshots.restore(seqMax);
      exchange.keepDone = true;
      if (seq === 0 || exchange.time <= time) return exchange;
      seqMax = seq - 1;
    }
  }
}
