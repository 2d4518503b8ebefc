/** Decodes rows of numbers into the plain events of events.ts. */

import * as layout from './event-rows.ts';
import { ownerOf } from './event-rows.ts';
import type {
  BalanceChanged,
  BookChanged,
  Event,
  Fill,
  MarketEvent,
  MoneyEvent,
  OrderDone,
  OrderOpened,
  OrderReceived,
  PublicTrade,
  RareEvent,
  Trade,
} from './events.ts';
import {
  hasTexts,
  isHidden,
  isIceberg,
  isPostOnly,
  type OrderTexts,
  hasExtraFields,
  selfTradeModeOf,
  sideName,
  sideOf,
  timeInForceOf,
  typeOf,
} from '../matching/orders/order-rows.ts';
import { toBigInt } from '../values/amount.ts';

/** Local copies of imported constants: see event-batch.ts. */
const { ACCOUNT_TYPES, BALANCE_CAUSES, DONE_REASONS, LENGTHS, MOVEMENT, REDUCE_REASONS, ROW } = layout;
const { BALANCE_LONG, BALANCE_SHORT, CAUSE_STEP, DONE_LONG, DONE_SHORT, HELD_END, LONG } = layout;
const { ORDER_CAUSES_END, RECEIVED_LONG, RECEIVED_SHORT, RESTED, STEP } = layout;

const NO_TEXTS: OrderTexts = { clientId: '', tags: '', remark: '' };

/** The number of events in a compound row: see event-rows.ts. */
const RESTED_EVENTS = 4;
const CANCELLED_EVENTS = 3;

export interface EventOutline {
  /** The number of events. */
  readonly count: number;
  /** Orders that traded, were reduced, or began to rest after their arrival; an order may come twice. */
  readonly changed: readonly number[];
}

export class EventReader {
  readonly #rows: Float64Array;
  readonly #objects: readonly (RareEvent | OrderTexts)[];

  constructor(rows: Float64Array, objects: readonly (RareEvent | OrderTexts)[]) {
    this.#rows = rows;
    this.#objects = objects;
  }

