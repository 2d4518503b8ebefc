/** How far an order would reach in the current book: for price protection (R11) and FOK (R8). */

import type { Side } from '../../packages/core/src/commands/commands.ts';
import { isWithin, levelsOf, opposite } from './book.ts';
import { isOrdinary } from './fees.ts';
import type { Level, Instrument, Order } from './instrument.ts';

/**
 * The worst price that protection allows, relative to the best visible price, else the last trade, else the best
 * price.
 */
export function priceBound(instrument: Instrument, side: Side): number {
  const levels = levelsOf(instrument, opposite(side));
  const shown = levels.find(({ visible }) => visible.length > 0)?.price;
  const from = shown ?? instrument.lastPrice ?? levels[0]?.price ?? 0;
  const allowance = Number((BigInt(from) * instrument.rules.priceLimitRate) / 1_000_000n);
  return side === 'buy' ? from + allowance : from - allowance;
}

export interface Reach {
  /** The last price at which something would trade; null if nothing would. */
  readonly price: number | null;
  readonly fillsAll: boolean;
}

function isOwn(incoming: Order, resting: Order): boolean {
  return incoming.user === resting.user;
}

function isStoppedBy(incoming: Order, resting: Order): boolean {
  if (incoming.terms.postOnly && isOrdinary(resting)) return true;
  return isOwn(incoming, resting) && (incoming.terms.stp === 'CN' || incoming.terms.stp === 'CB');
}

function isPassedOver(incoming: Order, resting: Order): boolean {
  return isOwn(incoming, resting) && incoming.terms.stp === 'CO';
}

/** The size that a level offers before an order stops the incoming one, and whether one does. */
function offerOf(level: Level, incoming: Order): { size: number; stops: boolean } {
  let slices = 0;
  let size = 0;
  for (const resting of level.visible) {
    // Later slices of the icebergs ahead would queue behind the order that stops this one.
    if (isStoppedBy(incoming, resting)) return { size: slices, stops: true };
    if (isPassedOver(incoming, resting)) continue;
    slices += resting.slice;
    size += resting.remaining;
  }
  for (const resting of level.hidden) {
    if (isStoppedBy(incoming, resting)) return { size, stops: true };
    if (!isPassedOver(incoming, resting)) size += resting.remaining;
  }
  return { size, stops: false };
}

export function reachOf(instrument: Instrument, incoming: Order): Reach {
  const { side, price: limit } = incoming.terms;
  let need = incoming.remaining;
  let price: number | null = null;
  for (const level of levelsOf(instrument, opposite(side))) {
    if (!isWithin(side, limit, level.price)) break;
    const { size, stops } = offerOf(level, incoming);
    if (size > 0) price = level.price;
    if (size >= need) return { price, fillsAll: true };
    need -= size;
    if (stops) break;
  }
  return { price, fillsAll: false };
}
