/** docs/operating/history.md names every table and column, and every query of history-queries.md has an answer. */

import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { MemoryHistory } from '@bourse/test-kit/memory-history.ts';
import { SqliteHistoryWriter } from '../../../src/history/sqlite/sqlite-history-writer.ts';
import { recordsOf } from '../history-world.ts';

const SEED = 21;
const RECORDS = 1500;
const QUERIES_MIN = 5;
/** Two of these exceed 64 bits. */
const LARGE = 9n * 10n ** 18n;

const page = (name: string): string =>
  readFileSync(new URL(`../../../../../docs/operating/${name}`, import.meta.url), 'utf8');

/** The rows of the page's tables that begin with a name in code: the name, and those of the last cell. */
function documented(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const line of page('history.md').split('\n')) {
    const cells = line.split(' | ');
    const name = /^\| `(\w+)`$/.exec(cells[0])?.[1];
    const columns = [...cells[cells.length - 1].matchAll(/`(\w+)`/g)].map((match) => match[1]);
    if (name !== undefined) found.set(name, columns);
  }
  return found;
}

function queries(): { readonly title: string; readonly sql: string }[] {
  const sections = page('history-queries.md').split('\n## ').slice(1);
  return sections.map((section) => ({
    title: section.split('\n')[0],
    sql: section.split('```sql\n')[1].split('```')[0],
  }));
}

describe('the documentation of history', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-history-docs-'));
  const model = new MemoryHistory();
  let db: DatabaseSync;

  before(() => {
    const path = join(folder, 'history.db');
    const writer = new SqliteHistoryWriter(path);
    const records = recordsOf(SEED, RECORDS);
    writer.write(records);
    writer.close();
    model.write(records);
    db = new DatabaseSync(path, { readOnly: true });
  });

  after(() => {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('names every table and view with all of its columns', () => {
    const found = new Map<string, string[]>();
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY name");
    for (const { name } of tables.all()) {
      const columns = db.prepare('SELECT name FROM pragma_table_xinfo(?)').all(name as string);
      found.set(
        name as string,
        columns.map((column) => column['name'] as string),
      );
    }
    const sorted = (map: Map<string, string[]>) => [...map].toSorted(([a], [b]) => (a < b ? -1 : 1));
    assert.deepEqual(sorted(documented()), sorted(found));
  });

  it('decodes the numbers of its rows into words', () => {
    const rows = db.prepare(
      'SELECT symbol, side, type, time_in_force, stp, post_only, hidden, iceberg, rested, done FROM orders ORDER BY id',
    );
    assert.ok(model.doneOrders.length > 100);
    assert.deepEqual(
      rows.all().map((row) => ({ ...row })),
      model.doneOrders.map((order) => ({
        symbol: order.symbol,
        side: order.side,
        type: order.type,
        time_in_force: order.timeInForce,
        stp: order.stp,
        post_only: Number(order.postOnly),
        hidden: Number(order.hidden),
        iceberg: Number(order.iceberg),
        rested: Number(order.rested),
        done: order.done,
      })),
    );
    const kinds = db
      .prepare(
        'SELECT count(*) AS count FROM movements WHERE kind IS NULL OR state IS NULL OR amount IS NULL',
      )
      .get();
    assert.equal(kinds?.['count'], 0);
  });

  it('has every ledger entry in its view, and every trade once', () => {
    const ledger = db.prepare(
      `SELECT id, seq, time, user, account, currency, cause, change, fee, balance, order_id, reference
       FROM ledger ORDER BY id`,
      { readBigInts: true },
    );
    const asText = (row: Record<string, unknown>): string => JSON.stringify(Object.values(row).map(String));
    assert.ok(model.entries.length > 100);
    assert.deepEqual(
      ledger.all().map(asText),
      model.entries.map(
        ({ id, seq, time, user, account, currency, cause, change, fee, balance, order, reference }) =>
          asText({ id, seq, time, user, account, currency, cause, change, fee, balance, order, reference }),
      ),
    );
    const trades = db
      .prepare('SELECT time, trade, buyer, seller FROM trades ORDER BY buy_order_id, trade')
      .all();
    const bought = model.fillRows.filter(({ side }) => side === 'buy');
    const sellers = new Map(model.fillRows.map(({ order, user }) => [order, user]));
    assert.deepEqual(
      trades.map((row) => ({ ...row })),
      bought
        .toSorted((a, b) => a.order - b.order || a.trade - b.trade)
        .map(({ time, trade, user, counterOrder }) => ({
          time,
          trade,
          buyer: user,
          seller: sellers.get(counterOrder),
        })),
    );
  });

  it('has example queries that all return rows', () => {
    const found = queries();
    assert.ok(found.length >= QUERIES_MIN);
    for (const { title, sql } of found) {
      const rows = db.prepare(sql).all();
      assert.ok(rows.length > 0, `'${title}' has no answer`);
      for (const row of rows) {
        for (const [column, value] of Object.entries(row))
          assert.notEqual(value, null, `${title}: ${column}`);
      }
    }
  });

  it('has example queries whose sums do not overflow', () => {
    const path = join(folder, 'large.db');
    copyFileSync(join(folder, 'history.db'), path);
    const large = new DatabaseSync(path);
    large.exec(`UPDATE fills SET fee = ${LARGE};
      UPDATE moved SET event = json_set(event, '$.amount.units', '${LARGE}') WHERE event ->> 'amount' IS NOT NULL`);
    for (const { title, sql } of queries()) assert.doesNotThrow(() => large.prepare(sql).all(), title);
    large.close();
  });
});
