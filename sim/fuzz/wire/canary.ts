/** A client that behaves, beside those that do not: each of its orders must be placed and cancelled. */

import { Client } from '@bourse/test-tools/server.ts';

const PAUSE_MS = 50;
const ORDER = { symbol: 'BTC-USDT', type: 'limit', side: 'buy', price: '20000', size: '0.001' };

export class Canary {
  orders = 0;
  failure: string | undefined;
  readonly #client: Client;
  readonly #running: Promise<void>;
  #isStopped = false;

  constructor(url: string) {
    this.#client = new Client(url, 'alice');
    this.#running = this.#run().catch((error: unknown) => {
      this.failure ??= String(error instanceof Error ? (error.cause ?? error) : error);
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#isStopped && this.failure === undefined) {
      const placed = await this.#client.post('/api/v1/hf/orders', ORDER);
      const { orderId } = (placed.json.data ?? {}) as { readonly orderId?: string };
      const cancelled = await this.#client.delete(`/api/v1/hf/orders/${orderId}?symbol=BTC-USDT`);
      for (const { status, text } of [placed, cancelled])
        if (status !== 200 || !text.includes('"200000"')) this.failure ??= `${status} ${text}`;
      this.orders++;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}
