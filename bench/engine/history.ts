/** History: done orders a second through the follower into SQLite, and looking up old ones. */

import { DatabaseSync } from 'node:sqlite';
import { openFollower } from '../../packages/engine/src/follower.ts';
import { LogReader } from '../../packages/engine/src/log/log-reader.ts';
import { Snapshots } from '../../packages/engine/src/snapshots.ts';
import { readRun, type RunColumns } from '../../packages/engine/src/history/sqlite/runs.ts';
import { SqliteHistoryReader } from '../../packages/engine/src/history/sqlite/sqlite-history-reader.ts';
import { SqliteHistoryWriter } from '../../packages/engine/src/history/sqlite/sqlite-history-writer.ts';
import { nodeDisk } from '../../packages/engine/src/io/node-disk.ts';
import { prepareDirectory, recordsOf, scene } from './scene.ts';

const LOOK_UPS = 20_000;

export interface HistorySpeed {
  readonly doneOrders: number;
  /** Done orders, and commands, a second: reading the log, applying, writing rows, syncing each transaction. */
  readonly doneOrdersPerSec: number;
  readonly commandsPerSec: number;
  /** Milliseconds of one look-up of an old order by its id. */
  readonly lookUpP50: number;
  readonly lookUpP99: number;
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

  const reader = new SqliteHistoryReader(`${dir}/history.db`);
  const ids = doneIds(dir);
  const waits = new Float64Array(LOOK_UPS);
  for (let i = 0; i < LOOK_UPS; i++) {
    const id = ids[(i * 7919) % ids.length];
    const begun = performance.now();
    if (reader.order(id)?.order !== id) throw new Error(`order ${id} is not in history`);
    waits[i] = performance.now() - begun;
  }
  reader.close();
  const sorted = waits.toSorted();
  return {
    doneOrders: ids.length,
    doneOrdersPerSec: ids.length / seconds,
    commandsPerSec: count / seconds,
    lookUpP50: sorted[LOOK_UPS >> 1],
    lookUpP99: sorted[Math.floor(LOOK_UPS * 0.99)],
  };
}

function doneIds(dir: string): number[] {
  const db = new DatabaseSync(`${dir}/history.db`, { readOnly: true });
  const places = db.prepare('SELECT id, note, more FROM order_places');
  places.setReturnArrays(true);
  const rows = places.all() as unknown as RunColumns[];
  db.close();
  return rows.flatMap((run) => readRun(...run).map(({ note }) => note));
}
