/**
 * The load of the fault table. Some traders retry an order until it is acknowledged, some send each order once to one node
 * and record the response, and one changes the book for the feed.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { Client, type Reply } from '../server.ts';
import type { TestCluster } from './test-cluster.ts';

export const TRADERS = ['alice', 'bob', 'carol'];
const ORDERS = '/api/v1/hf/orders';
const ORDER = { symbol: 'BTC-USDT', side: 'buy', type: 'limit', size: '0.01' };
const PAUSE_MS = 15;
/** ccxt's timeout. */
const ANSWER_MS_MAX = 10_000;
/** The code that means: not executed, and never will be. */
const NOT_TAKEN = '503000';
const LEVELS = 30;

export interface LoadResults {
  /** By client id: the order's id. */
  readonly placed: ReadonlyMap<string, string>;
  /** Client ids of orders that were definitely not executed. */
  readonly refused: ReadonlySet<string>;
  readonly wrong: readonly string[];
  /** The longest time without any response to an order, since `since`. */
  windowMs(since: number): number;
}

export class TableLoad implements LoadResults {
  readonly placed = new Map<string, string>();
  readonly refused = new Set<string>();
  readonly wrong: string[] = [];
  readonly #cluster: TestCluster;
  /** Prefix of all client ids. */
  readonly #row: string;
  readonly #answeredAt: number[] = [];
  readonly #lanes: Promise<void>[];
  #isEnding = false;

