/** Backups of running, killed and stopped exchanges, and restores from them. */

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { test, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { lockDirectory, lockForReading } from '@bourse/engine';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { limitsEnv } from '@bourse/test-kit/limits.ts';
import { openMarket, orderFlow } from '@bourse/test-kit/market.ts';
import { Random } from '@bourse/test-kit/random.ts';
import { ofSize } from '@bourse/test-kit/run-size.ts';
import { submit } from '@bourse/test-kit/submit.ts';
import { backUp, restoreBackup, verifyBackup } from '../../src/tools/backup.ts';
import { copyLogOf, forkDirectory, takeSnapshot } from '../../src/tools/stopped-directory.ts';
import type { RunningExchange } from '../../src/startup/running-exchange.ts';
import { open } from '../startup/exchange.ts';
import { run, serve } from '../startup/process.ts';

const BIN = fileURLToPath(new URL('../../bin/bourse.mjs', import.meta.url));
const SILENT = { onProgress: () => undefined, onWarning: () => undefined };
const env = { BOURSE_SECRET_KEY: 'ab'.repeat(32) };

/** A venue with small segments and some orders. */
class Venue {
  readonly data: string;
  #running: RunningExchange | undefined;
  #seed = 1;

  constructor(data: string) {
    this.data = data;
  }

  static async with(context: TestContext, steps: number): Promise<Venue> {
    const venue = new Venue(`${makeDirectory(context)}/data`);
    context.after(() => venue.stop());
    await venue.start();
    for (let step = 0; step < steps; step++) await venue.step();
    return venue;
  }

  async start(): Promise<void> {
    const flags = { venue: true, logSegmentBytes: '8192', snapshotRecords: '20' };
    this.#running = await open({ data: this.data, flags, env, logLines: () => undefined });
    if (this.#running.engine.start.seq > 0) return;
    for (const command of openMarket()) await submit(this.#running.engine, command);
  }

  /** `series`: other orders than those of another one. */
  async step(series = 0): Promise<void> {
    const { engine } = this.#running!;
    await Promise.all([...orderFlow(series + this.#seed++, 100)].map((command) => submit(engine, command)));
    await engine.historyCaughtUp();
  }

  async stop(): Promise<void> {
    await this.#running?.close();
    this.#running = undefined;
  }
}

/** The state as of the last record: equal for equal states. */
const stateOf = async (dir: string): Promise<string> => (await takeSnapshot(dir, SILENT)).hash;

const segmentsOf = (dir: string): string[] =>
  readdirSync(`${dir}/log`).filter((name) => /^\d+\.log$/.test(name));

/** Whether every byte of the backup's log equals the byte at the same position of the exchange's. */
function assertBeginning(backup: string, data: string): void {
  for (const name of segmentsOf(backup)) {
    const [copy, own] = [readFileSync(`${backup}/log/${name}`), readFileSync(`${data}/log/${name}`)];
    assert.ok(own.subarray(0, copy.length).equals(copy), `${name} is not a beginning of the log's`);
  }
}

test('backups of a venue under load are complete, and copy only new data', async (t) => {
  const venue = await Venue.with(t, 10);
  const backup = `${makeDirectory(t)}/backup`;
  let before = { seq: 0, kept: 0 };
  for (let round = 0; round < 4; round++) {
    // Orders continue during the backup.
    const [made] = await Promise.all([backUp(venue.data, backup), venue.step(), venue.step()]);
    assert.ok(made.seq > before.seq);
    assert.ok(made.kept >= before.kept);
    assert.ok(round === 0 || made.copied < made.kept + made.copied, 'not everything is copied again');
    assert.deepEqual((await verifyBackup(backup)).damage, []);
    assertBeginning(backup, venue.data);
    before = made;
    for (let step = 0; step < 5; step++) await venue.step();
  }
  await venue.stop();
  const last = await backUp(venue.data, backup);
  assert.ok(last.kept >= 2 && last.snapshot > 0);

  const restored = `${makeDirectory(t)}/data`;
  const { seq, hash } = await restoreBackup(backup, restored);
  assert.deepEqual([seq, hash], [last.seq, last.hash]);
  assert.equal(await stateOf(restored), await stateOf(venue.data));
  // The restored venue can continue.
  const again = new Venue(restored);
  await again.start();
  await again.step();
  await again.stop();
});

test('a backup can be restored to any record and to any time', async (t) => {
  const venue = await Venue.with(t, 12);
  await venue.stop();
  const backup = `${makeDirectory(t)}/backup`;
  const { seq: last } = await backUp(venue.data, backup);
  const random = new Random(7);
  for (const at of [1, last, ...Array.from({ length: 4 }, () => 1 + random.below(last))]) {
    const dir = makeDirectory(t);
    const restored = await restoreBackup(backup, `${dir}/restored`, { seq: at });
    assert.equal(restored.seq, at);
    await forkDirectory(venue.data, at, `${dir}/forked`);
    assert.equal(await stateOf(`${dir}/restored`), await stateOf(`${dir}/forked`), `record ${at}`);
    const time = Date.parse(restored.time);
    const byTime = await restoreBackup(backup, `${dir}/by-time`, { time });
    assert.equal(byTime.time, restored.time);
    assert.ok(byTime.seq >= at);
  }
});

test('a log without its first records can be backed up only to where the earlier ones are', async (t) => {
  const venue = await Venue.with(t, 30);
  await venue.stop();
  const dir = makeDirectory(t);
  await copyLogOf(venue.data, `${dir}/copy`);
  const [first, second, third] = segmentsOf(venue.data);
  cpSync(venue.data, `${dir}/whole`, { recursive: true });
  for (const name of [first, second]) rmSync(`${venue.data}/log/${name}`);
  await assert.rejects(backUp(venue.data, `${dir}/new`), /needs it from the first record on.*logCopy/);
  const made = await backUp(venue.data, `${dir}/copy`);
  assert.ok(made.kept > 0);
  assert.deepEqual((await verifyBackup(`${dir}/copy`)).damage, []);
  await restoreBackup(`${dir}/copy`, `${dir}/restored/`);
  assert.equal(await stateOf(`${dir}/restored`), await stateOf(venue.data));
  assert.ok(third !== undefined);
});

test('files of an unfinished backup run do not count as part of the backup', async (t) => {
  const venue = await Venue.with(t, 8);
  const dir = makeDirectory(t);
  const backup = `${dir}/backup`;
  await backUp(venue.data, backup);
  const manifest = readFileSync(`${backup}/backup.json`);
  for (let step = 0; step < 20; step++) await venue.step();
  await venue.stop();
  await backUp(venue.data, backup);
  // As if that run had ended before its last write: its segments and its snapshot are there.
  writeFileSync(`${backup}/backup.json`, manifest);
  const { damage, notes } = await verifyBackup(backup);
  assert.deepEqual(damage, []);
  assert.match(notes.join('\n'), /of a run that did not finish\. The next backup removes it\.$/);
  // The exchange is lost, and continues from the backup with other records.
  const other = new Venue(`${dir}/other`);
  await restoreBackup(backup, other.data);
  t.after(() => other.stop());
  await other.start();
  for (let step = 0; step < 20; step++) await other.step(1000);
  await other.stop();
  await backUp(other.data, backup);
  const completed = await verifyBackup(backup);
  assert.deepEqual([completed.damage, completed.notes], [[], []]);
  assertBeginning(backup, other.data);
  await restoreBackup(backup, `${dir}/restored`);
  assert.equal(await stateOf(`${dir}/restored`), await stateOf(other.data));
});

test('after kills of the exchange and of the backup at any moment, the next backup is complete', async (t) => {
  const dir = makeDirectory(t);
  const [data, backup] = [`${dir}/data`, `${dir}/backup`];
  const limits = limitsEnv({ logSegmentBytes: 16_384, snapshotRecords: 50 });
  const args = ['--data', data, '--market', 'calm', '--clock', 'x20'];
  const random = new Random(11);
  for (let round = 0; round < ofSize(2, 5); round++) {
    const exchange = await serve(t, args, limits);
    for (let kill = 0; kill < 3; kill++) {
      const child = spawn(process.execPath, [BIN, 'backup', backup, '--data', data], { stdio: 'ignore' });
      const ended = once(child, 'exit');
      await Promise.race([ended, wait(100 + random.below(900))]);
      child.kill('SIGKILL');
      await ended;
    }
    const { seq } = await backUp(data, backup);
    await wait(200);
    await exchange.stop('SIGKILL');
    assert.deepEqual((await verifyBackup(backup)).damage, []);
    // Nothing in the backup is missing in the exchange that was killed.
    assertBeginning(backup, data);
    assert.ok((await backUp(data, backup)).seq >= seq);
  }
  await restoreBackup(backup, `${dir}/restored`);
  assert.equal(await stateOf(`${dir}/restored`), await stateOf(data));
});

test('on the command line', async (t) => {
  const venue = await Venue.with(t, 3);
  await venue.stop();
  const dir = makeDirectory(t);
  const backup = `${dir}/backup`;
  const made = await run(['backup', backup, '--data', venue.data, '--json']);
  assert.equal(made.code, 0, made.err);
  const { seq, time } = JSON.parse(made.out) as { seq: number; time: string };
  const verified = await run(['backup', 'verify', backup]);
  assert.equal(verified.code, 0, verified.err);
  const asJson = await run(['backup', 'verify', backup, '--json']);
  assert.deepEqual((JSON.parse(asJson.out) as { damage: string[] }).damage, []);
  const restored = await run(['restore', backup, '--to', `${dir}/restored`, '--at', time, '--json']);
  assert.equal(JSON.parse(restored.out).seq, seq, restored.err);

  const [name] = segmentsOf(backup);
  const bytes = readFileSync(`${backup}/log/${name}`);
  bytes[bytes.length >> 1] ^= 1;
  writeFileSync(`${backup}/log/${name}`, bytes);
  const damaged = await run(['backup', 'verify', backup]);
  assert.equal(damaged.code, 4);
  assert.match(damaged.out, new RegExp(`${name}, byte \\d+, record \\d+`));
  const refused = await run(['restore', backup, '--to', `${dir}/other`]);
  assert.equal(refused.code, 4);
  assert.deepEqual(readdirSync(`${dir}/other`), []);
});

test('the next backup removes the key of an erased person, even if nobody is left', async (t) => {
  const venue = await Venue.with(t, 3);
  await venue.stop();
  const backup = `${makeDirectory(t)}/backup`;
  const [own, copy] = [`${venue.data}/keyring`, `${backup}/keyring`];
  for (const rows of ['ada key-1\nbob key-2\n', 'bob key-2\n', '']) {
    writeFileSync(own, rows);
    await backUp(venue.data, backup);
    assert.equal(readFileSync(copy, 'utf8'), rows);
  }
});

test('until a backup is complete, the keys that the earlier one needs stay', async (t) => {
  const venue = await Venue.with(t, 3);
  await venue.stop();
  const backup = `${makeDirectory(t)}/backup`;
  const [own, copy] = [`${venue.data}/keyring`, `${backup}/keyring`];
  writeFileSync(own, 'ada key-1\nbob key-2\n');
  await backUp(venue.data, backup);
  writeFileSync(own, 'bob key-3\neve key-4\n');
  // The run fails after it has copied the keys: a directory has the place of a file.
  writeFileSync(`${venue.data}/secret-keys`, 'rotated');
  mkdirSync(`${backup}/secret-keys`);
  await assert.rejects(backUp(venue.data, backup), { code: 'EISDIR' });
  assert.equal(readFileSync(copy, 'utf8'), 'ada key-1\nbob key-2\nbob key-3\neve key-4\n');
  rmSync(`${backup}/secret-keys`, { recursive: true });
  await backUp(venue.data, backup);
  assert.equal(readFileSync(copy, 'utf8'), 'bob key-3\neve key-4\n');
});

test('a backup is not read while it is written, nor written while it is read', async (t) => {
  const venue = await Venue.with(t, 3);
  await venue.stop();
  const dir = makeDirectory(t);
  const backup = `${dir}/backup`;
  await backUp(venue.data, backup);
  const lock = lockDirectory(backup);
  const refused = { name: 'DirectoryInUse', message: /is being written by another process\. Wait until/ };
  await assert.rejects(verifyBackup(backup), refused);
  await assert.rejects(restoreBackup(backup, `${dir}/restored`), refused);
  assert.equal(existsSync(`${dir}/restored`), false);
  lock.release();
  const release = lockForReading(backup);
  await assert.rejects(backUp(venue.data, backup), { name: 'DirectoryInUse' });
  assert.deepEqual((await verifyBackup(backup)).damage, [], 'two may read');
  release();
  await backUp(venue.data, backup);
});

test('a directory that cannot hold the backup is rejected and left unchanged', async (t) => {
  const venue = await Venue.with(t, 3);
  const dir = makeDirectory(t);
  const backup = `${dir}/backup`;
  await backUp(venue.data, backup);
  cpSync(backup, `${dir}/early`, { recursive: true });
  await venue.step();
  const { seq } = await backUp(venue.data, backup);
  await venue.stop();

  const refuses = async (what: Promise<unknown>, expected: RegExp) => assert.rejects(what, expected);
  await refuses(
    backUp(venue.data, venue.data),
    /overlaps the data directory .*\. Name a directory on another disk/,
  );
  await refuses(backUp(venue.data, `${venue.data}/backup`), /overlaps the data directory/);
  mkdirSync(`${dir}/full`);
  writeFileSync(`${dir}/full/file`, 'mine');
  await refuses(backUp(venue.data, `${dir}/full`), /is not empty and not a backup/);
  assert.equal(readFileSync(`${dir}/full/file`, 'utf8'), 'mine');
  await refuses(backUp(`${dir}/nowhere`, backup), /is not a data directory of Bourse/);

  const other = await Venue.with(t, 4);
  await other.stop();
  await refuses(
    backUp(other.data, backup),
    /is a backup of a different log|does not: it is older, or a different log/,
  );
  await restoreBackup(`${dir}/early`, `${dir}/older`);
  await refuses(backUp(`${dir}/older`, backup), /does not: it is older, or a different log/);
  assert.deepEqual((await verifyBackup(backup)).damage, [], 'refusals changed nothing');

  await refuses(restoreBackup(backup, `${dir}/full`), /is not empty/);
  await refuses(restoreBackup(venue.data, `${dir}/new`), /is not a backup/);
  await refuses(restoreBackup(backup, `${dir}/new`, { seq: seq + 1 }), new RegExp(`reaches record ${seq},`));
  await refuses(restoreBackup(backup, `${dir}/new`, { time: 1 }), /has no record at or before 1970/);
  writeFileSync(`${dir}/early/backup.json`, '{');
  await refuses(backUp(venue.data, `${dir}/early`), /backup\.json is damaged/);
  await refuses(verifyBackup(`${dir}/early`), /backup\.json is damaged/);
  assert.equal(existsSync(`${dir}/new`), false);
});

test('on a full disk the backup fails with an error, and the previous backup stays complete', async (t) => {
  const venue = await Venue.with(t, 30);
  await venue.stop();
  const disk = makeDirectory(t);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk], { stdio: 'ignore' });
  } catch {
    t.skip('this user may not mount');
    return;
  }
  try {
    const { code, err } = await run(['backup', `${disk}/backup`, '--data', venue.data]);
    assert.equal(code, 4, err);
    assert.match(err, /no (space|room)|full/i);
    await assert.rejects(verifyBackup(`${disk}/backup`), /is incomplete|is not a backup/);
  } finally {
    execFileSync('umount', [disk]);
  }
});
