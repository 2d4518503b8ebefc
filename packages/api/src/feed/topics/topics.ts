/** All topics: arguments, access, rate and content. */

import type { TSchema } from '../../gateway/schema.ts';
import * as data from './topic-schemas.ts';

/** The part after the colon; `none`: no colon. */
export type Argument = 'symbol' | 'symbol-or-all' | 'symbol-or-market' | 'symbol-interval' | 'none';

export interface Topic {
  readonly subject: string;
  readonly access: 'public' | 'private';
  readonly argument: Argument;
  /** The minimum interval between messages, in milliseconds; 0: one message per record of the log. */
  readonly cadenceMs: number;
  readonly summary: string;
  readonly data: TSchema;
}

const rows = {
  '/market/ticker': {
    subject: 'trade.ticker',
    access: 'public',
    argument: 'symbol-or-all',
    cadenceMs: 100,
    summary: 'Last price and best prices; with `all`, of every symbol, and the subject is the symbol.',
    data: data.TICKER,
  },
  '/market/snapshot': {
    subject: 'trade.snapshot',
    access: 'public',
    argument: 'symbol-or-market',
    cadenceMs: 2000,
    summary: 'The figures of the last 24 hours of a symbol, or of every symbol of a market.',
    data: data.SNAPSHOT,
  },
  '/spotMarket/level1': {
    subject: 'level1',
    access: 'public',
    argument: 'symbol',
    cadenceMs: 10,
    summary: 'The best price of each side.',
    data: data.LEVEL1,
  },
  '/spotMarket/level2Depth5': {
    subject: 'level2',
    access: 'public',
    argument: 'symbol',
    cadenceMs: 100,
    summary: 'The best five levels of each side.',
    data: data.DEPTH,
  },
  '/spotMarket/level2Depth50': {
    subject: 'level2',
    access: 'public',
    argument: 'symbol',
    cadenceMs: 100,
    summary: 'The best fifty levels of each side.',
    data: data.DEPTH,
  },
  '/market/level2': {
    subject: 'trade.l2update',
    access: 'public',
    argument: 'symbol',
    cadenceMs: 0,
    summary:
      'Every change of the book, one for each sequence number; size 0 removes a level, price 0 is ignored.',
    data: data.CHANGES,
  },
  '/spotMarket/level3': {
    subject: 'received, open, match, change or done',
    access: 'public',
    argument: 'symbol',
    cadenceMs: 0,
    summary:
      'Every order that anybody sees: received, open, match, change, done, one for each sequence number; the subject is the kind.',
    data: data.LEVEL3,
  },
  '/market/match': {
    subject: 'trade.l3match',
    access: 'public',
    argument: 'symbol',
    cadenceMs: 0,
    summary: 'Every trade.',
    data: data.MATCH,
  },
  '/market/auction': {
    subject: 'trade.auction',
    access: 'public',
    argument: 'symbol',
    cadenceMs: 100,
    summary:
      'A call auction: the price and size at which it would end now, and the surplus with its side. One message when it ends, with `endsAt` null.',
    data: data.AUCTION,
  },
  '/market/candles': {
    subject: 'trade.candles.update',
    access: 'public',
    argument: 'symbol-interval',
    cadenceMs: 0,
    summary: 'The candle that is being made, after each record with a trade.',
    data: data.CANDLE,
  },
  '/spotMarket/tradeOrders': {
    subject: 'orderChange',
    access: 'private',
    argument: 'none',
    cadenceMs: 0,
    summary: "What becomes of the user's orders, from the book or the first match on.",
    data: data.ORDER,
  },
  '/spotMarket/tradeOrdersV2': {
    subject: 'orderChange',
    access: 'private',
    argument: 'none',
    cadenceMs: 0,
    summary: 'The same, with a message when the order is received.',
    data: data.ORDER,
  },
  '/spot/tradeFills': {
    subject: '/spot/tradeFills',
    access: 'private',
    argument: 'none',
    cadenceMs: 0,
    summary: "The user's side of each trade, with the fee; amounts are JSON numbers.",
    data: data.FILL,
  },
  '/account/balance': {
    subject: 'account.balance',
    access: 'private',
    argument: 'none',
    cadenceMs: 0,
    summary: "Every change of the user's balances, one message for each posting.",
    data: data.BALANCE,
  },
  '/account/deposits': {
    subject: 'account.deposit',
    access: 'private',
    argument: 'none',
    cadenceMs: 0,
    summary:
      "Every change of the user's deposits: arrived, questionnaire submitted, refused with its code, credited.",
    data: data.DEPOSIT,
  },
  '/spotMarket/advancedOrders': {
    subject: 'stopOrder',
    access: 'private',
    argument: 'none',
    cadenceMs: 0,
    summary: 'Stop orders: placed, triggered, cancelled.',
    data: data.STOP_ORDER,
  },
} as const satisfies Readonly<Record<string, Topic>>;

export type TopicName = keyof typeof rows;
export const TOPICS: Readonly<Record<TopicName, Topic>> = rows;
export const TOPIC_NAMES = Object.keys(rows) as readonly TopicName[];

export const isTopicName = (name: string): name is TopicName => Object.hasOwn(rows, name);
