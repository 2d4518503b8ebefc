/** A numbered page behind transactions of very different sizes: each run is looked at once. */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StatementSync } from 'node:sqlite';
import { after, before, describe, it, type TestContext } from 'node:test';
import { SqliteHistoryReader } from '../../../src/history/sqlite/sqlite-history-reader.ts';
import { SqliteHistoryWriter } from '../../../src/history/sqlite/sqlite-history-writer.ts';
import { TradeWriter } from '../history-world.ts';

const SMALL = 600;
const LARGE = 400;
const ROWS = SMALL + LARGE;
const LIMIT = 5;
/** To find the lanes, the transactions, the place and the rows. */
const STATEMENTS_MAX = 20;

function statementsOf(context: TestContext, work: () => void): number {
  const mocks = (['all', 'get', 'iterate'] as const).map((name) =>
    context.mock.method(StatementSync.prototype, name),
  );
  work();
  const calls = mocks.reduce((sum, { mock }) => sum + mock.callCount(), 0);
  for (const { mock } of mocks) mock.restore();
  return calls;
}

describe('many small transactions before a large one', () => {
  let folder = '';
  let writer: SqliteHistoryWriter;
  let reader: SqliteHistoryReader;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'bourse-skipped-runs-'));
    writer = new SqliteHistoryWriter(join(folder, 'history.db'));
    reader = new SqliteHistoryReader(join(folder, 'history.db'));
    const trades = new TradeWriter();
    writer.write([trades.opening]);
    for (let i = 0; i < SMALL; i++) writer.write([trades.trade(10, 10, 1n, 100n, `id-${i}`)]);
    writer.write(Array.from({ length: LARGE }, (_, i) => trades.trade(10, 10, 1n, 100n, `id-${SMALL + i}`)));
  });

  after(() => {
    reader.close();
    writer.close();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const isAscending of [false, true]) {
    it(`has every page, ${isAscending ? 'the oldest' : 'the newest'} first, with few statements`, (context) => {
      for (let skip = 0; skip <= ROWS; skip += 50) {
        const page = { user: 1, skip, limit: LIMIT, ascending: isAscending };
        let found: string[] = [];
        const statements = statementsOf(context, () => {
          found = reader.orders(page).map(({ clientId }) => clientId);
        });
        const places = Array.from({ length: Math.min(LIMIT, ROWS - skip) }, (_, i) => skip + i);
        assert.deepEqual(
          found,
          places.map((place) => `id-${isAscending ? place : ROWS - 1 - place}`),
        );
        assert.ok(statements <= STATEMENTS_MAX, `${statements} statements for the page behind ${skip}`);
      }
    });
  }
});
