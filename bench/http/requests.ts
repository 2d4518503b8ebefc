/** The users of a measured exchange, and their requests, signed in advance, as bytes for the socket. */

import { createHmac } from 'node:crypto';
import type { Command } from '@bourse/core';
import { CURRENCIES } from '../../packages/sandbox/src/reference-data.ts';
import { KEYS, USERS } from '../../packages/sandbox/src/users.ts';

export const USERS_DEFAULT = 1000;

export interface Trader {
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly apiPassphrase: string;
}

const SANDBOX_TRADERS: readonly Trader[] = KEYS.filter(
  ({ permissions, name }) => permissions.includes('spot') && name !== 'alice-sub',
);

/** Without additional users: the sandbox's. */
export function traderOf(number: number, users: number): Trader {
  if (users === 0) return SANDBOX_TRADERS[number % SANDBOX_TRADERS.length];
  const name = String(number % users).padStart(6, '0');
  return { apiKey: `bench-key-${name}`, apiSecret: `bench-secret-${name}`, apiPassphrase: `bench-${name}` };
}

const AUDIT = { by: 'bench', why: 'users to measure with' };
const KEY_VERSION = 3;
/** In units of both currencies. */
const WEALTH = 10n ** 18n;

/** Applied after the initial commands of a sandbox. */
export function* userCommands(
  users: number,
  seal: (apiSecret: string, passphrase: string) => string,
): Generator<Command> {
  const currencies = ['BTC', 'USDT'].map((code) => CURRENCIES.findIndex((each) => each.code === code));
  for (let at = 0; at < users; at++) {
    const user = USERS.length + at;
    const { apiKey: key, apiSecret, apiPassphrase } = traderOf(at, users);
    yield { kind: 'add-user', name: `bench-${at}`, ...AUDIT };
    yield {
      kind: 'add-key',
      key,
      user,
      version: KEY_VERSION,
      permissions: ['general', 'spot'],
      ipAllowList: [],
      secret: seal(apiSecret, apiPassphrase),
      ...AUDIT,
    };
    for (const currency of currencies) {
      const id = `bench-${at}-${currency}`;
      const [{ chainId: chain }] = CURRENCIES[currency].chains;
      const deposit = { user, currency, chain, amount: WEALTH, txId: id, travelRule: false };
      yield { kind: 'report-deposit', ...deposit, ...AUDIT };
      const move = { clientId: id, currency, amount: WEALTH, from: 'main', to: 'trade' } as const;
      yield { kind: 'transfer', user, type: 'internal', ...move };
    }
  }
}

// Orders of a connection come in pairs, a buy and a sell at the same price, so they trade and the book never exceeds
// the number of connections.

export type Kind = 'place' | 'multi' | 'order' | 'ticker' | 'symbols';

export const ORDERS_PER_MULTI = 20;

/** Stride between the users of one connection: prime, so that all users take part. */
const STRIDE = 67;
/** Signed close to the end of the allowed clock skew, so that they stay valid for as long as possible. */
const AHEAD_MS = 7000;

const hmac = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest('base64');

function request(trader: Trader, method: string, path: string, body: string, time: number): Buffer {
  const { apiKey, apiSecret, apiPassphrase } = trader;
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    `SVC-API-KEY: ${apiKey}`,
    `SVC-API-SIGN: ${hmac(apiSecret, `${time}${method}${path}${body}`)}`,
    `SVC-API-TIMESTAMP: ${time}`,
    `SVC-API-PASSPHRASE: ${hmac(apiSecret, apiPassphrase)}`,
    'SVC-API-KEY-VERSION: 3',
    ...(body === '' ? [] : ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`]),
    '',
    body,
  ];
  return Buffer.from(lines.join('\r\n'));
}

let serial = 0;
const RUN = Date.now().toString(36);

function order(turn: number): object {
  return {
    clientOid: `bench-${RUN}-${serial++}`,
    symbol: 'BTC-USDT',
    type: 'limit',
    side: turn % 2 === 0 ? 'buy' : 'sell',
    price: '50000',
    size: '0.00001',
  };
}

/** `count` requests for one connection. `known` is the id of an order for look-ups. */
export function signRequests(
  kind: Kind,
  connection: number,
  count: number,
  known: string,
  users = 0,
): Buffer[] {
  const time = Date.now() + AHEAD_MS;
  return Array.from({ length: count }, (_, turn) => {
    // Without additional users there are too few for every connection, so the same user sends both orders of a pair.
    const trader = traderOf(connection + (users === 0 ? 0 : turn * STRIDE), users);
    switch (kind) {
      case 'place':
        return request(trader, 'POST', '/api/v1/hf/orders', JSON.stringify(order(turn)), time);
      case 'multi': {
        const orderList = Array.from({ length: ORDERS_PER_MULTI }, (_unused, i) => order(i));
        return request(trader, 'POST', '/api/v1/hf/orders/multi/sync', JSON.stringify({ orderList }), time);
      }
      case 'order':
        return request(traderOf(0, 0), 'GET', `/api/v1/hf/orders/${known}?symbol=ETH-USDT`, '', time);
      case 'ticker':
        return request(trader, 'GET', '/api/v1/market/orderbook/level1?symbol=BTC-USDT', '', time);
      case 'symbols':
        return request(trader, 'GET', '/api/v2/symbols', '', time);
    }
  });
}

/** An order far from the market, for look-ups. */
export function signKnownOrder(): Buffer {
  const body = JSON.stringify({
    symbol: 'ETH-USDT',
    type: 'limit',
    side: 'buy',
    price: '10',
    size: '0.1',
    clientOid: `known-${RUN}`,
  });
  return request(traderOf(0, 0), 'POST', '/api/v1/hf/orders', body, Date.now());
}
