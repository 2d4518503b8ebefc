/** The vendor's universal SDK as its users create it: only the endpoint and the keys are set. */

import {
  ClientOptionBuilder,
  DefaultClient,
  TransportOptionBuilder,
  WebSocketClientOptionBuilder,
} from 'kucoin-universal-sdk';
import { type Credentials, credentials } from '@bourse/test-kit/server.ts';
import { versionOf } from './venue.ts';

export const UNIVERSAL = `kucoin-universal-sdk ${versionOf('kucoin-universal-sdk')}`;
export const PAIR = 'BTC-USDT';

const NO_KEY: Credentials = { apiKey: '', apiSecret: '', apiPassphrase: '' };

export function universalClient(url: string, user: string | Credentials = NO_KEY): DefaultClient {
  const { apiKey, apiSecret, apiPassphrase } = typeof user === 'string' ? credentials(user) : user;
  const options = new ClientOptionBuilder()
    .setKey(apiKey)
    .setSecret(apiSecret)
    .setPassphrase(apiPassphrase)
    .setSpotEndpoint(url)
    .setFuturesEndpoint(url)
    .setBrokerEndpoint(url)
    .setTransportOption(new TransportOptionBuilder().setKeepAlive(true).build())
    .setWebSocketClientOption(new WebSocketClientOptionBuilder().build())
    .build();
  return new DefaultClient(options);
}

/**
 * Fields for a request's `create`: each has its own enumerations of the same words, and their values are the words
 * themselves.
 */
export const words = (fields: Record<string, unknown>): never => fields as never;

let count = 0;
export const ownId = (): string => `universal-${(count += 1)}`;

export const limit = (side: 'buy' | 'sell', price: string, size: string, more: object = {}): never =>
  words({ clientOid: ownId(), symbol: PAIR, type: 'limit', side, price, size, ...more });

export const market = (side: 'buy' | 'sell', more: object): never =>
  words({ clientOid: ownId(), symbol: PAIR, type: 'market', side, ...more });
