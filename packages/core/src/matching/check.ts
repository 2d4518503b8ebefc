/**
 * The nine rules that an order is checked against, in their order: user and symbol, texts, words, fields, client id, market
 * state, the symbol's rules, limits, funds. Valid input is written to the draft row in the core's own representation.
 */

import * as users from '../access/users.ts';
import type { OrderRequest } from '../commands/commands.ts';
import { reject, type Rejection } from '../commands/rejections.ts';
import { setBuyNeed } from './finish.ts';
import * as orderFlags from './orders/order-rows.ts';
import { BUY, isIceberg, timeInForceOf } from './orders/order-rows.ts';
import type { OrderTable } from './orders/order-table.ts';
import type { Instrument } from '../reference/instrument.ts';
import type { State } from '../state.ts';
import { Amount } from '../values/amount.ts';
import {
  bigNeighbours,
  checkClientId,
  checkPrice,
  checkPrintable,
  invalidValue,
  isPositiveMultiple,
  neighbours,
  NOTE_LENGTH_MAX,
  pick,
} from '../values/checks.ts';

/** Local copies of imported constants: see event-batch.ts. */
const { NO_TRADING } = users;
const { FOK, GTC, GTT, IOC, STP_CN, STP_DC, STP_NONE } = orderFlags;
const { packFlags, sideCode, stpCode, timeCode, withByFunds } = orderFlags;

const CANCEL_AFTER_SEC_MAX = 1e9;
/** Stands for funds that are too large for an Amount. It exceeds any balance, so the order is rejected later, with the exact value. */
const FUNDS_END = 1n << 101n;

export const NO_ORDER = -1;

const value = new Amount();
const need = new Amount();
const available = new Amount();
const freed = new Amount();
const ONE = new Amount();
ONE.setBigInt(1n);

/** An iceberg shows at least one twentieth of itself. */
const VISIBLE_SHARE = 20;

/** All nine rules; the draft is then ready to become an order. */
export function checkOrder(
  state: State,
  draft: number,
  user: number,
  request: OrderRequest,
): Rejection | null {
  return (
    readDraft(state, draft, user, request) ??
    checkClientIdFree(state, draft) ??
    checkMarket(state, draft, state.instruments.all[request.symbol]) ??
    checkRulesAndMoney(state, draft, request.funds, NO_ORDER)
  );
}

// Checks 1 to 4 of "Checking an order" in docs/concepts/rules.md: the request becomes a draft.

/** Fills the draft row with the request. */
export function readDraft(
  state: State,
  draft: number,
  user: number,
  request: OrderRequest,
): Rejection | null {
  const standing = state.users.standing(user);
  if (!standing) return reject('user-unknown', { user });
  if ((standing & NO_TRADING) !== 0) return state.users.barred(user, NO_TRADING);
  const { symbol } = request;
  const instrument = state.instruments.all[symbol];
  if (instrument === undefined || instrument.removed) return reject('symbol-unknown', { symbol });
  state.orders.setOwner(draft, user, symbol);
  return readTexts(state.orders, draft, request) ?? readFields(state.orders, draft, request);
}

function readTexts(orders: OrderTable, draft: number, request: OrderRequest): Rejection | null {
  const { clientId = '', tags = '', remark = '' } = request;
  if (clientId === '' && tags === '' && remark === '') return null;
  orders.setTexts(draft, { clientId, tags, remark });
  return (
    checkClientId(clientId) ??
    checkPrintable('tags', tags, 0, NOTE_LENGTH_MAX) ??
    checkPrintable('remark', remark, 0, NOTE_LENGTH_MAX)
  );
}

function readFields(orders: OrderTable, draft: number, request: OrderRequest): Rejection | null {
  const { type, timeInForce, stp, cancelAfterSec } = request;
  const side = sideCode(request.side);
  const time = timeInForce === undefined ? GTC : timeCode(timeInForce);
  const mode = stp === undefined ? STP_NONE : stpCode(stp);
  if (side < 0) return invalidValue('side', request.side, 'buy or sell');
  if (type !== 'limit' && type !== 'market') return invalidValue('type', type, 'limit or market');
  if (time < 0) return invalidValue('timeInForce', timeInForce, 'GTC, GTT, IOC or FOK');
  if (mode < 0) return invalidValue('stp', stp, 'CN, CO, CB or DC');
  if (cancelAfterSec !== undefined && !isWithin(cancelAfterSec, 1, CANCEL_AFTER_SEC_MAX)) {
    return invalidValue('cancelAfterSec', cancelAfterSec, `an integer from 1 to ${CANCEL_AFTER_SEC_MAX}`);
  }
  if (type === 'limit') return readLimit(orders, draft, request, side, time, mode);
  return readMarket(orders, draft, request, side, mode);
}

