/** A server with the trading routes and the sandbox's users, and helpers for tests of orders. */

import assert from 'node:assert/strict';
import type { Command, DoneOrder, Exchange } from '@bourse/core';
import type { ExchangePort } from '../../../engine/src/exchange-port.ts';
import type { HistoryOrder, HistoryReader } from '../../../engine/src/history/history.ts';
import { accountRoutes } from '../../../api/src/gateway/routes/money/accounts.ts';
import { batchRoutes, placeRoutes } from '../../../api/src/gateway/routes/orders/place.ts';
import { cancelRoutes } from '../../../api/src/gateway/routes/orders/changes.ts';
import { lookupRoutes } from '../../../api/src/gateway/routes/orders/lookup.ts';
import { marketRoutes } from '../../../api/src/gateway/routes/market/market.ts';
import type { Services } from '../../../api/src/gateway/services.ts';
import { Client, type Reply, startServer, type TestServer } from '@bourse/test-kit/server.ts';
import { MemoryHistory } from '@bourse/test-kit/memory-history.ts';
import { submit } from '@bourse/test-kit/submit.ts';

export const ORDERS = '/api/v1/hf/orders';
export type Body = Record<string, unknown>;

export interface TradingOptions {
  /** Done orders are found in history, or without it only in the exchange. */
  readonly isInHistory?: boolean;
  readonly lookupWindowMs?: number;
}

export class Trading {
  readonly server: TestServer;
  readonly alice: Client;
  readonly bob: Client;
  readonly carol: Client;
  /** Alice in the family dialect. */
  readonly family: Client;
  readonly nobody: Client;

  private constructor(server: TestServer) {
    this.server = server;
    const { url } = server;
    this.alice = new Client(url, 'alice');
    this.bob = new Client(url, 'bob');
    this.carol = new Client(url, 'carol');
    this.family = new Client(url, 'alice', 'family');
    this.nobody = new Client(url);
  }

  static async start({ isInHistory = false, lookupWindowMs }: TradingOptions = {}): Promise<Trading> {
    const server = await startServer({
      quotas: { spot: 1_000_000, manage: 1_000_000, public: 1_000_000 },
      routes(services) {
        const history = isInHistory ? keepHistory(services.port) : services.history;
        const all: Services = {
          ...services,
          history,
          ...(lookupWindowMs !== undefined && { lookupWindowMs }),
        };
        return [placeRoutes, batchRoutes, cancelRoutes, lookupRoutes, marketRoutes, accountRoutes].flatMap(
          (make) => make(all),
        );
      },
    });
    if (isInHistory) await server.services.port.read((exchange) => (exchange.keepDone = false));
    return new Trading(server);
  }

  close(): Promise<void> {
    return this.server.close();
  }

  /** What only an operator could do. */
  async command(command: Command): Promise<void> {
    const { outcome } = await submit(this.server.services.port, command);
    assert.notEqual(outcome.kind, 'rejected', JSON.stringify(outcome));
  }

  read<T>(query: (exchange: Exchange) => T): Promise<T> {
    return this.server.services.port.read(query);
  }
}

/** Runs the test against its own server. */
export function trading(
  body: (t: Trading) => Promise<void>,
  options: TradingOptions = {},
): () => Promise<void> {
  return async () => {
    const t = await Trading.start(options);
    try {
      await body(t);
    } finally {
      await t.close();
    }
  };
}

/** Done orders as the follower would keep them. */
function keepHistory(port: ExchangePort): HistoryReader {
  const orders: DoneOrder[] = [];
  port.subscribe(({ done }) => void orders.push(...(done as readonly DoneOrder[])));
  const found = (order: DoneOrder | undefined) =>
    order ? ({ ...order, id: 1 } satisfies HistoryOrder) : null;
  return Object.assign(new MemoryHistory(), {
    order: (id: number) => found(orders.findLast(({ order }) => order === id)),
    orderByClientId: (user: number, clientId: string, from = 0) =>
      found(
        orders.findLast((each) => each.user === user && each.clientId === clientId && each.doneAt >= from),
      ),
  });
}

/** A limit order of BTC-USDT. */
export const limit = (side: string, price: string, size: string, more: Body = {}): Body => ({
  symbol: 'BTC-USDT',
  type: 'limit',
  side,
  price,
  size,
  ...more,
});

export const market = (side: string, more: Body): Body => ({
  symbol: 'BTC-USDT',
  type: 'market',
  side,
  ...more,
});

/** Places the order and returns its id. */
export async function placed(client: Client, order: Body): Promise<string> {
  const { status, json, text } = await client.post(ORDERS, order);
  assert.equal(status, 200, text);
  return (json.data as { orderId: string }).orderId;
}

/** Places the order and returns the result of matching. */
export async function matched(client: Client, order: Body): Promise<Record<string, string>> {
  const { status, json, text } = await client.post(`${ORDERS}/sync`, order);
  assert.equal(status, 200, text);
  return json.data as Record<string, string>;
}

export async function detail(
  client: Client,
  id: string,
  symbol = 'BTC-USDT',
): Promise<Record<string, unknown>> {
  const { status, json, text } = await client.get(`${ORDERS}/${id}?symbol=${symbol}`);
  assert.equal(status, 200, text);
  return json.data as Record<string, unknown>;
}

/** Available and holds of the trade account, as decimals. */
export async function money(client: Client, currency: string): Promise<string> {
  const { json } = await client.get(`/api/v1/accounts?currency=${currency}&type=TRADE`);
  const [account] = json.data as { available: string; holds: string }[];
  return `${account.available} + ${account.holds}`;
}

export function refused(reply: Reply, code: string, msg: RegExp | string, status = 400): void {
  assert.equal(reply.json.code, code, reply.text);
  if (typeof msg === 'string') assert.equal(reply.json.msg, msg);
  else assert.match(String(reply.json.msg), msg);
  assert.equal(reply.status, status, reply.text);
}

export const MISSING_ID = '000000000000000000000000';
