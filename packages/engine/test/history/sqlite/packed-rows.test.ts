/** Packs and runs: what earlier versions wrote, and what pruning leaves. */

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { MemoryHistory } from '@bourse/test-kit/memory-history.ts';
import { faultOfHistory, newestRows, unpackedOrders } from '../../../src/history/sqlite/soundness.ts';
import { SqliteHistoryReader } from '../../../src/history/sqlite/sqlite-history-reader.ts';
import { SqliteHistoryWriter } from '../../../src/history/sqlite/sqlite-history-writer.ts';
import { checkLists } from '../../contracts/history-contract.ts';
import { recordsOf, TradeWriter } from '../history-world.ts';
import { takeBack } from './rows-of-version-7.ts';

const SEED = 2;
const RECORDS = 900;
const PACKED = ['order_packs', 'order_runs', 'order_places', 'client_ids'];
const PACKED_FILLS = ['fill_packs', 'fill_runs', 'fills_of_orders'];

function inFolder(work: (path: string) => void): () => void {
  return () => {
    const folder = mkdtempSync(join(tmpdir(), 'bourse-packed-rows-'));
    try {
      work(join(folder, 'history.db'));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
}

function rowsIn(path: string, tables: readonly string[]): number[] {
  const db = new DatabaseSync(path, { readOnly: true });
  const counts = tables.map((table) =>
    Number(db.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.['count']),
  );
  db.close();
  return counts;
}

describe('packed rows', () => {
  it(
    'rows of version 7 are packed when it is opened, and every list goes on from them',
    inFolder((path) => {
      const records = recordsOf(SEED, RECORDS);
      const earlier = records.slice(0, RECORDS / 2);
      const first = new SqliteHistoryWriter(path);
      first.write(earlier);
      first.close();
      takeBack(path, earlier);
      assert.equal(faultOfHistory(path), null, 'it is sound before it is packed');
      const newest = newestRows(path);
      assert.deepEqual(
        newest.map(({ name }) => name),
        ['fills', 'audit'],
      );
      const model = new MemoryHistory();
      model.write(earlier);
      assert.equal(unpackedOrders(path), model.doneOrders.length);
      const writer = new SqliteHistoryWriter(path);
      const reader = new SqliteHistoryReader(path);
      assert.equal(unpackedOrders(path), 0);
      assert.ok(model.doneOrders.length > 100 && model.fillRows.length > 100);
      checkLists(reader, model, SEED);
      writer.write(records);
      const whole = new MemoryHistory();
      whole.write(records);
      checkLists(reader, whole, SEED);
      reader.close();
      writer.close();
      assert.equal(faultOfHistory(path), null);
    }),
  );

  it(
    'the last rows missing are noticed, before and after packing',
    inFolder((path) => {
      const records = recordsOf(SEED, RECORDS);
      const writer = new SqliteHistoryWriter(path);
      writer.write(records);
      writer.close();
      const cut = (sql: string) => {
        const db = new DatabaseSync(path);
        db.exec(sql);
        db.close();
      };
      cut('DELETE FROM order_packs WHERE id = (SELECT max(id) FROM order_packs)');
      assert.match(
        String(faultOfHistory(path)),
        /^the last of its orders is \d+, and the checkpoint says \d+$/,
      );
      takeBack(path, records);
      assert.equal(faultOfHistory(path), null);
      cut('DELETE FROM fills WHERE id = (SELECT max(id) FROM fills)');
      assert.match(
        String(faultOfHistory(path)),
        /^the last of its fills is \d+, and the checkpoint says \d+$/,
      );
    }),
  );

  it(
    'a transaction that is partly too old is passed over in part, and removed when all of it is',
    inFolder((path) => {
      const trades = new TradeWriter();
      const records = [trades.opening];
      for (let i = 0; i < 30; i++) records.push(trades.trade(10, 10, 1n, 100n, `id-${i}`));
      const writer = new SqliteHistoryWriter(path);
      const reader = new SqliteHistoryReader(path);
      writer.write(records.slice(0, 11));
      writer.write(records.slice(11, 21));
      writer.write(records.slice(21));
      const packs = rowsIn(path, PACKED)[0];
      assert.equal(writer.prune(records[16].time), false);
      const orders = reader.orders({ user: 1, limit: 100 });
      assert.deepEqual(
        orders.map(({ clientId }) => clientId),
        Array.from({ length: 15 }, (_, i) => `id-${29 - i}`),
      );
      assert.equal(reader.countOrders({ user: 1 }), 15);
      assert.equal(reader.countFills({ user: 1 }), 15);
      assert.equal(reader.orderByClientId(1, 'id-14'), null);
      assert.equal(reader.orderByClientId(1, 'id-15')?.clientId, 'id-15');
      const [pruned, kept] = [1002 + 2 * 14, 1002 + 2 * 15];
      assert.deepEqual([reader.order(pruned), reader.order(kept)?.order], [null, kept]);
      assert.deepEqual(reader.fills({ user: 1, order: pruned, limit: 5 }), []);
      assert.equal(reader.fills({ user: 1, order: kept, limit: 5 }).length, 1);
      assert.equal(rowsIn(path, PACKED)[0], packs - 1, 'the first transaction is removed, the second is not');
      reader.close();
      writer.close();
    }),
  );

  it(
    'nothing is left of what was pruned',
    inFolder((path) => {
      const writer = new SqliteHistoryWriter(path);
      const records = recordsOf(SEED, RECORDS);
      for (let at = 0; at < RECORDS; at += 7) writer.write(records.slice(at, at + 7));
      assert.ok(rowsIn(path, [...PACKED, ...PACKED_FILLS]).every((count) => count > 0));
      for (let steps = 0; writer.prune(1e15); steps++) assert.ok(steps < 1000);
      assert.deepEqual(rowsIn(path, [...PACKED, ...PACKED_FILLS]), [0, 0, 0, 0, 0, 0, 0]);
      writer.close();
    }),
  );

  it(
    'a bit that is flipped in a pack or a run is found at the start or by whoever reads it',
    inFolder((path) => {
      const writer = new SqliteHistoryWriter(path);
      writer.write(recordsOf(SEED, RECORDS));
      writer.close();
      const whole = readFileSync(path);
      const damage = (sql: string) => {
        writeFileSync(path, whole);
        const db = new DatabaseSync(path);
        db.exec(sql);
        assert.deepEqual(Object.values(db.prepare('PRAGMA quick_check').get() ?? {}), ['ok']);
        db.close();
      };
      const flipped = "CAST(substr(rows, 1, 40) || x'07' || substr(rows, 42) AS BLOB)";
      const message = /is damaged .* move this file .* away, and start again/;
      const reading = (read: (reader: SqliteHistoryReader) => unknown) => () => {
        const reader = new SqliteHistoryReader(path);
        try {
          read(reader);
        } finally {
          reader.close();
        }
      };
      for (const table of ['order_packs', 'fill_packs']) {
        const some = `(SELECT id FROM ${table} LIMIT 1 OFFSET 1)`;
        damage(`DELETE FROM ${table} WHERE id = ${some}`);
        assert.match(String(faultOfHistory(path)), /packs: row \d+ comes after row \d+$/);
        damage(`UPDATE ${table} SET id = id + 1 WHERE id = ${some}`);
        assert.match(String(faultOfHistory(path)), /packs: row \d+ comes after row \d+$/);
        damage(`UPDATE ${table} SET through = through - 64 WHERE id = ${some}`);
        assert.match(String(faultOfHistory(path)), /packs: row \d+ is in no transaction$/);
        damage(`UPDATE ${table} SET through = through + 1`);
        assert.match(
          String(faultOfHistory(path)),
          /packs: the last transaction ends with row \d+, and there is none$/,
        );
      }
      for (const table of ['order_packs', 'fill_packs']) {
        damage(`UPDATE ${table} SET rows = ${flipped}`);
        assert.equal(faultOfHistory(path), 'rows do not have their checksum');
      }
      const lists = reading((reader) => {
        for (let user = 0; user < 12; user++) {
          reader.orders({ user, limit: 1000 });
          reader.fills({ user, limit: 1000 });
          reader.ledger({ user, limit: 1000 });
        }
      });
      assert.throws(lists, { name: 'HistoryDamaged', message });
      for (const table of ['order_runs', 'fill_runs']) {
        damage(`UPDATE ${table} SET id = id + 1`);
        // Which of the two comes first depends on the flow: the last id has no row behind it.
        const wrong = /a list has (rows of another user|row \d+, and there is none)/;
        assert.throws(lists, { name: 'HistoryDamaged', message: wrong });
      }
      const ofKind = (kind: 'orders' | 'fills' | 'ledger') =>
        reading((reader) => {
          for (let user = 0; user < 12; user++) reader[kind]({ user, limit: 1000 });
        });
      damage('UPDATE fill_runs SET id = id + 1');
      assert.throws(ofKind('ledger'), { message: /ledger entry \d+ is not in its fill/ });
      for (const [table, kind] of [
        ['order_runs', 'orders'],
        ['fill_runs', 'fills'],
      ] as const) {
        damage(`UPDATE ${table} SET id = id + 1000000`);
        assert.throws(ofKind(kind), { message: /a list has row \d+, and there is none/ });
        damage(`UPDATE OR IGNORE ${table} SET lane = lane + 4`);
        assert.throws(ofKind(kind), { message: /a list has rows of another symbol, side or type/ });
      }
      damage('UPDATE fills_of_orders SET id = id + 1');
      const ofOrders = (
        read: (reader: SqliteHistoryReader, filter: { user: number; order: number }) => unknown,
      ) =>
        reading((reader) => {
          for (let order = 0; order < 2000; order++) read(reader, { user: 1, order });
        });
      const elsewhere = { message: /the fills of order \d+ are not where they should be/ };
      assert.throws(
        ofOrders((reader, filter) => reader.fills({ ...filter, limit: 100 })),
        elsewhere,
      );
      assert.throws(
        ofOrders((reader, filter) => reader.countFills(filter)),
        elsewhere,
      );
      damage('UPDATE order_places SET note = note + 1');
      const byId = reading((reader) => {
        for (let order = 0; order < 2000; order++) reader.order(order);
      });
      assert.throws(byId, { name: 'HistoryDamaged', message: /order \d+ is not where it should be/ });
    }),
  );
});