function readLimit(
  orders: OrderTable,
  draft: number,
  request: OrderRequest,
  side: number,
  time: number,
  mode: number,
): Rejection | null {
  const { price, size, cancelAfterSec, visibleSize, iceberg = false, hidden = false } = request;
  if (price === undefined) return missing('price', 'limit-order');
  if (size === undefined) return missing('size', 'limit-order');
  if (time === GTT && cancelAfterSec === undefined) return missing('cancelAfterSec', 'gtt');
  if (iceberg && visibleSize === undefined) return missing('visibleSize', 'iceberg');
  if (request.funds !== undefined) return notAllowed('funds', 'limit-order');
  if (time !== GTT && cancelAfterSec !== undefined) return notAllowed('cancelAfterSec', 'not-gtt');
  if (!iceberg && visibleSize !== undefined) return notAllowed('visibleSize', 'not-iceberg');
  orders.setPrice(draft, price);
  orders.setSize(draft, size);
  if (visibleSize !== undefined) orders.setVisibleSize(draft, visibleSize);
  if (cancelAfterSec !== undefined) orders.setCancelAfterSec(draft, cancelAfterSec);
  const postOnly = request.postOnly === true && time < IOC;
  const stp = time === FOK ? STP_CN : mode;
  orders.addFlags(draft, packFlags(side, false, time, stp, postOnly, hidden && !iceberg, iceberg));
  return null;
}

function readMarket(
  orders: OrderTable,
  draft: number,
  request: OrderRequest,
  side: number,
  mode: number,
): Rejection | null {
  const { size } = request;
  if (size === undefined && request.funds === undefined) return missing('size', 'market-order');
  if (request.price !== undefined) return notAllowed('price', 'market-order');
  if (request.timeInForce !== undefined) return notAllowed('timeInForce', 'market-order');
  if (request.cancelAfterSec !== undefined) return notAllowed('cancelAfterSec', 'market-order');
  if (request.postOnly) return notAllowed('postOnly', 'market-order');
  if (request.hidden) return notAllowed('hidden', 'market-order');
  if (request.iceberg) return notAllowed('iceberg', 'market-order');
  if (request.visibleSize !== undefined) return notAllowed('visibleSize', 'market-order');
  if (mode === STP_DC) return notAllowed('stp', 'market-order');
  if (size !== undefined && request.funds !== undefined) return notAllowed('funds', 'size-and-funds');
  const flags = packFlags(side, true, GTC, mode, false, false, false);
  orders.addFlags(draft, request.funds === undefined ? flags : withByFunds(flags));
  if (size !== undefined) orders.setSize(draft, size);
  if (request.funds !== undefined) {
    orders.funds.setBigInt(request.funds < FUNDS_END ? request.funds : FUNDS_END);
  }
  return null;
}

const isWithin = (number: number, min: number, max: number) =>
  Number.isInteger(number) && number >= min && number <= max;
const missing = (field: string, because: string) => reject('field-missing', { field, because });
const notAllowed = (field: string, because: string) => reject('field-not-allowed', { field, because });

const REQUEST = [
  'symbol',
  'type',
  'side',
  'price',
  'size',
  'funds',
  'timeInForce',
  'cancelAfterSec',
  'postOnly',
  'hidden',
  'iceberg',
  'visibleSize',
  'stp',
  'clientId',
  'tags',
  'remark',
] as const satisfies readonly (keyof OrderRequest)[];

/** An order request with its fields in canonical order, as a snapshot needs them. */
export function requestOf(command: OrderRequest): OrderRequest {
  return pick<OrderRequest, keyof OrderRequest>(command, REQUEST);
}

// Checks 5 to 9.

export function checkClientIdFree(state: State, draft: number): Rejection | null {
  const clientId = state.orders.textsOf(draft)?.clientId;
  if (!clientId) return null;
  const order = state.clientIds.find(state.orders.user(draft), clientId);
  return order === 0 ? null : reject('client-id-used', { clientId, order });
}

/** Whether the market accepts any orders. */
export function checkMarketOpen(instrument: Instrument): Rejection | null {
  if (instrument.isOpen) return null;
  const { effectiveState, number: symbol } = instrument;
  return effectiveState === 'post-only' || effectiveState === 'auction'
    ? null
    : reject('market-closed', { symbol, state: effectiveState });
}

