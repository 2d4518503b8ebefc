/** The order book: per side a list of levels, best price first. */

import type { Side } from '../../packages/core/src/commands/commands.ts';
import type { Level, Instrument, Order } from './instrument.ts';
import type { State } from './state.ts';

export function levelsOf(instrument: Instrument, side: Side): Level[] {
  return side === 'buy' ? instrument.bids : instrument.asks;
}

export function opposite(side: Side): Side {
  return side === 'buy' ? 'sell' : 'buy';
}

/** The order that an incoming order of `side` matches next. */
export function nextResting(instrument: Instrument, side: Side): Order | null {
  const level = levelsOf(instrument, opposite(side))[0];
  if (level === undefined) return null;
  return level.visible[0] ?? level.hidden[0] ?? null;
}

export function bestPrice(instrument: Instrument, side: Side): number | null {
  return levelsOf(instrument, side)[0]?.price ?? null;
}

/** Total size on one side, including hidden sizes. */
export function restingSize(instrument: Instrument, side: Side): number {
  let size = 0;
  for (const { visible, hidden } of levelsOf(instrument, side)) {
    for (const order of [...visible, ...hidden]) size += order.remaining;
  }
  return size;
}

/** Whether an incoming order of `side` with this limit may trade at `price`. */
export function isWithin(side: Side, limit: number, price: number): boolean {
  return side === 'buy' ? price <= limit : price >= limit;
}

function levelAt(instrument: Instrument, side: Side, price: number): Level | null {
  return levelsOf(instrument, side).find((level) => level.price === price) ?? null;
}

export function putInBook(instrument: Instrument, order: Order): void {
  const { side, price, hidden, iceberg, visibleSize } = order.terms;
  let level = levelAt(instrument, side, price);
  if (level === null) {
    level = { price, visible: [], hidden: [] };
    const levels = levelsOf(instrument, side);
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
export function showNextSlice(instrument: Instrument, order: Order): void {
  const { visible } = levelAt(instrument, order.terms.side, order.terms.price)!;
  visible.splice(visible.indexOf(order), 1);
  order.slice = Math.min(order.terms.visibleSize, order.remaining);
  visible.push(order);
}

export function takeFromBook(instrument: Instrument, order: Order): void {
  const { side, price, hidden } = order.terms;
  const level = levelAt(instrument, side, price)!;
  const queue = hidden ? level.hidden : level.visible;
  queue.splice(queue.indexOf(order), 1);
  order.slice = 0;
  if (level.visible.length > 0 || level.hidden.length > 0) return;
  const levels = levelsOf(instrument, side);
  levels.splice(levels.indexOf(level), 1);
}

/** Emits the visible size at the order's price. */
export function emitBookChange(state: State, instrument: Instrument, order: Order): void {
  const { side, price } = order.terms;
  let size = 0;
  for (const each of levelAt(instrument, side, price)?.visible ?? []) size += each.slice;
  instrument.bookChanges += 1;
  state.events.push({
    kind: 'book-changed',
    symbol: instrument.symbol,
    sequence: instrument.bookChanges,
    side,
    price,
    size,
  });
}
