/** Queries between records: each costs a look-up plus the size of its result. */

import type { AccountType, OrderType, SelfTradeMode, Side, TimeInForce } from './commands/commands.ts';
import { ACCOUNT_TYPES, DONE_REASONS } from './events/event-rows.ts';
import type { DoneReason, SystemAccount } from './events/events.ts';
import { HIDDEN_QUEUE, VISIBLE_QUEUE } from './matching/book/price-levels.ts';
import * as flagsOf from './matching/orders/order-rows.ts';
import { sideCode } from './matching/orders/order-rows.ts';
import { isMarket } from './matching/unfinished/unfinished.ts';
import type { State } from './state.ts';
import { Amount } from './values/amount.ts';

/** An active order. */
export interface OrderView {
  readonly order: number;
  readonly user: number;
  readonly symbol: number;
  readonly side: Side;
  readonly type: OrderType;
  readonly price: number;
  readonly size: number;
  readonly timeInForce: TimeInForce;
  readonly cancelAfterSec: number;
  readonly postOnly: boolean;
  readonly hidden: boolean;
  readonly iceberg: boolean;
  readonly visibleSize: number;
  readonly stp: SelfTradeMode;
  readonly clientId: string;
  readonly tags: string;
  readonly remark: string;
  readonly dealSize: number;
  readonly dealFunds: bigint;
  readonly fee: bigint;
  /** The amount overcharged by rounding fees up so far, in 10^-8 units. */
  readonly feeSlack: number;
  readonly cancelledSize: number;
  readonly remaining: number;
  /** The visible size in the book. */
  readonly visible: number;
  readonly hold: bigint;
  readonly makerRate: number;
  readonly takerRate: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** 0: never. */
  readonly expiresAt: number;
  /** Only for an order by funds, which is active only while it is unfinished (T3). */
  readonly funds?: bigint;
}

/** A done order in its final state. */
export interface DoneOrder extends OrderView {
  readonly funds: bigint;
  readonly done: DoneReason;
  readonly cancelledFunds: bigint;
  /** Whether it ever rested in the book. */
  readonly rested: boolean;
  readonly doneAt: number;
  /** Sequence of the record in which it was done. */
  readonly seq: number;
}

export interface PriceLevel {
  readonly price: number;
  readonly size: number;
}

export interface Balance {
  readonly available: bigint;
  readonly hold: bigint;
}

/** One of a user's accounts. */
export interface Account extends Balance {
  readonly type: AccountType;
  readonly currency: number;
}

const amount = new Amount();

export function viewOrder({ orders, unfinished }: State, row: number): OrderView {
  const flags = orders.flags(row);
  const texts = orders.textsOf(row);
  const money = (read: (into: Amount) => void) => {
    read(amount);
    return amount.toBigInt();
  };
  return {
    order: orders.id(row),
    user: orders.user(row),
    symbol: orders.symbol(row),
    side: flagsOf.sideOf(flags),
    type: flagsOf.typeOf(flags),
    price: orders.price(row),
    size: orders.sizeOf(row),
    timeInForce: flagsOf.timeInForceOf(flags),
    cancelAfterSec: orders.cancelAfterSec(row),
    postOnly: flagsOf.isPostOnly(flags),
    hidden: flagsOf.isHidden(flags),
    iceberg: flagsOf.isIceberg(flags),
    visibleSize: orders.visibleSize(row),
    stp: flagsOf.selfTradeModeOf(flags),
    clientId: texts?.clientId ?? '',
    tags: texts?.tags ?? '',
    remark: texts?.remark ?? '',
    dealSize: orders.dealt(row),
    dealFunds: money((into) => orders.readDealFunds(row, into)),
    fee: money((into) => orders.readFee(row, into)),
    feeSlack: orders.slack(row),
    cancelledSize: orders.sizeOf(row) - orders.dealt(row) - orders.remaining(row),
    remaining: orders.remaining(row),
    visible: orders.visible(row),
    hold: money((into) => orders.readHold(row, into)),
    makerRate: orders.makerRate(row),
    takerRate: orders.takerRate(row),
    createdAt: orders.createdAt(row),
    updatedAt: orders.updatedAt(row),
    expiresAt: orders.expiresAt(row),
    ...(orders.isByFunds(row) && { funds: unfinished.fundsOf(orders.id(row)) }),
  };
}

/** An order done in the latest record, or one that is kept. */
export function doneOrder(state: State, id: number): DoneOrder | null {
  const { orders, seq, time } = state;
  const row = orders.doneRowOf(id);
  if (row < 0) return null;
  if (orders.isLatestDone(row)) return viewDone(state, row, seq, time);
  const kept = state.done.find(orders, row);
  return kept && viewDone(state, kept.row, kept.seq, kept.time);
}

