/**
 * Rows that stand for several events: most orders produce the same few events, and one row costs half of what three or
 * four do. This file expands them into their events.
 */

import { ownerOf } from '../values/account-key.ts';
import { toBigInt } from '../values/amount.ts';
import * as layout from './event-rows.ts';
import type { BalanceChanged, BookChanged, Event, OrderDone, OrderOpened, OrderReceived } from './events.ts';
import {
  hasTexts,
  isPostOnly,
  type OrderTexts,
  selfTradeModeOf,
  sideOf,
  timeInForceOf,
  typeOf,
} from '../matching/orders/order-flags.ts';

const { ACCOUNT_TYPES, ROW } = layout;
const NO_TEXTS: OrderTexts = { clientId: '', tags: '', remark: '' };

/** How long the row at `at` is. */
export function compoundLength(rows: Float64Array, at: number): number {
  if (rows[at] === ROW.cancelled) return layout.CANCELLED_LENGTH;
  return hasTexts(rows[at + 11]) ? layout.RESTED_LONG : layout.RESTED_SHORT;
}

/** Appends its events, in the order in which they happened. */
export function readCompound(
  rows: Float64Array,
  at: number,
  objects: readonly unknown[],
  into: Event[],
): void {
  if (rows[at] === ROW.rested) {
    into.push(
      readReceived(rows, at, objects),
      readBalance(rows, at, true),
      readOpened(rows, at),
      readCompoundBook(rows, at),
    );
  } else into.push(readCompoundBook(rows, at), readBalance(rows, at, false), readDone(rows, at));
}

function readReceived(rows: Float64Array, at: number, objects: readonly unknown[]): OrderReceived {
  const flags = rows[at + 11];
  const texts = hasTexts(flags) ? (objects[rows[at + 18]] as OrderTexts) : NO_TEXTS;
  return {
    kind: 'order-received',
    order: rows[at + 8],
    user: rows[at + 9],
    symbol: rows[at + 10],
    side: sideOf(flags),
    type: typeOf(flags),
    price: rows[at + 12],
    size: rows[at + 13],
    funds: 0n,
    timeInForce: timeInForceOf(flags),
    cancelAfterSec: 0,
    postOnly: isPostOnly(flags),
    hidden: false,
    iceberg: false,
    visibleSize: 0,
    stp: selfTradeModeOf(flags),
    makerRate: rows[at + 16],
    takerRate: rows[at + 17],
    clientId: texts.clientId,
    tags: texts.tags,
    remark: texts.remark,
  };
}

function readOpened(rows: Float64Array, at: number): OrderOpened {
  return {
    kind: 'order-opened',
    order: rows[at + 8],
    user: rows[at + 9],
    symbol: rows[at + 10],
    remaining: rows[at + 13],
  };
}

function readDone(rows: Float64Array, at: number): OrderDone {
  return {
    kind: 'order-done',
    order: rows[at + 8],
    user: rows[at + 9],
    symbol: rows[at + 10],
    reason: 'requested',
    dealSize: 0,
    dealFunds: 0n,
    fee: 0n,
    cancelledSize: rows[at + 13],
    cancelledFunds: 0n,
    rested: true,
  };
}

export function readCompoundBook(rows: Float64Array, at: number): BookChanged {
  return {
    kind: 'book-changed',
    symbol: rows[at + 10],
    sequence: rows[at + 14],
    side: sideOf(rows[at + 11]),
    price: rows[at + 12],
    size: rows[at + 15],
  };
}

function readBalance(rows: Float64Array, at: number, isHeld: boolean): BalanceChanged {
  const { user, type, currency } = ownerOf(rows[at + 1]);
  const amount = toBigInt(rows[at + 2], rows[at + 3]);
  return {
    kind: 'balance-changed',
    user,
    account: ACCOUNT_TYPES[type],
    currency,
    availableChange: isHeld ? -amount : amount,
    holdChange: isHeld ? amount : -amount,
    available: toBigInt(rows[at + 4], rows[at + 5]),
    hold: toBigInt(rows[at + 6], rows[at + 7]),
    cause: isHeld ? 'hold' : 'release',
    order: rows[at + 8],
    trade: 0,
    reference: 0,
  };
}
