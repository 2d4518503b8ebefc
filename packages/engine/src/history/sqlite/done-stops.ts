/**
 * Stop orders and OCO orders that are done, in one table under their own ids, which rise with the time they were placed.
 * They are rare compared to ordinary orders, so their content is JSON, and client ids have a plain index.
 */

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { DoneOcoOrder, OrderType, Side } from '@bourse/core';
import { COUNT_MAX, type Counted, type DoneStop, type StopFilter } from '../history.ts';
import { orderLane, readOrderLane } from './codes.ts';
import { afterIn, IdSearch, Lanes } from './lanes.ts';
import { readJson, storeJson } from './values.ts';

interface DoneOf {
  readonly stop: DoneStop;
  readonly oco: DoneOcoOrder;
}

type Kind = keyof DoneOf;

/** ((order's lane * 2 + whether it waited for a rise) * 2 + whether it was part of a pair) * 2 + kind. */
interface StopLane {
  readonly kind: Kind;
  readonly symbol: number;
  readonly side: Side;
  readonly type: OrderType;
  readonly stop: DoneStop['stop'];
  readonly isPaired: boolean;
}

function stopLane(lane: StopLane): number {
  const waited = orderLane(lane) * 2 + (lane.stop === 'entry' ? 1 : 0);
  return (waited * 2 + (lane.isPaired ? 1 : 0)) * 2 + (lane.kind === 'oco' ? 1 : 0);
}

function readStopLane(lane: number): StopLane {
  return {
    ...readOrderLane(lane >> 3),
    stop: lane & 4 ? 'entry' : 'loss',
    isPaired: (lane & 2) !== 0,
    kind: lane & 1 ? 'oco' : 'stop',
  };
}

const INSERT = 'INSERT INTO stops VALUES (?, ?, ?, ?, ?, ?, ?)';

export function insertDoneStop(db: DatabaseSync, done: DoneStop): void {
  const { symbol, side, type, clientId } = done.request;
  const lane = stopLane({ kind: 'stop', symbol, side, type, stop: done.stop, isPaired: done.oco !== 0 });
  insert(db, done, lane, clientId);
}

/** A pair has a limit and a stop part of opposite directions, so only kind and symbol of its lane matter. */
export function insertDoneOco(db: DatabaseSync, done: DoneOcoOrder): void {
  const { symbol, clientId } = done;
  const lane = stopLane({ kind: 'oco', symbol, side: 'buy', type: 'limit', stop: 'loss', isPaired: false });
  insert(db, done, lane, clientId);
}

function insert(db: DatabaseSync, done: DoneStop | DoneOcoOrder, lane: number, clientId = ''): void {
  const { id, user, createdAt, doneAt } = done;
  db.prepare(INSERT).run(id, user, lane, createdAt, doneAt, clientId || null, storeJson(done));
}

const PRUNE = `DELETE FROM stops WHERE id IN
  (SELECT id FROM stops WHERE time < ? ORDER BY time LIMIT ?)`;

/** True if there may be more. */
export function pruneDoneStops(db: DatabaseSync, time: number, rowsMax: number): boolean {
  return db.prepare(PRUNE).run(time, rowsMax).changes === rowsMax;
}

export class DoneStopReader {
  readonly #byId: StatementSync;
  readonly #byClientId: StatementSync;
  readonly #lanes: Lanes;
  readonly #times: IdSearch;

  constructor(db: DatabaseSync) {
    this.#byId = db.prepare('SELECT lane, detail FROM stops WHERE id = ?');
    this.#byClientId = db.prepare(
      'SELECT detail FROM stops WHERE user = ? AND client_id = ? AND lane & 1 = ? ORDER BY id DESC LIMIT 1',
    );
    this.#lanes = new Lanes(db, 'stops');
    this.#times = new IdSearch(db, 'stops', 'created_at');
  }

  find<K extends Kind>(kind: K, id: number): DoneOf[K] | null {
    const row = this.#byId.get(id);
    return row && readStopLane(row['lane'] as number).kind === kind
      ? readJson<DoneOf[K]>(row['detail'])
      : null;
  }

  /** The latest that had this client id. */
  byClientId<K extends Kind>(kind: K, user: number, clientId: string): DoneOf[K] | null {
    const row = this.#byClientId.get(user, clientId, kind === 'oco' ? 1 : 0);
    return row ? readJson<DoneOf[K]>(row['detail']) : null;
  }

  list<K extends Kind>(kind: K, filter: StopFilter): DoneOf[K][] {
    const range = afterIn(this.#times.rangeOf(filter), filter);
    const ids = this.#lanes.ids(filter.user, isWanted(kind, filter), range, filter);
    return ids.flatMap((id) => this.find(kind, id) ?? []);
  }

  count(kind: Kind, filter: Counted<StopFilter>): number {
    const range = this.#times.rangeOf(filter);
    return this.#lanes.count(filter.user, isWanted(kind, filter), range, COUNT_MAX);
  }
}

function isWanted(kind: Kind, { symbol, side, type, stop, isPaired }: Counted<StopFilter>) {
  return (number: number): boolean => {
    const lane = readStopLane(number);
    if (lane.kind !== kind || (symbol !== undefined && lane.symbol !== symbol)) return false;
    // Nothing else of a pair's lane matters.
    if (kind === 'oco') return true;
    return (
      (side === undefined || lane.side === side) &&
      (type === undefined || lane.type === type) &&
      (stop === undefined || lane.stop === stop) &&
      (isPaired === undefined || lane.isPaired === isPaired)
    );
  };
}
