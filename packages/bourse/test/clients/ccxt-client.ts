/** ccxt as its users create it: only the addresses and the keys are set. */

import ccxt, { type Exchange } from 'ccxt';
import { credentials } from '@bourse/test-kit/server.ts';
import { versionOf } from './venue.ts';

export const CCXT = `ccxt ${versionOf('ccxt')}`;
export const PAIR = 'BTC/USDT';

type Kucoin = InstanceType<typeof ccxt.kucoin>;
type KucoinPro = InstanceType<typeof ccxt.pro.kucoin>;

/** Without a user: no keys, public calls alone. */
export async function ccxtClient(url: string, user?: string, options: object = {}): Promise<Kucoin> {
  const client = new ccxt.kucoin(config(url, user, options));
  await client.loadHttpProxyAgent();
  return client;
}

export async function ccxtProClient(url: string, user?: string, options: object = {}): Promise<KucoinPro> {
  const client = new ccxt.pro.kucoin(config(url, user, options));
  await client.loadHttpProxyAgent();
  return client;
}

/** ccxt has an address for each part of the vendor's interface; ours answers for all of them. */
function config(url: string, user: string | undefined, options: object): Record<string, unknown> {
  const parts = Object.keys(new ccxt.kucoin().urls['api'] as object);
  const keys = user === undefined ? undefined : credentials(user);
  return {
    urls: { api: Object.fromEntries(parts.map((part) => [part, url])) },
    ...(keys && { apiKey: keys.apiKey, secret: keys.apiSecret, password: keys.apiPassphrase }),
    options,
  };
}

/** createOrder, and the id of the order. */
export async function place(client: Kucoin, ...order: Parameters<Kucoin['createOrder']>): Promise<string> {
  return idOf(await client.createOrder(...order));
}

export function idOf({ id }: { readonly id?: string | undefined }): string {
  if (id === undefined) throw new Error('an order without an id');
  return id;
}

/** For `assert.rejects`: the class ccxt maps the refusal to, itself and not one derived from it. */
export function isExactly(expected: abstract new (...args: never[]) => Error): (error: unknown) => boolean {
  return (error) => {
    if (error instanceof Error && error.constructor === expected) return true;
    throw new Error(`expected ${expected.name}, got ${String(error)}`);
  };
}

export type { Exchange, Kucoin, KucoinPro };
