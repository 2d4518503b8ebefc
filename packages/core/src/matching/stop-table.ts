/**
 * Stop orders that wait for their price. Each symbol has two heaps: `loss` stops, due when the last price is at or
 * below theirs, and `entry` stops, due at or above; so that a trade that triggers nothing costs two comparisons.
 */

import type { OrderRequest } from '../commands.ts';
import type { StopDone } from '../events.ts';
import { DueHeap } from '../due-heap.ts';
import { OfUsers } from './of-users.ts';

export interface StopOrder {
  readonly id: number;
  readonly user: number;
  readonly stop: 'loss' | 'entry';
  readonly stopPrice: number;
  readonly createdAt: number;
  readonly request: OrderRequest;
}

/** A stop order that waits no longer, with what became of it. */
export interface DoneStopOrder extends StopOrder, Pick<StopDone, 'reason' | 'order' | 'rejection'> {
  readonly doneAt: number;
}

/** Ranks are such that whatever is due comes first: a loss stop's price counts downwards. */
const rankOf = (order: StopOrder): number => (order.stop === 'loss' ? -order.stopPrice : order.stopPrice);

export function isDue(order: StopOrder, lastPrice: number): boolean {
  return order.stop === 'loss' ? lastPrice <= order.stopPrice : lastPrice >= order.stopPrice;
}

class SymbolStops {
  readonly loss = new DueHeap();
  readonly entry = new DueHeap();
}

export class StopTable {
  private readonly byId = new Map<number, StopOrder>();
  private readonly byUser = new OfUsers<StopOrder>();
  private readonly bySymbol: (SymbolStops | undefined)[] = [];
  /** How many each user has in each symbol. */
  private readonly counts = new Map<string, number>();

  get(id: number): StopOrder | null {
    return this.byId.get(id) ?? null;
  }

  count(user: number, symbol: number): number {
    return this.counts.get(`${user} ${symbol}`) ?? 0;
  }

  /** Whether any waits in the symbol. */
  waitsIn(symbol: number): boolean {
    const stops = this.bySymbol[symbol];
    return stops !== undefined && Math.min(stops.loss.firstRank, stops.entry.firstRank) < Infinity;
  }

  /** Whether a trade at this price triggers anything. */
  anyDue(symbol: number, lastPrice: number): boolean {
    const stops = this.bySymbol[symbol];
    if (!stops || lastPrice === 0) return false;
    return stops.entry.firstRank <= lastPrice || stops.loss.firstRank <= -lastPrice;
  }

  add(order: StopOrder): void {
    this.byId.set(order.id, order);
    this.byUser.add(order);
    this.addCount(order, 1);
    this.wait(order);
  }

  remove(order: StopOrder): void {
    this.byId.delete(order.id);
    this.byUser.remove(order);
    this.addCount(order, -1);
    this.heapOf(order).delete(order.id);
  }

  /** Takes every due stop order out of its heap, in no particular order. */
  takeDue(symbol: number, lastPrice: number): StopOrder[] {
    const stops = this.bySymbol[symbol];
    const due: StopOrder[] = [];
    if (!stops) return due;
    for (const [heap, end] of [[stops.loss, -lastPrice] as const, [stops.entry, lastPrice] as const]) {
      while (heap.firstRank <= end) {
        due.push(this.byId.get(heap.firstKey) as StopOrder);
        heap.delete(heap.firstKey);
      }
    }
    return due;
  }

  /** Puts a stop order that was taken, but is not due any more, back to wait. */
  wait(order: StopOrder): void {
    this.heapOf(order).set(order.id, rankOf(order));
  }

  list(): StopOrder[] {
    return [...this.byId.values()].toSorted((a, b) => a.id - b.id);
  }

  listOf(user: number): StopOrder[] {
    return this.byUser.of(user);
  }

  private heapOf(order: StopOrder): DueHeap {
    const { symbol } = order.request;
    this.bySymbol[symbol] ??= new SymbolStops();
    return this.bySymbol[symbol][order.stop];
  }

  private addCount(order: StopOrder, change: number): void {
    const key = `${order.user} ${order.request.symbol}`;
    const count = (this.counts.get(key) ?? 0) + change;
    if (count === 0) this.counts.delete(key);
    else this.counts.set(key, count);
  }
}
