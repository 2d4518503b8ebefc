/**
 * Promise 11: bursts of random orders, and clients that rebuild the book from the feed and compare it with the
 * exchange's own after every message, with trades and private orders looked at on the way.
 */

import assert from 'node:assert/strict';
import type { Command, Exchange, Outcome } from '@bourse/core';
import { WebSocket } from 'ws';
import { formatSmall } from '../../src/gateway/decimals.ts';
import { Client, startServer, type TestServer } from '../server.ts';
import { type BookAnswer, BookCopy, type Changes } from './book-copy.ts';
import { type Data, fetchToken, type Frame } from './feed-client.ts';
import { OrderWatch } from './order-watch.ts';

const SYMBOLS = ['BTC-USDT', 'ETH-USDT'] as const;
const BURST_MAX = 40;
/** So many commands may be ahead of the slowest client. */
const LAG_MAX = 400;
/** A client forgets its copy and begins again after so many messages. */
const RESYNC_EVERY = 1500;

const ROOMY = {
  feedConnectsPerUserMax: 1000,
  feedConnectsPerAddressMax: 10_000,
  feedMessagesMax: 1e6,
  feedBufferedBytesMax: 256 << 20,
  // The clients of this check only listen.
  feedIdleMsMax: 24 * 3_600_000,
};

export interface FeedCheck {
  /** Messages of books that were compared. */
  readonly messages: number;
  readonly compared: number;
  readonly trades: number;
  readonly orders: number;
  readonly resyncs: number;
}

export async function checkFeed(seed: number, messagesWanted: number): Promise<FeedCheck> {
  const huge = 1e9;
  const server = await startServer({ quotas: { spot: huge, manage: huge, public: huge }, feed: ROOMY });
  try {
    const truth = new Truth(server);
    const clients = await Promise.all([
      BookClient.connect(server, truth, ''),
      BookClient.connect(server, truth, 'bt1'),
    ]);
    const orders = new OrderWatch();
    const watcher = await connect(server, 'alice', (frame) => orders.take(frame.data as unknown as Data));
    await tell(watcher, { type: 'subscribe', topic: '/spotMarket/tradeOrdersV2' });
    await flow(server, seed, () => {
      const messages = clients.reduce((sum, each) => sum + each.messages, 0);
      const slowest = Math.min(...clients.map((each) => each.lastSequence()));
      return { isDone: messages >= messagesWanted, isFarAhead: truth.sequence() - slowest > LAG_MAX };
    });
    for (const client of clients) await client.finish();
    const sum = (of: (client: BookClient) => number) => clients.reduce((all, each) => all + of(each), 0);
    orders.check();
    return {
      messages: sum((each) => each.messages),
      compared: sum((each) => each.compared),
      trades: sum((each) => each.trades),
      orders: orders.count,
      resyncs: sum((each) => each.resyncs),
    };
  } finally {
    await server.close();
  }
}

/** The exchange's own books, by sequence. */
class Truth {
  readonly symbols: readonly { readonly code: string; readonly number: number }[];
  private readonly books = new Map<string, string>();
  private readonly latest = new Map<number, number>();

  constructor({ services }: TestServer) {
    this.symbols = SYMBOLS.map((code) => ({ code, number: services.catalogue.symbol(code)!.symbol }));
    services.port.subscribe(({ events }, exchange) => {
      const changed = new Set<number>();
      for (const event of events) if (event.kind === 'book-changed') changed.add(event.symbol);
      for (const number of changed) this.note(exchange, number, services.catalogue.symbolAt(number));
    });
  }

  sequence(): number {
    return Math.max(0, ...this.latest.values());
  }

  at(code: string, sequence: number): string | undefined {
    return this.books.get(`${code} ${sequence}`);
  }

  last(code: string): number {
    return this.latest.get(this.symbols.find((each) => each.code === code)!.number) ?? 0;
  }

  private note(
    exchange: Exchange,
    number: number,
    symbol: { code: string; priceDecimals: number; sizeDecimals: number },
  ): void {
    const side = (name: 'buy' | 'sell') =>
      exchange
        .depth(number, name, Number.MAX_SAFE_INTEGER)
        .map(
          ({ price, size }) =>
            `${formatSmall(price, symbol.priceDecimals)}x${formatSmall(size, symbol.sizeDecimals)}`,
        )
        .join(' ');
    const sequence = exchange.bookSequence(number);
    this.latest.set(number, sequence);
    this.books.set(`${symbol.code} ${sequence}`, `${side('sell')} | ${side('buy')}`);
    // Clients are never so far behind.
    const old = sequence - 100 * LAG_MAX;
    if (this.books.size > 200 * LAG_MAX)
      for (const key of this.books.keys()) if (Number(key.split(' ')[1]) < old) this.books.delete(key);
  }
}

class BookClient {
  messages = 0;
  compared = 0;
  trades = 0;
  resyncs = 0;
  private readonly truth: Truth;
  private readonly http: Client;
  private readonly copies = new Map<string, BookCopy>(SYMBOLS.map((code) => [code, new BookCopy()]));
  private readonly lastTrades = new Map<string, number>();
  private failure: unknown;
  private pending: Promise<void> = Promise.resolve();

  private constructor(server: TestServer, truth: Truth) {
    this.truth = truth;
    this.http = new Client(server.url, 'carol');
  }

  static async connect(server: TestServer, truth: Truth, tunnel: string): Promise<BookClient> {
    const client = new BookClient(server, truth);
    const socket = await connect(server, undefined, (frame) => client.take(frame, tunnel));
    const via = tunnel === '' ? {} : { tunnelId: tunnel };
    if (tunnel !== '') await tell(socket, { type: 'openTunnel', newTunnelId: tunnel });
    for (const name of ['/market/level2', '/market/match']) {
      await tell(socket, { type: 'subscribe', topic: `${name}:${SYMBOLS}`, ...via });
    }
    return client;
  }

