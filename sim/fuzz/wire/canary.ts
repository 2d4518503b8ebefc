/**
 * A well-behaved client beside the others: each of its orders must be placed and cancelled. On a venue, where nobody
 * has a key yet, it is an operator that reads.
 */

import { Client } from '@bourse/test-kit/server.ts';

const PAUSE_MS = 50;
const ORDER = { symbol: 'BTC-USDT', type: 'limit', side: 'buy', price: '20000', size: '0.001' };

export class Canary {
  orders = 0;
  failure: string | undefined;
  readonly #running: Promise<void>;
  #isStopped = false;

  constructor(step: () => Promise<string | undefined>) {
    this.#running = this.#run(step).catch((error: unknown) => {
      this.failure ??= String(error instanceof Error ? (error.cause ?? error) : error);
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #run(step: () => Promise<string | undefined>): Promise<void> {
    while (!this.#isStopped && this.failure === undefined) {
      this.failure = await step();
      this.orders++;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}

/** Returns what is wrong, or undefined. */
export function orderPlacer(url: string): () => Promise<string | undefined> {
  const client = new Client(url, 'alice');
  return async () => {
    const placed = await client.post('/api/v1/hf/orders', ORDER);
    const { orderId } = (placed.json.data ?? {}) as { readonly orderId?: string };
    const cancelled = await client.delete(`/api/v1/hf/orders/${orderId}?symbol=BTC-USDT`);
    const wrong = [placed, cancelled].find(
      ({ status, text }) => status !== 200 || !text.includes('"200000"'),
    );
    return wrong && `${wrong.status} ${wrong.text}`;
  };
}

export function operatorWatch(operatorUrl: string, token: string): () => Promise<string | undefined> {
  return async () => {
    const response = await fetch(`${operatorUrl}/v1/status`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const text = await response.text();
    return response.status === 200 && text.includes('open') ? undefined : `${response.status} ${text}`;
  };
}
