/**
 * Breaks a valid command on purpose: one field off the grid, zero, negative, not a number, too large,
 * missing, contradictory, unknown, of the wrong list, or badly formatted. Which rejection follows is decided
 * by the rules.
 */

import type { KnownMarket, Model } from './model.ts';
import { drawVisibleSize, type Fields } from './order-fields.ts';
import type { Random } from '../random.ts';

const PRICE_END = 2 ** 50;

export function badNumber(random: Random, good: unknown, step: number): number {
  const value = typeof good === 'number' && Number.isFinite(good) ? good : step;
  return random.pick([
    0,
    -1,
    -value,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    value + 0.5,
    0.1,
    value + 1,
    Math.max(1, value - 1),
    Math.floor(step / 2),
    PRICE_END - 1,
    PRICE_END,
    Math.floor(PRICE_END / step) * step,
    Math.floor((PRICE_END - 1) / step) * step,
    Number.MAX_SAFE_INTEGER,
    2 ** 53,
    1e300,
  ]);
}

export function badAmount(random: Random, good: bigint, step: bigint): bigint {
  return random.pick([
    0n,
    -1n,
    -good,
    good + 1n,
    good - 1n,
    step / 2n,
    1n,
    good * 1000n,
    2n ** 100n,
    2n ** 100n + step,
    2n ** 130n,
  ]);
}

/** An invalid number: beyond the last, negative, or not a number. */
export function badId(random: Random): number {
  return random.pick([-1, 99, 1_000_000, 0.5, Number.NaN, 2 ** 53]);
}

/**
 * A text that is one character too long, or has a space, a control character or a non-ASCII letter, or is
 * empty.
 */
export function badText(random: Random, lengthMax: number): string {
  return random.pick([
    'x'.repeat(lengthMax + 1),
    'x'.repeat(lengthMax),
    'a b',
    'tab\t',
    'ö',
    '\u{1f4a7}',
    '',
    '\u007f',
    'a/b',
    '~',
  ]);
}

export function badDecimal(random: Random): string {
  return random.pick([
    '',
    '.',
    '1.',
    '.5',
    '-1',
    '+1',
    '1e3',
    '0x1',
    ' 1',
    '1,5',
    'NaN',
    '1.2.3',
    '0',
    '0.0',
    '00.10',
    '0.0000000000000000001',
  ]);
}

export function badWord(random: Random): string {
  return random.pick(['', 'BUY', 'none', 'toString', '__proto__', 'gtc', 'open ']);
}

type Break = (fields: Fields, random: Random, market: KnownMarket) => void;

const ORDER_BREAKS: readonly Break[] = [
  (fields, random, market) => set(fields, 'price', badNumber(random, fields['price'], market.tick)),
  (fields, random, market) => set(fields, 'price', badNumber(random, fields['price'], market.tick)),
  (fields, random, market) => set(fields, 'size', badNumber(random, fields['size'], market.increment)),
  (fields, random, market) => set(fields, 'size', badNumber(random, fields['size'], market.increment)),
  (fields, random, market) =>
    set(
      fields,
      'size',
      random.pick([market.maxSize + market.increment, market.minSize - market.increment, market.increment]),
    ),
  (fields, random, market) =>
    set(fields, 'funds', badAmount(random, market.quoteStep * 3n, market.quoteStep)),
  (fields, random, market) => byFunds(fields, badAmount(random, market.quoteStep * 3n, market.quoteStep)),
  (fields, random, market) =>
    byFunds(fields, market.quoteStep * random.pick([1n, 1n, 10n ** 9n, 10n ** 20n])),
  (fields, random, market) => {
    set(fields, 'iceberg', true);
    set(fields, 'visibleSize', badNumber(random, fields['visibleSize'], market.increment));
  },
  (fields, random, market) => {
    set(fields, 'iceberg', true);
    set(fields, 'visibleSize', Number(fields['size']) + market.increment);
    if (random.chance(0.5)) set(fields, 'visibleSize', market.increment);
  },
  (fields, random, market) => set(fields, 'visibleSize', drawVisibleSize(random, market, market.plan.lot)),
  (fields, random) => set(fields, 'cancelAfterSec', random.pick([0, -1, 1.5, Number.NaN, 1_000_000_001, 30])),
  (fields, random) => set(fields, 'side', badWord(random)),
  (fields, random) => set(fields, 'type', badWord(random)),
  (fields, random) => set(fields, 'timeInForce', badWord(random)),
  (fields, random) => set(fields, 'timeInForce', random.pick(['GTC', 'GTT', 'IOC', 'FOK'])),
  (fields, random) => set(fields, 'stp', random.pick(['XX', 'cn', 'DC', 'toString'])),
  (fields, random) => set(fields, 'clientId', badText(random, 40)),
  (fields, random) => set(fields, 'tags', badText(random, 20)),
  (fields, random) => set(fields, 'remark', badText(random, 20)),
  (fields, random) => set(fields, 'symbol', badId(random)),
  (fields, random) => set(fields, random.pick(['postOnly', 'hidden', 'iceberg']), true),
  (fields) => set(fields, 'type', fields['type'] === 'limit' ? 'market' : 'limit'),
  (fields, random) => {
    delete fields[
      random.pick(['price', 'size', 'funds', 'cancelAfterSec', 'visibleSize', 'timeInForce', 'iceberg'])
    ];
  },
];

function set(fields: Fields, name: string, value: unknown): void {
  fields[name] = value;
}

function byFunds(fields: Fields, funds: bigint): void {
  for (const name of Object.keys(fields)) {
    if (!['kind', 'user', 'symbol', 'side', 'clientId', 'stop', 'stopPrice'].includes(name))
      delete fields[name];
  }
  Object.assign(fields, { type: 'market', funds });
}

/** Breaks an order in one way, now and then in two: the rejection must be the first in precedence. */
export function breakOrder(random: Random, model: Model, fields: Fields): void {
  const market = model.markets[Number(fields['symbol'])] ?? random.pick(model.markets);
  random.pick(ORDER_BREAKS)(fields, random, market);
  if (random.chance(0.25)) random.pick(ORDER_BREAKS)(fields, random, market);
}