export function viewDone(state: State, row: number, seq: number, doneAt: number): DoneOrder {
  const { orders } = state;
  orders.readDoneFunds(row, amount);
  const funds = orders.isByFunds(row) ? amount.toBigInt() : 0n;
  orders.readDoneCancelled(row, amount);
  const cancelledFunds = amount.toBigInt();
  return {
    ...viewOrder(state, row),
    hold: 0n,
    funds,
    done: DONE_REASONS[orders.doneReason(row)],
    cancelledFunds,
    rested: orders.hasRested(row),
    doneAt,
    seq,
  };
}

export function openOrders(state: State, user: number, symbol: number): OrderView[] {
  const views: OrderView[] = [];
  const { orders, traders } = state;
  let row = traders.firstOrder(traders.find(user, symbol));
  for (; row >= 0; row = traders.nextOrder(orders, row)) views.push(viewOrder(state, row));
  return views;
}

export function unfinishedOrders(state: State): OrderView[] {
  const { orders, unfinished } = state;
  return unfinished.list.flatMap((entry) =>
    isMarket(entry) ? [] : [viewOrder(state, orders.rowOf(entry.current.order))],
  );
}

export function hasOrders({ traders }: State, user: number, symbol: number): boolean {
  return traders.firstOrder(traders.find(user, symbol)) >= 0;
}

/** The few fields of an active order that its owner needs to decide whether to move it. */
export interface OrderPlace {
  readonly order: number;
  readonly side: Side;
  readonly price: number;
  readonly remaining: number;
}

export function orderPlaces({ traders, orders }: State, user: number, symbol: number): OrderPlace[] {
  const places: OrderPlace[] = [];
  let row = traders.firstOrder(traders.find(user, symbol));
  for (; row >= 0; row = traders.nextOrder(orders, row)) {
    const side = flagsOf.sideName(orders.side(row));
    places.push({ order: orders.id(row), side, price: orders.price(row), remaining: orders.remaining(row) });
  }
  return places;
}

/** Rows of a side in order of priority: best price first, the visible queue, then the hidden one. */
export function restingRows(state: State, symbol: number, side: number): number[] {
  const rows: number[] = [];
  const { orders, levels } = state;
  state.instruments.all[symbol].book.sides[side].walk((level) => {
    for (let row = levels.first(level, VISIBLE_QUEUE); row >= 0; row = orders.next(row)) rows.push(row);
    for (let row = levels.first(level, HIDDEN_QUEUE); row >= 0; row = orders.next(row)) rows.push(row);
    return true;
  });
  return rows;
}

/** Visible sizes, best first; levels without visible orders are omitted. A symbol that does not exist yet has none. */
export function depth(state: State, symbol: number, side: number, levelsMax: number): PriceLevel[] {
  const found: PriceLevel[] = [];
  const { levels } = state;
  state.instruments.all[symbol]?.book.sides[side].walk((level) => {
    const size = levels.visible(level);
    if (found.length < levelsMax && size > 0) found.push({ price: levels.price(level), size });
    return found.length < levelsMax;
  });
  return found;
}

export function balance(
  state: State,
  user: number,
  type: AccountType | SystemAccount,
  currency: number,
): Balance {
  const account = state.ledger.find(user, ACCOUNT_TYPES.indexOf(type), currency);
  if (account < 0) return { available: 0n, hold: 0n };
  state.ledger.readAvailable(account, amount);
  const available = amount.toBigInt();
  state.ledger.readHold(account, amount);
  return { available, hold: amount.toBigInt() };
}

/** Every account of the user that was ever used, by type and currency. */
export function accounts(state: State, user: number): Account[] {
  const found: Account[] = [];
  for (const type of ['main', 'trade'] as const) {
    for (let currency = 0; currency < state.currencies.all.length; currency++) {
      const account = state.ledger.find(user, ACCOUNT_TYPES.indexOf(type), currency);
      if (account < 0 || !state.ledger.owner(account).used) continue;
      found.push({ type, currency, ...balance(state, user, type, currency) });
    }
  }
  return found;
}

export interface ShownOrder {
  readonly order: number;
  readonly price: number;
  /** The visible size. */
  readonly size: number;
  readonly createdAt: number;
}

/** The public order-by-order book: without hidden orders, and with the visible slice of an iceberg. */
export class Level3 {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  /** The number of level 3 messages of the symbol so far: see `Book.messages`. */
  sequence(symbol: number): number {
    return this.#state.instruments.all[symbol].book.messages;
  }

  /** One side, in order of priority. */
  orders(symbol: number, side: Side): ShownOrder[] {
    const shown: ShownOrder[] = [];
    const { orders, levels, instruments } = this.#state;
    instruments.all[symbol].book.sides[sideCode(side)].walk((level) => {
      const price = levels.price(level);
      for (let row = levels.first(level, VISIBLE_QUEUE); row >= 0; row = orders.next(row)) {
        shown.push({
          order: orders.id(row),
          price,
          size: orders.visible(row),
          createdAt: orders.createdAt(row),
        });
      }
      return true;
    });
    return shown;
  }
}
