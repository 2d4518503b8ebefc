/**
 * The feed: maintains subscriptions. After a lost connection it reconnects with a new token and resubscribes to all
 * topics; a book detects by its sequence that it has missed something.
 *
 * There is one way to subscribe, first and again: `#flush` requests every topic that has not been requested on this
 * connection, as many in one message as possible.
 */

import type { BourseClient } from './client.ts';
import { Connection, type Heartbeat } from './connection.ts';
import { batchesOf, type FeedMessage, joinNames, type Subscriber, Topic } from './feed-topic.ts';
import { ApiError, ConnectionLost } from './http.ts';
import { MessageBudget } from './message-budget.ts';
import { OrderBook } from './order-book.ts';
import { type OpenSocket, openSocket } from './socket.ts';

export type { FeedMessage } from './feed-topic.ts';

export interface FeedOptions {
  readonly openSocket?: OpenSocket;
  /** Called for every lost connection, with the reason. */
  readonly onLost?: (why: string) => void;
  /** The timeout for a welcome and for acknowledgements. */
  readonly timeoutMs?: number;
}

interface Frame {
  readonly id?: string;
  readonly type: string;
  readonly topic?: string;
  readonly subject?: string;
  readonly code?: number;
  readonly data?: unknown;
}

const TIMEOUT_MS = 10_000;
/** Rejected topics are requested again this often: a limit may have been exceeded, or a market not be there yet. */
const RETRY_MS = 10_000;
const PRIVATE_TOPIC = /^\/(account|spot|spotMarket\/(tradeOrders|advancedOrders))/;

export class Feed {
  readonly #client: BourseClient;
  readonly #onLost: (why: string) => void;
  readonly #connection: Connection;
  readonly #topics = new Map<string, Topic>();
  /** Topics without subscribers that the server still sends. */
  readonly #left = new Set<Topic>();
  readonly #budget = new MessageBudget(() => this.#flush());
  #retrying: ReturnType<typeof setTimeout> | undefined;
  /** From the response with the token; the feed's welcome does not have it. */
  #heartbeat: Heartbeat | undefined;

