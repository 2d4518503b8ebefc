/**
 * The feed: maintains subscriptions. After a lost connection it reconnects with a new token and resubscribes to all
 * topics; a book detects by its sequence that it has missed something.
 */

import type { BourseClient } from './client.ts';
import { ApiError } from './http.ts';
import { OrderBook } from './order-book.ts';
import { delayMs, Line, type OpenSocket, openSocket } from './socket.ts';

export interface FeedMessage<T = unknown> {
  readonly topic: string;
  readonly subject: string;
  readonly data: T;
}

export interface FeedOptions {
  readonly openSocket?: OpenSocket;
  /** Called for every lost connection, with the reason. */
  readonly onLost?: (why: string) => void;
  /** The timeout for a welcome and for acknowledgements. */
  readonly timeoutMs?: number;
}

interface Subscriber {
  readonly take: (message: FeedMessage<never>) => void;
  /** Called with false when the connection is lost, with true when the topic is subscribed again. */
  readonly onConnection: ((isConnected: boolean) => void) | undefined;
}

interface Frame {
  readonly id?: string;
  readonly type: string;
  readonly topic?: string;
  readonly subject?: string;
  readonly code?: number;
  readonly data?: unknown;
}

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
  readonly timer: ReturnType<typeof setTimeout>;
}

const TIMEOUT_MS = 10_000;
const PRIVATE_TOPIC = /^\/(account|spot|spotMarket\/(tradeOrders|advancedOrders))/;

export class Feed {
  readonly #client: BourseClient;
  readonly #openSocket: OpenSocket;
  readonly #onLost: (why: string) => void;
  readonly #timeoutMs: number;
  readonly #subscribers = new Map<string, Set<Subscriber>>();
  readonly #waiting = new Map<string, Waiting>();
  #line: Line | undefined;
  #connection: Promise<Line> | undefined;
  #pinging: ReturnType<typeof setInterval> | undefined;
  #heardAt = 0;
  #serial = 0;
  #isClosed = false;

  constructor(client: BourseClient, options: FeedOptions = {}) {
    this.#client = client;
    this.#openSocket = options.openSocket ?? openSocket;
    this.#onLost = options.onLost ?? (() => undefined);
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  }

  /**
   * Subscribes to one topic, such as `/market/ticker:BTC-USDT`. Resolves when the server has acknowledged it, to a function
   * that ends the subscription. `onConnection` is called with false when the connection is lost and with true when the topic
   * is subscribed again; messages sent in between are lost.
   */
  async subscribe<T>(
    topic: string,
    take: (message: FeedMessage<T>) => void,
    onConnection?: (isConnected: boolean) => void,
  ): Promise<() => void> {
    const subscriber = { take, onConnection } as Subscriber;
    const isFirst = !this.#subscribers.has(topic);
    const list = this.#subscribers.get(topic) ?? new Set();
    this.#subscribers.set(topic, list.add(subscriber));
    const stop = (): void => this.#unsubscribe(topic, subscriber);
    try {
      const line = await this.#open();
      if (isFirst) await this.#ask(line, 'subscribe', topic);
    } catch (error) {
      stop();
      throw error;
    }
    return stop;
  }

  /** A self-maintaining order book: see OrderBook. */
  book(symbol: string): Promise<OrderBook> {
    return OrderBook.follow(this, this.#client, symbol);
  }

  close(): void {
    this.#isClosed = true;
    this.#subscribers.clear();
    this.#line?.close('closed');
    this.#drop('closed');
  }

  #unsubscribe(topic: string, subscriber: Subscriber): void {
    const list = this.#subscribers.get(topic);
    if (!list?.delete(subscriber) || list.size > 0) return;
    this.#subscribers.delete(topic);
    this.#line?.send(this.#message(String(++this.#serial), 'unsubscribe', topic, false));
  }

