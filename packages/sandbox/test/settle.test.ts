/** The move of a restored world to the data directory, interrupted at every step. */

import assert from 'node:assert/strict';
import { mkdirSync, promises, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname } from 'node:path';
import { type TestContext, test } from 'node:test';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { WorldDirectories } from '../src/worlds/world-directory.ts';

const OTHERS = ['keyring', 'outbox', 'checkpoints', 'liabilities'];
const LACKED = ['outbox', 'liabilities/1'];
const FILES = ['log/1', 'snapshots/1', 'history.db', 'clock.json', 'keyring', 'checkpoints', ...LACKED];

function write(dir: string, names: readonly string[], text: string): void {
  for (const name of names) {
    mkdirSync(dirname(`${dir}/${name}`), { recursive: true });
    writeFileSync(`${dir}/${name}`, text);
  }
}

/** As a kill leaves it after a restore: two of the files are only in the data directory. */
async function restored(context: TestContext): Promise<{ root: string; worlds: WorldDirectories }> {
  const root = makeDirectory(context);
  const worlds = new WorldDirectories(root, OTHERS);
  write(root, [...FILES, 'history.db-wal', 'mine.txt'], 'replaced');
  const world = worlds.next();
  write(
    world,
    FILES.filter((name) => !LACKED.includes(name)),
    'restored',
  );
  await worlds.makePresent(world);
  return { root, worlds };
}

const contentsOf = (root: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => `${parentPath}/${name}`)
      .map((path) => [path.slice(root.length + 1), readFileSync(path, 'utf8')] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );

const SETTLED = {
  checkpoints: 'restored',
  'clock.json': 'restored',
  'history.db': 'restored',
  keyring: 'restored',
  'log/1': 'restored',
  'mine.txt': 'replaced',
  'snapshots/1': 'restored',
};

/** From then on every removal and move fails, as if the process were gone, until the returned function is called. */
function killAfter(context: TestContext, last: number): () => void {
  let steps = 0;
  for (const name of ['rm', 'rename'] as const) {
    const original = promises[name] as (...args: unknown[]) => Promise<void>;
    context.mock.method(promises, name, (...args: unknown[]) => {
      if (steps >= last) return Promise.reject(new Error('killed'));
      steps++;
      return original(...args);
    });
  }
  syncBuiltinESMExports();
  return () => {
    context.mock.restoreAll();
    syncBuiltinESMExports();
  };
}

test('a start completes the move of a restored world, wherever a kill interrupted it', async (context) => {
  let isWhole = false;
  for (let last = 0; !isWhole; last++) {
    const { root, worlds } = await restored(context);
    const revive = killAfter(context, last);
    isWhole = await worlds
      .settle(() => undefined)
      .then(
        () => true,
        () => false,
      );
    revive();
    await new WorldDirectories(root, OTHERS).settle(() => undefined);
    assert.deepEqual(contentsOf(root), SETTLED, `killed after ${last} steps`);
    if (isWhole) assert.ok(last > FILES.length, `${last} steps`);
  }
});
