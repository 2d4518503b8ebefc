/**
 * The exchange's rules and warnings, applied while the user types. Rules name the field, the error and valid values,
 * from the symbol's published terms; the exchange checks the order again. Warnings mark valid orders that are
 * probably not intended; sending one needs a confirmation.
 */

import type { Level } from '@bourse/client';
import { Decimal, formatAt, formatRate } from '../../decimal/decimal.ts';
import { amountFor, orderCost, type OrderSurroundings, priceOf } from './order-cost.ts';
import { hasLimitFields, isMarket, isStop, type OrderDraft, triggersNow } from './order-draft.ts';

export type DraftField =
  | 'price'
  | 'size'
  | 'funds'
  | 'stopPrice'
  | 'limitPrice'
  | 'cancelAfter'
  | 'visibleSize'
  | 'clientOid'
  | 'remark';

export interface Violation {
  readonly field: DraftField;
  readonly text: string;
  /** Valid values, nearest first. */
  readonly fixes: readonly string[];
}

const CLIENT_OID = /^[\w-]{0,40}$/;
const REMARK = /^[\x20-\x7e]{0,20}$/;
const ICEBERG_PARTS = new Decimal(20n, 0);
/** Decimal places of a quotient before it is rounded to an increment. */
const PLACES_MAX = 18;
const SECONDS = /^[1-9]\d*$/;

/** Empty fields are no violations; see `isComplete`. */
export function violations(draft: OrderDraft, around: OrderSurroundings): Violation[] {
  const { symbol } = around;
  const market = isMarket(draft);
  const found: (Violation | null)[] = [];
  const increment = symbol.priceIncrement;
  if (!market) found.push(multiple('price', draft.price, increment, 'priceIncrement'));
  if (isStop(draft) || draft.kind === 'oco') {
    found.push(multiple('stopPrice', draft.stopPrice, increment, 'priceIncrement'));
  }
  if (draft.kind === 'oco') {
    found.push(multiple('limitPrice', draft.limitPrice, increment, 'priceIncrement'), ocoPrices(draft));
  }
  if (market && draft.isByFunds) {
    found.push(
      bounded(
        'funds',
        draft.funds,
        symbol.quoteIncrement,
        'quoteIncrement',
        symbol.quoteMinSize,
        symbol.quoteMaxSize,
      ),
    );
  } else {
    found.push(
      bounded(
        'size',
        draft.size,
        symbol.baseIncrement,
        'baseIncrement',
        symbol.baseMinSize,
        symbol.baseMaxSize,
      ),
    );
  }
  if (hasLimitFields(draft)) found.push(...limitOnly(draft, around));
  if (!CLIENT_OID.test(draft.clientOid)) {
    found.push(
      violation('clientOid', 'At most 40 letters, digits, - and _.', [
        draft.clientOid.replaceAll(/[^\w-]/g, '').slice(0, 40),
      ]),
    );
  }
  if (!REMARK.test(draft.remark)) {
    found.push(
      violation('remark', 'At most 20 ASCII characters.', [
        draft.remark.replaceAll(/[^\x20-\x7e]/g, '').slice(0, 20),
      ]),
    );
  }
  const wrong = found.filter((each) => each !== null);
  // Value and hold are computed only from fields that are valid on their own.
  return wrong.length > 0
    ? wrong
    : [minFunds(draft, around), money(draft, around)].filter((each) => each !== null);
}

export function isComplete(draft: OrderDraft): boolean {
  const needed = [
    ...(isMarket(draft) ? [draft.isByFunds ? draft.funds : draft.size] : [draft.price, draft.size]),
    ...(isStop(draft) || draft.kind === 'oco' ? [draft.stopPrice] : []),
    ...(draft.kind === 'oco' ? [draft.limitPrice] : []),
    ...(hasLimitFields(draft) && draft.timeInForce === 'GTT' ? [draft.cancelAfter] : []),
    ...(hasLimitFields(draft) && draft.isIceberg ? [draft.visibleSize] : []),
  ];
  return needed.every((text) => text !== '');
}

const violation = (field: DraftField, text: string, fixes: readonly string[] = []): Violation => ({
  field,
  text,
  fixes: [...new Set(fixes)].filter((fix) => fix !== ''),
});

function multiple(field: DraftField, text: string, increment: string, name: string): Violation | null {
  if (text === '') return null;
  const value = Decimal.parse(text);
  if (value === null)
    return violation(field, 'Enter a plain decimal such as 1.5, without sign, exponent or separators.');
  const step = Decimal.of(increment);
  if (!value.isZero && value.isMultipleOf(step)) return null;
  const floor = value.floorTo(step);
  return violation(field, `Must be a positive multiple of ${name} ${increment}.`, [
    ...(floor.isZero ? [] : [floor.toString()]),
    floor.plus(step).toString(),
  ]);
}

