/**
 * A user's done orders or fills by lane, out of runs. The runs of the lanes that are wanted come merged by transaction,
 * the newest or the oldest first; within a transaction their ids are sorted. So a list costs what its lanes and its own
 * rows cost, and at most one transaction more. What is skipped or counted is added up from the sizes of runs, without
 * reading their ids.
 */

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Malformed } from '../../bytes/byte-source.ts';
import type { Page } from '../history.ts';
import { type OrderLane, orderLane } from './codes.ts';
import { LaneNames, MERGED_LANES_MAX, pageOfLanes, type Range } from './lanes.ts';
import type { PackReader } from './pack-reader.ts';
import { LaneRuns, type RunRow, type Transactions } from './lane-runs.ts';
import { readRun, type RunItem } from './runs.ts';

export interface LaneItem extends RunItem {
  readonly lane: number;
}

/** Skipping fewer is left to reading. */
const SKIPPED_MIN = 64;

export class RunLanes {
  readonly #packs: PackReader<unknown>;
  readonly #names: LaneNames;
  readonly #runs: LaneRuns;
  readonly #sizes: StatementSync;

  /** `packs` has the rows whose ids are in the runs of `table`. */
  constructor(db: DatabaseSync, table: string, packs: PackReader<unknown>) {
    this.#packs = packs;
    this.#names = new LaneNames(db, table);
    this.#runs = new LaneRuns(db, table);
    this.#sizes = db.prepare(
      `SELECT sum(size) AS sum FROM (SELECT size FROM ${table}
       WHERE user = ? AND lane = ? AND through > ? AND through < ? LIMIT ?)`,
    );
  }

  /** At most `limit` of them in the order of the page, from all lanes of the user that are wanted. */
  items(user: number, isWanted: (lane: number) => boolean, range: Range, page: Page): LaneItem[] {
    const lanes = [...this.#names.of(user)].filter(isWanted);
    return pageOfLanes(
      lanes,
      range,
      page,
      ({ id }) => id,
      (group, within, part) => {
        const { limit, skip = 0, ascending = false } = part;
        const all = this.#transactionsOf(within);
        if (all === null || group.length === 0) return [];
        const rest = this.#skip(user, group, within, all, skip, ascending);
        return pageOf(this.#merged(user, group, within, rest.transactions, ascending), {
          skip: rest.skip,
          limit,
        });
      },
    );
  }

  /** All of the lane, the oldest first, until nobody asks for more. */
  *ofLane(user: number, lane: number, range: Range): Generator<LaneItem> {
    const all = this.#transactionsOf(range);
    if (all !== null) yield* this.#merged(user, [lane], range, all, true);
  }

  /** The user's lanes. */
  of(user: number): Generator<number> {
    return this.#names.of(user);
  }

  /** Of all lanes of the user that are wanted; `max` for that many or more. */
  count(user: number, isWanted: (lane: number) => boolean, range: Range, max: number): number {
    const all = this.#transactionsOf(range);
    if (all === null) return 0;
    const { first, last } = all;
    const lanes: number[] = [];
    let count = 0;
    for (const lane of this.of(user)) {
      if (!isWanted(lane)) continue;
      lanes.push(lane);
      count += (this.#sizes.get(user, lane, first, last, max)?.['sum'] as number | null) ?? 0;
      if (count >= max) return max;
    }
    for (let at = 0; at < lanes.length; at += MERGED_LANES_MAX) {
      const group = lanes.slice(at, at + MERGED_LANES_MAX);
      for (const edge of new Set([first, last])) count += this.#countIn(user, group, range, edge);
    }
    return Math.min(count, max);
  }

  /** The transactions that may have ids of the range; of the first and the last perhaps not all of them. */
  #transactionsOf({ above, below }: Range): Transactions | null {
    const first = this.#packs.throughOf(above + 1);
    if (first === null || below <= above + 1) return null;
    return { first, last: this.#packs.throughOf(below - 1) ?? Number.MAX_SAFE_INTEGER };
  }

  /** Leaves out whole transactions, as far as they have no more items than are to be skipped. */
  #skip(
    user: number,
    lanes: readonly number[],
    range: Range,
    { first, last }: Transactions,
    skip: number,
    isAscending: boolean,
  ): { readonly transactions: Transactions; readonly skip: number } {
    let left = skip;
    // The first of the list may be cut by the range, so its items are looked at; the last is never left out.
    const edge = isAscending ? first : last;
    const atEdge = left < SKIPPED_MIN ? left + 1 : this.#countIn(user, lanes, range, edge);
    if (left < atEdge || first === last) return { transactions: { first, last }, skip };
    left -= atEdge;
    const between = { first: first + 1, last: last - 1 };
    // Up to here all are left out. A run has an item at least, so no more runs are needed than items.
    let before = edge;
    let [transaction, ofTransaction] = [edge, 0];
    for (const [through, size] of this.#runs.sizes(user, lanes, between, isAscending, left + 1)) {
      if (through !== transaction) {
        left -= ofTransaction;
        before = transaction;
        [transaction, ofTransaction] = [through, 0];
      }
      ofTransaction += size;
      if (ofTransaction > left) break;
    }
    const transactions = isAscending ? { first: before + 1, last } : { first, last: before - 1 };
    return { transactions, skip: left };
  }

  #countIn(user: number, lanes: readonly number[], range: Range, through: number): number {
    const only = { first: through, last: through };
    let count = 0;
    for (const _ of this.#merged(user, lanes, range, only, true)) count++;
    return count;
  }

  *#merged(
    user: number,
    lanes: readonly number[],
    { above, below }: Range,
    transactions: Transactions,
    isAscending: boolean,
  ): Generator<LaneItem> {
    const byId = isAscending
      ? (a: LaneItem, b: LaneItem) => a.id - b.id
      : (a: LaneItem, b: LaneItem) => b.id - a.id;
    let items: LaneItem[] = [];
    let transaction = -1;
    for (const row of this.#runs.merged(user, lanes, transactions, isAscending)) {
      const [through, lane] = row;
      if (through !== transaction) {
        yield* items.toSorted(byId);
        items = [];
        transaction = through;
      }
      for (const { id, note } of itemsOf(row)) if (id > above && id < below) items.push({ id, note, lane });
    }
    yield* items.toSorted(byId);
  }
}

