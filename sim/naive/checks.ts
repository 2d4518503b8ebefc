/**
 * The checks of an order: 1 to 5 on user, symbol, fields and client id; 6 to 9 on the market's state, the
 * symbol's rules, limits, money.
 */

import type { OrderRequest } from '../../packages/core/src/commands/commands.ts';
import { reject, type Rejection } from '../../packages/core/src/commands/rejections.ts';
import { bestPrice, isWithin, opposite, restingSize } from './book.ts';
import { around, aroundAmount, divideUp, isMultiple, RATE_ONE } from './decimal.ts';
import { ratesFor } from './fees.ts';
import { type Instrument, type Order, PRICE_MAX, type Rules, type Terms } from './instrument.ts';
import { balanceOf } from './ledger.ts';
import { checkInteger, checkNotFrozen, checkOneOf, checkSymbol, checkText, checkUser } from './refusal.ts';
import type { State } from './state.ts';

/** The normalised request, after its fields have been checked. */
export function termsOf(request: OrderRequest): Terms {
  const timeInForce = request.timeInForce ?? 'GTC';
  const atOnce = timeInForce === 'IOC' || timeInForce === 'FOK';
  const iceberg = request.iceberg === true;
  return {
    symbol: request.symbol,
    type: request.type,
    side: request.side,
    price: request.price ?? 0,
    size: request.size ?? 0,
    funds: request.funds ?? 0n,
    byFunds: request.funds !== undefined,
    timeInForce,
    cancelAfterSec: request.cancelAfterSec ?? 0,
    postOnly: request.postOnly === true && !atOnce,
    hidden: request.hidden === true && !iceberg,
    iceberg,
    visibleSize: request.visibleSize ?? 0,
    stp: timeInForce === 'FOK' ? 'CN' : (request.stp ?? ''),
    clientId: request.clientId ?? '',
    tags: request.tags ?? '',
    remark: request.remark ?? '',
  };
}

/** 1 to 5. `checkMore` is for values of a single kind of order. */
export function checkRequest(
  state: State,
  user: number,
  request: OrderRequest,
  checkMore: () => Rejection | null = () => null,
): Rejection | null {
  return (
    checkUser(state, user) ??
    checkNotFrozen(state, user, 'trading') ??
    checkSymbol(state, request.symbol) ??
    checkTexts(request) ??
    checkValues(request) ??
    checkMore() ??
    (request.type === 'limit' ? checkLimitFields(request) : checkMarketFields(request)) ??
    checkClientId(state, user, request.clientId ?? '')
  );
}

function checkTexts(request: OrderRequest): Rejection | null {
  return (
    checkText('clientId', request.clientId ?? '', 0, 40, 'clientId') ??
    checkText('tags', request.tags ?? '', 0, 20, 'printable') ??
    checkText('remark', request.remark ?? '', 0, 20, 'printable')
  );
}

function checkValues(request: OrderRequest): Rejection | null {
  return (
    checkOneOf('side', request.side, ['buy', 'sell']) ??
    checkOneOf('type', request.type, ['limit', 'market']) ??
    checkOneOf('timeInForce', request.timeInForce ?? 'GTC', ['GTC', 'GTT', 'IOC', 'FOK']) ??
    checkOneOf('stp', request.stp ?? '', ['', 'CN', 'CO', 'CB', 'DC']) ??
    (request.cancelAfterSec === undefined
      ? null
      : checkInteger('cancelAfterSec', request.cancelAfterSec, 1, 1_000_000_000))
  );
}

function missing(field: string, because: string): Rejection {
  return reject('field-missing', { field, because });
}

function notAllowed(field: string, because: string): Rejection {
  return reject('field-not-allowed', { field, because });
}