function bounded(
  field: 'size' | 'funds',
  text: string,
  increment: string,
  name: string,
  least: string,
  most: string,
): Violation | null {
  const wrong = multiple(field, text, increment, name);
  if (wrong !== null || text === '') return wrong;
  const value = Decimal.of(text);
  if (value.compare(Decimal.of(least)) < 0) return violation(field, `At least ${least}.`, [least]);
  if (value.compare(Decimal.of(most)) > 0) return violation(field, `At most ${most}.`, [most]);
  return null;
}

/** The limit and the stop of an OCO order are on opposite sides of the market. */
function ocoPrices({ side, price, stopPrice }: OrderDraft): Violation | null {
  const [limit, stop] = [Decimal.parse(price), Decimal.parse(stopPrice)];
  if (limit === null || stop === null) return null;
  const isRight = side === 'buy' ? stop.compare(limit) > 0 : stop.compare(limit) < 0;
  return isRight
    ? null
    : violation('stopPrice', `Must be ${side === 'buy' ? 'above' : 'below'} price ${price}.`);
}

function limitOnly(draft: OrderDraft, { symbol }: OrderSurroundings): (Violation | null)[] {
  const found: (Violation | null)[] = [];
  if (draft.timeInForce === 'GTT' && draft.cancelAfter !== '' && !SECONDS.test(draft.cancelAfter)) {
    found.push(violation('cancelAfter', 'Whole seconds, at least 1.', ['1']));
  }
  if (!draft.isIceberg || draft.visibleSize === '') return found;
  const wrong = multiple('visibleSize', draft.visibleSize, symbol.baseIncrement, 'baseIncrement');
  const size = Decimal.parse(draft.size);
  if (wrong !== null || size === null) return [...found, wrong];
  const visible = Decimal.of(draft.visibleSize);
  const least = size.dividedBy(ICEBERG_PARTS, size.scale + 2).ceilTo(Decimal.of(symbol.baseIncrement));
  if (visible.compare(least) < 0) {
    found.push(
      violation('visibleSize', `At least a twentieth of the size: ${least.toString()}.`, [least.toString()]),
    );
  } else if (visible.compare(size) > 0) {
    found.push(violation('visibleSize', `At most the size: ${size.toString()}.`, [size.toString()]));
  }
  return found;
}

function minFunds(draft: OrderDraft, around: OrderSurroundings): Violation | null {
  const { symbol, last } = around;
  const least = Decimal.of(symbol.minFunds);
  if (least.isZero || isStop(draft)) return null;
  if (isMarket(draft) && draft.isByFunds) {
    const funds = Decimal.parse(draft.funds);
    if (funds === null || funds.compare(least) >= 0) return null;
    return violation(
      'funds',
      `The order value must be at least ${symbol.minFunds} ${symbol.quoteCurrency}.`,
      [symbol.minFunds!],
    );
  }
  const price = isMarket(draft) && last !== null && last !== '' ? Decimal.of(last) : priceOf(draft, around);
  const size = Decimal.parse(draft.size);
  if (price === null || size === null || price.isZero || price.times(size).compare(least) >= 0) return null;
  const step = Decimal.of(symbol.baseIncrement);
  const floor = least.dividedBy(price, PLACES_MAX).floorTo(step);
  const fix = floor.times(price).compare(least) < 0 ? floor.plus(step) : floor;
  return violation(
    'size',
    `The order value must be at least ${symbol.minFunds} ${symbol.quoteCurrency}; this one is ${price.times(size).toString()}.`,
    [fix.toString()],
  );
}

/** A stop order holds nothing until it triggers; a market order by size fills only what it can pay for. */
function money(draft: OrderDraft, around: OrderSurroundings): Violation | null {
  const cost = orderCost(draft, around);
  if (cost === null || isStop(draft)) return null;
  const field = isMarket(draft) && draft.isByFunds ? 'funds' : 'size';
  const { held, available, heldCurrency } = cost;
  if (available === null) return null;
  const isNothing = available.isZero;
  if (!isNothing && held.compare(available) <= 0) return null;
  const lacking = held.minus(available);
  return violation(
    field,
    isNothing
      ? `Your TRADE account has no ${heldCurrency}.`
      : `Needs ${held.toString()} ${heldCurrency}, but only ${available.toString()} are available: ${lacking.toString()} are missing.`,
    [amountFor(100, draft, around)].filter((fix) => fix !== '' && fix !== '0'),
  );
}

/** Slippage above this share, 1 %, causes a warning. */
const SLIPPAGE_MAX = new Decimal(1n, 2);
/** A limit that crosses the market by more than this, 2 %, is probably a mistake. */
const THROUGH_MAX = new Decimal(2n, 2);
/** A limit further than this, 10 %, from its stop price probably has a digit too many or too few. */
const BEHIND_STOP_MAX = new Decimal(10n, 2);
const RATE_PLACES = 6;

