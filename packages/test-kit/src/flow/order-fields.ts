/**
 * Draws the fields of one order: any combination of them, at prices where orders meet and sizes that just fill,
 * just miss, or cancel each other out.
 */

import type { SelfTradeMode, Side, TimeInForce } from '@bourse/core';
import type { KnownMarket, KnownOrder, Model } from './model.ts';
import { type Random, Weighted } from '../random.ts';

/** A command under construction: it may yet be broken in ways its type would not allow. */
export type Fields = Record<string, unknown>;

const TIMES_IN_FORCE = new Weighted<TimeInForce | undefined>([
  [35, undefined],
  [18, 'GTC'],
  [19, 'GTT'],
  [12, 'IOC'],
  [12, 'FOK'],
]);

const SELF_TRADE_MODES = new Weighted<SelfTradeMode | undefined>([
  [30, undefined],
  [8, ''],
  [14, 'CN'],
  [16, 'CO'],
  [14, 'CB'],
  [18, 'DC'],
]);

/** The core has a fast path for plain orders, which must be taken as often as the others. */
const PLAIN_SHARE = 0.4;

/** A valid order of the user, as far as the model can tell; `symbol`, `type` and everything after them. */
export function drawOrder(random: Random, model: Model, market: KnownMarket, user: number): Fields {
  const side: Side = random.chance(0.5) ? 'buy' : 'sell';
  const fields: Fields = { symbol: market.symbol, type: 'limit', side };
  if (random.chance(PLAIN_SHARE)) {
    drawPlainFields(random, market, user, side, fields);
    if (random.chance(0.5)) drawTexts(random, model, user, fields);
    return fields;
  }
  if (random.chance(0.13)) drawMarketFields(random, market, user, side, fields);
  else drawLimitFields(random, market, user, side, fields);
  if (random.chance(0.8)) cutToMeans(model, market, user, fields);
  drawTexts(random, model, user, fields);
  return fields;
}

/** What most users of a real exchange send: a price, a size, nothing else, mostly on the own side of the market. */
function drawPlainFields(
  random: Random,
  market: KnownMarket,
  user: number,
  side: Side,
  fields: Fields,
): void {
  const price = drawPrice(random, market, side, random.chance(0.95));
  fields['price'] = price;
  fields['size'] = drawSize(random, market, user, side, price);
  if (random.chance(0.5)) fields['timeInForce'] = 'GTC';
}

/** Makes a size small enough for the user's money, where there is any. */
function cutToMeans(model: Model, market: KnownMarket, user: number, fields: Fields): void {
  if (fields['size'] === undefined || isAffordable(model, market, user, fields)) return;
  const isBuy = fields['side'] === 'buy';
  const available = model.available(user, 'trade', isBuy ? market.quote : market.base);
  const unit = isBuy
    ? BigInt((fields['price'] as number | undefined) ?? market.plan.center)
    : market.sizeFactor;
  const increment = BigInt(market.increment);
  const size = Number((available / unit / increment) * increment);
  if (size < market.minSize || size > market.maxSize) return;
  fields['size'] = size;
  if (typeof fields['visibleSize'] === 'number')
    fields['visibleSize'] = Math.min(size, fields['visibleSize']);
}

/** Fees left aside: close enough to miss by a little now and then. */
export function isAffordable(model: Model, market: KnownMarket, user: number, fields: Fields): boolean {
  const isBuy = fields['side'] === 'buy';
  const available = model.available(user, 'trade', isBuy ? market.quote : market.base);
  if (fields['funds'] !== undefined) return isBuy ? available >= (fields['funds'] as bigint) : available > 0n;
  const size = BigInt(fields['size'] as number);
  if (!isBuy) return available >= size * market.sizeFactor;
  return fields['price'] === undefined
    ? available > 0n
    : available >= size * BigInt(fields['price'] as number);
}

function drawLimitFields(
  random: Random,
  market: KnownMarket,
  user: number,
  side: Side,
  fields: Fields,
): void {
  const timeInForce = TIMES_IN_FORCE.pick(random);
  const mayRest = timeInForce !== 'IOC' && timeInForce !== 'FOK';
  const price = drawPrice(random, market, side, mayRest && random.chance(market.plan.patience));
  const size = drawSize(random, market, user, side, price);
  fields['price'] = price;
  fields['size'] = size;
  if (timeInForce !== undefined) fields['timeInForce'] = timeInForce;
  if (timeInForce === 'GTT') {
    fields['cancelAfterSec'] = random.pick([1, 2, 5, random.range(1, 60), 3600, 86_400, 1_000_000_000]);
  }
  const stp = SELF_TRADE_MODES.pick(random);
  if (stp !== undefined) fields['stp'] = stp;
  drawFlag(random, fields, 'postOnly', 0.16);
  // A post-only hidden order that meets a hidden one would otherwise be too rare.
  drawFlag(random, fields, 'hidden', fields['postOnly'] === true ? 0.4 : 0.18);
  drawFlag(random, fields, 'iceberg', 0.22);
  if (fields['iceberg'] === true) fields['visibleSize'] = drawVisibleSize(random, market, size);
}

