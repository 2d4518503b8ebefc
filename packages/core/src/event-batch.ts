/**
 * The events of one record, written as rows of numbers: hot code writes twenty doubles instead of allocating an
 * object, and a reader that wants only trades skips the rest. Rare events, and the texts of an order, are kept
 * beside the rows as the objects they are. `decode` gives the plain events of events.ts.
 *
 * A batch belongs to the exchange and is overwritten by the next record: decode or copy what you keep.
 */

import { Amount, toBigInt } from './amount.ts';
import type {
  BalanceCause,
  DoneReason,
  Event,
  Fill,
  HouseAccount,
  OrderReceived,
  OrderReduced,
  RareEvent,
} from './events.ts';
import type { AccountType } from './commands.ts';
import type { LevelTable } from './matching/level-table.ts';
import {
  hasRested,
  isHidden,
  isIceberg,
  isPostOnly,
  type OrderTexts,
  selfTradeModeOf,
  sideBit,
  sideName,
  sideOf,
  timeInForceOf,
  typeOf,
} from './matching/order-flags.ts';
import type { OrderTable } from './matching/order-table.ts';

/** A row is its kind, then the fields in the order the writer below puts them. */
const ROW = {
  received: 0,
  opened: 1,
  trade: 2,
  reduced: 3,
  done: 4,
  book: 5,
  balance: 6,
  rare: 7,
} as const;

const ROW_LENGTH = [14, 5, 20, 7, 14, 6, 16, 2];
const ROW_LENGTH_MAX = 20;

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
];
export const REDUCE_REASONS: readonly OrderReduced['reason'][] = ['requested', 'self-trade'];
export const ACCOUNT_TYPES: readonly (AccountType | HouseAccount)[] = [
  'main',
  'trade',
  'fees',
  'outside',
  'waiting',
];
export const BALANCE_CAUSES: readonly BalanceCause[] = [
  'hold',
  'release',
  'trade',
  'deposit',
  'transfer',
  'withdrawal-hold',
  'withdrawal-release',
  'withdrawal',
];

const NO_TEXTS: OrderTexts = { clientId: '', tags: '', remark: '' };

const amount = new Amount();

export class EventBatch {
  private rows = new Float64Array(4096);
  private end = 0;
  private objects: (RareEvent | OrderTexts)[] = [];

  clear(): void {
    this.end = 0;
    if (this.objects.length > 0) this.objects = [];
  }

  /** Numbers written so far; a row's fields may be read with `at` until the batch is cleared. */
  get length(): number {
    return this.end;
  }

  /** Room for one more row, wherever it will be written. */
  private next(kind: number): number {
    const start = this.end;
    if (start + ROW_LENGTH_MAX > this.rows.length) {
      const grown = new Float64Array(this.rows.length * 2);
      grown.set(this.rows);
      this.rows = grown;
    }
    this.rows[start] = kind;
    this.end = start + ROW_LENGTH[kind];
    return start;
  }

  received(orders: OrderTable, row: number): void {
    const at = this.next(ROW.received);
    const rows = this.rows;
    rows[at + 1] = orders.id(row);
    rows[at + 2] = orders.user(row);
    rows[at + 3] = orders.symbol(row);
    rows[at + 4] = orders.flags(row);
    rows[at + 5] = orders.price(row);
    rows[at + 6] = orders.sizeOf(row);
    orders.funds.store(rows, at + 7);
    rows[at + 9] = orders.cancelAfterSec(row);
    rows[at + 10] = orders.visibleSize(row);
    rows[at + 11] = orders.makerRate(row);
    rows[at + 12] = orders.takerRate(row);
    const texts = orders.textsOf(row);
    rows[at + 13] = texts ? this.objects.push(texts) - 1 : -1;
  }

  opened(orders: OrderTable, row: number): void {
    const at = this.next(ROW.opened);
    const rows = this.rows;
    rows[at + 1] = orders.id(row);
    rows[at + 2] = orders.user(row);
    rows[at + 3] = orders.symbol(row);
    rows[at + 4] = orders.remaining(row);
  }

  /** The trade itself; `fill` must be called for the incoming and then for the resting order. */
  trade(symbol: number, trade: number, orders: OrderTable, resting: number, size: number, funds: Amount): void {
    const at = this.next(ROW.trade);
    const rows = this.rows;
    rows[at + 1] = symbol;
    rows[at + 2] = trade;
    rows[at + 3] = orders.price(resting);
    rows[at + 4] = size;
    funds.store(rows, at + 5);
    rows[at + 7] = 1 - sideBit(orders.flags(resting));
  }

  /** One side of the trade row just written. `terms`: bit 0 taker's rate, bit 1 taker's liquidity. */
  fill(isResting: boolean, orders: OrderTable, row: number, fee: Amount, terms: number): void {
    const at = this.end - ROW_LENGTH[ROW.trade] + (isResting ? 14 : 8);
    const rows = this.rows;
    rows[at] = orders.id(row);
    rows[at + 1] = orders.user(row);
    rows[at + 2] = orders.remaining(row);
    fee.store(rows, at + 3);
    rows[at + 5] = terms;
  }

  reduced(orders: OrderTable, row: number, by: number, reason: number): void {
    const at = this.next(ROW.reduced);
    const rows = this.rows;
    rows[at + 1] = orders.id(row);
    rows[at + 2] = orders.user(row);
    rows[at + 3] = orders.symbol(row);
    rows[at + 4] = by;
    rows[at + 5] = orders.remaining(row);
    rows[at + 6] = reason;
  }

