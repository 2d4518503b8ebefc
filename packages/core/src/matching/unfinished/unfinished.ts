/**
 * Orders that match more others than one record allows (T3). Such an order is neither in the book nor done: the next
 * record continues it before anything else. Until it is complete, its symbol and its user wait, so that nobody overtakes
 * it. Later orders of its batch, and their symbols, wait with it.
 */

import type { OrderRequest } from '../../commands/commands.ts';
import type { OrderOutcome, Rejected } from '../../commands/outcomes.ts';

export interface UnfinishedOrder {
  readonly order: number;
  readonly user: number;
  readonly symbol: number;
  /** For a market order: its price bound when it arrived. */
  readonly bound: number;
  /** For an order by funds; 0 for any other. */
  readonly funds: bigint;
}

/** The caller's result when everything is complete. */
export type PendingOutcome =
  | { readonly kind: 'order' }
  | { readonly kind: 'altered'; readonly cancelled: number }
  /** The outcomes of the batch so far, and its remaining orders. */
  | {
      readonly kind: 'orders';
      readonly outcomes: readonly (OrderOutcome | Rejected)[];
      readonly rest: readonly OrderRequest[];
    };

export interface Unfinished {
  readonly current: UnfinishedOrder;
  /** The first unfinished order of the command; the caller recognises the result by its id. */
  readonly ticket: number;
  /** null: nobody waits, as for a triggered stop order. */
  readonly answer: PendingOutcome | null;
}

/** An uncross or a removal of all orders that takes more than one record: see auction.ts and cancel-for-others.ts. */
export interface UnfinishedMarket {
  readonly task: 'uncross' | 'delist' | 'clear';
  readonly symbol: number;
  /** The price of the uncross, and its total volume. */
  readonly price: number;
  readonly size: number;
  /** For `clear`: the remark that the orders' owners see. */
  readonly why?: string;
}

export type UnfinishedEntry = Unfinished | UnfinishedMarket;

export class UnfinishedOrders {
  /** Oldest first. No two have a symbol in common. */
  #entries: UnfinishedEntry[] = [];
  /** A field of its own, because it is read before every command. */
  count = 0;
  /** Cached, because every command that may have to wait is checked against it. */
  #busy = new Set<number>();
  #users = new Set<number>();
  /** Whether the state of a market is about to change. */
  hasMarkets = false;

  get list(): readonly UnfinishedEntry[] {
    return this.#entries;
  }

  addMarket(entry: UnfinishedMarket): UnfinishedMarket {
    this.restore(entry);
    return entry;
  }

  add(current: UnfinishedOrder): void {
    this.restore({ current, ticket: current.order, answer: null });
  }

  restore(entry: UnfinishedEntry): void {
    this.#entries.push(entry);
    this.#changed();
  }

  /** Registers a caller for the order added last. Returns its ticket. */
  awaitLatest(answer: PendingOutcome): number {
    const latest = this.#entries[this.count - 1] as Unfinished;
    this.#entries[this.count - 1] = { ...latest, answer };
    this.#changed();
    return latest.ticket;
  }

  /** The order added last is the next one of an earlier command and takes its place. */
  moveLatest(earlier: Unfinished, answer: PendingOutcome): void {
    const { current } = this.#entries.pop() as Unfinished;
    this.#entries[this.#entries.indexOf(earlier)] = { ...earlier, current, answer };
    this.#changed();
  }

  remove(entry: UnfinishedEntry): void {
    this.#entries.splice(this.#entries.indexOf(entry), 1);
    this.#changed();
  }

  #changed(): void {
    this.count = this.#entries.length;
    this.#busy = new Set(this.#entries.flatMap(symbolsOf));
    this.#users = new Set(this.#orders.map(({ current }) => current.user));
    this.hasMarkets = this.#entries.some(isMarket);
  }

  get #orders(): Unfinished[] {
    return this.#entries.filter((entry) => !isMarket(entry)) as Unfinished[];
  }

  get symbols(): number[] {
    return [...this.#busy];
  }

  isBusy(symbol: number): boolean {
    return this.count > 0 && this.#busy.has(symbol);
  }

  /** 0 for an order that is not unfinished. */
  fundsOf(order: number): bigint {
    return this.#orders.find(({ current }) => current.order === order)?.current.funds ?? 0n;
  }

  isOf(user: number): boolean {
    return this.#users.has(user);
  }
}

export const isMarket = (entry: UnfinishedEntry): entry is UnfinishedMarket => 'task' in entry;

/** Includes those of the batch's remaining orders. */
function symbolsOf(entry: UnfinishedEntry): number[] {
  if (isMarket(entry)) return [entry.symbol];
  const { current, answer } = entry;
  return answer?.kind === 'orders'
    ? [current.symbol, ...answer.rest.map(({ symbol }) => symbol)]
    : [current.symbol];
}
