/** Amounts and JSON that cannot be parsed any more are reported as a damaged database. */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { SqliteHistoryReader } from '../../../src/history/sqlite/sqlite-history-reader.ts';
import { SqliteHistoryWriter } from '../../../src/history/sqlite/sqlite-history-writer.ts';
import { recordsOf } from '../history-world.ts';

const SEED = 12;
const RECORDS = 600;
const USERS = 12;

it('an amount or an event that cannot be parsed is reported as damage', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-damaged-texts-'));
  const path = join(folder, 'history.db');
  try {
    const writer = new SqliteHistoryWriter(path);
    writer.write(recordsOf(SEED, RECORDS));
    writer.close();
    const db = new DatabaseSync(path);
    db.exec(`UPDATE entries SET balance = '12x4'; UPDATE moved SET event = '{"kind"'`);
    db.close();
    const reader = new SqliteHistoryReader(path);
    const damage = { name: 'HistoryDamaged', message: /is damaged .*start again/ };
    const ofAll = (list: (user: number) => unknown) => () => {
      for (let user = 0; user < USERS; user++) list(user);
    };
    assert.throws(
      ofAll((user) => reader.ledger({ user, limit: 1000 })),
      damage,
    );
    assert.throws(
      ofAll((user) => reader.deposits({ user, limit: 1000 })),
      damage,
    );
    reader.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