export function marketEstimate(
  draft: OrderDraft,
  around: OrderSurroundings,
  opposite: readonly Level[],
): Estimate | null {
  if (draft.kind !== 'market') return null;
  const amount = Decimal.parse(draft.isByFunds ? draft.funds : draft.size);
  if (amount === null || amount.isZero) return null;
  const one = new Decimal(1n, 0);
  // The funds of a buy include the fee.
  const isFeeInside = draft.isByFunds && draft.side === 'buy';
  const net = isFeeInside ? amount.dividedBy(one.plus(Decimal.of(around.takerFeeRate)), 18) : amount;
  return estimateFill(opposite, net, draft.isByFunds);
}

/** `isLive`: whether the book is in sync with the exchange. */
export function orderWarnings(
  draft: OrderDraft,
  around: OrderSurroundings,
  opposite: readonly Level[],
  isLive: boolean,
): readonly string[] {
  const { symbol, last } = around;
  if (triggersNow(draft, last)) {
    return [`Its stop would trigger now: the last price is ${formatAt(last, symbol.priceIncrement)}.`];
  }
  if (draft.kind === 'market' && !isLive) {
    return ['The order book is not up to date: the price of this order cannot be estimated.'];
  }
  const estimate = marketEstimate(draft, around, opposite);
  if (estimate !== null && !estimate.isFilled) {
    return [
      `The book has only ${estimate.size.toString()} ${symbol.baseCurrency}; the rest would be cancelled.`,
    ];
  }
  if (estimate !== null && estimate.slippage.compare(SLIPPAGE_MAX) > 0) {
    const verb = draft.side === 'buy' ? 'cost' : 'bring';
    return [
      `The average price would be ${rate(estimate.slippage)} away from the best one; the last part would ${verb} ${formatAt(estimate.worst, symbol.priceIncrement)}.`,
    ];
  }
  const behind = behindStop(draft);
  if (behind !== null && behind.compare(BEHIND_STOP_MAX) > 0) {
    const word = draft.side === 'buy' ? 'above' : 'below';
    return [
      `Its limit is ${rate(behind)} ${word} the stop price ${formatAt(draft.stopPrice, symbol.priceIncrement)}.`,
    ];
  }
  const best = opposite[0]?.[0];
  const price = Decimal.parse(draft.price);
  if (draft.kind !== 'limit' || draft.isPostOnly || best === undefined || price === null) return [];
  const through = draft.side === 'buy' ? price.minus(Decimal.of(best)) : Decimal.of(best).minus(price);
  const share = through.dividedBy(Decimal.of(best), RATE_PLACES);
  if (share.compare(THROUGH_MAX) <= 0) return [];
  const word = draft.side === 'buy' ? 'above the best ask' : 'below the best bid';
  return [`The price is ${rate(share)} ${word} ${formatAt(best, symbol.priceIncrement)}.`];
}

/** How far a stop's limit is on the costly side of its stop price, as a share of the stop price. */
function behindStop({ kind, side, price, limitPrice, stopPrice }: OrderDraft): Decimal | null {
  if (kind !== 'stop-limit' && kind !== 'oco') return null;
  const [stop, limit] = [Decimal.parse(stopPrice), Decimal.parse(kind === 'oco' ? limitPrice : price)];
  if (stop === null || limit === null || stop.isZero) return null;
  return (side === 'buy' ? limit.minus(stop) : stop.minus(limit)).dividedBy(stop, RATE_PLACES);
}

const rate = (share: Decimal): string => formatRate(share.toString()).replace('+', '');

interface Estimate {
  readonly size: Decimal;
  readonly funds: Decimal;
  readonly average: Decimal;
  readonly worst: string;
  /** The distance of the average from the best price, as a share such as 0.0123. */
  readonly slippage: Decimal;
  /** Whether the book fills the complete amount. */
  readonly isFilled: boolean;
}

const PLACES = 18;

/** `levels` of the side taken, best first; `amount` is a size, or funds without the fee. */
function estimateFill(levels: readonly Level[], amount: Decimal, isByFunds: boolean): Estimate | null {
  let [left, size, funds] = [amount, Decimal.zero, Decimal.zero];
  let worst = '';
  for (const [price, available] of levels) {
    if (left.units <= 0n) break;
    const [at, most] = [Decimal.of(price), Decimal.of(available)];
    const wanted = isByFunds ? left.dividedBy(at, PLACES) : left;
    const taken = wanted.compare(most) < 0 ? wanted : most;
    size = size.plus(taken);
    funds = funds.plus(taken.times(at));
    left = left.minus(isByFunds ? (taken === most ? most.times(at) : left) : taken);
    worst = price;
  }
  if (size.isZero) return null;
  const average = funds.dividedBy(size, PLACES);
  const best = Decimal.of(levels[0]![0]);
  const apart = average.compare(best) < 0 ? best.minus(average) : average.minus(best);
  return {
    size,
    funds,
    average,
    worst,
    slippage: apart.dividedBy(best, RATE_PLACES),
    isFilled: left.units <= 0n,
  };
}