/** All missing fields are reported before any superfluous one. */
function checkLimitFields(request: OrderRequest): Rejection | null {
  const expires = request.timeInForce === 'GTT';
  const hasTime = request.cancelAfterSec !== undefined;
  const iceberg = request.iceberg === true;
  const hasVisibleSize = request.visibleSize !== undefined;

  if (request.price === undefined) return missing('price', 'a limit order needs a price');
  if (request.size === undefined) return missing('size', 'a limit order needs a size');
  if (expires && !hasTime) return missing('cancelAfterSec', 'timeInForce is GTT');
  if (iceberg && !hasVisibleSize) return missing('visibleSize', 'the order is an iceberg');

  if (request.funds !== undefined) return notAllowed('funds', 'a limit order has a size');
  if (!expires && hasTime) return notAllowed('cancelAfterSec', 'timeInForce is not GTT');
  if (!iceberg && hasVisibleSize) return notAllowed('visibleSize', 'the order is no iceberg');
  return null;
}

function checkMarketFields(request: OrderRequest): Rejection | null {
  if (request.size === undefined && request.funds === undefined) {
    return missing('size', 'a market order needs a size or funds');
  }
  const because = 'it is for limit orders';
  if (request.price !== undefined) return notAllowed('price', because);
  if (request.timeInForce !== undefined) return notAllowed('timeInForce', because);
  if (request.cancelAfterSec !== undefined) return notAllowed('cancelAfterSec', because);
  if (request.postOnly === true) return notAllowed('postOnly', because);
  if (request.hidden === true) return notAllowed('hidden', because);
  if (request.iceberg === true) return notAllowed('iceberg', because);
  if (request.visibleSize !== undefined) return notAllowed('visibleSize', because);
  if (request.stp === 'DC') return notAllowed('stp', 'DC is for limit orders');
  if (request.size !== undefined && request.funds !== undefined) {
    return notAllowed('funds', 'a market order has a size or funds');
  }
  return null;
}

function checkClientId(state: State, user: number, clientId: string): Rejection | null {
  const use = clientId === '' ? undefined : state.users[user]!.clientIds.get(clientId);
  if (use === undefined) return null;
  return reject('client-id-used', { clientId, order: use.id });
}

/** 6. A market disabled by `enableTrading` is reported as halted, because its own state would accept orders. */
export function checkOpen(instrument: Instrument): Rejection | null {
  const { symbol, state } = instrument;
  if (state === 'delisted') return reject('market-closed', { symbol, state });
  if (instrument.paused) return reject('market-closed', { symbol, state: 'paused' });
  if (state === 'halted' || state === 'cancel-only') return reject('market-closed', { symbol, state });
  return instrument.terms.enableTrading ? null : reject('market-closed', { symbol, state: 'halted' });
}

/** Check 6 for an order that enters the book: while the market does not match, it must be able to rest. */
export function checkTakes(instrument: Instrument, terms: Terms): Rejection | null {
  const closed = checkOpen(instrument);
  if (closed !== null || instrument.state === 'open' || mayRest(terms)) return closed;
  const { symbol, state } = instrument;
  const kind = terms.type === 'market' ? 'market' : terms.timeInForce === 'IOC' ? 'IOC' : 'FOK';
  return reject('order-kind', { symbol, state, kind });
}

/** 6 for an order that waits outside the book. */
export function checkTakesWaiting(instrument: Instrument, kind: 'stop' | 'oco'): Rejection | null {
  const closed = checkOpen(instrument);
  if (closed !== null || instrument.state !== 'auction') return closed;
  return reject('order-kind', { symbol: instrument.symbol, state: 'auction', kind });
}

/**
 * While the market does not match, an order must not cross: in `post-only` any order, in an auction one of the same
 * user.
 */
function checkCross(state: State, instrument: Instrument, user: number, terms: Terms): Rejection | null {
  const { symbol } = instrument;
  const crosses = (price: number) => isWithin(terms.side, terms.price, price);
  if (instrument.state === 'post-only') {
    const best = bestPrice(instrument, opposite(terms.side));
    return best !== null && crosses(best) ? reject('would-trade', { symbol, price: best }) : null;
  }
  if (instrument.state !== 'auction') return null;
  const own = state.users[user]!.orders.filter(
    (order) => order.terms.symbol === symbol && order.terms.side !== terms.side,
  );
  const crossed = own.find((order) => crosses(order.terms.price));
  return crossed === undefined
    ? null
    : reject('own-cross', { order: crossed.id, price: crossed.terms.price });
}

/** For a price other than the order's own. */
export function checkStopPriceGrid(rules: Rules, value: number): Rejection | null {
  return checkPriceIncrement(rules, value) ?? checkPriceMax(value);
}

