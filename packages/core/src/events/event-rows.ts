/** The layout of event rows, and the codes of the words in them. */

import type { AccountType } from '../commands/commands.ts';
import type { BalanceCause, DoneReason, OrderReduced, SystemAccount } from './events.ts';

/** A row is its kind, then the fields in the order the writer in event-batch.ts puts them. */
export const ROW = {
  received: 0,
  opened: 1,
  trade: 2,
  reduced: 3,
  done: 4,
  book: 5,
  balance: 6,
  rare: 7,
  rested: 9,
  cancelled: 10,
} as const;

/**
 * Some rows end with optional fields: for an order by funds, an iceberg, an order with texts or an expiry; for the end of
 * an order that has traded; for spent money of which a part may be released. A flag in the row says whether they are
 * present.
 */
export const RECEIVED_SHORT = 9;
export const RECEIVED_LONG = 14;
export const DONE_SHORT = 6;
export const DONE_LONG = 13;
export const OPENED_LENGTH = 5;
export const TRADE_LENGTH = 20;
export const REDUCED_LENGTH = 7;
export const BOOK_LENGTH = 6;
export const BALANCE_SHORT = 11;
export const BALANCE_LONG = 13;
export const RARE_LENGTH = 2;

export const ROW_LENGTH_MAX = 20;
/**
 * Rows that stand for several events, which event-reader.ts expands: `rested` for received, the hold, opened and book, `cancelled`
 * for book, the release and done. Both start with 1 the account's key, 2-3 the amount, 4-5 available, 6-7 hold, 8 order,
 * 9 user, 10 symbol, 11 flags, 12 price, 13 size, 14 sequence, 15 the visible size of the level; `rested` continues with
 * 16 maker rate, 17 taker rate and optionally 18 the texts.
 */
export const RESTED_SHORT = 18;
export const RESTED_LONG = 19;
export const CANCELLED_LENGTH = 16;
export const LONG = 1;
export const RESTED = 2;
export const LENGTHS = [0, OPENED_LENGTH, TRADE_LENGTH, REDUCED_LENGTH, 0, BOOK_LENGTH, 0, RARE_LENGTH];
/** The reason why an order is done is in the bits above these two. */
export const STEP = 4;

/**
 * The direction of a posting, so that the row needs only one unsigned amount. Spent money leaves the hold; the part of it
 * that is released to the available balance is at the end of the row.
 */
export const MOVEMENT = { CREDITED: 0, DEBITED: 1, HELD: 2, RELEASED: 3, SPENT: 4 } as const;
/** The cause of a posting is in the bits above the movement. */
export const CAUSE_STEP = 8;
/** Causes below this one ('hold' and 'release') only move money into an order's hold or out of it. */
export const HELD_END = 2 * CAUSE_STEP;

export const DONE_REASONS: readonly DoneReason[] = [
  'filled',
  'requested',
  'altered',
  'switch',
  'expired',
  'ioc',
  'fok',
  'post-only',
  'price-protection',
  'self-trade',
  'book-end',
  'funds-end',
  'oco',
  'delisted',
  'operator',
];
export const REDUCE_REASONS: readonly OrderReduced['reason'][] = ['requested', 'self-trade'];
export const SYSTEM_ACCOUNTS: readonly SystemAccount[] = ['fees', 'outside', 'waiting', 'suspense'];
export const ACCOUNT_TYPES: readonly (AccountType | SystemAccount)[] = ['main', 'trade', ...SYSTEM_ACCOUNTS];
export const BALANCE_CAUSES: readonly BalanceCause[] = [
  'hold',
  'release',
  'trade',
  'deposit',
  'transfer',
  'withdrawal-hold',
  'withdrawal-release',
  'withdrawal',
  'correction',
];

/** Causes before this index have an order as their subject, the others a deposit, transfer, withdrawal or correction. */
export const ORDER_CAUSES_END = BALANCE_CAUSES.indexOf('deposit');

/** Currencies are below this, so that user, type and currency of an account form one whole number. */
export const CURRENCIES_END = 4096;
const TYPES = 8;

/** The system counts as the user before the first. */
export function accountKey(user: number, type: number, currency: number): number {
  return ((user + 1) * TYPES + type) * CURRENCIES_END + currency;
}

export function ownerOf(key: number): { user: number; type: number; currency: number } {
  const account = Math.floor(key / CURRENCIES_END);
  return { user: Math.floor(account / TYPES) - 1, type: account % TYPES, currency: key % CURRENCIES_END };
}
