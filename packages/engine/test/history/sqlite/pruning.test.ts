import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { INTERVAL_NAMES, startOf } from '../../../src/history/candles.ts';
import { DELETE_CANDLES, PRUNED_ROWS_MAX } from '../../../src/history/sqlite/pruning.ts';
import { SqliteHistoryWriter } from '../../../src/history/sqlite/sqlite-history-writer.ts';

const MINUTE_MS = 60_000;
const START = startOf('1month', 1_700_000_000_000);
/** Far apart, so that reaching the next one is a seek. */
const SYMBOLS = [0, 3, 4, 900];
const MINUTES = 400;

describe('pruning candles in SQLite', () => {
  const inFolder = (work: (path: string) => void) => () => {
    const folder = mkdtempSync(join(tmpdir(), 'bourse-history-pruning-'));
    try {
      work(join(folder, 'history.db'));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };

  it(
    'scans no candle that is kept',
    inFolder((path) => {
      new SqliteHistoryWriter(path).close();
      const db = new DatabaseSync(path);
      const plan = db.prepare(`EXPLAIN QUERY PLAN ${DELETE_CANDLES}`).all(1);
      db.close();
      const ofCandles = plan.map((row) => String(row['detail'])).filter((step) => /candles|old/.test(step));
      assert.deepEqual(ofCandles, [
        'SEARCH candles USING PRIMARY KEY (symbol=? AND interval=? AND start=?)',
        'SEARCH candles USING PRIMARY KEY',
        'SEARCH candles USING PRIMARY KEY (symbol>?)',
        'SEARCH old USING PRIMARY KEY (symbol=? AND interval=? AND start<?)',
      ]);
    }),
  );

  it(
    'removes candles that are too old of every symbol, for intervals up to an hour, a bounded number per step',
    inFolder((path) => {
      const writer = new SqliteHistoryWriter(path);
      const db = new DatabaseSync(path);
      const insert = db.prepare('INSERT OR IGNORE INTO candles VALUES (?, ?, ?, 1, 1, 1, 1, 1, 1)');
      db.exec('BEGIN');
      for (const symbol of SYMBOLS) {
        for (const [interval, name] of INTERVAL_NAMES.entries()) {
          for (let minute = 0; minute < MINUTES; minute++) {
            insert.run(symbol, interval, startOf(name, START + minute * MINUTE_MS));
          }
        }
      }
      db.exec('COMMIT');
      const time = START + (MINUTES - 50) * MINUTE_MS;
      const where = `interval < ${INTERVAL_NAMES.indexOf('2hour')} AND start < ${time}`;
      const count = (sql: string): number =>
        Number(db.prepare(`SELECT count(*) AS count FROM candles ${sql}`).get()?.['count']);
      let old = count(`WHERE ${where}`);
      const kept = count(`WHERE NOT (${where})`);
      assert.ok(old > 2 * PRUNED_ROWS_MAX && old % PRUNED_ROWS_MAX > 0 && kept > 0);
      assert.equal(writer.prune(START), false);
      assert.equal(count(''), old + kept);
      while (old > 0) {
        const share = Math.min(old, PRUNED_ROWS_MAX);
        assert.equal(writer.prune(time), share === PRUNED_ROWS_MAX);
        old -= share;
        assert.equal(count(''), old + kept);
      }
      assert.equal(count(`WHERE ${where}`), 0);
      db.close();
      writer.close();
    }),
  );
});
