/** The options that make `new ccxt.kucoin(options)` trade here. */

import { Agent } from 'node:http';
import type { User } from './types.ts';

/** ccxt has an address for each part of KuCoin's API. An omitted one would be KuCoin's own. */
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
  /** ccxt.pro opens no websocket without TLS unless it has an agent. */
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
