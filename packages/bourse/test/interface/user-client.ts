import assert from 'node:assert/strict';
import { type Answer, at, call, type Dialect, open } from './client.ts';
import type { Service, User } from './service.ts';
import { sub } from './money.ts';
import { errorA, exactly, orderDetail } from './shapes.ts';

export type Fields = Record<string, unknown>;
export interface Purse {
  readonly balance: string;
  readonly available: string;
  readonly holds: string;
}

/** A user of the literal dialect: places, looks up and cancels orders, and tracks those still in the book. */
export class UserClient {
  readonly service: () => Service;
  readonly name: string;
  readonly #placed: [id: string, symbol: string][] = [];

  constructor(service: () => Service, name: string) {
    this.service = service;
    this.name = name;
  }

  get user(): User {
    return this.service().user(this.name);
  }

  get dialect(): Dialect {
    return { prefix: 'SVC', url: this.service().ready.baseUrl };
  }

  call(method: string, path: string, body?: unknown): Promise<Answer> {
    return call(this.dialect, this.user, method, path, body);
  }

  /** Leaves an order that was placed by other means to `sweep`. */
  track(id: string, symbol: string): void {
    this.#placed.push([id, symbol]);
  }

  /** The response to a placement, successful or not. */
  async ask(order: Fields, path = '/api/v1/hf/orders'): Promise<Answer> {
    const answer = await this.call('POST', path, order);
    const id = at(answer.body, 'data.orderId');
    if (typeof id === 'string') this.track(id, String(order.symbol));
    return answer;
  }

  /** The id of an order that must be accepted. */
  async place(order: Fields): Promise<string> {
    const answer = await this.ask(order);
    assert.equal(answer.status, 200, `${JSON.stringify(order)} -> ${answer.text}`);
    exactly(answer.body, { code: 'digits', data: { orderId: 'string' } });
    assert.equal(at(answer.body, 'code'), '200000');
    return String(at(answer.body, 'data.orderId'));
  }

  /** The synchronous result of an order that must be accepted. */
  async placeSync(order: Fields): Promise<Record<string, string>> {
    const answer = await this.ask(order, '/api/v1/hf/orders/sync');
    assert.equal(answer.status, 200, `${JSON.stringify(order)} -> ${answer.text}`);
    assert.equal(at(answer.body, 'code'), '200000', answer.text);
    return at(answer.body, 'data') as Record<string, string>;
  }

  /** A placement that must be rejected with that code, without creating an order. */
  async refused(order: Fields, code: string | RegExp, saying?: RegExp): Promise<string> {
    const answer = await this.ask(order);
    return refusal(answer, 400, code, saying);
  }

  async order(id: string, symbol: string): Promise<Record<string, unknown>> {
    const answer = await this.call('GET', `/api/v1/hf/orders/${id}?symbol=${symbol}`);
    assert.equal(answer.status, 200, answer.text);
    exactly(answer.body, { code: 'digits', data: orderDetail });
    return at(answer.body, 'data') as Record<string, unknown>;
  }

  async cancel(id: string, symbol: string): Promise<Answer> {
    return this.call('DELETE', `/api/v1/hf/orders/${id}?symbol=${symbol}`);
  }

  /** Cancels this client's orders in the book, so that the next test does not see them. */
  async sweep(): Promise<void> {
    for (const [id, symbol] of this.#placed.splice(0)) await this.cancel(id, symbol);
  }

  async accounts(): Promise<Record<string, string>[]> {
    const answer = await this.call('GET', '/api/v1/accounts');
    assert.equal(answer.status, 200, answer.text);
    return at(answer.body, 'data') as Record<string, string>[];
  }

  async purse(currency: string, type: 'main' | 'trade' = 'trade'): Promise<Purse> {
    const row = (await this.accounts()).find((each) => each.currency === currency && each.type === type);
    return row === undefined
      ? { balance: '0', available: '0', holds: '0' }
      : { balance: row.balance, available: row.available, holds: row.holds };
  }

  /** The change of balance, available and holds of each currency by `action`. */
  async change(currencies: string[], action: () => Promise<unknown>): Promise<Record<string, Purse>> {
    const of = async () => {
      const rows = await this.accounts();
      return currencies.map(
        (currency) =>
          rows.find((row) => row.currency === currency && row.type === 'trade') ?? {
            balance: '0',
            available: '0',
            holds: '0',
          },
      );
    };
    const first = await of();
    await action();
    const then = await of();
    const delta = (index: number): Purse => ({
      balance: sub(then[index].balance, first[index].balance),
      available: sub(then[index].available, first[index].available),
      holds: sub(then[index].holds, first[index].holds),
    });
    return Object.fromEntries(currencies.map((currency, index) => [currency, delta(index)]));
  }

  /** Play money of any currency, by the operator's deposit and a transfer to TRADE. */
  async fund(currency: string, chain: string, amount: string): Promise<void> {
    const deposit = await this.service().operator('POST', '/v1/deposits', {
      userId: this.user.userId,
      currency,
      chain,
      amount,
      txId: `fund-${this.name}-${currency}-${Date.now()}-${Math.random()}`,
      travelRule: false,
      reason: 'test',
    });
    assert.equal(deposit.status, 200, deposit.text);
    const moved = await this.call('POST', '/api/v3/accounts/universal-transfer', {
      clientOid: `fund-${currency}-${Date.now()}-${Math.random()}`,
      currency,
      amount,
      type: 'INTERNAL',
      fromAccountType: 'MAIN',
      toAccountType: 'TRADE',
    });
    assert.equal(moved.status, 200, moved.text);
  }

  public(path: string): Promise<Answer> {
    return open(this.dialect, path);
  }
}

/** Asserts a rejection by an endpoint with envelope A or bare responses: status, exact format, code and message. */
export function refusal(answer: Answer, status: number, code: string | RegExp, saying?: RegExp): string {
  assert.equal(answer.status, status, answer.text);
  exactly(answer.body, errorA);
  const said = at(answer.body, 'code') as string;
  if (typeof code === 'string') assert.equal(said, code, answer.text);
  else assert.match(said, code, answer.text);
  if (saying !== undefined) assert.match(String(at(answer.body, 'msg')), saying);
  return String(at(answer.body, 'msg'));
}

export const limit = (
  symbol: string,
  side: 'buy' | 'sell',
  price: string,
  size: string,
  more: Fields = {},
) => ({
  symbol,
  type: 'limit',
  side,
  price,
  size,
  ...more,
});

export const market = (symbol: string, side: 'buy' | 'sell', more: Fields) => ({
  symbol,
  type: 'market',
  side,
  ...more,
});