  constructor(client: BourseClient, options: FeedOptions = {}) {
    this.#client = client;
    this.#onLost = options.onLost ?? (() => undefined);
    this.#connection = new Connection(
      {
        name: () => 'the feed',
        address: () => this.#address(),
        handshake: (text) => this.#handshake(JSON.parse(text) as Frame),
        ping: (id) => JSON.stringify({ id, type: 'ping' }),
        receive: (text) => this.#receive(JSON.parse(text) as Frame),
        opened: () => this.#flush(),
        lost: (why) => this.#lose(why),
        failed: (why) => this.#onLost(why),
      },
      { openSocket: options.openSocket ?? openSocket, timeoutMs: options.timeoutMs ?? TIMEOUT_MS },
    );
  }

  /**
   * Subscribes to one topic, such as `/market/ticker:BTC-USDT`. Resolves when the server has acknowledged it, to a function
   * that ends the subscription. `onConnection` is called with false when the connection is lost and with true when the topic
   * is subscribed again and all others have been requested; messages sent in between are lost.
   */
  async subscribe<T>(
    topic: string,
    take: (message: FeedMessage<T>) => void,
    onConnection?: (isConnected: boolean) => void,
  ): Promise<() => void> {
    const subscriber = { take, onConnection, isLost: false } as Subscriber;
    const joined = this.#topics.get(topic) ?? new Topic(topic);
    this.#topics.set(topic, joined);
    joined.subscribers.add(subscriber);
    const stop = (): void => this.#unsubscribe(joined, subscriber);
    // Read before anything is awaited: a loss or close() in the meantime settles it, and there is a new one.
    const { acknowledged } = joined;
    try {
      await this.#connection.open();
      // Requested at once instead of with the next retry, because this subscriber waits for it.
      if (joined.state === 'rejected') joined.state = 'unsent';
      this.#flush();
      await acknowledged;
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
    const error = new ConnectionLost('the feed is closed');
    for (const topic of this.#topics.values()) topic.fail('unsent', error);
    this.#topics.clear();
    this.#reset();
    this.#connection.close();
  }

  #unsubscribe(topic: Topic, subscriber: Subscriber): void {
    topic.subscribers.delete(subscriber);
    if (topic.subscribers.size > 0 || this.#topics.get(topic.name) !== topic) return;
    this.#topics.delete(topic.name);
    if (topic.state !== 'sent' && topic.state !== 'acknowledged') return;
    this.#left.add(topic);
    // With all others that are left at the same time.
    queueMicrotask(() => this.#flush());
  }

  async #address(): Promise<string> {
    const { token, instanceServers } = await this.#client.feedToken();
    const { endpoint, pingInterval, pingTimeout } = instanceServers[0]!;
    this.#heartbeat = { pingInterval, pingTimeout };
    const connectId = `bourse-${this.#connection.nextId()}-${Math.random().toString(36).slice(2)}`;
    return `${endpoint}?token=${token}&connectId=${connectId}`;
  }

  #handshake(frame: Frame): Heartbeat | undefined {
    if (frame.type !== 'welcome') throw errorOf(frame);
    return this.#heartbeat;
  }

  #receive(frame: Frame): void {
    const { type, id = '' } = frame;
    if (type === 'message') {
      const message = frame as unknown as FeedMessage<never>;
      for (const { take } of this.#topics.get(message.topic)?.subscribers ?? []) take(message);
    } else if (type === 'ack') this.#connection.settle(id, undefined);
    else if (type === 'error') this.#connection.settle(id, errorOf(frame));
  }

  /**
   * Sends what has not been sent on this connection. What exceeds the budget stays until there is a refund. A topic may be
   * left and subscribed again, so the server must first forget it.
   */
  #flush(): void {
    if (this.#connection.line === undefined) return;
    for (const batch of batchesOf(this.#left)) {
      if (!this.#budget.spend()) return;
      for (const topic of batch) this.#left.delete(topic);
      this.#connection.line.send(this.#message(this.#connection.nextId(), 'unsubscribe', batch, false));
    }
    const unsent = [...this.#topics.values()].filter(({ state }) => state === 'unsent');
    for (const batch of batchesOf(unsent)) void this.#request(batch);
  }

  /** One topic that is wrong rejects all in its message, so each half is requested alone. */
  async #request(topics: readonly Topic[]): Promise<void> {
    const { line } = this.#connection;
    if (line === undefined || !this.#budget.spend()) return;
    for (const topic of topics) topic.state = 'sent';
    try {
      await this.#connection.request(line, (id) => this.#message(id, 'subscribe', topics, true));
      for (const topic of topics) topic.acknowledge();
    } catch (error) {
      // Without a reply nobody knows what the server sends. A new connection settles it.
      if (!(error instanceof ApiError)) return line.close((error as Error).message);
      const wanted = topics.filter((topic) => this.#topics.get(topic.name) === topic);
      if (topics.length > 1) {
        for (const topic of wanted) topic.state = 'unsent';
        const half = Math.ceil(wanted.length / 2);
        for (const part of [wanted.slice(0, half), wanted.slice(half)]) {
          if (part.length > 0) void this.#request(part);
        }
        return;
      }
      for (const topic of wanted) this.#reject(topic, error);
    }
    this.#announce();
  }

  #reject(topic: Topic, error: ApiError): void {
    topic.fail('rejected', error);
    // Behind the others, so that rejected topics do not use up the budget before them.
    this.#topics.delete(topic.name);
    this.#topics.set(topic.name, topic);
    this.#retrying ??= setTimeout(() => {
      this.#retrying = undefined;
      for (const each of this.#topics.values()) if (each.state === 'rejected') each.state = 'unsent';
      this.#flush();
    }, RETRY_MS);
  }

  /**
   * Reports topics as subscribed again, but only once every topic has its reply: a subscriber that then fetches what it
   * has missed would otherwise miss the changes of the topics after it.
   */
  #announce(): void {
    const topics = [...this.#topics.values()];
    if (topics.some(({ state }) => state === 'unsent' || state === 'sent')) return;
    for (const topic of topics) if (topic.state === 'acknowledged') topic.publish(true);
  }

  #message(id: string, type: string, topics: readonly Topic[], response: boolean): string {
    const topic = joinNames(topics);
    return JSON.stringify({ id, type, topic, privateChannel: PRIVATE_TOPIC.test(topic), response });
  }

  #lose(why: string): void {
    this.#reset();
    const error = new ConnectionLost(why);
    for (const topic of this.#topics.values()) topic.fail('unsent', error);
    for (const topic of this.#topics.values()) topic.publish(false);
    this.#onLost(why);
  }

  /** A new connection has no topics, and its own rate limit. */
  #reset(): void {
    this.#left.clear();
    this.#budget.reset();
    clearTimeout(this.#retrying);
    this.#retrying = undefined;
  }
}

const errorOf = ({ code = 0, data }: Frame): ApiError => new ApiError(String(code), String(data), '', 200);
