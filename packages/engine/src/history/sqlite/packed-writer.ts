/** Done orders and fills on their way into the database: their packs, and the runs by which they are found. */

import type { DatabaseSync } from 'node:sqlite';
import type { DoneOrder } from '@bourse/core';
import type { LedgerFill } from '../rows.ts';
import { ClientIdWriter } from './client-id-writer.ts';
import type { ClientKeys } from './client-keys.ts';
import { orderLane } from './codes.ts';
import { writeFill } from './fill-rows.ts';
import { laneKeyOf, readLaneKey } from './lane-keys.ts';
import { writeOrder } from './order-rows.ts';
import { PackWriter } from './packs.ts';
import { RunWriter } from './runs.ts';

/** Order ids of a bucket are looked for together: so many rows at most. */
export const BUCKET_ORDERS = 16;

const alone = (key: number): readonly number[] => [key];

export class PackedWriter {
  readonly #clientIds: ClientIdWriter;
  readonly #orders: PackWriter;
  readonly #orderLanes: RunWriter;
  readonly #orderPlaces: RunWriter;
  readonly #fills: PackWriter;
  readonly #fillLanes: RunWriter;
  readonly #fillsOfOrders: RunWriter;
  #orderThrough = 0;
  #fillThrough = 0;

  constructor(db: DatabaseSync, clientKeys: ClientKeys) {
    this.#clientIds = new ClientIdWriter(db, clientKeys);
    this.#orders = new PackWriter(db, 'order_packs');
    this.#orderLanes = new RunWriter(db, 'order_runs', 2, readLaneKey);
    this.#orderPlaces = new RunWriter(db, 'order_places', 1, alone);
    this.#fills = new PackWriter(db, 'fill_packs');
    this.#fillLanes = new RunWriter(db, 'fill_runs', 2, readLaneKey);
    this.#fillsOfOrders = new RunWriter(db, 'fills_of_orders', 1, alone);
  }

  /** Begins a transaction, after which these will be the last ids. What one that failed left behind is forgotten. */
  begin(orderThrough: number, fillThrough: number): void {
    this.#orderThrough = orderThrough;
    this.#fillThrough = fillThrough;
    this.#orders.begin(orderThrough);
    this.#fills.begin(fillThrough);
    this.#clientIds.begin();
    for (const runs of this.#runs()) runs.begin();
  }

  addFill(row: LedgerFill): void {
    const { fill, entry, quoteBalance } = row;
    writeFill(this.#fills.add(fill), row);
    const { id, user, order } = fill;
    this.#fillLanes.add(laneKeyOf(user, orderLane(fill)), id, noteOf(entry, quoteBalance !== null));
    this.#fillsOfOrders.add(order, id);
  }

  /**
   * After the order's fills. Most orders are done with their only fill: the order itself says which it was, and it is
   * not listed.
   */
  addOrder(id: number, order: DoneOrder): void {
    const { user, clientId, seq, doneAt } = order;
    const sink = this.#orders.add({ id, seq, time: doneAt });
    writeOrder(sink, order, this.#fillsOfOrders.takeSingle(order.order));
    this.#orderLanes.add(laneKeyOf(user, orderLane(order)), id);
    this.#orderPlaces.add(Math.floor(order.order / BUCKET_ORDERS), id, order.order);
    if (clientId !== '') this.#clientIds.add(id, user, clientId);
  }

  /** Everything of this transaction is in the database when it returns; `rest` is called many times. */
  end(rest: () => void): void {
    this.#orders.flush();
    this.#fills.flush();
    this.#clientIds.flush(rest);
    this.#orderLanes.flush(this.#orderThrough, rest);
    this.#orderPlaces.flush(this.#orderThrough, rest);
    this.#fillLanes.flush(this.#fillThrough, rest);
    this.#fillsOfOrders.flush(this.#fillThrough, rest);
  }

  #runs(): readonly RunWriter[] {
    return [this.#orderLanes, this.#orderPlaces, this.#fillLanes, this.#fillsOfOrders];
  }
}

/** What a run has beside a fill's id: where its ledger entries are, and whether the one of the quote currency is there. */
export function noteOf(entry: number, hasQuote: boolean): number {
  return 2 * entry + (hasQuote ? 1 : 0);
}

export function readNote(note: number): { readonly entry: number; readonly hasQuote: boolean } {
  return { entry: Math.floor(note / 2), hasQuote: note % 2 === 1 };
}