  /** The events of the rows below `end`, as plain objects. */
  readAll(end: number): Event[] {
    const events: Event[] = [];
    for (let at = 0; at < end; at += this.#lengthAt(at)) {
      if (this.#rows[at] >= ROW.rested) readCompound(this.#rows, at, this.#objects, events);
      else events.push(this.#read(at));
    }
    return events;
  }

  /** The market events of the rows below `end`. A trade has only its public fields: decoding its amounts costs most. */
  readMarket(end: number): MarketEvent[] {
    const events: MarketEvent[] = [];
    for (let at = 0; at < end; at += this.#lengthAt(at)) {
      switch (this.#rows[at]) {
        case ROW.trade:
          events.push(this.#readPublicTrade(at));
          break;
        case ROW.book:
          events.push(this.#readBook(at));
          break;
        case ROW.rested:
        case ROW.cancelled:
          events.push(readCompoundBook(this.#rows, at));
          break;
        case ROW.rare:
          events.push(this.#objects[this.#rows[at + 1]] as RareEvent);
          break;
        default:
      }
    }
    return events;
  }

  /** The money events of the rows below `end`. Most orders rest or are cancelled, and have none. */
  readMoney(end: number): MoneyEvent[] {
    const events: MoneyEvent[] = [];
    /** The position of the order-received that the next trade needs; -1 once it was read. */
    let received = -1;
    for (let at = 0; at < end; at += this.#lengthAt(at)) {
      switch (this.#rows[at]) {
        case ROW.received:
          received = at;
          break;
        case ROW.trade:
          if (received >= 0) events.push(this.#readReceived(received));
          received = -1;
          events.push(this.#readTrade(at));
          break;
        case ROW.balance:
          if (this.#rows[at + 2] >= HELD_END) events.push(this.#readBalance(at));
          break;
        case ROW.rare:
          events.push(this.#objects[this.#rows[at + 1]] as RareEvent);
          break;
        default:
      }
    }
    return events;
  }

  /** Reads no amounts and makes no objects: most records are never looked at more closely. */
  outline(end: number): EventOutline {
    const changed: number[] = [];
    let count = 0;
    for (let at = 0; at < end; at += this.#lengthAt(at)) {
      switch (this.#rows[at]) {
        case ROW.rested:
          count += RESTED_EVENTS;
          break;
        case ROW.cancelled:
          count += CANCELLED_EVENTS;
          break;
        case ROW.trade:
          changed.push(this.#rows[at + 8], this.#rows[at + 14]);
          count += 1;
          break;
        case ROW.opened:
        case ROW.reduced:
          changed.push(this.#rows[at + 1]);
          count += 1;
          break;
        default:
          count += 1;
      }
    }
    return { count, changed };
  }

  /** How many rows of this kind there are below `end`. */
  count(end: number, kind: number): number {
    let count = 0;
    for (let at = 0; at < end; at += this.#lengthAt(at)) if (this.#rows[at] === kind) count++;
    return count;
  }

  #lengthAt(at: number): number {
    const rows = this.#rows;
    switch (rows[at]) {
      case ROW.received:
        return hasExtraFields(rows[at + 4]) ? RECEIVED_LONG : RECEIVED_SHORT;
      case ROW.done:
        return rows[at + 4] & LONG ? DONE_LONG : DONE_SHORT;
      case ROW.balance:
        return rows[at + 2] % CAUSE_STEP === MOVEMENT.SPENT ? BALANCE_LONG : BALANCE_SHORT;
      case ROW.rested:
      case ROW.cancelled:
        return compoundLength(rows, at);
      default:
        return LENGTHS[rows[at]];
    }
  }

  #read(at: number): Event {
    const rows = this.#rows;
    switch (rows[at]) {
      case ROW.received:
        return this.#readReceived(at);
      case ROW.opened:
        return {
          kind: 'order-opened',
          order: rows[at + 1],
          user: rows[at + 2],
          symbol: rows[at + 3],
          remaining: rows[at + 4],
        };
      case ROW.trade:
        return this.#readTrade(at);
      case ROW.reduced:
        return {
          kind: 'order-reduced',
          order: rows[at + 1],
          user: rows[at + 2],
          symbol: rows[at + 3],
          by: rows[at + 4],
          remaining: rows[at + 5],
          reason: REDUCE_REASONS[rows[at + 6]],
        };
      case ROW.done:
        return this.#readDone(at);
      case ROW.book:
        return this.#readBook(at);
      case ROW.balance:
        return this.#readBalance(at);
      default:
        return this.#objects[rows[at + 1]] as RareEvent;
    }
  }

  #readTrade(at: number): Trade {
    const rows = this.#rows;
    return {
      kind: 'trade',
      symbol: rows[at + 1],
      trade: rows[at + 2],
      price: rows[at + 3],
      size: rows[at + 4],
      funds: toBigInt(rows[at + 5], rows[at + 6]),
      side: sideName(rows[at + 7]),
      incoming: this.#readFill(at + 8),
      resting: this.#readFill(at + 14),
    };
  }

  #readPublicTrade(at: number): PublicTrade {
    const rows = this.#rows;
    return {
      kind: 'trade',
      symbol: rows[at + 1],
      trade: rows[at + 2],
      price: rows[at + 3],
      size: rows[at + 4],
      side: sideName(rows[at + 7]),
    };
  }

  #readBook(at: number): BookChanged {
    const rows = this.#rows;
    return {
      kind: 'book-changed',
      symbol: rows[at + 1],
      sequence: rows[at + 2],
      side: sideName(rows[at + 3]),
      price: rows[at + 4],
      size: rows[at + 5],
    };
  }

  #readReceived(at: number): OrderReceived {
    const rows = this.#rows;
    const flags = rows[at + 4];
    const isLong = hasExtraFields(flags);
    const texts = isLong && rows[at + 13] >= 0 ? (this.#objects[rows[at + 13]] as OrderTexts) : NO_TEXTS;
    return {
      kind: 'order-received',
      order: rows[at + 1],
      user: rows[at + 2],
      symbol: rows[at + 3],
      side: sideOf(flags),
      type: typeOf(flags),
      price: rows[at + 5],
      size: rows[at + 6],
      funds: isLong ? toBigInt(rows[at + 9], rows[at + 10]) : 0n,
      timeInForce: timeInForceOf(flags),
      cancelAfterSec: isLong ? rows[at + 11] : 0,
      postOnly: isPostOnly(flags),
      hidden: isHidden(flags),
      iceberg: isIceberg(flags),
      visibleSize: isLong ? rows[at + 12] : 0,
      stp: selfTradeModeOf(flags),
      makerRate: rows[at + 7],
      takerRate: rows[at + 8],
      clientId: texts.clientId,
      tags: texts.tags,
      remark: texts.remark,
    };
  }

  #readDone(at: number): OrderDone {
    const rows = this.#rows;
    const terms = rows[at + 4];
    const isLong = (terms & LONG) !== 0;
    const amountAt = (field: number) => (isLong ? toBigInt(rows[at + field], rows[at + field + 1]) : 0n);
    return {
      kind: 'order-done',
      order: rows[at + 1],
      user: rows[at + 2],
      symbol: rows[at + 3],
      reason: DONE_REASONS[Math.floor(terms / STEP)],
      dealSize: isLong ? rows[at + 6] : 0,
      dealFunds: amountAt(7),
      fee: amountAt(9),
      cancelledSize: rows[at + 5],
      cancelledFunds: amountAt(11),
      rested: (terms & RESTED) !== 0,
    };
  }

  #readBalance(at: number): BalanceChanged {
    const rows = this.#rows;
    const amountAt = (field: number) => toBigInt(rows[at + field], rows[at + field + 1]);
    const { user, type, currency } = ownerOf(rows[at + 1]);
    const movement = rows[at + 2] % CAUSE_STEP;
    const cause = Math.floor(rows[at + 2] / CAUSE_STEP);
    const isOfOrder = cause < ORDER_CAUSES_END;
    const amount = amountAt(3);
    return {
      kind: 'balance-changed',
      user,
      account: ACCOUNT_TYPES[type],
      currency,
      availableChange: this.#readAvailableChange(at, movement, amount),
      holdChange: movement === MOVEMENT.HELD ? amount : movement > MOVEMENT.HELD ? -amount : 0n,
      available: amountAt(5),
      hold: amountAt(7),
      cause: BALANCE_CAUSES[cause],
      order: isOfOrder ? rows[at + 9] : 0,
      trade: rows[at + 10],
      reference: isOfOrder ? 0 : rows[at + 9],
    };
  }

  #readAvailableChange(at: number, movement: number, amount: bigint): bigint {
    switch (movement) {
      case MOVEMENT.CREDITED:
      case MOVEMENT.RELEASED:
        return amount;
      case MOVEMENT.SPENT:
        return toBigInt(this.#rows[at + 11], this.#rows[at + 12]);
      default:
        return -amount;
    }
  }

  #readFill(at: number): Fill {
    const rows = this.#rows;
    const terms = rows[at + 5];
    return {
      order: rows[at],
      user: rows[at + 1],
      remaining: rows[at + 2],
      fee: toBigInt(rows[at + 3], rows[at + 4]),
      rate: terms & 1 ? 'taker' : 'maker',
      liquidity: terms & 2 ? 'taker' : 'maker',
    };
  }
}

// Compound rows stand for several events: most orders produce the same few events, and one row costs half of what three or
// four do.

/** How long the row at `at` is. */
function compoundLength(rows: Float64Array, at: number): number {
  if (rows[at] === ROW.cancelled) return layout.CANCELLED_LENGTH;
  return hasTexts(rows[at + 11]) ? layout.RESTED_LONG : layout.RESTED_SHORT;
}

/** Appends its events, in the order in which they happened. */
function readCompound(rows: Float64Array, at: number, objects: readonly unknown[], into: Event[]): void {
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

function readCompoundBook(rows: Float64Array, at: number): BookChanged {
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
