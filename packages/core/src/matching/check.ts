/** Rules 5 to 9 of checking a draft: client id, market state, the symbol's rules, limits, funds. */

import { Amount } from '../values/amount.ts';
import type { OrderRequest } from '../commands/commands.ts';
import type { Instrument } from '../reference/instrument.ts';
import { type Rejection, reject } from '../commands/rejections.ts';
import type { State } from '../state.ts';
import { readDraft } from './draft.ts';
import { setBuyNeed } from './hold.ts';
import { bigNeighbours, checkPrice, isPositiveMultiple, leastVisible, neighbours } from './increments.ts';
import { BUY, isIceberg, timeInForceOf } from './orders/order-flags.ts';

export const NO_ORDER = -1;

const value = new Amount();
const need = new Amount();
const available = new Amount();
const freed = new Amount();
const ONE = new Amount();
ONE.setBigInt(1n);

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

/** Rule 6. While the market does not match, it accepts only orders that can rest. */
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

/** The same of an order that waits outside the book: an auction collects limit orders only. */
export function checkMarketFor(instrument: Instrument, kind: 'stop' | 'oco'): Rejection | null {
  const closed = checkMarketOpen(instrument);
  if (closed || instrument.state !== 'auction') return closed;
  return reject('order-kind', { symbol: instrument.number, state: 'auction', kind });
}

/** Rules 7 to 9. `old` is the order that this one replaces: its place in the limits, its quantity and its hold count as free. */
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

/** The part of rule 7 that depends only on the symbol's terms; it comes first. */
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
