/** Fills: of a user, of an order, and where their ledger entries are. */

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Malformed } from '../../bytes/byte-source.ts';
import { COUNT_MAX, type Counted, type FillFilter, type FillRow, type Page, type Span } from '../history.ts';
import type { LedgerFill } from '../rows.ts';
import { fitsLane, orderLane } from './codes.ts';
import type { DoneOrderReader } from './done-order-reader.ts';
import { readFill } from './fill-rows.ts';
import { afterIn, type Range } from './lanes.ts';
import { PackReader } from './pack-reader.ts';
import { rangeOf } from './row-times.ts';
import { type LaneItem, pageOf, rowAt, RunLanes, rowsOf } from './run-lanes.ts';
import { readRun, type RunColumns } from './runs.ts';

export const FILLS_OF_ORDER = `SELECT id, note, more FROM fills_of_orders
  WHERE "order" = ? AND through >= ? AND through <= ? ORDER BY through`;

export class FillReader {
  readonly #orders: DoneOrderReader;
  readonly #packs: PackReader<LedgerFill>;
  readonly #lanes: RunLanes;
  readonly #pruned: StatementSync;
  readonly #ofOrder: { readonly ascending: StatementSync; readonly descending: StatementSync };

  constructor(db: DatabaseSync, orders: DoneOrderReader) {
    this.#orders = orders;
    this.#packs = new PackReader(db, 'fill_packs', readFill);
    this.#lanes = new RunLanes(db, 'fill_runs', this.#packs);
    this.#pruned = db.prepare('SELECT fills_pruned AS pruned FROM checkpoint');
    this.#ofOrder = {
      ascending: db.prepare(FILLS_OF_ORDER),
      descending: db.prepare(`${FILLS_OF_ORDER} DESC`),
    };
    for (const statement of Object.values(this.#ofOrder)) statement.setReturnArrays(true);
  }

  /** Rows that were pruned in the meantime are left out. */
  list(filter: FillFilter): FillRow[] {
    const range = afterIn(this.range(filter), filter);
    if (filter.order !== undefined) return this.#listOfOrder(filter, filter.order, range);
    const items = this.#lanes.items(filter.user, (lane) => fitsLane(lane, filter), range, filter);
    return rowsOf(filter.user, items, (id) => this.row(id)?.fill ?? null);
  }

  count(filter: Counted<FillFilter>): number {
    const { user, order } = filter;
    const range = this.range(filter);
    if (order === undefined) {
      return this.#lanes.count(user, (lane) => fitsLane(lane, filter), range, COUNT_MAX);
    }
    let count = 0;
    for (const id of this.#idsOfOrder(order, range, false)) {
      const fill = count === 0 ? this.#ofOrderAt(order, id) : undefined;
      if (fill === null) continue;
      if (fill !== undefined && !this.#isWanted(fill, filter)) return 0;
      if (++count === COUNT_MAX) break;
    }
    return count;
  }

  /** Null if it was pruned in the meantime. */
  row(id: number): LedgerFill | null {
    return rowAt(this.#packs, id, () => this.#lastPruned());
  }

  range(span: Span): Range {
    return rangeOf(this.#packs, span, this.#lastPruned());
  }

  /** The first fill that has a ledger entry with this id or a higher one. */
  firstWithEntry(entry: number): number {
    return this.#packs.firstFrom(entry, (head, source) => readFill(head, source).entry);
  }

  lanesOf(user: number): Generator<number> {
    return this.#lanes.of(user);
  }

  items(user: number, isWanted: (lane: number) => boolean, range: Range, page: Page): LaneItem[] {
    return this.#lanes.items(user, isWanted, range, page);
  }

  itemsOfLane(user: number, lane: number, range: Range): Generator<LaneItem> {
    return this.#lanes.ofLane(user, lane, range);
  }

  #listOfOrder(filter: FillFilter, order: number, range: Range): FillRow[] {
    const ids = pageOf(this.#idsOfOrder(order, range, filter.ascending ?? false), filter);
    const fills = ids.flatMap((id) => this.#ofOrderAt(order, id) ?? []);
    // All fills of an order are in one lane of one user: this keeps all of them or none.
    return fills.filter((fill) => this.#isWanted(fill, filter));
  }

  #ofOrderAt(order: number, id: number): FillRow | null {
    const fill = this.row(id)?.fill ?? null;
    if (fill !== null && fill.order !== order) {
      throw new Malformed(`the fills of order ${order} are not where they should be`);
    }
    return fill;
  }

  /** What an order is done with is the last of its fills, and may be listed with the order alone. */
  *#idsOfOrder(order: number, { above, below }: Range, isAscending: boolean): Generator<number> {
    const isWithin = (id: number): boolean => id > above && id < below;
    const last = this.#orders.row(order)?.fill ?? 0;
    if (!isAscending && isWithin(last)) yield last;
    const first = this.#packs.throughOf(above + 1);
    if (first === null) return;
    const through = this.#packs.throughOf(below - 1) ?? Number.MAX_SAFE_INTEGER;
    const runs = isAscending ? this.#ofOrder.ascending : this.#ofOrder.descending;
    for (const run of runs.iterate(order, first, through) as unknown as Iterable<RunColumns>) {
      const items = readRun(...run);
      if (!isAscending) items.reverse();
      for (const { id } of items) if (isWithin(id)) yield id;
    }
    if (isAscending && isWithin(last)) yield last;
  }

  #lastPruned(): number {
    return this.#pruned.get()?.['pruned'] as number;
  }

  #isWanted(fill: FillRow, filter: Counted<FillFilter>): boolean {
    return fill.user === filter.user && fitsLane(orderLane(fill), filter);
  }
}