function checkPriceIncrement(rules: Rules, value: number): Rejection | null {
  const increment = rules.priceIncrement;
  if (isMultiple(value, increment)) return null;
  return reject('price-increment', { value, increment, ...around(value, increment) });
}

function checkPriceMax(value: number): Rejection | null {
  return value > PRICE_MAX ? reject('price-above-max', { value, max: PRICE_MAX }) : null;
}

export function checkSizeIncrement(rules: Rules, value: number): Rejection | null {
  const increment = rules.sizeIncrement;
  if (isMultiple(value, increment)) return null;
  return reject('size-increment', { value, increment, ...around(value, increment) });
}

function checkSize(rules: Rules, value: number): Rejection | null {
  const wrong = checkSizeIncrement(rules, value);
  if (wrong !== null) return wrong;
  if (value < rules.sizeMin) return reject('size-below-min', { value, min: rules.sizeMin });
  if (value > rules.sizeMax) return reject('size-above-max', { value, max: rules.sizeMax });
  return null;
}

function mayRest(terms: Terms): boolean {
  return terms.type === 'limit' && (terms.timeInForce === 'GTC' || terms.timeInForce === 'GTT');
}

/** The total size of a side must stay below 2^53. `replaced` is an order of the same side that will be removed. */
function checkRoom(instrument: Instrument, terms: Terms, replaced: Order | null): Rejection | null {
  if (!mayRest(terms)) return null;
  const resting = restingSize(instrument, terms.side) - (replaced?.remaining ?? 0);
  const max = Number.MAX_SAFE_INTEGER - resting;
  return terms.size > max ? reject('size-above-max', { value: terms.size, max }) : null;
}

/** The smallest visible size: a twentieth of the size, rounded up to the increment. */
export function visibleSizeMin(rules: Rules, size: number): number {
  const increment = rules.sizeIncrement;
  return Math.ceil(size / (20 * increment)) * increment;
}

function checkVisibleSize(rules: Rules, terms: Terms): Rejection | null {
  if (!terms.iceberg) return null;
  const { visibleSize: value, size } = terms;
  const increment = rules.sizeIncrement;
  if (isMultiple(value, increment) && value * 20 >= size && value <= size) return null;
  return reject('visible-size', { value, min: visibleSizeMin(rules, size), max: size, increment });
}

function checkFunds(rules: Rules, value: bigint): Rejection | null {
  const increment = rules.fundsIncrement;
  if (value <= 0n || value % increment !== 0n) {
    return reject('funds-increment', { value, increment, ...aroundAmount(value, increment) });
  }
  if (value < rules.fundsMin) return reject('funds-below-min', { value, min: rules.fundsMin });
  if (value > rules.fundsMax) return reject('funds-above-max', { value, max: rules.fundsMax });
  return null;
}

/** 7. */
function checkRules(instrument: Instrument, terms: Terms, replaced: Order | null): Rejection | null {
  const { rules } = instrument;
  if (terms.type === 'market') {
    const wrong = terms.byFunds ? checkFunds(rules, terms.funds) : checkSize(rules, terms.size);
    return wrong ?? checkMinFunds(instrument, terms);
  }
  // In the order of rejections: a size too large for the book precedes a wrong visible size.
  return (
    checkPriceIncrement(rules, terms.price) ??
    checkPriceMax(terms.price) ??
    checkSize(rules, terms.size) ??
    checkRoom(instrument, terms, replaced) ??
    checkVisibleSize(rules, terms) ??
    checkMinFunds(instrument, terms)
  );
}

/** Checks of a stop order when it is placed; minFunds and the book are checked only when it triggers. */
export function checkStopRules({ rules }: Instrument, stopPrice: number, terms: Terms): Rejection | null {
  if (terms.type === 'market') {
    const wrong = checkPriceIncrement(rules, stopPrice) ?? checkPriceMax(stopPrice);
    return wrong ?? (terms.byFunds ? checkFunds(rules, terms.funds) : checkSize(rules, terms.size));
  }
  return (
    checkPriceIncrement(rules, stopPrice) ??
    checkPriceIncrement(rules, terms.price) ??
    checkPriceMax(stopPrice) ??
    checkPriceMax(terms.price) ??
    checkSize(rules, terms.size) ??
    checkVisibleSize(rules, terms)
  );
}

