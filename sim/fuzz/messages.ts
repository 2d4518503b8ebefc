/** Invalid websocket messages and frames, for the feed and for order entry. */

import { TOPIC_NAMES } from '../../packages/api/src/feed/topics/topics.ts';
import type { Random } from '@bourse/test-kit/random.ts';
import { damage, disturb, spoil, spoilOne, toText, value, WORDS } from './grammar.ts';

const TOPICS = [
  ...TOPIC_NAMES.flatMap((name) => [name, `${name}:BTC-USDT`, `${name}:NO-SUCH`, `${name}:BTC-USDT,ETH-BTC`]),
  '/market/candles:BTC-USDT_1min',
  '/market/ticker:all',
  '/account/balance:6',
  ':',
  ',',
  ...WORDS,
];
const TYPES = ['subscribe', 'unsubscribe', 'openTunnel', 'closeTunnel', 'ping', 'welcome', 'message', ''];
const ORDER = { symbol: 'BTC-USDT', type: 'limit', side: 'buy', price: '20000', size: '0.001' };
const ARGS: Readonly<Record<string, object>> = {
  'spot.order': ORDER,
  'spot.sync_order': { ...ORDER, timeInForce: 'IOC' },
  'spot.modify': { symbol: 'BTC-USDT', orderId: 'x', newPrice: '20001' },
  'spot.cancel': { symbol: 'BTC-USDT', orderId: 'x' },
  'spot.sync_cancel': { symbol: 'BTC-USDT', clientOid: 'x' },
  ping: {},
};

export function feedInput(random: Random, id: string): string {
  const right = {
    id,
    type: random.pick(TYPES),
    topic: random.pick(TOPICS),
    response: true,
    privateChannel: random.chance(0.5),
    tunnelId: random.pick(['t1', 't2', '']),
    newTunnelId: random.pick(['t1', 't2', '', '__proto__']),
  };
  const text = toText(
    random.chance(0.05) ? value(random) : random.chance(0.7) ? spoil(random, right) : right,
  );
  return random.chance(0.15) ? disturb(random, text) : text;
}

export interface EntryInput {
  /** Bytes as latin1. */
  readonly bytes: string;
  /** The id that the reply has. */
  readonly isNamed: boolean;
}

export function entryInput(random: Random, id: string): EntryInput {
  const op = random.pick(Object.keys(ARGS));
  if (random.chance(0.1))
    return { bytes: Buffer.from(toText(value(random))).toString('latin1'), isNamed: false };
  const spoilt = random.chance(0.5) ? spoilOne : spoil;
  const args = random.chance(0.9) ? spoilt(random, ARGS[op] as object) : value(random);
  const name = random.chance(0.95) ? op : random.pick(WORDS);
  const isNamed = random.chance(0.75);
  // A damaged id must not become that of another message.
  const bytes = Buffer.from(toText({ id: isNamed ? id : `damaged-${id.slice(1)}-message`, op: name, args }));
  return { bytes: (isNamed ? bytes : damage(random, bytes)).toString('latin1'), isNamed };
}

const FIRST = [0x81, 0x01, 0x80, 0x82, 0x89, 0x88, 0xc1, 0x8a, 0x83, 0xf1];

/** Bytes after an upgrade, as latin1: often with a plausible beginning, rarely a valid frame. */
export function frameInput(random: Random): string {
  const bytes = Buffer.from(Array.from({ length: 2 + random.below(200) }, () => random.below(256)));
  if (random.chance(0.8)) bytes[0] = random.pick(FIRST);
  if (random.chance(0.5)) bytes[1] = 0x80 | random.below(128);
  return bytes.toString('latin1');
}