const itemsOf = ([, , id, note, more]: RunRow): RunItem[] => readRun(id, note, more);

/** The page of a list that is read until it is full. */
export function pageOf<Item>(list: Iterable<Item>, { skip = 0, limit }: Page): Item[] {
  const items: Item[] = [];
  if (limit === 0) return items;
  let toSkip = skip;
  for (const item of list) {
    if (toSkip > 0) toSkip--;
    else if (items.push(item) === limit) break;
  }
  return items;
}

/**
 * The rows of a list, which are of its user and its lanes: nobody sees another's, even if the runs are damaged. `read`
 * gives null for what was pruned in the meantime.
 */
export function rowsOf<Row extends OrderLane & { readonly user: number }>(
  user: number,
  items: readonly LaneItem[],
  read: (id: number) => Row | null,
): Row[] {
  return items.flatMap(({ id, lane }) => {
    const row = read(id);
    if (row === null) return [];
    checkUser(user, row);
    if (orderLane(row) !== lane) throw new Malformed('a list has rows of another symbol, side or type');
    return [row];
  });
}

export function checkUser(user: number, row: { readonly user: number }): void {
  if (row.user !== user) throw new Malformed('a list has rows of another user');
}

/** The row that a run says is there; null if it was pruned in the meantime. */
export function rowAt<Row>(packs: PackReader<Row>, id: number, lastPruned: () => number): Row | null {
  const row = packs.row(id);
  if (row === null && id > lastPruned()) throw new Malformed(`a list has row ${id}, and there is none`);
  return row;
}
