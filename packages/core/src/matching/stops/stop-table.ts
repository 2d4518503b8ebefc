/**
 * Pending stop orders. Each symbol has two ladders: `loss` stops, due when the last price is at or below theirs, and
 * `entry` stops, due at or above; so a trade that triggers nothing costs two comparisons.
 */

import type { OrderRequest } from '../../commands/commands.ts';
import type { StopDone, OcoDone } from '../../events/events.ts';
import { StopLadder } from './stop-ladder.ts';

export interface StopOrder {
  readonly id: number;
  readonly user: number;
  readonly stop: 'loss' | 'entry';
  readonly stopPrice: number;
  readonly createdAt: number;
  readonly request: OrderRequest;
}

/** A stop order that is no longer pending, with its result. */
export interface DoneStopOrder extends StopOrder, Pick<StopDone, 'reason' | 'order' | 'rejection'> {
  readonly doneAt: number;
}

/** Due orders rank first: a loss stop's price counts downwards. */
const rankOf = (order: StopOrder): number => (order.stop === 'loss' ? -order.stopPrice : order.stopPrice);

class SymbolStops {
  readonly loss = new StopLadder();
  readonly entry = new StopLadder();
}

export class StopTable {
  readonly #byId = new Map<number, StopOrder>();
  readonly #byUser = new OfUsers<StopOrder>();
  readonly #bySymbol: (SymbolStops | undefined)[] = [];
  /** The number per user and symbol. */
  readonly #counts = new Map<string, number>();

  get(id: number): StopOrder | null {
    return this.#byId.get(id) ?? null;
  }

  count(user: number, symbol: number): number {
    return this.#counts.get(`${user} ${symbol}`) ?? 0;
  }

  /** Whether any is pending in the symbol. */
  waitsIn(symbol: number): boolean {
    const stops = this.#bySymbol[symbol];
    return stops !== undefined && Math.min(stops.loss.firstRank, stops.entry.firstRank) < Infinity;
  }

  /** Whether a trade at this price triggers anything. */
  anyDue(symbol: number, lastPrice: number): boolean {
    const stops = this.#bySymbol[symbol];
    if (!stops || lastPrice === 0) return false;
    return stops.entry.firstRank <= lastPrice || stops.loss.firstRank <= -lastPrice;
  }

  add(order: StopOrder): void {
    this.#byId.set(order.id, order);
    this.#byUser.add(order);
    this.#addCount(order, 1);
    this.#ladderOf(order).add(rankOf(order), order.id);
  }

  remove(order: StopOrder): void {
    this.#byId.delete(order.id);
    this.#byUser.remove(order);
    this.#addCount(order, -1);
    this.#ladderOf(order).remove(rankOf(order), order.id);
  }

  /** Of all due at this price, the one with the smallest id; null if none is due. */
  firstDue(symbol: number, lastPrice: number): StopOrder | null {
    const stops = this.#bySymbol[symbol];
    if (!stops || lastPrice === 0) return null;
    const id = Math.min(stops.loss.smallestUpTo(-lastPrice), stops.entry.smallestUpTo(lastPrice));
    return this.get(id);
  }

  /** Of all in the symbol the one with the smallest id. */
  firstIn(symbol: number): StopOrder | null {
    const stops = this.#bySymbol[symbol];
    if (!stops) return null;
    return this.get(Math.min(stops.loss.smallestUpTo(Infinity), stops.entry.smallestUpTo(Infinity)));
  }

  list(): StopOrder[] {
    return [...this.#byId.values()].toSorted((a, b) => a.id - b.id);
  }

  listOf(user: number): StopOrder[] {
    return this.#byUser.of(user);
  }

  #ladderOf(order: StopOrder): StopLadder {
    const { symbol } = order.request;
    this.#bySymbol[symbol] ??= new SymbolStops();
    return this.#bySymbol[symbol][order.stop];
  }

  #addCount(order: StopOrder, change: number): void {
    const key = `${order.user} ${order.request.symbol}`;
    const count = (this.#counts.get(key) ?? 0) + change;
    if (count === 0) this.#counts.delete(key);
    else this.#counts.set(key, count);
  }
}

/**
 * OCO orders: pairs of a limit order in the book and a pending stop order. The order row of a limit part has a flag, so
 * that trades and ends of all other orders need no look-up here.
 */
export interface OcoOrder {
  readonly id: number;
  readonly user: number;
  readonly symbol: number;
  readonly clientId: string;
  /** The limit part. */
  readonly order: number;
  readonly stopOrder: number;
  readonly createdAt: number;
}

/** A done pair with its result; its limit part may still be an active order. */
export interface DoneOcoOrder extends OcoOrder {
  readonly reason: OcoDone['reason'];
  readonly doneAt: number;
}

export class OcoTable {
  readonly #byId = new Map<number, OcoOrder>();
  readonly #byUser = new OfUsers<OcoOrder>();
  readonly #byOrder = new Map<number, OcoOrder>();
  readonly #byStopOrder = new Map<number, OcoOrder>();
  /** Limit parts that traded (true) or are done (false) because of the current command. */
  readonly #stirred = new Map<number, boolean>();

  get(id: number): OcoOrder | null {
    return this.#byId.get(id) ?? null;
  }

  ofStopOrder(stopOrder: number): OcoOrder | null {
    return this.#byStopOrder.get(stopOrder) ?? null;
  }

  add(oco: OcoOrder): void {
    this.#byId.set(oco.id, oco);
    this.#byUser.add(oco);
    this.#byOrder.set(oco.order, oco);
    this.#byStopOrder.set(oco.stopOrder, oco);
  }

  remove(oco: OcoOrder): void {
    this.#byId.delete(oco.id);
    this.#byUser.remove(oco);
    this.#byOrder.delete(oco.order);
    this.#byStopOrder.delete(oco.stopOrder);
  }

  stir(order: number, traded: boolean): void {
    if (!this.#stirred.get(order)) this.#stirred.set(order, traded);
  }

  get isStirred(): boolean {
    return this.#stirred.size > 0;
  }

  /** Returns the pairs whose limit part traded or is done, by id, and empties that list. */
  takeStirred(): { readonly oco: OcoOrder; readonly traded: boolean }[] {
    const found = [...this.#stirred].map(([order, traded]) => ({
      oco: this.#byOrder.get(order) as OcoOrder,
      traded,
    }));
    this.#stirred.clear();
    return found.toSorted((a, b) => a.oco.id - b.oco.id);
  }

  list(): OcoOrder[] {
    return [...this.#byId.values()].toSorted((a, b) => a.id - b.id);
  }

  listOf(user: number): OcoOrder[] {
    return this.#byUser.of(user);
  }
}

interface Owned {
  readonly id: number;
  readonly user: number;
}

/** An index of items by user, to list one user's without scanning all. */
export class OfUsers<Thing extends Owned> {
  readonly #byUser = new Map<number, Map<number, Thing>>();

  add(thing: Thing): void {
    const own = this.#byUser.get(thing.user);
    if (own) own.set(thing.id, thing);
    else this.#byUser.set(thing.user, new Map([[thing.id, thing]]));
  }

  remove({ id, user }: Owned): void {
    const own = this.#byUser.get(user);
    if (own?.delete(id) && own.size === 0) this.#byUser.delete(user);
  }

  /** Ascending by id. */
  of(user: number): Thing[] {
    return [...(this.#byUser.get(user)?.values() ?? [])].toSorted((a, b) => a.id - b.id);
  }
}
