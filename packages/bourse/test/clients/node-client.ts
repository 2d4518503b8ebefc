/** The vendor's older SDK for Node, as its users set it up. It has no types, and one configuration for a process. */

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { credentials } from '@bourse/test-kit/server.ts';
import { versionOf } from './venue.ts';

export const NODE_SDK = `kucoin-node-sdk ${versionOf('kucoin-node-sdk')}`;
export const PAIR = 'BTC-USDT';

export interface Answer {
  readonly code: string;
  readonly msg?: string;
  readonly data?: unknown;
}

type Calls = Record<string, (...args: unknown[]) => Promise<Answer>>;

interface Feed {
  connectSocket(): Promise<void>;
  subscribe(topic: string, hear: (message: unknown) => void, isPrivate?: boolean): number;
}

interface Sdk {
  init(config: {
    baseUrl: string;
    apiAuth: { key: string; secret: string; passphrase: string };
    authVersion: number;
  }): void;
  readonly rest: {
    readonly User: Record<'UserInfo' | 'Account' | 'Deposit' | 'Withdrawals' | 'TradeFee', Calls>;
    readonly Trade: Record<'Orders' | 'StopOrder' | 'OCOOrder' | 'Fills', Calls>;
    readonly Market: Record<'Symbols' | 'OrderBook' | 'Histories' | 'Currencies', Calls>;
    readonly Others: Calls;
  };
  readonly websocket: {
    readonly Datafeed: new (isPrivate?: boolean) => Feed;
    readonly Level2: {
      new (symbol: string, feed: Feed): { listen(): void; getOrderBook(limit: number): unknown };
      setLogger(log: (...args: unknown[]) => void): void;
    };
  };
}

export const sdk = createRequire(import.meta.url)('kucoin-node-sdk') as Sdk;

/** Calls that follow are signed by this user. */
export function signAs(url: string, user: string): void {
  const { apiKey: key, apiSecret: secret, apiPassphrase: passphrase } = credentials(user);
  sdk.init({ baseUrl: url, apiAuth: { key, secret, passphrase }, authVersion: 2 });
}

/** The data of an answer without an error. */
export async function ok<T = Record<string, unknown>>(call: Promise<Answer>): Promise<T> {
  const answer = await call;
  assert.equal(answer.code, '200000', JSON.stringify(answer));
  return answer.data as T;
}

export async function refused(call: Promise<Answer>, code: string): Promise<void> {
  const answer = await call;
  assert.equal(answer.code, code, JSON.stringify(answer));
}
