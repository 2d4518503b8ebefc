/** Signed requests of a sandbox's users, at a time of the caller's choosing. */

import { createHmac } from 'node:crypto';
import type { ConnectionFile } from '../../src/startup/running-exchange.ts';

export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly body: { readonly code: string; readonly data: never; readonly msg?: string };
}

export class SignedClient {
  readonly #connection: ConnectionFile;
  readonly #name: string;
  /** The time that requests are signed with; default: the wall clock. */
  readonly #now: () => number;

  constructor(connection: ConnectionFile, name: string, now: () => number = Date.now) {
    this.#connection = connection;
    this.#name = name;
    this.#now = now;
  }

  get(path: string): Promise<Reply> {
    return this.send('GET', path);
  }

  /** `signed`: the signed path, if it differs from the requested one. */
  async send(
    method: string,
    path: string,
    body?: object,
    dialect: 'SVC' | 'KC' = 'KC',
    signed = path,
  ): Promise<Reply> {
    const { users, baseUrl, compatUrl } = this.#connection;
    const { apiKey, apiSecret, apiPassphrase } = users.find(({ name }) => name === this.#name)!;
    const text = body === undefined ? '' : JSON.stringify(body);
    const time = String(this.#now());
    const sign = (content: string) => createHmac('sha256', apiSecret).update(content).digest('base64');
    const response = await fetch((dialect === 'KC' ? compatUrl : baseUrl) + path, {
      method,
      headers: {
        [`${dialect}-API-KEY`]: apiKey,
        [`${dialect}-API-SIGN`]: sign(time + method + signed + text),
        [`${dialect}-API-TIMESTAMP`]: time,
        [`${dialect}-API-PASSPHRASE`]: sign(apiPassphrase),
        [`${dialect}-API-KEY-VERSION`]: '3',
        ...(text && { 'content-type': 'application/json' }),
      },
      ...(text && { body: text }),
      signal: AbortSignal.timeout(60_000),
    });
    const answer = await response.text();
    let parsed: unknown = null;
    try {
      parsed = JSON.parse(answer);
    } catch {
      // A page from a gateway, or half an answer.
    }
    return { status: response.status, text: answer, body: parsed as Reply['body'] };
  }

  place(order: object): Promise<Reply> {
    const whole = { symbol: 'BTC-USDT', type: 'limit', side: 'buy', price: '100', size: '1', ...order };
    return this.send('POST', '/api/v1/hf/orders', whole);
  }

  cancel(id: string, symbol = 'BTC-USDT'): Promise<Reply> {
    return this.send('DELETE', `/api/v1/hf/orders/${id}?symbol=${symbol}`);
  }
}
