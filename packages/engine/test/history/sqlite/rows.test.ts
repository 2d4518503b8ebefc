/** Rows of orders and fills: pruning, and the damage that the check at the start detects. */

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { faultOfHistory, faultOfVersion, newestRows } from '../../../src/history/sqlite/soundness.ts';
import { SqliteHistoryReader } from '../../../src/history/sqlite/sqlite-history-reader.ts';
import { SqliteHistoryWriter } from '../../../src/history/sqlite/sqlite-history-writer.ts';
import { recordsOf, TradeWriter } from '../history-world.ts';

const SEED = 2;
const RECORDS = 900;
const USER = 1;

function inFolder(work: (path: string) => void): () => void {
  return () => {
    const folder = mkdtempSync(join(tmpdir(), 'bourse-history-rows-'));
    try {
      work(join(folder, 'history.db'));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
}

function change(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}

/** Its schema may be changed by hand; Node's types do not know the option yet. */
const openFreely = (path: string): DatabaseSync => new DatabaseSync(path, { defensive: false } as object);

/** Removes the last row without the index noticing it, as if the two were of different days. */
function removeBehind(path: string, table: string, index: string): void {
  const db = openFreely(path);
  const { rootpage, sql } = db
    .prepare('SELECT rootpage, sql FROM sqlite_schema WHERE name = ?')
    .get(index) as { rootpage: number; sql: string };
  db.exec(`PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = '${index}'`);
  db.close();
  const again = openFreely(path);
  again.exec(
    `DELETE FROM ${table} WHERE id = (SELECT max(id) FROM ${table});
     UPDATE checkpoint SET ${table} = ${table} - 1;
     PRAGMA writable_schema = ON;
     INSERT INTO sqlite_schema VALUES ('index', '${index}', '${table}', ${rootpage}, '${sql}')`,
  );
  again.close();
}

function counts(path: string, sources: readonly string[]): number[] {
  const db = new DatabaseSync(path, { readOnly: true });
  const found = sources.map((from) => Number(db.prepare(`SELECT count(*) AS n FROM ${from}`).get()?.['n']));
  db.close();
  return found;
}

describe('rows of history', () => {
  it(
    'rows that are too old are pruned, and no index has an entry of them',
    inFolder((path) => {
      const trades = new TradeWriter();
      const records = [trades.opening];
      for (let i = 0; i < 30; i++) records.push(trades.trade(10, 10, 1n, 100n, `id-${i}`));
      const writer = new SqliteHistoryWriter(path);
      const reader = new SqliteHistoryReader(path);
      writer.write(records);
      assert.equal(writer.prune(records[16].time), false);
      const orders = reader.orders({ user: USER, limit: 100 });
      assert.deepEqual(
        orders.map(({ clientId }) => clientId),
        Array.from({ length: 15 }, (_, i) => `id-${29 - i}`),
      );
      assert.deepEqual([reader.countOrders({ user: USER }), reader.countFills({ user: USER })], [15, 15]);
      assert.equal(reader.orderByClientId(USER, 'id-14'), null);
      assert.equal(reader.orderByClientId(USER, 'id-15')?.clientId, 'id-15');
      const [pruned, kept] = [1002 + 2 * 14, 1002 + 2 * 15];
      assert.deepEqual([reader.order(pruned), reader.order(kept)?.order], [null, kept]);
      assert.deepEqual(reader.fills({ user: USER, order: pruned, limit: 5 }), []);
      assert.equal(reader.fills({ user: USER, order: kept, limit: 5 }).length, 1);
      for (let steps = 0; writer.prune(1e15); steps++) assert.ok(steps < 1000);
      const sources = [
        'orders NOT INDEXED',
        'orders INDEXED BY orders_by_order',
        'orders INDEXED BY orders_by_user',
        'orders INDEXED BY orders_by_client WHERE client_id IS NOT NULL',
        'fills NOT INDEXED',
        'fills INDEXED BY fills_by_order',
        'fills INDEXED BY fills_by_user',
      ];
      assert.deepEqual(counts(path, sources), Array(sources.length).fill(0));
      reader.close();
      writer.close();
      assert.equal(faultOfHistory(path), null);
    }),
  );

  it(
    'the latest order with a client id is found, and only if it was done since the time given',
    inFolder((path) => {
      const trades = new TradeWriter();
      const records = [trades.opening];
      for (const id of ['both', 'both', 'one']) records.push(trades.trade(10, 10, 1n, 100n, id));
      const writer = new SqliteHistoryWriter(path);
      const reader = new SqliteHistoryReader(path);
      writer.write(records);
      const [, , second, third] = records;
      assert.equal(reader.orderByClientId(USER, 'both')?.seq, second.seq);
      assert.equal(reader.orderByClientId(USER, 'both', second.time)?.seq, second.seq);
      assert.equal(reader.orderByClientId(USER, 'both', third.time), null);
      assert.equal(reader.orderByClientId(USER + 1, 'both'), null);
      reader.close();
      writer.close();
    }),
  );

  it(
    'the check detects rows missing at the end, in the middle or from an index',
    inFolder((path) => {
      const writer = new SqliteHistoryWriter(path);
      writer.write(recordsOf(SEED, RECORDS));
      writer.close();
      assert.equal(faultOfHistory(path), null);
      assert.deepEqual(
        newestRows(path).map(({ name }) => name),
        ['fills', 'audit'],
      );
      const whole = readFileSync(path);
      const fault = (sql: string): string => {
        writeFileSync(path, whole);
        change(path, sql);
        return String(faultOfHistory(path));
      };
      for (const table of ['orders', 'fills', 'house']) {
        const last = fault(`DELETE FROM ${table} WHERE id = (SELECT max(id) FROM ${table})`);
        assert.match(last, new RegExp(`^the last of its ${table} is \\d+, and the checkpoint says \\d+$`));
        assert.equal(fault(`DELETE FROM ${table} WHERE id = 50`), `1 of its ${table} are missing`);
      }
      writeFileSync(path, whole);
      removeBehind(path, 'orders', 'orders_by_user');
      assert.match(String(faultOfHistory(path)), /wrong # of entries in index orders_by_user/);
      assert.match(
        fault('UPDATE checkpoint SET seq = 1'),
        /go up to record \d+, and the checkpoint is record 1/,
      );
    }),
  );

  it(
    'another version is a fault, and a file of another program is left to the code that opens it',
    inFolder((path) => {
      change(path, 'CREATE TABLE mine (id INTEGER)');
      assert.deepEqual([faultOfVersion(path), faultOfHistory(path), newestRows(path)], [null, null, []]);
      rmSync(path);
      new SqliteHistoryWriter(path).close();
      assert.equal(faultOfVersion(path), null);
      change(path, 'PRAGMA user_version = 9');
      assert.equal(faultOfVersion(path), 'it has version 9, and this Bourse reads version 1');
    }),
  );
});
