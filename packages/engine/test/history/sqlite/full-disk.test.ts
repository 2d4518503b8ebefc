import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { serialize } from 'node:v8';
import { MemoryHistory } from '@bourse/test-kit/memory-history.ts';
import type { HistoryRecord } from '../../../src/history/history.ts';
import { translating } from '../../../src/history/sqlite/database.ts';
import { SqliteHistoryReader } from '../../../src/history/sqlite/sqlite-history-reader.ts';
import { SqliteHistoryWriter } from '../../../src/history/sqlite/sqlite-history-writer.ts';
import type { Stopped } from './full-disk-writer.ts';
import { recordsOf } from '../history-world.ts';

const DEADLINE_MS = 120_000;
const BLOCK_BYTES = 512;
const IOERR_WRITE = 778;
const IOERR_SHMSIZE = 4874;

const script = new URL('./full-disk-writer.ts', import.meta.url).href;
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Writing beyond a limit of file size fails as beyond a quota does: with an errno that SQLite does not take for FULL. */
function writeLimited(path: string, records: readonly HistoryRecord[], fileBytesMax: number): Stopped {
  const recordsPath = `${path}.records`;
  writeFileSync(recordsPath, serialize(records));
  const call = `writeUntilStopped(${JSON.stringify(path)}, ${JSON.stringify(recordsPath)})`;
  const code = `const { writeUntilStopped } = await import(${JSON.stringify(script)}); ${call}`;
  const node = `exec ${quote(process.execPath)} --input-type=module -e ${quote(code)}`;
  const run = spawnSync('sh', ['-c', `ulimit -f ${fileBytesMax / BLOCK_BYTES} && ${node}`], {
    encoding: 'utf8',
    timeout: DEADLINE_MS,
  });
  assert.notEqual(run.stdout, '', `nothing stopped it: exit ${run.status}, ${run.stderr}`);
  return JSON.parse(run.stdout) as Stopped;
}

function assertMaybeFull({ name, message, errcode }: Stopped, expected: number): void {
  assert.deepEqual([name, errcode], ['HistoryFull', expected], message);
  assert.match(message, /no space is left on the disk, or the quota is used up, or the disk fails/);
}

describe('history on a full disk', { skip: process.platform === 'win32' }, () => {
  for (const [what, fileBytesMax, errcode] of [
    ['the quota is used up', 128 * 1024, IOERR_WRITE],
    ["the index of SQLite's log cannot grow", 16 * 1024, IOERR_SHMSIZE],
  ] as const) {
    it(`continues when there is space again: ${what}`, { timeout: DEADLINE_MS }, () => {
      const folder = mkdtempSync(join(tmpdir(), 'bourse-history-full-'));
      try {
        const path = join(folder, 'history.db');
        const records = recordsOf(4, 900);
        const first = new SqliteHistoryWriter(path);
        first.write(records.slice(0, 20));
        first.close();
        assertMaybeFull(writeLimited(path, records, fileBytesMax), errcode);
        const writer = new SqliteHistoryWriter(path);
        assert.ok(writer.checkpoint < records.length);
        writer.write(records);
        writer.close();
        const model = new MemoryHistory();
        model.write(records);
        const reader = new SqliteHistoryReader(path);
        assert.ok(model.doneOrders.length > 0);
        for (const order of model.doneOrders) assert.deepEqual(reader.order(order.order), order);
        reader.close();
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  }
});

it('a disk error stops history only if it cannot be a lack of space', () => {
  const nameOf = (errcode: number): string => {
    try {
      return translating('history.db', () => {
        throw Object.assign(new Error('disk I/O error'), { errcode });
      });
    } catch (error) {
      return (error as Error).name;
    }
  };
  const full = { FULL: 13, IOERR_WRITE, IOERR_TRUNCATE: 1546, IOERR_SHMSIZE };
  for (const [code, errcode] of Object.entries(full)) assert.equal(nameOf(errcode), 'HistoryFull', code);
  const damaged = {
    CORRUPT: 11,
    NOTADB: 26,
    IOERR: 10,
    IOERR_READ: 266,
    IOERR_SHORT_READ: 522,
    IOERR_FSYNC: 1034,
    IOERR_DIR_FSYNC: 1290,
    IOERR_SHMMAP: 5386,
    IOERR_CORRUPTFS: 8458,
    IOERR_DATA: 8202,
    CORRUPT_INDEX: 779,
    CANTOPEN: 14,
  };
  for (const [code, errcode] of Object.entries(damaged)) {
    assert.equal(nameOf(errcode), 'HistoryDamaged', code);
  }
});