  lastSequence(): number {
    if (this.failure) throw this.failure;
    return Math.max(0, ...[...this.copies.values()].map(({ sequence }) => sequence));
  }

  /** Everything that was sent has come, and the copies are the books. */
  async finish(): Promise<void> {
    const end = Date.now() + 30_000;
    const isBehind = () =>
      [...this.copies].some(([code, { sequence }]) => sequence !== this.truth.last(code));
    while (isBehind()) {
      if (this.failure) throw this.failure;
      assert.ok(Date.now() < end, 'a copy never became the book');
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await this.pending;
  }

  private take(frame: Frame, tunnel: string): void {
    if (this.failure) return;
    try {
      assert.equal(frame.tunnelId ?? '', tunnel);
      const [name, code] = (frame.topic ?? '').split(':');
      if (name === '/market/match') this.takeTrade(code, frame.data as unknown as Data);
      else this.takeChanges(code, frame.data as unknown as Changes);
    } catch (error) {
      this.failure = error;
    }
  }

  private takeTrade(code: string, { sequence }: Data): void {
    const before = this.lastTrades.get(code) ?? Number(sequence) - 1;
    assert.equal(Number(sequence), before + 1, 'trades without a gap');
    this.lastTrades.set(code, Number(sequence));
    this.trades++;
  }

  private takeChanges(code: string, changes: Changes): void {
    const copy = this.copies.get(code)!;
    this.messages++;
    if (copy.take(changes)) this.compare(code, copy);
    else if (!copy.isReady) this.resync(code, copy);
    if (copy.isReady && copy.applied >= RESYNC_EVERY) {
      copy.applied = 0;
      copy.forget();
    }
  }

  private compare(code: string, copy: BookCopy): void {
    const book = this.truth.at(code, copy.sequence);
    if (book === undefined) return;
    assert.equal(String(copy), book, `${code} at ${copy.sequence}`);
    this.compared++;
  }

  private isFetching = new Set<string>();

  private resync(code: string, copy: BookCopy): void {
    if (this.isFetching.has(code)) return;
    this.isFetching.add(code);
    this.pending = this.http.get(`/api/v3/market/orderbook/level2?symbol=${code}`).then(
      ({ json }) => {
        this.isFetching.delete(code);
        this.resyncs++;
        try {
          copy.fill(json.data as BookAnswer);
          this.compare(code, copy);
        } catch (error) {
          this.failure = error;
        }
      },
      (error: unknown) => {
        this.failure = error;
      },
    );
  }
}

async function connect(
  server: TestServer,
  who: string | undefined,
  take: (frame: Frame) => void,
): Promise<WebSocket> {
  const { token, instanceServers } = await fetchToken(server.url, who);
  const socket = new WebSocket(`${instanceServers[0].endpoint}?token=${token}`, { perMessageDeflate: false });
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('message', (bytes: Buffer) => {
      const frame = JSON.parse(bytes.toString()) as Frame;
      if (frame.type === 'message') take(frame);
      else if (frame.type === 'welcome') resolve();
      else if (frame.type !== 'ack') throw new Error(bytes.toString());
    });
  });
  return socket;
}

/** Resolves when it is acknowledged. */
function tell(socket: WebSocket, message: Data): Promise<void> {
  return new Promise((resolve) => {
    const take = (bytes: Buffer): void => {
      if ((JSON.parse(bytes.toString()) as Frame).type !== 'ack') return;
      socket.off('message', take);
      resolve();
    };
    socket.on('message', take);
    socket.send(JSON.stringify({ id: 'x', response: true, ...message }));
  });
}

/** Orders around a price, in bursts of which each becomes one record or a few. */
async function flow(
  { services }: TestServer,
  seed: number,
  look: () => { isDone: boolean; isFarAhead: boolean },
): Promise<void> {
  let state = seed >>> 0;
  const below = (end: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * end);
  };
  const { catalogue, port } = services;
  const users = ['alice', 'bob', 'carol'].map(
    (name) => catalogue.users().find((user) => user.name === name)!.number,
  );
  const symbols = SYMBOLS.map((code) => catalogue.symbol(code)!);
  const command = (): Command => {
    const user = users[below(users.length)];
    const { symbol, priceDecimals, sizeDecimals } = symbols[below(symbols.length)];
    const kind = below(10);
    if (kind === 0) return { kind: 'cancel-orders', user, symbol };
    const side = below(2) === 0 ? 'buy' : 'sell';
    const size = (1 + below(50)) * 10 ** (sizeDecimals - 4);
    if (kind === 1) return { kind: 'place-order', user, symbol, type: 'market', side, size };
    const price = (1000 + below(30)) * 10 ** priceDecimals;
    const flags = [
      {},
      {},
      {},
      { postOnly: true },
      { hidden: true },
      { iceberg: true, visibleSize: Math.ceil(size / 10) },
    ][below(6)];
    const stp = below(2) === 0 ? 'DC' : 'CO';
    return { kind: 'place-order', user, symbol, type: 'limit', side, price, size, stp, ...flags };
  };
  for (;;) {
    const { isDone, isFarAhead } = look();
    if (isDone) return;
    if (isFarAhead) {
      await new Promise((resolve) => setImmediate(resolve));
      continue;
    }
    // Mostly a few, now and then many.
    const burst = Array.from({ length: 1 + below(below(8) === 0 ? BURST_MAX : 4) }, command);
    const outcomes = await Promise.all(burst.map((each) => port.submit(each)));
    assert.ok(
      outcomes.some(({ outcome }: { outcome: Outcome }) => outcome.kind !== 'rejected') || burst.length < 5,
    );
    if (below(3) === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}
