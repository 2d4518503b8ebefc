/**
 * OCO orders: pairs of a limit order in the book and a pending stop order. The order row of a limit part has a flag, so
 * that trades and ends of all other orders need no look-up here.
 */

import type { OcoDone } from '../../events/events.ts';
import { OfUsers } from '../orders/of-users.ts';

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
