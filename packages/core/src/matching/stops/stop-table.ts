/** Pending stop orders, OCO orders and dead man's switches. */

import type { OrderRequest } from '../../commands/commands.ts';
import type { OcoDone, StopDone } from '../../events/events.ts';
import type { HashKey } from '../../tables/index-table.ts';
import { DueHeap } from '../../tables/ordered.ts';

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

/**
 * Pending stop orders. Each symbol has two ladders: `loss` stops, due when the last price is at or below theirs, and
 * `entry` stops, due at or above; so a trade that triggers nothing costs two comparisons.
 */
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

  /** The due stop order with the smallest id; null if none is due at this price. */
  firstDue(symbol: number, lastPrice: number): StopOrder | null {
    const stops = this.#bySymbol[symbol];
    if (!stops || lastPrice === 0) return null;
    const id = Math.min(stops.loss.smallestUpTo(-lastPrice), stops.entry.smallestUpTo(lastPrice));
    return this.get(id);
  }

  /** The stop order of the symbol with the smallest id; null if there is none. */
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
  readonly #changed = new Map<number, boolean>();

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

  markChanged(order: number, traded: boolean): void {
    if (!this.#changed.get(order)) this.#changed.set(order, traded);
  }

  get hasChanged(): boolean {
    return this.#changed.size > 0;
  }

  /** Returns the pairs whose limit part traded or is done, by id, and empties that list. */
  takeChanged(): { readonly oco: OcoOrder; readonly traded: boolean }[] {
    const found = [...this.#changed].map(([order, traded]) => ({
      oco: this.#byOrder.get(order) as OcoOrder,
      traded,
    }));
    this.#changed.clear();
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

export interface Switch {
  readonly user: number;
  readonly timeoutSec: number;
  /** Milliseconds. */
  readonly triggerAt: number;
  /** Ascending; empty: every symbol. */
  readonly symbols: readonly number[];
}

/** Dead man's switches: at most one per user. */
export class SwitchTable {
  readonly due: DueHeap;
  readonly #byUser = new Map<number, Switch>();

  constructor(hashKey: HashKey) {
    this.due = new DueHeap(hashKey);
  }

  get(user: number): Switch | null {
    return this.#byUser.get(user) ?? null;
  }

  set(value: Switch): void {
    this.#byUser.set(value.user, value);
    this.due.set(value.user, value.triggerAt);
  }

  delete(user: number): void {
    this.#byUser.delete(user);
    this.due.delete(user);
  }

  list(): Switch[] {
    return [...this.#byUser.values()].toSorted((a, b) => a.user - b.user);
  }
}

const BLOCK = 256;
const HALF = BLOCK / 2;

class Block {
  readonly ranks = new Float64Array(BLOCK);
  readonly ids = new Float64Array(BLOCK);
  count = 0;
  smallestId = Infinity;

  get lastRank(): number {
    return this.ranks[this.count - 1];
  }

  /** The first position that is not before rank and id. */
  placeOf(rank: number, id: number): number {
    const { ranks, ids } = this;
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (ranks[middle] < rank || (ranks[middle] === rank && ids[middle] < id)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  insert(at: number, rank: number, id: number): void {
    this.ranks.copyWithin(at + 1, at, this.count);
    this.ids.copyWithin(at + 1, at, this.count);
    this.ranks[at] = rank;
    this.ids[at] = id;
    this.count++;
    if (id < this.smallestId) this.smallestId = id;
  }

  remove(at: number): void {
    const id = this.ids[at];
    this.ranks.copyWithin(at, at + 1, this.count);
    this.ids.copyWithin(at, at + 1, this.count);
    this.count--;
    if (id === this.smallestId) this.#findSmallest();
  }

  /** Moves the upper half into a new block. */
  split(): Block {
    const upper = new Block();
    upper.ranks.set(this.ranks.subarray(HALF));
    upper.ids.set(this.ids.subarray(HALF));
    upper.count = BLOCK - HALF;
    this.count = HALF;
    this.#findSmallest();
    upper.#findSmallest();
    return upper;
  }

  /** The smallest id up to the rank; Infinity if there is none. */
  smallestUpTo(rank: number): number {
    let smallest = Infinity;
    for (let i = 0; i < this.count && this.ranks[i] <= rank; i++) {
      if (this.ids[i] < smallest) smallest = this.ids[i];
    }
    return smallest;
  }

  #findSmallest(): void {
    this.smallestId = this.smallestUpTo(Infinity);
  }
}

/**
 * The stop orders of one kind in one symbol, sorted by rank so that due ones come first. The only query is: which of the
 * due ones has the smallest id? A heap would have to be emptied to answer it, again after every trade. Sorted blocks that
 * know their smallest id answer it with one step per due block.
 */
export class StopLadder {
  readonly #blocks: Block[] = [];

  /** Infinity if there is none. */
  get firstRank(): number {
    return this.#blocks.length === 0 ? Infinity : this.#blocks[0].ranks[0];
  }

  add(rank: number, id: number): void {
    if (this.#blocks.length === 0) this.#blocks.push(new Block());
    const index = this.#blockOf(rank, id);
    let block = this.#blocks[index];
    if (block.count === BLOCK) {
      const upper = block.split();
      this.#blocks.splice(index + 1, 0, upper);
      if (isBefore(upper.ranks[0], upper.ids[0], rank, id)) block = upper;
    }
    block.insert(block.placeOf(rank, id), rank, id);
  }

  /** `rank`: the rank it was added with. */
  remove(rank: number, id: number): void {
    const index = this.#blockOf(rank, id);
    const block = this.#blocks[index];
    block.remove(block.placeOf(rank, id));
    if (block.count === 0) this.#blocks.splice(index, 1);
  }

  /** The smallest id up to the rank; Infinity if there is none. */
  smallestUpTo(rank: number): number {
    let smallest = Infinity;
    for (const block of this.#blocks) {
      if (block.lastRank > rank) return Math.min(smallest, block.smallestUpTo(rank));
      if (block.smallestId < smallest) smallest = block.smallestId;
    }
    return smallest;
  }

  /** The last block that does not start after rank and id, else the first. */
  #blockOf(rank: number, id: number): number {
    let low = 0;
    let high = this.#blocks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      const { ranks, ids } = this.#blocks[middle];
      if (isBefore(rank, id, ranks[0], ids[0])) high = middle - 1;
      else low = middle;
    }
    return low;
  }
}

const isBefore = (rank: number, id: number, otherRank: number, otherId: number): boolean =>
  rank < otherRank || (rank === otherRank && id < otherId);
