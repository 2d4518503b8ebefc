/** The order book: per side a list of levels, best price first. */

import type { Side } from '../../packages/core/src/commands.ts';
import type { Level, Market, Order } from './market.ts';
import type { State } from './state.ts';

export function levelsOf(market: Market, side: Side): Level[] {
  return side === 'buy' ? market.bids : market.asks;
}

export function opposite(side: Side): Side {
  return side === 'buy' ? 'sell' : 'buy';
}

/** The order that an incoming order of `side` meets next. */
export function nextResting(market: Market, side: Side): Order | null {
  const level = levelsOf(market, opposite(side))[0];
  if (level === undefined) return null;
  return level.visible[0] ?? level.hidden[0] ?? null;
}

export function bestPrice(market: Market, side: Side): number | null {
  return levelsOf(market, side)[0]?.price ?? null;
}

/** All that rests on one side, hidden sizes included. */
export function restingSize(market: Market, side: Side): number {
  let size = 0;
  for (const { visible, hidden } of levelsOf(market, side)) {
    for (const order of [...visible, ...hidden]) size += order.remaining;
  }
  return size;
}

/** Whether an incoming order of `side` with this limit may trade at `price`. */
export function isWithin(side: Side, limit: number, price: number): boolean {
  return side === 'buy' ? price <= limit : price >= limit;
}

function levelAt(market: Market, side: Side, price: number): Level | null {
  return levelsOf(market, side).find((level) => level.price === price) ?? null;
}

export function putInBook(market: Market, order: Order): void {
  const { side, price, hidden, iceberg, visibleSize } = order.terms;
  let level = levelAt(market, side, price);
  if (level === null) {
    level = { price, visible: [], hidden: [] };
    const levels = levelsOf(market, side);
    const better = levels.filter((each) => (side === 'buy' ? each.price > price : each.price < price));
    levels.splice(better.length, 0, level);
  }
  if (hidden) {
    level.hidden.push(order);
    return;
  }
  order.slice = iceberg ? Math.min(visibleSize, order.remaining) : order.remaining;
  level.visible.push(order);
}

/** The next slice of an iceberg joins the end of the queue. */
export function showNextSlice(market: Market, order: Order): void {
  const { visible } = levelAt(market, order.terms.side, order.terms.price)!;
  visible.splice(visible.indexOf(order), 1);
  order.slice = Math.min(order.terms.visibleSize, order.remaining);
  visible.push(order);
}

export function takeFromBook(market: Market, order: Order): void {
  const { side, price, hidden } = order.terms;
  const level = levelAt(market, side, price)!;
  const queue = hidden ? level.hidden : level.visible;
  queue.splice(queue.indexOf(order), 1);
  order.slice = 0;
  if (level.visible.length > 0 || level.hidden.length > 0) return;
  const levels = levelsOf(market, side);
  levels.splice(levels.indexOf(level), 1);
}

/** Says what is visible now at the order's price. */
export function tellBookChange(state: State, market: Market, order: Order): void {
  const { side, price } = order.terms;
  let size = 0;
  for (const each of levelAt(market, side, price)?.visible ?? []) size += each.slice;
  market.bookChanges += 1;
  state.events.push({
    kind: 'book-changed',
    symbol: market.symbol,
    sequence: market.bookChanges,
    side,
    price,
    size,
  });
}