/** Check 6. While the market does not match, it accepts only orders that can rest. */
export function checkMarket(state: State, draft: number, instrument: Instrument): Rejection | null {
  if (instrument.isOpen) return null;
  const closed = checkMarketOpen(instrument);
  if (closed) return closed;
  const { orders } = state;
  if (orders.mayRest(draft)) return null;
  const kind = orders.isMarket(draft)
    ? 'market'
    : timeInForceOf(orders.flags(draft)) === 'IOC'
      ? 'IOC'
      : 'FOK';
  return reject('order-kind', { symbol: instrument.number, state: instrument.state, kind });
}

/** The same for an order that waits outside the book: an auction collects limit orders only. */
export function checkMarketFor(instrument: Instrument, kind: 'stop' | 'oco'): Rejection | null {
  const closed = checkMarketOpen(instrument);
  if (closed || instrument.state !== 'auction') return closed;
  return reject('order-kind', { symbol: instrument.number, state: 'auction', kind });
}

/** Checks 7 to 9. `old` is the order that this one replaces: its place in the limits, its quantity and its hold count as free. */
export function checkRulesAndMoney(
  state: State,
  draft: number,
  funds: bigint | undefined,
  old: number,
): Rejection | null {
  const { orders } = state;
  const instrument = state.instruments.all[orders.symbol(draft)];
  return (
    checkTerms(state, draft, instrument, funds) ??
    (funds === undefined
      ? (checkRoom(state, draft, instrument, old) ?? checkVisible(state, draft, instrument))
      : null) ??
    checkMinFunds(state, draft, instrument) ??
    checkBook(state, draft, instrument) ??
    checkLimits(state, draft, instrument, old) ??
    checkMoney(state, draft, instrument, old)
  );
}

/** The part of check 7 that depends only on the symbol's terms; it comes first. */
export function checkTerms(
  state: State,
  draft: number,
  instrument: Instrument,
  funds: bigint | undefined,
): Rejection | null {
  return funds === undefined ? checkGrid(state, draft, instrument) : checkFunds(instrument, funds);
}

/** The checks of a stop order before it waits; the rest follows when it triggers. */
export function checkShape(state: State, draft: number, funds: bigint | undefined): Rejection | null {
  const instrument = state.instruments.all[state.orders.symbol(draft)];
  const wrong = checkTerms(state, draft, instrument, funds);
  return wrong ?? (funds === undefined ? checkVisible(state, draft, instrument) : null);
}

/** R1 and R2: price and size. */
function checkGrid(state: State, draft: number, { rules }: Instrument): Rejection | null {
  const { orders } = state;
  if (!orders.isMarket(draft)) {
    const wrong = checkPrice(orders.price(draft), rules.priceIncrement);
    if (wrong) return wrong;
  }
  const size = orders.sizeOf(draft);
  if (!isPositiveMultiple(size, rules.baseIncrement)) {
    return reject('size-increment', { value: size, ...neighbours(size, rules.baseIncrement) });
  }
  if (size < rules.baseMinSize) return reject('size-below-min', { value: size, min: rules.baseMinSize });
  if (size > rules.baseMaxSize) return reject('size-above-max', { value: size, max: rules.baseMaxSize });
  return null;
}

/** The resting total of one side stays below 2^53, so that every sum is exact. */
function checkRoom(state: State, draft: number, { book }: Instrument, old: number): Rejection | null {
  const { orders } = state;
  if (!orders.mayRest(draft)) return null;
  const resting = book.totals[orders.side(draft)] - (old === NO_ORDER ? 0 : orders.remaining(old));
  const max = Number.MAX_SAFE_INTEGER - resting;
  const size = orders.sizeOf(draft);
  return size <= max ? null : reject('size-above-max', { value: size, max });
}

/** R10. */
function checkVisible(state: State, draft: number, { rules }: Instrument): Rejection | null {
  const { orders } = state;
  if (!orders.isReserved(draft) || !isIceberg(orders.flags(draft))) return null;
  const visible = orders.visibleSize(draft);
  const size = orders.sizeOf(draft);
  const increment = rules.baseIncrement;
  const min = leastVisible(size, increment);
  if (isPositiveMultiple(visible, increment) && visible >= min && visible <= size) return null;
  return reject('visible-size', { value: visible, min, max: size, increment });
}

/** An iceberg's smallest slice: a twentieth of the size, rounded up to the increment. */
export function leastVisible(size: number, increment: number): number {
  return Math.ceil(Math.ceil(size / VISIBLE_SHARE) / increment) * increment;
}

/** R3. */
function checkFunds(instrument: Instrument, funds: bigint): Rejection | null {
  const { quoteIncrement, quoteMinSize, quoteMaxSize } = instrument.rules;
  if (funds <= 0n || funds % quoteIncrement !== 0n) {
    return reject('funds-increment', { value: funds, ...bigNeighbours(funds, quoteIncrement) });
  }
  if (funds < quoteMinSize) return reject('funds-below-min', { value: funds, min: quoteMinSize });
  if (funds > quoteMaxSize) return reject('funds-above-max', { value: funds, max: quoteMaxSize });
  return null;
}

