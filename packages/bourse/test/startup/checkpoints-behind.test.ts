/** Checkpoints of a log that has not been read yet: no call waits for all of it. */

import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import { test, type TestContext } from 'node:test';
import { SecretBox } from '@bourse/api/basics';
import {
  type Clock,
  GrowingTree,
  logDirectory,
  logReaderIn,
  nodeClock,
  nodeDisk,
  openCheckpoint,
} from '@bourse/engine';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { openMarket, orderFlow } from '@bourse/test-kit/market.ts';
import { submit } from '@bourse/test-kit/submit.ts';
import {
  type CheckpointOptions,
  CHECKPOINTS_FILE,
  Checkpoints,
  RECORDS_PER_TURN,
} from '../../src/startup/checkpoints.ts';
import { copyLogOf } from '../../src/tools/stopped-directory.ts';
import { open } from './exchange.ts';

const SECRET = 'ab'.repeat(32);
const env = { BOURSE_SECRET_KEY: SECRET, BOURSE_OPERATOR_TOKEN: 'cd'.repeat(20) };

/** A stopped venue that has lost its file of checkpoints. */
async function unreadLog(context: TestContext, seed = 1): Promise<{ dir: string; seq: number }> {
  const dir = makeDirectory(context);
  const { engine, close } = await open({
    data: dir,
    flags: { venue: true, logSegmentBytes: '8192' },
    env,
  });
  for (const command of openMarket()) await submit(engine, command);
  for (const command of orderFlow(seed, 300)) await submit(engine, command);
  await close();
  rmSync(`${dir}/${CHECKPOINTS_FILE}`);
  return { dir, seq: engine.health.seq };
}

/** Follows the log like a start; the test triggers its first check. */
async function follow(
  { dir, seq }: { dir: string; seq: number },
  { now, ...given }: { readonly now?: number } & Pick<CheckpointOptions, 'unreadMax' | 'logCopy'> = {
    unreadMax: RECORDS_PER_TURN,
  },
) {
  const warnings: string[] = [];
  const told = {
    turns: 0,
    look: (): void => undefined,
    atTurn: (() => undefined) as (turn: number) => void,
    atNextLook: (): void => undefined,
    /** Resolves when the check has ended. */
    nextLook: () =>
      new Promise<void>((resolve) => {
        told.atNextLook = resolve;
        told.look();
      }),
  };
  const machine: Clock = {
    ...nodeClock,
    after(_, action) {
      told.look = action;
      told.atNextLook();
      return () => undefined;
    },
    soon(action) {
      told.atTurn(++told.turns);
      nodeClock.soon(action);
    },
  };
  const secrets = new SecretBox(Buffer.from(SECRET, 'hex'));
  const checkpoints = await Checkpoints.open({
    dir,
    secrets,
    port: { read: async () => seq, subscribe: () => () => undefined } as never,
    clock: { ...nodeClock, machine, ...(now !== undefined && { now: () => now }) },
    warn: (sentence) => warnings.push(sentence),
    ...given,
  });
  return { checkpoints, secrets, warnings, told };
}

test('a stop does not wait for the reading of a long log', async (t) => {
  const log = await unreadLog(t);
  const { checkpoints, warnings, told } = await follow(log);
  await new Promise<void>((resolve, reject) => {
    told.atTurn = (turn) => {
      if (turn === 1) checkpoints.close().then(resolve, reject);
    };
    told.look();
  });
  assert.equal(told.turns, 1, 'the reading ended where it was');
  assert.equal(checkpoints.newest, undefined);
  const unread = log.seq - RECORDS_PER_TURN;
  assert.deepEqual(warnings, [
    `no checkpoint was taken at shutdown: ${unread} records of the log are unread`,
  ]);
});

test('an operator does not wait for the reading of a long log, and gets a checkpoint afterwards', async (t) => {
  const log = await unreadLog(t);
  const { checkpoints, told } = await follow(log);
  await assert.rejects(checkpoints.take(), {
    name: 'Unavailable',
    message: `${log.seq} records of the log are unread`,
  });
  assert.equal(told.turns, 0);
  await new Promise<void>((resolve) => {
    told.atTurn = (turn) => {
      if (turn === Math.floor(log.seq / RECORDS_PER_TURN)) resolve();
    };
    told.look();
  });
  assert.equal((await checkpoints.take()).size, log.seq);
  await checkpoints.close();
});

test('the next checkpoint is due an hour after the last one, however often the exchange starts', async (t) => {
  const log = await unreadLog(t);
  const began = Date.now();
  const sizeAfterLook = async (seq: number, minutes: number): Promise<number | undefined> => {
    const { checkpoints, told } = await follow({ ...log, seq }, { now: began + minutes * 60_000 });
    await told.nextLook();
    await checkpoints.discard();
    return checkpoints.newest?.size;
  };
  assert.equal(await sizeAfterLook(100, 0), 100, 'a log without any gets its first soon');
  assert.equal(await sizeAfterLook(log.seq, 50), 100);
  assert.equal(await sizeAfterLook(log.seq, 61), log.seq);
});

test('records that exist only in the copy of the log are read there, unless it copies another log', async (t) => {
  const [log, foreign] = [await unreadLog(t), await unreadLog(t, 2)];
  const tree = new GrowingTree();
  const reader = logReaderIn(nodeDisk, log.dir);
  for await (const hash of reader.hashes(1, log.seq)) tree.add(hash);
  await reader.close();
  for (const { dir } of [log, foreign]) await copyLogOf(dir, `${dir}/copy`);
  const [oldest] = readdirSync(logDirectory(log.dir)).toSorted();
  rmSync(`${logDirectory(log.dir)}/${oldest}`);

  const misled = await follow(log, { logCopy: `${foreign.dir}/copy` });
  await assert.rejects(misled.checkpoints.take(), { name: 'LogRewritten' });
  await assert.rejects(misled.checkpoints.take(), { name: 'LogRewritten' });
  assert.equal(misled.checkpoints.newest, undefined);
  await misled.checkpoints.discard();

  const { checkpoints } = await follow(log, { logCopy: `${log.dir}/copy` });
  const { size, note } = await checkpoints.take();
  assert.deepEqual([size, note.split('\n')[2]], [log.seq, Buffer.from(tree.root()).toString('base64')]);
  await checkpoints.close();
});

test('after a rotation each checkpoint is signed again only once, however often it is requested', async (context) => {
  const { checkpoints, secrets } = await follow(await unreadLog(context), {});
  context.after(() => checkpoints.discard());
  const before = await checkpoints.take();
  assert.deepEqual(checkpoints.newest, before);
  for (const key of [7, 9]) {
    secrets.add(Buffer.alloc(32, key));
    const [first] = checkpoints.after(0, 1);
    assert.equal(first.note.split('\n— ').length, 3, 'both keys have signed it');
    assert.equal(openCheckpoint(first.note, checkpoints.key).size, before.size);
    assert.equal(checkpoints.after(0, 1)[0], first);
    assert.equal(checkpoints.newest, first);
  }
});