  done(orders: OrderTable, row: number, reason: number, cancelledFunds: Amount): void {
    const at = this.next(ROW.done);
    const rows = this.rows;
    rows[at + 1] = orders.id(row);
    rows[at + 2] = orders.user(row);
    rows[at + 3] = orders.symbol(row);
    rows[at + 4] = reason;
    const size = orders.sizeOf(row);
    const dealt = orders.dealt(row);
    rows[at + 5] = dealt;
    orders.readDealFunds(row, amount);
    amount.store(rows, at + 6);
    orders.readFee(row, amount);
    amount.store(rows, at + 8);
    rows[at + 10] = size > 0 ? size - dealt : 0;
    cancelledFunds.store(rows, at + 11);
    rows[at + 13] = hasRested(orders.flags(row)) ? 1 : 0;
  }

  book(symbol: number, sequence: number, side: number, levels: LevelTable, level: number): void {
    const at = this.next(ROW.book);
    const rows = this.rows;
    rows[at + 1] = symbol;
    rows[at + 2] = sequence;
    rows[at + 3] = side;
    rows[at + 4] = levels.price(level);
    rows[at + 5] = levels.visible(level);
  }

  /** `balance` holds, from `from` on, available and hold as they are now: hi, lo, hi, lo. */
  balance(
    user: number,
    type: number,
    currency: number,
    available: Amount,
    hold: Amount,
    balance: Float64Array,
    from: number,
    cause: number,
    order: number,
    trade: number,
    reference: number,
  ): void {
    const at = this.next(ROW.balance);
    const rows = this.rows;
    rows[at + 1] = user;
    rows[at + 2] = type;
    rows[at + 3] = currency;
    available.store(rows, at + 4);
    hold.store(rows, at + 6);
    rows[at + 8] = balance[from];
    rows[at + 9] = balance[from + 1];
    rows[at + 10] = balance[from + 2];
    rows[at + 11] = balance[from + 3];
    rows[at + 12] = cause;
    rows[at + 13] = order;
    rows[at + 14] = trade;
    rows[at + 15] = reference;
  }

  rare(event: RareEvent): void {
    const at = this.next(ROW.rare);
    this.rows[at + 1] = this.objects.push(event) - 1;
  }

  /** Every event, as plain objects. */
  decode(): Event[] {
    const events: Event[] = [];
    for (let at = 0; at < this.end; at += ROW_LENGTH[this.rows[at]]) events.push(this.read(at));
    return events;
  }

  private read(at: number): Event {
    const rows = this.rows;
    const amount = (field: number) => toBigInt(rows[at + field], rows[at + field + 1]);
    switch (rows[at]) {
      case ROW.received:
        return this.readReceived(at);
      case ROW.opened:
        return {
          kind: 'order-opened',
          order: rows[at + 1],
          user: rows[at + 2],
          symbol: rows[at + 3],
          remaining: rows[at + 4],
        };
      case ROW.trade:
        return {
          kind: 'trade',
          symbol: rows[at + 1],
          trade: rows[at + 2],
          price: rows[at + 3],
          size: rows[at + 4],
          funds: amount(5),
          side: sideName(rows[at + 7]),
          incoming: this.readFill(at + 8),
          resting: this.readFill(at + 14),
        };
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
        return {
          kind: 'order-done',
          order: rows[at + 1],
          user: rows[at + 2],
          symbol: rows[at + 3],
          reason: DONE_REASONS[rows[at + 4]],
          dealSize: rows[at + 5],
          dealFunds: amount(6),
          fee: amount(8),
          cancelledSize: rows[at + 10],
          cancelledFunds: amount(11),
          rested: rows[at + 13] === 1,
        };
      case ROW.book:
        return {
          kind: 'book-changed',
          symbol: rows[at + 1],
          sequence: rows[at + 2],
          side: sideName(rows[at + 3]),
          price: rows[at + 4],
          size: rows[at + 5],
        };
      case ROW.balance:
        return {
          kind: 'balance-changed',
          user: rows[at + 1],
          account: ACCOUNT_TYPES[rows[at + 2]],
          currency: rows[at + 3],
          availableChange: amount(4),
          holdChange: amount(6),
          available: amount(8),
          hold: amount(10),
          cause: BALANCE_CAUSES[rows[at + 12]],
          order: rows[at + 13],
          trade: rows[at + 14],
          reference: rows[at + 15],
        };
      default:
        return this.objects[rows[at + 1]] as RareEvent;
    }
  }

  private readReceived(at: number): OrderReceived {
    const rows = this.rows;
    const flags = rows[at + 4];
    const texts = rows[at + 13] < 0 ? NO_TEXTS : (this.objects[rows[at + 13]] as OrderTexts);
    return {
      kind: 'order-received',
      order: rows[at + 1],
      user: rows[at + 2],
      symbol: rows[at + 3],
      side: sideOf(flags),
      type: typeOf(flags),
      price: rows[at + 5],
      size: rows[at + 6],
      funds: toBigInt(rows[at + 7], rows[at + 8]),
      timeInForce: timeInForceOf(flags),
      cancelAfterSec: rows[at + 9],
      postOnly: isPostOnly(flags),
      hidden: isHidden(flags),
      iceberg: isIceberg(flags),
      visibleSize: rows[at + 10],
      stp: selfTradeModeOf(flags),
      makerRate: rows[at + 11],
      takerRate: rows[at + 12],
      clientId: texts.clientId,
      tags: texts.tags,
      remark: texts.remark,
    };
  }

  private readFill(at: number): Fill {
    const rows = this.rows;
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