  constructor(cluster: TestCluster, row: string) {
    this.#cluster = cluster;
    this.#row = row;
    this.#lanes = [
      ...TRADERS.map((name, at) => this.#sendAgain(name, at)),
      ...TRADERS.map((name, at) => this.#sendOnce(name, at)),
      this.#changeBook(),
    ];
  }

  windowMs(since: number): number {
    const times = [since, ...this.#answeredAt.filter((at) => at > since)];
    return Math.max(0, ...times.slice(1).map((at, i) => at - times[i]));
  }

  /** Resolves when an order sent from now on gets a response. */
  async nextAnswer(): Promise<void> {
    const { length } = this.#answeredAt;
    while (this.#answeredAt.length < length + 2 * TRADERS.length + 1) await wait(PAUSE_MS);
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    await Promise.all(this.#lanes);
  }

  async #sendAgain(name: string, at: number): Promise<void> {
    const trader = new ClusterTrader(() => this.#cluster.urls, name, at);
    for (let serial = 1; !this.#isEnding; serial++) {
      const clientOid = `${this.#row}-again-${name}-${serial}`;
      try {
        const { orderId } = await trader.place(clientOid, String(100 + (serial % LEVELS)));
        this.#answered(clientOid, orderId);
      } catch (error) {
        this.wrong.push((error as Error).message);
      }
      await wait(PAUSE_MS);
    }
  }

  async #sendOnce(name: string, at: number): Promise<void> {
    for (let serial = 1; !this.#isEnding; serial++) {
      const clientOid = `${this.#row}-once-${name}-${serial}`;
      const order = { ...ORDER, clientOid, price: String(100 + (serial % LEVELS)), timeInForce: 'IOC' };
      const reply = await this.#post(at, name, order);
      const orderId = (reply?.json.data as { orderId?: string } | undefined)?.orderId;
      if (orderId !== undefined) this.#answered(clientOid, orderId);
      else if (reply?.json.code === NOT_TAKEN) this.refused.add(clientOid);
      await wait(orderId === undefined ? 10 * PAUSE_MS : PAUSE_MS);
    }
  }

  async #changeBook(): Promise<void> {
    for (let serial = 1; !this.#isEnding; serial++) {
      const at = serial % TRADERS.length;
      const order = {
        ...ORDER,
        clientOid: `${this.#row}-book-${serial}`,
        price: String(10 + (serial % LEVELS)),
      };
      const reply = await this.#post(at, 'carol', order);
      const orderId = (reply?.json.data as { orderId?: string } | undefined)?.orderId;
      const client = new Client(this.#cluster.urls[at], 'carol');
      if (orderId) await client.delete(`${ORDERS}/${orderId}?symbol=BTC-USDT`).catch(() => null);
      await wait(PAUSE_MS);
    }
  }

  #post(at: number, name: string, order: object): Promise<Reply | null> {
    const reply = new Client(this.#cluster.urls[at], name).post(ORDERS, order).catch(() => null);
    return Promise.race([reply, wait(ANSWER_MS_MAX, null, { ref: false })]);
  }

  #answered(clientOid: string, orderId: string): void {
    this.placed.set(clientOid, orderId);
    this.#answeredAt.push(performance.now());
  }
}

export interface Placed {
  readonly clientOid: string;
  readonly orderId: string;
  /** Number of attempts. */
  readonly tries: number;
}

const TRY_MS_MAX = 60_000;
const RETRY_MS = 50;
/** After this time it tries another node; the first attempt may still be executed. */
const RETRY_ANSWER_MS_MAX = 1500;

/** The response violates the rules. */
export class WrongAnswer extends Error {
  override readonly name = 'WrongAnswer';
}

/** A trader that uses any node: it resends an order, with the same client id, until it gets a response. */
export class ClusterTrader {
  readonly #urls: () => readonly string[];
  readonly #name: string;
  #turn: number;

  /** `urls`: the current addresses of the nodes. */
  constructor(urls: () => readonly string[], name: string, turn = 0) {
    this.#urls = urls;
    this.#name = name;
    this.#turn = turn;
  }

  /** Throws WrongAnswer, or if there is no response for a minute. */
  async place(clientOid: string, price: string): Promise<Placed> {
    const order = {
      clientOid,
      symbol: 'BTC-USDT',
      side: 'buy',
      type: 'limit',
      timeInForce: 'IOC',
      price,
      size: '0.01',
    };
    const until = Date.now() + TRY_MS_MAX;
    for (let tries = 1; Date.now() < until; tries++) {
      const reply = await this.#ask((client) => client.post(ORDERS, order));
      const orderId = (reply?.json.data as { orderId?: string } | undefined)?.orderId;
      if (orderId !== undefined) return { clientOid, orderId, tries };
      // The first attempt succeeded, but its response was lost.
      if (reply !== null && tries > 1 && reply.status < 500) {
        const found = await this.#find(clientOid, reply.headers.get('x-bourse-seq') ?? '0', until);
        if (found !== null) return { clientOid, orderId: found, tries };
      }
      if (reply !== null && reply.status < 429) throw new WrongAnswer(`${clientOid}: ${reply.text}`);
      await wait(RETRY_MS);
    }
    throw new Error(`${clientOid}: no answer for ${TRY_MS_MAX / 1000} s`);
  }

  /** The order id, from any node that has the record `seq`; null if there is no such order. */
  async #find(clientOid: string, seq: string, until: number): Promise<string | null> {
    const path = `${ORDERS}/client-order/${clientOid}?symbol=BTC-USDT`;
    while (Date.now() < until) {
      const reply = await this.#ask((client) => client.send('GET', path, undefined, { 'x-bourse-seq': seq }));
      if (reply?.status === 200) return (reply.json.data as { id?: string } | null)?.id ?? null;
      if (reply !== null && reply.status < 429) return null;
      await wait(RETRY_MS);
    }
    throw new Error(`${clientOid}: nobody says for ${TRY_MS_MAX / 1000} s whether it is there`);
  }

  /** Tries the nodes one after another; null if one does not respond. */
  async #ask(ask: (client: Client) => Promise<Reply>): Promise<Reply | null> {
    const urls = this.#urls();
    const url = urls[this.#turn++ % urls.length];
    const answer = ask(new Client(url, this.#name)).catch(() => null);
    return Promise.race([answer, wait(RETRY_ANSWER_MS_MAX, null, { ref: false })]);
  }
}
