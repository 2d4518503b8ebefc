/**
 * The rules of the exchange, looked at while somebody types: what is wrong, and the value that would be right. They
 * come from the symbol's own terms; the exchange checks them again and has the last word.
 */

import { Decimal } from '../../decimal/decimal.ts';
import { amountFor, orderCost, type OrderSurroundings, priceOf } from './order-cost.ts';
import { hasLimitFields, isMarket, isStop, type OrderDraft } from './order-draft.ts';

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
  /** Values that would be right, nearest first. */
  readonly fixes: readonly string[];
}

const CLIENT_OID = /^[\w-]{0,40}$/;
const REMARK = /^[\x20-\x7e]{0,20}$/;
const ICEBERG_PARTS = new Decimal(20n, 0);
/** Of a quotient before it is rounded to an increment. */
const PLACES_MAX = 18;
const SECONDS = /^[1-9]\d*$/;

/** Empty fields are not wrong yet; `isComplete` tells whether anything is missing. */
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
  // What it is worth and holds can be told only of figures that are right by themselves.
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
  if (value === null) return violation(field, 'A plain decimal such as 1.5: no sign, exponent or separator.');
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

/** The parts of an OCO order wait on the two sides of the market. */
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
    return violation('funds', `An order is worth at least ${symbol.minFunds} ${symbol.quoteCurrency}.`, [
      symbol.minFunds!,
    ]);
  }
  const price = isMarket(draft) && last !== null && last !== '' ? Decimal.of(last) : priceOf(draft, around);
  const size = Decimal.parse(draft.size);
  if (price === null || size === null || price.isZero || price.times(size).compare(least) >= 0) return null;
  const step = Decimal.of(symbol.baseIncrement);
  const floor = least.dividedBy(price, PLACES_MAX).floorTo(step);
  const fix = floor.times(price).compare(least) < 0 ? floor.plus(step) : floor;
  return violation(
    'size',
    `An order is worth at least ${symbol.minFunds} ${symbol.quoteCurrency}; this one ${price.times(size).toString()}.`,
    [fix.toString()],
  );
}

/** A stop order holds nothing until it triggers; a market order by size takes what there is. */
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
      ? `There is no ${heldCurrency} in your TRADE account.`
      : `Holds ${held.toString()} ${heldCurrency}, and ${available.toString()} are available: ${lacking.toString()} too little.`,
    [amountFor(100, draft, around)].filter((fix) => fix !== '' && fix !== '0'),
  );
}