  #open(): Promise<Line> {
    if (this.#isClosed) return Promise.reject(new Error('The feed is closed.'));
    this.#connection ??= this.#connect().catch((error: unknown) => {
      this.#connection = undefined;
      throw error;
    });
    return this.#connection;
  }

  async #connect(): Promise<Line> {
    const { token, instanceServers } = await this.#client.feedToken();
    const { endpoint, pingInterval, pingTimeout } = instanceServers[0]!;
    const connectId = `bourse-${++this.#serial}-${Math.random().toString(36).slice(2)}`;
    const line = new Line(this.#openSocket(`${endpoint}?token=${token}&connectId=${connectId}`));
    return new Promise<Line>((resolve, reject) => {
      const timer = setTimeout(() => line.close(`no welcome within ${this.#timeoutMs} ms`), this.#timeoutMs);
      line.lost = (why) => {
        clearTimeout(timer);
        reject(new Error(`The feed was closed: ${why}`));
      };
      line.take = (text) => {
        const frame = JSON.parse(text) as Frame;
        clearTimeout(timer);
        if (frame.type === 'welcome') {
          this.#begin(line, pingInterval, pingTimeout);
          resolve(line);
        } else {
          reject(errorOf(frame));
          line.close('rejected');
        }
      };
    });
  }

  #begin(line: Line, pingInterval: number, pingTimeout: number): void {
    this.#line = line;
    this.#heardAt = Date.now();
    line.take = (text) => this.#receive(JSON.parse(text) as Frame);
    line.lost = (why) => {
      this.#drop(why);
      if (!this.#isClosed) this.#reconnect(0);
    };
    this.#pinging = setInterval(() => {
      // Not even a pong arrived, so consider the connection dead.
      if (Date.now() - this.#heardAt > pingInterval + pingTimeout) line.close('no pong');
      else line.send(`{"id":"${++this.#serial}","type":"ping"}`);
    }, pingInterval);
  }

  #receive(frame: Frame): void {
    this.#heardAt = Date.now();
    if (frame.type === 'message') {
      const message = frame as unknown as FeedMessage<never>;
      for (const { take } of this.#subscribers.get(message.topic) ?? []) take(message);
      return;
    }
    const waiting = this.#waiting.get(frame.id ?? '');
    if (waiting === undefined) return;
    this.#waiting.delete(frame.id!);
    clearTimeout(waiting.timer);
    if (frame.type === 'ack') waiting.resolve();
    else if (frame.type === 'error') waiting.reject(errorOf(frame));
  }

  #ask(line: Line, type: string, topic: string): Promise<void> {
    const id = String(++this.#serial);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => this.#lose(id, `no answer within ${this.#timeoutMs} ms`),
        this.#timeoutMs,
      );
      this.#waiting.set(id, { resolve, reject, timer });
      line.send(this.#message(id, type, topic, true));
    });
  }

  #message(id: string, type: string, topic: string, response: boolean): string {
    return JSON.stringify({ id, type, topic, privateChannel: PRIVATE_TOPIC.test(topic), response });
  }

  #reconnect(attempt: number): void {
    setTimeout(() => {
      if (this.#isClosed) return;
      const again = async (): Promise<void> => {
        const line = await this.#open();
        await Promise.all(
          [...this.#subscribers.keys()].map(async (topic) => {
            await this.#ask(line, 'subscribe', topic);
            this.#publish(topic, true);
          }),
        );
      };
      again().catch((error: Error) => {
        this.#onLost(error.message);
        if (this.#line === undefined) this.#reconnect(attempt + 1);
      });
    }, delayMs(attempt));
  }

  #lose(id: string, why: string): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    clearTimeout(waiting?.timer);
    waiting?.reject(new Error(why));
  }

  #drop(why: string): void {
    clearInterval(this.#pinging);
    this.#line = undefined;
    this.#connection = undefined;
    for (const id of this.#waiting.keys()) this.#lose(id, why);
    if (this.#isClosed) return;
    for (const topic of this.#subscribers.keys()) this.#publish(topic, false);
    this.#onLost(why);
  }

  #publish(topic: string, isConnected: boolean): void {
    for (const { onConnection } of this.#subscribers.get(topic) ?? []) onConnection?.(isConnected);
  }
}

const errorOf = ({ code = 0, data }: Frame): ApiError => new ApiError(String(code), String(data), '', 200);