function checkMinFunds(instrument: Instrument, terms: Terms): Rejection | null {
  let value = terms.funds;
  if (!terms.byFunds) {
    const price =
      terms.type === 'limit'
        ? terms.price
        : (instrument.lastPrice ?? bestPrice(instrument, opposite(terms.side)));
    if (price === null) return null;
    value = BigInt(price) * BigInt(terms.size);
  }
  const min = instrument.rules.minFunds;
  return value < min ? reject('min-funds', { value, min }) : null;
}

/** 8. `replaced` is an order that will be removed. */
function checkLimits(state: State, user: number, terms: Terms, replaced: Order | null): Rejection | null {
  if (!mayRest(terms)) return null;
  const others = state.users[user]!.orders.filter((order) => order !== replaced);
  const inSymbol = others.filter((order) => order.terms.symbol === terms.symbol);
  const perSymbolMax = state.limits.activeOrdersPerSymbolMax;
  const perUserMax = state.limits.activeOrdersPerUserMax;
  if (inSymbol.length >= perSymbolMax) return reject('orders-per-symbol', { max: perSymbolMax });
  if (others.length >= perUserMax) return reject('orders-per-user', { max: perUserMax });
  return null;
}

/** The order's hold on acceptance, given the available balance. */
export function amountToHold(state: State, user: number, terms: Terms, available: bigint): bigint {
  const { rules } = state.instruments[terms.symbol]!;
  if (terms.side === 'buy') {
    if (terms.byFunds) return terms.funds;
    // A market order by size cannot know its cost in advance, so it holds everything available.
    if (terms.type === 'market') return available;
    const funds = BigInt(terms.price) * BigInt(terms.size);
    const takerRate = BigInt(ratesFor(state, user, terms.symbol).taker);
    return funds + divideUp(funds * takerRate, RATE_ONE);
  }
  return terms.byFunds ? available : BigInt(terms.size) * rules.sizeUnit;
}

/** 9. */
function checkMoney(state: State, user: number, terms: Terms, replaced: Order | null): Rejection | null {
  const instrument = state.instruments[terms.symbol]!;
  const currency = terms.side === 'buy' ? instrument.quote : instrument.base;
  const available = balanceOf(state, user, 'trade', currency).available + (replaced?.held ?? 0n);
  const amount = amountToHold(state, user, terms, available);
  const need = amount > 1n ? amount : 1n;
  if (need <= available) return null;
  return reject('funds-insufficient', { user, account: 'trade', currency, need, available });
}

/** 7 to 9 for the limit part, with the stop part's checks inserted in the order of rejections. */
export function checkOcoRules(
  state: State,
  user: number,
  terms: Terms,
  stopPrice: number,
  limitPrice: number,
): Rejection | null {
  const instrument = state.instruments[terms.symbol]!;
  const { rules, stops } = instrument;
  const prices = [terms.price, stopPrice, limitPrice];
  for (const price of prices) {
    const wrong = checkPriceIncrement(rules, price);
    if (wrong !== null) return wrong;
  }
  for (const price of prices) {
    const wrong = checkPriceMax(price);
    if (wrong !== null) return wrong;
  }
  const max = state.limits.stopOrdersPerSymbolMax;
  const isFull = stops.filter((stop) => stop.user === user).length >= max;
  return (
    checkRules(instrument, terms, null) ??
    checkCross(state, instrument, user, terms) ??
    checkLimits(state, user, terms, null) ??
    (isFull ? reject('stop-orders-per-symbol', { max }) : null) ??
    checkMoney(state, user, terms, null)
  );
}

/** 7 to 9. */
export function checkPlacing(
  state: State,
  user: number,
  terms: Terms,
  replaced: Order | null,
): Rejection | null {
  const instrument = state.instruments[terms.symbol]!;
  return (
    checkRules(instrument, terms, replaced) ??
    checkCross(state, instrument, user, terms) ??
    checkLimits(state, user, terms, replaced) ??
    checkMoney(state, user, terms, replaced)
  );
}
