/** Promises 1, 3 and 4 with real processes; for more rounds use `npm run sim -- faults`. */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ofSize } from '@bourse/test-kit/run-size.ts';
import { EngineProcess } from './engine-process.ts';
import { runFullDisk } from './full-disk.ts';
import { killAgainAndAgain } from './kills.ts';
import { Load } from './load.ts';
import { failSyncs, whyNoStrace } from './sync-errors.ts';
import { Random } from '@bourse/test-kit/random.ts';

const KILLS = ofSize(4, 20);
const SYNC_ERRORS = ofSize(2, 6);
const FULL_DISKS = ofSize(1, 3);
const SEED = 1;
const MINUTES = 60_000;

function makeDirectory(context: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'bourse-faults-'));
  context.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

test(`promise 1: after ${KILLS} kill -9 under load, nothing acknowledged is lost or applied twice (seed ${SEED})`, {
  timeout: 10 * MINUTES,
}, async (context) => {
  const report = await killAgainAndAgain(makeDirectory(context), KILLS, SEED);
  context.diagnostic(JSON.stringify(report));
  const { acknowledged, lookedUp, unanswered, sentAgain, historyRows, killsWhileStarting } = report;
  for (const [name, count] of Object.entries({
    acknowledged,
    lookedUp,
    unanswered,
    sentAgain,
    historyRows,
  })) {
    assert.ok(count > KILLS, `${name}: ${count}`);
  }
  assert.ok(killsWhileStarting > 0);
  assert.deepEqual([report.lost, report.doubled, report.notFound], [0, 0, 0]);
  assert.deepEqual([report.historyRowsLost, report.historyRowsDoubled], [0, 0]);
  assert.ok(report.isHashSame, 'the state is what the whole log says');
});

test(`promise 3: ${SYNC_ERRORS} injected sync errors each stop the engine, and none is retried (seed ${SEED})`, {
  timeout: 10 * MINUTES,
  skip: whyNoStrace() || false,
}, async (context) => {
  const report = await failSyncs(makeDirectory(context), SYNC_ERRORS, SEED);
  context.diagnostic(JSON.stringify(report));
  assert.equal(report.stopped + report.whileStarting, SYNC_ERRORS);
  assert.equal(report.inLog + report.elsewhere, SYNC_ERRORS);
  assert.ok(report.inLog > 0 && report.acknowledged > 0);
  assert.deepEqual([report.retried, report.answeredAfterStop], [0, 0]);
  assert.deepEqual([report.lost, report.doubled], [0, 0]);
});

test(`promise 4: on ${FULL_DISKS} full disks, commands are rejected, reads are served, and work resumes (seed ${SEED})`, {
  timeout: 10 * MINUTES,
}, (context) => {
  const report = runFullDisk(makeDirectory(context), FULL_DISKS, SEED);
  if (typeof report === 'string') return context.skip(report);
  context.diagnostic(JSON.stringify(report));
  assert.equal(report.tried, FULL_DISKS);
  assert.ok(report.refused > 0 && report.readsWhileFull > 0 && report.answeredAfterwards > 0);
  assert.deepEqual([report.lost, report.doubled], [0, 0]);
});

test('a second process on the same directory is rejected, even while the first is paused, and the first then continues', {
  timeout: 5 * MINUTES,
  skip: process.platform === 'win32' && 'there is no SIGSTOP here',
}, async (context) => {
  const dir = makeDirectory(context);
  const first = new EngineProcess(dir);
  context.after(() => first.child.kill('SIGKILL'));
  await first.ready();
  const load = new Load(new Random(SEED));
  await load.openMarket(first);
  first.child.kill('SIGSTOP');
  const second = new EngineProcess(dir);
  await assert.rejects(second.ready(), /in use by another process\. Stop that one first/);
  await second.ended;
  assert.notEqual(second.child.exitCode, 0);
  first.child.kill('SIGCONT');
  await load.run(first, () => load.acknowledged.length >= 100);
  const asked = load.acknowledged.filter(({ order }) => order > 0);
  const replies = await Promise.all(asked.map(({ order }) => first.ask({ order })));
  assert.ok(replies.length > 50);
  assert.ok(replies.every(({ active, done, history }) => active ?? done ?? history));
  assert.equal(await first.close(), 0);
});
