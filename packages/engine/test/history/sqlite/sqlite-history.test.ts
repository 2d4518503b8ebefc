import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import type { DepositSet } from '@bourse/core';
import { MemoryHistory } from '@bourse/test-kit/memory-history.ts';
import { EVERYBODY, HistoryDamaged, HistoryFull, HistoryUnfit } from '../../../src/history/history.ts';
import { readRecord } from '../../../src/history/history-record.ts';
import { mergeSql } from '../../../src/history/sqlite/lanes.ts';
import { COUNT_FILLS_OF_ORDER, FILLS_OF_ORDER } from '../../../src/history/sqlite/fills.ts';
import { ORDER_BY_CLIENT_ID, ORDER_BY_ID } from '../../../src/history/sqlite/orders.ts';
import { PRUNED_ROWS_MAX } from '../../../src/history/sqlite/pruning.ts';
import { SqliteHistoryReader } from '../../../src/history/sqlite/sqlite-history-reader.ts';
import { SqliteHistoryWriter } from '../../../src/history/sqlite/sqlite-history-writer.ts';
import { checkLists, historyContract, type OpenHistory } from '../../contracts/history-contract.ts';
import { recordsOf, TradeWriter } from '../history-world.ts';

const PAGE_BYTES = 4096;

function openIn(folder: string): OpenHistory {
  const path = join(folder, 'history.db');
  const writer = new SqliteHistoryWriter(path);
  const reader = new SqliteHistoryReader(path);
  let isOpen = true;
  const close = (): void => {
    if (isOpen) reader.close();
    if (isOpen) writer.close();
    isOpen = false;
  };
  let next: OpenHistory | null = null;
  return {
    writer,
    reader,
    reopen: () => {
      close();
      next = openIn(folder);
      return next;
    },
    dispose: () => {
      close();
      next?.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** In SQLite's log of pages the last page of every transaction carries the size of the database after it. */
function commitsIn(walPath: string): number {
  const [headerBytes, frameHeaderBytes, sizeAt] = [32, 24, 4];
  const bytes = readFileSync(walPath);
  const frameBytes = frameHeaderBytes + bytes.readUInt32BE(8);
  let commits = 0;
  for (let at = headerBytes; at + frameBytes <= bytes.length; at += frameBytes) {
    if (bytes.readUInt32BE(at + sizeAt) > 0) commits++;
  }
  return commits;
}

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'bourse-history-'));

historyContract('SQLite', () => openIn(newFolder()));

describe('history in SQLite', () => {
  const inFolder = (work: (path: string, folder: string) => void) => () => {
    const folder = newFolder();
    try {
      work(join(folder, 'history.db'), folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };

  it(
    'writes rows and checkpoint in one transaction, so that no crash can separate them',
    inFolder((path) => {
      const writer = new SqliteHistoryWriter(path);
      const records = recordsOf(11, 60);
      writer.write(records.slice(0, 20));
      for (const from of [20, 40]) {
        const before = commitsIn(`${path}-wal`);
        writer.write(records.slice(from, from + 20));
        assert.equal(commitsIn(`${path}-wal`), before + 1);
      }
      writer.close();
    }),
  );

  it(
    'rejects a file of another version, and says what to do',
    inFolder((path) => {
      new SqliteHistoryWriter(path).close();
      const db = new DatabaseSync(path);
      db.exec('PRAGMA user_version = 9');
      db.close();
      const message = /has version 9, and this Bourse reads version 1\. .* history is then written anew/;
      for (const History of [SqliteHistoryWriter, SqliteHistoryReader]) {
        assert.throws(() => new History(path), { name: 'HistoryUnfit', message });
      }
    }),
  );

  it(
    'initialises an empty file, and leaves an existing history unchanged',
    inFolder((path) => {
      writeFileSync(path, '');
      new SqliteHistoryWriter(path).close();
      const records = recordsOf(6, 200);
      for (const checkpoint of [0, 200, 200]) {
        const writer = new SqliteHistoryWriter(path);
        assert.equal(writer.checkpoint, checkpoint);
        writer.write(records);
        writer.close();
      }
      const db = new DatabaseSync(path);
      assert.deepEqual(Object.values(db.prepare('PRAGMA user_version').get() ?? {}), [1]);
      assert.deepEqual(Object.values(db.prepare('PRAGMA journal_mode').get() ?? {}), ['wal']);
      assert.deepEqual(Object.values(db.prepare('PRAGMA integrity_check').get() ?? {}), ['ok']);
      db.close();
    }),
  );

  it(
    'a reader sees committed writes at once, and the previous state during a transaction',
    inFolder((path) => {
      const records = recordsOf(6, 300);
      const writer = new SqliteHistoryWriter(path);
      const reader = new SqliteHistoryReader(path);
      writer.write(records.slice(0, 100));
      assert.equal(reader.checkpoint, 100);
      const other = new DatabaseSync(path);
      other.exec('BEGIN IMMEDIATE; UPDATE checkpoint SET seq = 150; DELETE FROM orders');
      assert.equal(reader.checkpoint, 100);
      other.exec('ROLLBACK');
      other.close();
      writer.write(records);
      assert.equal(reader.checkpoint, 300);
      reader.close();
      writer.close();
    }),
  );

  it(
    'the audit trail has new keys without their secrets',
    inFolder((path) => {
      const writer = new SqliteHistoryWriter(path);
      const command = {
        kind: 'add-key',
        user: 1,
        key: 'k',
        version: 3,
        permissions: ['general'],
        ipAllowList: [],
        secret: 'never-to-be-seen',
        by: 'alice',
        why: 'asked for',
      } as const;
      const audited = [{ command, outcome: 'accepted' }];
      writer.write([
        readRecord({
          seq: 1,
          time: 5,
          events: [],
          done: [],
          stops: [],
          ocos: [],
          audited,
          orderOf: (order) => ({ order, type: 'limit', makerRate: 0, takerRate: 0 }),
        }),
      ]);
      const reader = new SqliteHistoryReader(path);
      const row = { id: 1, seq: 1, time: 5, by: 'alice', why: 'asked for', outcome: 'accepted' };
      assert.deepEqual(reader.audit({ limit: 5 }), [{ ...row, command: { ...command, secret: '' } }]);
      reader.close();
      writer.close();
      assert.equal(readFileSync(path).includes('never-to-be-seen'), false);
    }),
  );

  it(
    'lists the deposits of all users in their current state',
    inFolder((path) => {
      const waiting: DepositSet = {
        kind: 'deposit-set',
        deposit: 7,
        user: 4,
        currency: 2,
        chain: 'eth',
        amount: 10n,
        txId: 'tx',
        state: 'waiting',
        travelRuleId: 8,
      };
      const done: DepositSet = { ...waiting, state: 'done' };
      const recordWith = (seq: number, event: DepositSet) =>
        readRecord({
          seq,
          time: seq * 100,
          events: [event],
          done: [],
          stops: [],
          ocos: [],
          audited: [],
          orderOf: (order) => ({ order, type: 'limit', makerRate: 0, takerRate: 0 }),
        });
      const writer = new SqliteHistoryWriter(path);
      const reader = new SqliteHistoryReader(path);
      const row = { id: 7, createdAt: 100, updatedAt: 100, event: waiting };
      writer.write([recordWith(1, waiting)]);
      assert.deepEqual(reader.deposits({ user: EVERYBODY, states: ['waiting'], limit: 5 }), [row]);
      assert.equal(reader.countDeposits({ user: EVERYBODY }), 1);
      assert.deepEqual(reader.transfers({ user: EVERYBODY, limit: 5 }), []);
      writer.write([recordWith(2, done)]);
      assert.deepEqual(reader.deposits({ user: EVERYBODY, states: ['waiting'], limit: 5 }), []);
      assert.deepEqual(reader.deposits({ user: EVERYBODY, limit: 5 }), [
        { ...row, updatedAt: 200, event: done },
      ]);
      reader.close();
      writer.close();
    }),
  );

  it(
    'rejects a database of another program, and leaves it unchanged',
    inFolder((path) => {
      const db = new DatabaseSync(path);
      db.exec('CREATE TABLE mine (id INTEGER)');
      assert.throws(() => new SqliteHistoryWriter(path), HistoryUnfit);
      assert.deepEqual(Object.values(db.prepare('SELECT count(*) FROM sqlite_schema').get() ?? {}), [1]);
      db.close();
    }),
  );

  it(
    'says what to do if the file is damaged or missing',
    inFolder((path, folder) => {
      assert.throws(() => new SqliteHistoryReader(path), {
        name: 'HistoryDamaged',
        message: /Check that it is there/,
      });
      const garbage = join(folder, 'garbage.db');
      writeFileSync(garbage, 'not a database, but long enough to be taken for one: '.repeat(100));
      const message = /is damaged .* move this file .* away, and start again: .* if all segments/;
      assert.throws(() => new SqliteHistoryWriter(garbage), { name: 'HistoryDamaged', message });

      const writer = new SqliteHistoryWriter(path);
      writer.write(recordsOf(3, 400));
      writer.close();
      truncateSync(path, 8 * PAGE_BYTES);
      assert.throws(() => {
        const reader = new SqliteHistoryReader(path);
        try {
          for (let order = 0; order < 1000; order++) reader.order(order);
        } finally {
          reader.close();
        }
      }, HistoryDamaged);
    }),
  );

  it('says what to do if the page of the checkpoint is damaged, and closes the file', (context) =>
    inFolder((path) => {
      new SqliteHistoryWriter(path).close();
      const db = new DatabaseSync(path);
      const root = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'checkpoint'").get();
      db.close();
      const page = Number(root?.['rootpage']);
      const bytes = readFileSync(path);
      writeFileSync(path, bytes.fill(0xa5, (page - 1) * PAGE_BYTES, page * PAGE_BYTES));
      const { mock } = context.mock.method(DatabaseSync.prototype, 'close');
      assert.throws(() => new SqliteHistoryWriter(path), {
        name: 'HistoryDamaged',
        message: /history\.db is damaged .* move this file .* away, and start again/,
      });
      assert.equal(mock.callCount(), 1);
    })());

  it('closes a file that it cannot read from', (context) =>
    inFolder((path) => {
      new SqliteHistoryWriter(path).close();
      const db = new DatabaseSync(path);
      db.exec('DROP TABLE entries');
      db.close();
      const { mock } = context.mock.method(DatabaseSync.prototype, 'close');
      assert.throws(() => new SqliteHistoryReader(path), /no such table: entries/);
      assert.equal(mock.callCount(), 1);
    })());

  it(
    'a full disk loses nothing: the same records are written when there is space',
    inFolder((path) => {
      const records = recordsOf(4, 900);
      const full = new SqliteHistoryWriter(path, { pagesMax: 40 });
      full.write(records.slice(0, 20));
      assert.throws(() => full.write(records), HistoryFull);
      assert.equal(full.checkpoint, 20);
      full.write(records.slice(20, 30));
      assert.equal(full.checkpoint, 30);
      full.close();
      const writer = new SqliteHistoryWriter(path);
      writer.write(records);
      assert.equal(writer.checkpoint, 900);
      writer.close();
      const model = new MemoryHistory();
      model.write(records);
      const reader = new SqliteHistoryReader(path);
      assert.ok(model.doneOrders.length > 0);
      checkLists(reader, model, 4);
      reader.close();
    }),
  );

  it('a copy is complete and private, and leaves the database locked against other processes', async () => {
    const folder = newFolder();
    const [path, copy] = [join(folder, 'history.db'), join(folder, 'copy.db')];
    const records = recordsOf(5, 60);
    const writer = new SqliteHistoryWriter(path);
    writer.write(records.slice(0, 40));
    await writer.copyTo(copy);
    writer.write(records.slice(40));
    // A connection that gets the file for itself may remove the write-ahead log, as `sqlite3` does when it ends.
    const program = `const db = new (require('node:sqlite').DatabaseSync)(${JSON.stringify(path)});
      db.exec('PRAGMA locking_mode = EXCLUSIVE');
      try { db.exec('SELECT * FROM checkpoint'); } catch (error) { console.log(error.message); }`;
    const { stdout } = spawnSync(process.execPath, ['--eval', program], { encoding: 'utf8' });
    assert.equal(stdout, 'database is locked\n');
    writer.close();
    assert.equal(statSync(copy).mode & 0o777, 0o600);
    const copied = new SqliteHistoryWriter(copy);
    assert.equal(copied.checkpoint, 40);
    copied.close();
    rmSync(folder, { recursive: true });
  });

  it(
    'a pruning step removes a bounded number of rows',
    inFolder((path) => {
      const trades = new TradeWriter();
      const records = [trades.opening];
      for (let trade = 0; trade < PRUNED_ROWS_MAX; trade++) records.push(trades.trade(10, 10, 1n, 100n));
      const writer = new SqliteHistoryWriter(path);
      const reader = new SqliteHistoryReader(path);
      writer.write(records);
      const count = (): number => reader.orders({ user: 1, limit: 1e6 }).length;
      const { time } = records[records.length - 10];
      assert.equal(count(), PRUNED_ROWS_MAX);
      assert.equal(writer.prune(time), true);
      assert.equal(count(), PRUNED_ROWS_MAX / 2);
      assert.equal(writer.prune(time), false);
      assert.equal(count(), 10);
      assert.equal(writer.prune(time), false);
      reader.close();
      writer.close();
    }),
  );

  it(
    'every list and look-up uses an index',
    inFolder((path) => {
      new SqliteHistoryWriter(path).close();
      const db = new DatabaseSync(path);
      const plan = (sql: string): string =>
        db
          .prepare(`EXPLAIN QUERY PLAN ${sql}`)
          .all()
          .map((row) => String(row['detail']))
          .join('; ');
      const lane =
        'SEARCH \\w+ USING (COVERING INDEX|PRIMARY KEY)[^;]*\\(user=\\? AND lane=\\? AND (rowid|id)>\\? AND [^;]*\\)';
      for (const table of ['orders', 'fills', 'entries', 'moved_by_user', 'stops']) {
        for (const isAscending of [true, false]) {
          const lanes = plan(mergeSql(table, 2, isAscending));
          assert.match(lanes, new RegExp(`^MERGE \\(UNION ALL\\); LEFT; ${lane}; RIGHT; ${lane}$`));
        }
        const next = plan(`SELECT lane FROM ${table} WHERE user = 1 AND lane > 2 ORDER BY lane LIMIT 1`);
        assert.match(next, /^SEARCH \w+ USING (COVERING INDEX|PRIMARY KEY) .*\(user=\? AND lane>\?\)$/);
      }
      for (const direction of ['', ' DESC']) {
        assert.match(
          plan(FILLS_OF_ORDER + direction),
          /^SEARCH fills USING INDEX fills_by_order \(order_id=\? AND rowid>\? AND rowid<\?\)$/,
        );
      }
      assert.match(
        plan(COUNT_FILLS_OF_ORDER),
        /SEARCH fills USING INDEX fills_by_order \(order_id=\? AND rowid>\?/,
      );
      const quoted =
        'SELECT quote_balance FROM fills WHERE user = 1 AND lane = 2 AND id > 3 AND id < 9 LIMIT 5';
      assert.match(
        plan(quoted),
        /^SEARCH fills USING INDEX fills_by_user \(user=\? AND lane=\? AND rowid>\? AND rowid<\?\)$/,
      );
      assert.equal(plan(ORDER_BY_ID), 'SEARCH orders USING INDEX orders_by_order (order_id=?)');
      assert.equal(
        plan(ORDER_BY_CLIENT_ID),
        'SEARCH orders USING INDEX orders_by_client (user=? AND client_id=?)',
      );
      db.close();
    }),
  );
});