function drawMarketFields(
  random: Random,
  market: KnownMarket,
  user: number,
  side: Side,
  fields: Fields,
): void {
  fields['type'] = 'market';
  const price = drawPrice(random, market, side, false);
  const size = drawSize(random, market, user, side, price);
  if (random.chance(0.5)) fields['size'] = size;
  else fields['funds'] = drawFunds(random, market, price, size);
  const stp = SELF_TRADE_MODES.pick(random);
  if (stp !== undefined && stp !== 'DC') fields['stp'] = stp;
  // False is equivalent to absent, even where true is not allowed.
  drawFlag(random, fields, 'postOnly', 0);
  drawFlag(random, fields, 'hidden', 0);
  drawFlag(random, fields, 'iceberg', 0);
}

function drawFlag(random: Random, fields: Fields, name: string, probability: number): void {
  if (random.chance(probability)) fields[name] = true;
  else if (random.chance(0.1)) fields[name] = false;
}

function drawTexts(random: Random, model: Model, user: number, fields: Fields): void {
  const luck = random.fraction();
  if (luck < 0.35) fields['clientId'] = `o${random.bits().toString(36)}`;
  else if (luck < 0.4) {
    const own = model.clientIds.filter((used) => used.user === user);
    const used = own.length > 0 ? own : model.clientIds;
    if (used.length > 0) fields['clientId'] = random.pick(used).clientId;
  }
  if (random.chance(0.04)) fields['tags'] = random.pick(['', 't', 'a tag of twenty char', '~ !']);
  if (random.chance(0.04)) fields['remark'] = random.pick(['', 'r', 'remarks of 20 chars.']);
}

/** A few steps from the center: on the own side of it to rest, beyond it to meet what rests there. */
export function drawPrice(random: Random, market: KnownMarket, side: Side, toRest: boolean): number {
  if (market.orders.length > 0 && random.chance(0.12)) {
    const price = random.pick(market.orders).price;
    if (price > 0) return toGrid(price, market.tick);
  }
  const { depth } = market.plan;
  const away = toRest ? random.range(0, depth) : random.range(-depth, 1);
  const steps = away * (side === 'buy' ? -1 : 1);
  const jitter = random.chance(0.1) ? random.range(-2, 2) * market.tick : 0;
  return Math.min(toGrid(market.plan.center + steps * market.plan.step + jitter, market.tick), 2 ** 50 - 1);
}

function toGrid(price: number, tick: number): number {
  return Math.max(1, Math.floor(price / tick)) * tick;
}

function drawSize(random: Random, market: KnownMarket, user: number, side: Side, price: number): number {
  const { increment } = market;
  const { lot } = market.plan;
  const luck = random.fraction();
  let size: number;
  if (luck < 0.25) size = sizeAhead(random, market, side, price);
  else if (luck < 0.35) size = ownSize(random, market, user, side);
  else if (luck < 0.38) size = random.pick([market.minSize, market.maxSize]);
  else if (luck < 0.7) size = lot * random.pick([1, 1, 2, 2, 3, 5]);
  else size = increment * random.range(1, Math.max(1, Math.floor((lot * 3) / increment)));
  if (size <= 0) size = lot;
  return Math.max(Math.min(size, market.maxSize), Math.min(market.minSize, market.maxSize));
}

/** The total size of the first few opposite orders within the price, or one increment more or less. */
function sizeAhead(random: Random, market: KnownMarket, side: Side, price: number): number {
  const ahead = market.orders.filter(
    (order) =>
      order.side !== side &&
      order.price > 0 &&
      (side === 'buy' ? order.price <= price : order.price >= price),
  );
  const count = random.range(1, Math.max(1, random.chance(0.3) ? ahead.length : Math.min(3, ahead.length)));
  const near = side === 'buy' ? -1 : 1;
  const sum = ahead
    .toSorted((one, other) => near * (other.price - one.price))
    .slice(0, count)
    .reduce((total, order) => total + order.remaining, 0);
  return sum + market.increment * random.pick([-1, 0, 0, 0, 1]);
}

function ownSize(random: Random, market: KnownMarket, user: number, side: Side): number {
  const own = market.orders.filter((order: KnownOrder) => order.user === user && order.side !== side);
  return own.length === 0 ? 0 : random.pick(own).remaining + market.increment * random.pick([-1, 0, 0, 1]);
}

/** Rounded to the grid; the fee may make it one increment too little or too much. */
function drawFunds(random: Random, market: KnownMarket, price: number, size: number): bigint {
  const worth = BigInt(price) * BigInt(size);
  const step = market.quoteStep;
  const funds = random.pick([worth, (worth * 1001n) / 1000n, worth / 2n, (worth * 3n) / 2n]);
  const rounded = (funds / step + BigInt(random.range(0, 1))) * step;
  return rounded > 0n ? rounded : step;
}

export function drawVisibleSize(random: Random, market: KnownMarket, size: number): number {
  const { increment } = market;
  const most = Math.max(1, Math.floor(size / increment));
  const least = Math.max(1, Math.ceil(size / 20 / increment));
  const count = random.pick([least, random.range(least, most), Math.max(least, Math.floor(most / 3)), most]);
  return count * increment;
}
