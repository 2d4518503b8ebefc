/** Checkpoints of a log that was not read yet: nobody waits for all of it. */

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { test, type TestContext } from 'node:test';
import { SecretBox } from '@bourse/api/basics';
import { type Clock, nodeClock } from '@bourse/engine';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { openMarket, orderFlow } from '@bourse/test-kit/market.ts';
import { submit } from '@bourse/test-kit/submit.ts';
import { CHECKPOINTS_FILE, Checkpoints, RECORDS_PER_TURN } from '../../src/startup/checkpoints.ts';
import { open } from './exchange.ts';

const SECRET = 'ab'.repeat(32);
const env = { BOURSE_SECRET_KEY: SECRET, BOURSE_OPERATOR_TOKEN: 'cd'.repeat(20) };

/** A stopped venue that has lost its file of checkpoints. */
async function unreadLog(context: TestContext): Promise<{ dir: string; seq: number }> {
  const dir = makeDirectory(context);
  const { engine, close } = await open({ data: dir, flags: { venue: true }, env });
  for (const command of openMarket()) await submit(engine, command);
  for (const command of orderFlow(1, 300)) await submit(engine, command);
  await close();
  rmSync(`${dir}/${CHECKPOINTS_FILE}`);
  return { dir, seq: engine.health.seq };
}

/** Follows the log as a start does; its first look comes when the test says so. */
async function follow({ dir, seq }: { dir: string; seq: number }) {
  const warnings: string[] = [];
  const told: { turns: number; look: () => void; atTurn: (turn: number) => void } = {
    turns: 0,
    look: () => undefined,
    atTurn: () => undefined,
  };
  const machine: Clock = {
    ...nodeClock,
    after(_, action) {
      told.look = action;
      return () => undefined;
    },
    soon(action) {
      told.atTurn(++told.turns);
      nodeClock.soon(action);
    },
  };
  const checkpoints = await Checkpoints.open({
    dir,
    secrets: new SecretBox(Buffer.from(SECRET, 'hex')),
    port: { read: async () => seq, subscribe: () => () => undefined } as never,
    clock: { ...nodeClock, machine },
    warn: (sentence) => warnings.push(sentence),
    unreadMax: RECORDS_PER_TURN,
  });
  return { checkpoints, warnings, told };
}

test('a stop does not wait until a long log is read', async (t) => {
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
    `no checkpoint was taken at the stop: ${unread} records of the log are unread`,
  ]);
});

test('an operator does not wait until a long log is read, and has a checkpoint afterwards', async (t) => {
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
