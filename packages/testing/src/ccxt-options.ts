/** What `new ccxt.kucoin(options)` needs to trade here instead of at its vendor. */

import { Agent } from 'node:http';
import type { User } from './types.ts';

/** ccxt has an address for each part of the vendor's interface. One that is left out would be the vendor's own. */
export const CCXT_ADDRESSES = [
  'public',
  'private',
  'futuresPublic',
  'futuresPrivate',
  'webExchange',
  'broker',
  'earn',
  'uta',
  'utaV2',
  'utaPrivate',
] as const;

export interface CcxtOptions {
  readonly apiKey: string;
  readonly secret: string;
  readonly password: string;
  readonly urls: { readonly api: Readonly<Record<string, string>> };
  /** Without an agent of its own ccxt.pro refuses to open a websocket that has no TLS. */
  readonly httpAgent: Agent;
}

export function ccxtOptions(compatUrl: string, { apiKey, apiSecret, apiPassphrase }: User): CcxtOptions {
  return {
    apiKey,
    secret: apiSecret,
    password: apiPassphrase,
    urls: { api: Object.fromEntries(CCXT_ADDRESSES.map((part) => [part, compatUrl])) },
    httpAgent: new Agent(),
  };
}
