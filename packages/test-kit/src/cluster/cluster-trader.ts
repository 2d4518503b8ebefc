/** A trader that uses any node: it resends an order, with the same client id, until it gets a response. */

import { setTimeout as wait } from 'node:timers/promises';
import { Client, type Reply } from '../server.ts';

export interface Placed {
  readonly clientOid: string;
  readonly orderId: string;
  /** Number of attempts. */
  readonly tries: number;
}

const TRY_MS_MAX = 60_000;
const PAUSE_MS = 50;
/** After this time it tries another node; the first attempt may still be executed. */
const ANSWER_MS_MAX = 1500;
const ORDERS = '/api/v1/hf/orders';

/** The response violates the rules. */
export class WrongAnswer extends Error {
  override readonly name = 'WrongAnswer';
}

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
      await wait(PAUSE_MS);
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
      await wait(PAUSE_MS);
    }
    throw new Error(`${clientOid}: nobody says for ${TRY_MS_MAX / 1000} s whether it is there`);
  }

  /** Tries the nodes in turn; null if one does not respond. */
  async #ask(ask: (client: Client) => Promise<Reply>): Promise<Reply | null> {
    const urls = this.#urls();
    const url = urls[this.#turn++ % urls.length];
    const answer = ask(new Client(url, this.#name)).catch(() => null);
    return Promise.race([answer, wait(ANSWER_MS_MAX, null, { ref: false })]);
  }
}
