import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { serialize } from 'node:v8';
import { Random } from '@bourse/test-kit/random.ts';
import { MemoryHistory } from '@bourse/test-kit/memory-history.ts';
import { SqliteHistoryReader } from '../../../src/history/sqlite/sqlite-history-reader.ts';
import { SqliteHistoryWriter } from '../../../src/history/sqlite/sqlite-history-writer.ts';
import { recordsOf } from '../history-world.ts';

const SEED = 2024;
const KILLS = 10;
const RECORDS = 4000;
const BATCH_MAX = 150;
const LIST_MAX = 1_000_000;
const DEADLINE_MS = 120_000;

const script = new URL('./crash-writer.ts', import.meta.url).href;

/** Every row there is, user by user. */
function everything(history: Omit<MemoryHistory | SqliteHistoryReader, 'write'>): unknown[] {
  const limit = LIST_MAX;
  const lists: unknown[] = [history.audit({ limit })];
  for (let user = 0; user < 12; user++) {
    lists.push(
      history.orders({ user, limit }),
      history.fills({ user, limit }),
      history.ledger({ user, limit }),
      history.transfers({ user, limit }),
      history.deposits({ user, limit }),
      history.withdrawals({ user, limit }),
    );
  }
  return lists;
}

/** Resolves at the first output of the child; `told` is the last position that it printed. */
function listen(child: ChildProcess): { ready: Promise<unknown>; told: () => number } {
  let text = '';
  child.stdout?.setEncoding('utf8');
  child.stdout?.on('data', (chunk: string) => (text += chunk));
  const ready = Promise.race([once(child.stdout!, 'data'), once(child, 'exit')]);
  return { ready, told: () => Number(text.trimEnd().split('\n').slice(0, -1).at(-1) ?? 0) || 0 };
}

it(`history neither loses nor doubles a row over ${KILLS} kills in the middle of writing (seed ${SEED})`, {
  timeout: DEADLINE_MS,
}, async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-history-crash-'));
  try {
    const random = new Random(SEED);
    const records = recordsOf(SEED, RECORDS);
    const recordsPath = join(folder, 'records');
    writeFileSync(recordsPath, serialize(records));
    const path = join(folder, 'history.db');
    let model = new MemoryHistory();
    let [from, unfinished] = [0, 0];

    for (let kill = 0; kill < KILLS; kill++) {
      const through = Math.min(RECORDS, from + random.range(1, RECORDS / 4));
      const given = [path, recordsPath, BATCH_MAX, through].map((each) => JSON.stringify(each));
      const call = `writeUntilKilled(${given.join(', ')})`;
      const code = `const { writeUntilKilled } = await import(${JSON.stringify(script)}); ${call}`;
      const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const exited = once(child, 'exit');
      const { ready, told } = listen(child);
      await ready;
      await sleep(random.range(1, 120));
      child.kill('SIGKILL');
      await exited;

      const writer = new SqliteHistoryWriter(path);
      const { checkpoint } = writer;
      writer.close();
      assert.ok(checkpoint >= told(), `kill ${kill}: history said ${told()} and has ${checkpoint}`);
      model.write(records.slice(0, checkpoint));
      const reader = new SqliteHistoryReader(path);
      assert.equal(reader.checkpoint, checkpoint);
      assert.deepEqual(everything(reader), everything(model), `kill ${kill}, checkpoint ${checkpoint}`);
      reader.close();
      from = checkpoint % RECORDS;
      if (checkpoint < RECORDS) unfinished += 1;
      else {
        for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
        model = new MemoryHistory();
      }
    }
    context.diagnostic(`${unfinished} of ${KILLS} kills came before all was written`);
    assert.ok(unfinished > KILLS / 2, 'most kills came in the middle');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
