/** An unrelated client: alternates a cheap read and an order, from its own address and with its own key. */

import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { credentials, sign } from '@bourse/test-kit/server.ts';

export interface Seen {
  readonly p99Ms: number;
  readonly worstMs: number;
  readonly failed: number;
}

/** A loopback address other than the attackers', if the system has one, so that they share no rate limit pool. */
const ADDRESS = process.platform === 'linux' ? '127.0.0.2' : '127.0.0.1';
/** Keeps its reads within the rate limit of an address, however long it runs. */
const PAUSE_MS = 25;
const ORDERS = '/api/v1/hf/orders';
const ORDER = JSON.stringify({
  symbol: 'BTC-USDT',
  type: 'limit',
  side: 'sell',
  price: '900000',
  size: '0.0001',
  timeInForce: 'IOC',
});

export class Bystander {
  readonly #url: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress: ADDRESS });

  private constructor(url: string) {
    this.#url = url;
  }

  static async open(url: string): Promise<Bystander> {
    const made = new Bystander(url);
    for (let i = 0; i < 20; i++) await made.#once(i);
    return made;
  }

  close(): void {
    this.#agent.destroy();
  }

  async watch(seconds: number): Promise<Seen> {
    const times: number[] = [];
    let failed = 0;
    const end = performance.now() + seconds * 1000;
    for (let serial = 0; performance.now() < end; serial++) {
      const start = performance.now();
      if (!(await this.#once(serial))) failed++;
      times.push(performance.now() - start);
      await pause(PAUSE_MS);
    }
    const sorted = times.toSorted((a, b) => a - b);
    return { p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0, worstMs: sorted.at(-1) ?? 0, failed };
  }

  #once(serial: number): Promise<boolean> {
    return serial % 2 === 0 ? this.#ask('GET', '/api/v1/status') : this.#ask('POST', ORDERS, ORDER);
  }

  #ask(method: string, path: string, body = ''): Promise<boolean> {
    const headers = {
      ...sign(credentials('carol'), method, path, body),
      ...(body !== '' && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    };
    return new Promise((resolve) => {
      const sent = request(this.#url + path, { method, headers, agent: this.#agent }, (answer) => {
        answer.resume();
        answer.on('end', () => resolve(answer.statusCode === 200));
      });
      sent.on('error', () => resolve(false));
      sent.end(body);
    });
  }
}
