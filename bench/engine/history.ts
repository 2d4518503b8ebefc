/** History: done orders per second through the follower into SQLite, and look-ups of old orders of many users. */

import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { DoneOrder } from '@bourse/core';
import type { HistoryRecord } from '../../packages/engine/src/history/history.ts';
import { openFollower } from '../../packages/engine/src/follower.ts';
import { LogReader } from '../../packages/engine/src/log/log-reader.ts';
import { Snapshots } from '../../packages/engine/src/snapshots.ts';
import { SqliteHistoryReader } from '../../packages/engine/src/history/sqlite/sqlite-history-reader.ts';
import { SqliteHistoryWriter } from '../../packages/engine/src/history/sqlite/sqlite-history-writer.ts';
import { nodeDisk } from '../../packages/engine/src/io/disk.ts';
import { prepareDirectory, recordsOf, scene } from './scene.ts';

const LOOK_UPS = 20_000;
const LISTED = 50;

export interface HistorySpeed {
  readonly doneOrders: number;
  /** Done orders and commands per second: read the log, apply, write rows, sync each transaction. */
  readonly doneOrdersPerSec: number;
  readonly commandsPerSec: number;
}

/** Look-up latency in milliseconds. */
export interface LookUp {
  readonly p50: number;
  readonly p99: number;
}

export interface LookUps {
  readonly users: number;
  readonly orders: number;
  readonly byId: LookUp;
  readonly byClientId: LookUp;
  /** A user's latest LISTED done orders. */
  readonly list: LookUp;
  readonly bytes: number;
}

export async function measureHistory(dir: string, count: number): Promise<HistorySpeed> {
  const { exchange, commands } = scene();
  const records = recordsOf(exchange, commands.slice(0, count));
  await prepareDirectory(dir, exchange, records);
  const history = new SqliteHistoryWriter(`${dir}/history.db`);
  const snapshots = new Snapshots(nodeDisk, `${dir}/snapshots`);
  const follower = await openFollower({ log: new LogReader(nodeDisk, `${dir}/log`), history, snapshots });
  const start = performance.now();
  await follower.follow({ from: -1, seq: exchange.seq + records.length, digest: '', logBytes: 0 });
  const seconds = (performance.now() - start) / 1000;
  await follower.close();

  const db = new DatabaseSync(`${dir}/history.db`, { readOnly: true });
  const doneOrders = db.prepare('SELECT count(*) AS count FROM orders').get()?.['count'] as number;
  db.close();
  return { doneOrders, doneOrdersPerSec: doneOrders / seconds, commandsPerSec: count / seconds };
}

/** On a history of `orders` done orders of `users` users. */
export function measureLookUps(path: string, users: number, orders: number): LookUps {
  const writer = new SqliteHistoryWriter(path);
  for (let seq = 1; seq * RECORD_ORDERS <= orders; seq++) writer.write([doneRecord(seq, users)]);
  writer.close();
  const reader = new SqliteHistoryReader(path);
  const measure = (lookUp: (order: number) => boolean): LookUp => {
    const waits = new Float64Array(LOOK_UPS);
    for (let i = 0; i < LOOK_UPS; i++) {
      const order = (i * 7919) % orders;
      const begun = performance.now();
      if (!lookUp(order)) throw new Error(`order ${order} is not in history`);
      waits[i] = performance.now() - begun;
    }
    const sorted = waits.toSorted();
    return { p50: sorted[LOOK_UPS >> 1], p99: sorted[Math.floor(LOOK_UPS * 0.99)] };
  };
  const found = {
    byId: measure((order) => reader.order(order + 1) !== null),
    byClientId: measure((order) => reader.orderByClientId(order % users, clientIdOf(order)) !== null),
    list: measure((order) => reader.orders({ user: order % users, limit: LISTED }).length > 0),
  };
  reader.close();
  return { users, orders, ...found, bytes: statSync(path).size };
}

const RECORD_ORDERS = 1000;
const SYMBOLS = 4;

/** Client ids whose order differs from that of the order ids, as with real clients. */
const clientIdOf = (order: number): string =>
  `${((order * 2_654_435_761) % 4_294_967_296).toString(16).padStart(8, '0')}-4b0c-8e11-${order}`;

function doneRecord(seq: number, users: number): HistoryRecord {
  const time = START + seq;
  const done = Array.from({ length: RECORD_ORDERS }, (_, at): DoneOrder => {
    const order = (seq - 1) * RECORD_ORDERS + at;
    return {
      ...DONE_ORDER,
      order: order + 1,
      user: order % users,
      symbol: order % SYMBOLS,
      side: order % 3 === 0 ? 'buy' : 'sell',
      clientId: clientIdOf(order),
      createdAt: time - 1000,
      updatedAt: time,
      doneAt: time,
      seq,
    };
  });
  const none = { stops: [], ocos: [], trades: [], entries: [], movements: [], house: [] };
  const rare = { currencies: [], symbols: [], imports: [], audited: [] };
  return { seq, time, rowCount: RECORD_ORDERS, done, entryCount: 0, ...none, ...rare };
}

const START = 1_700_000_000_000;
const DONE_ORDER: DoneOrder = {
  order: 0,
  user: 0,
  symbol: 0,
  side: 'buy',
  type: 'limit',
  price: 500_000_000,
  size: 1000,
  timeInForce: 'GTC',
  cancelAfterSec: 0,
  postOnly: false,
  hidden: false,
  iceberg: false,
  visibleSize: 0,
  stp: '',
  clientId: '',
  tags: '',
  remark: '',
  makerRate: 100_000,
  takerRate: 100_000,
  dealSize: 0,
  dealFunds: 0n,
  fee: 0n,
  feeSlack: 0,
  cancelledSize: 1000,
  remaining: 0,
  visible: 0,
  hold: 0n,
  createdAt: 0,
  updatedAt: 0,
  expiresAt: 0,
  funds: 0n,
  done: 'requested',
  cancelledFunds: 0n,
  rested: true,
  doneAt: 0,
  seq: 0,
};