/** R5: the value of the order; for a market order by size at the last price, or else the best opposite one. */
function checkMinFunds(state: State, draft: number, instrument: Instrument): Rejection | null {
  const { orders } = state;
  const { minFunds } = instrument.rules;
  if (orders.isByFunds(draft)) value.copy(orders.funds);
  else {
    const { book } = instrument;
    const price = orders.isMarket(draft)
      ? book.lastPrice || book.bestPrice(1 - orders.side(draft))
      : orders.price(draft);
    if (price === 0) return null;
    value.setProduct(price, orders.sizeOf(draft));
  }
  if (!minFunds.isAbove(value)) return null;
  return reject('min-funds', { value: value.toBigInt(), min: minFunds.toBigInt() });
}

/**
 * While the market does not match, a limit order must not cross orders that it may not trade with: in `post-only` any
 * order, in an auction the user's own.
 */
function checkBook(state: State, draft: number, instrument: Instrument): Rejection | null {
  if (instrument.isOpen) return null;
  const { orders, traders } = state;
  const { book, number: symbol } = instrument;
  const side = orders.side(draft);
  const price = orders.price(draft);
  if (instrument.state === 'post-only') {
    return book.meets(side, price)
      ? reject('would-trade', { symbol, price: book.bestPrice(1 - side) })
      : null;
  }
  let row = traders.firstOrder(traders.find(orders.user(draft), symbol));
  for (; row >= 0; row = traders.nextOrder(orders, row)) {
    const own = orders.price(row);
    if (orders.side(row) !== side && (side === BUY ? own <= price : own >= price)) {
      return reject('own-cross', { order: orders.id(row), price: own });
    }
  }
  return null;
}

/** Also finds the user's trader row, and with it the accounts and the rates. */
function checkLimits(state: State, draft: number, instrument: Instrument, old: number): Rejection | null {
  const { orders, traders } = state;
  const user = orders.user(draft);
  const trader = state.trader(user, instrument);
  orders.setTrader(draft, trader);
  orders.setRates(draft, traders.makerRate(trader), traders.takerRate(trader));
  if (!orders.mayRest(draft)) return null;
  const { activeOrdersPerSymbolMax, activeOrdersPerUserMax } = state.limits.values;
  const gone = old === NO_ORDER ? 0 : 1;
  if (traders.orderCount(trader) - gone >= activeOrdersPerSymbolMax) {
    return reject('orders-per-symbol', { max: activeOrdersPerSymbolMax });
  }
  if (traders.orderCountOfUser(user) - gone >= activeOrdersPerUserMax) {
    return reject('orders-per-user', { max: activeOrdersPerUserMax });
  }
  return null;
}

/** R6: the hold must be available. Sets the draft's hold. */
function checkMoney(state: State, draft: number, instrument: Instrument, old: number): Rejection | null {
  const { orders, traders } = state;
  const isBuy = orders.isBuy(draft);
  const trader = orders.trader(draft);
  state.ledger.readAvailable(isBuy ? traders.quoteAccount(trader) : traders.baseAccount(trader), available);
  if (old !== NO_ORDER) {
    orders.readHold(old, freed);
    available.add(freed);
  }
  // A market order whose cost is unknown holds everything available while it is matched.
  const everything = orders.isMarket(draft) && isBuy !== orders.isByFunds(draft);
  if (everything) need.copy(available.isZero() ? ONE : available);
  else if (!isBuy) instrument.setBase(need, orders.sizeOf(draft));
  else if (orders.isByFunds(draft)) need.copy(orders.funds);
  else setBuyNeed(need, orders.price(draft), orders.sizeOf(draft), orders.takerRate(draft), 0);
  if (need.isAbove(available)) return insufficient(state, draft, instrument);
  orders.setHold(draft, need);
  return null;
}

function insufficient(state: State, draft: number, instrument: Instrument): Rejection {
  const { orders } = state;
  const isBuy = orders.isBuy(draft);
  const { base, quote } = instrument.identity;
  return reject('funds-insufficient', {
    user: orders.user(draft),
    account: 'trade',
    currency: isBuy ? quote.number : base.number,
    // A base amount larger than the total supply does not fit an Amount.
    need: isBuy || orders.isByFunds(draft) ? need.toBigInt() : instrument.exactBase(orders.sizeOf(draft)),
    available: available.toBigInt(),
  });
}
