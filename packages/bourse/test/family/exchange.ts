/** The whole exchange with its history, for tests of the family's endpoints; every answer is held against its schema. */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Compile } from 'typebox/compile';
import type { Route } from '../../../api/src/gateway/route.ts';
import { allRoutes } from '../../../api/src/gateway/routes/all.ts';
import type { Services } from '../../../api/src/gateway/services.ts';
import type { RunningExchange } from '../../src/startup/running-exchange.ts';
import { type Credentials, credentials, type Reply, sign, startWhole } from '@bourse/test-kit/server.ts';

export type Data = Record<string, unknown>;

const ROUTES = allRoutes({} as Services);

export class Member {
  readonly who: Credentials;
  readonly #url: string;
  readonly #mount: string;
  readonly #prefix: string;

  constructor(url: string, who: Credentials, dialect: 'literal' | 'family' = 'family') {
    this.#url = url;
    this.who = who;
    this.#mount = dialect === 'family' ? '/compat' : '';
    this.#prefix = dialect === 'family' ? 'KC' : 'SVC';
  }

  async send(method: Route['method'], path: string, body?: unknown): Promise<Reply> {
    const text = body === undefined ? '' : JSON.stringify(body);
    const response = await fetch(this.#url + this.#mount + path, {
      method,
      headers: {
        ...sign(this.who, method, path, text, { prefix: this.#prefix, timestamp: nextTime() }),
        ...(text && { 'content-type': 'application/json' }),
      },
      ...(text && { body: text }),
      signal: AbortSignal.timeout(60_000),
    });
    const answer = await response.text();
    return { status: response.status, headers: response.headers, text: answer, json: JSON.parse(answer) };
  }

  /** The data of a successful response, checked against its route's schema. */
  async ask<T = Data>(method: Route['method'], path: string, body?: unknown): Promise<T> {
    const reply = await this.send(method, path, body);
    assert.equal(reply.json.code, '200000', `${method} ${path}: ${reply.text}`);
    assert.equal(reply.status, 200);
    const { answer, id } = routeOf(method, path);
    assert.ok(Compile(answer).Check(reply.json.data), `${id} answers otherwise: ${reply.text}`);
    return reply.json.data as T;
  }

  get<T = Data>(path: string): Promise<T> {
    return this.ask<T>('GET', path);
  }

  post<T = Data>(path: string, body: unknown): Promise<T> {
    return this.ask<T>('POST', path, body);
  }

  delete<T = Data>(path: string): Promise<T> {
    return this.ask<T>('DELETE', path);
  }

  /** Asserts an error with this code, and with this text in its message or detail. */
  async refused(
    method: Route['method'],
    path: string,
    body: unknown,
    code: string,
    says: RegExp,
  ): Promise<void> {
    const { json, text, status } = await this.send(method, path, body);
    assert.equal(json.code, code, text);
    assert.match(`${json.msg} ${json['detail'] ?? ''}`, says);
    if (this.#prefix === 'KC' && !code.startsWith('4000')) assert.equal(status, 200, text);
  }

  async place(order: Data): Promise<string> {
    return (await this.post<{ orderId: string }>('/api/v1/hf/orders', { ...LIMIT, ...order })).orderId;
  }
}

/** A buy that rests. */
export const LIMIT = { symbol: 'BTC-USDT', type: 'limit', side: 'buy', price: '20000', size: '0.001' };

let lastTime = 0;
/** Rises, because the same signed request acts once. */
function nextTime(): string {
  lastTime = Math.max(Date.now(), lastTime + 1);
  return String(lastTime);
}

/** Static parts win over parameters, as in the router. */
function routeOf(method: string, path: string): Route {
  const parts = path.split('?')[0].split('/');
  const fits = ROUTES.filter((route) => {
    const own = route.path.split('/');
    return (
      route.method === method &&
      own.length === parts.length &&
      own.every((part, at) => part.startsWith(':') || part === parts[at])
    );
  });
  const [route] = fits.toSorted((a, b) => a.path.split(':').length - b.path.split(':').length);
  assert.ok(route, `no route ${method} ${path}`);
  return route;
}

export interface Family {
  readonly exchange: RunningExchange;
  readonly url: string;
  readonly alice: Member;
  readonly bob: Member;
  readonly carol: Member;
  readonly aliceSub: Member;
  /** Alice's read-only key. */
  readonly viewer: Member;
  /** Alice in the literal dialect. */
  readonly literal: Member;
  member(who: Credentials): Member;
  operate(path: string, body: Data): Promise<Data>;
  close(): Promise<void>;
}

export async function startFamily(): Promise<Family> {
  const directory = mkdtempSync(join(tmpdir(), 'bourse-'));
  const quotas = { spot: 1e6, manage: 1e6, public: 1e6 };
  const exchange = await startWhole(directory, { quotas });
  const { baseUrl: url, operatorUrl, operatorToken } = exchange.connection;
  const named = (name: string) => new Member(url, credentials(name));
  return {
    exchange,
    url,
    alice: named('alice'),
    bob: named('bob'),
    carol: named('carol'),
    aliceSub: named('alice-sub'),
    viewer: named('alice-viewer'),
    literal: new Member(url, credentials('alice'), 'literal'),
    member: (who) => new Member(url, who),
    async operate(path, body) {
      const response = await fetch(operatorUrl + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({ reason: 'a test', ...body }),
        signal: AbortSignal.timeout(60_000),
      });
      const text = await response.text();
      assert.equal(response.status, 200, text);
      return JSON.parse(text) as Data;
    },
    async close() {
      await exchange.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
