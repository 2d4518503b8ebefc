/** The error messages of `bourse start` for damaged directories: where, and what to do (promise 2). */

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { run, serve } from '../startup/process.ts';
import { openDirectoryEngine } from '@bourse/test-kit/test-engine.ts';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { openMarket, orderFlow } from '@bourse/test-kit/market.ts';
import { submit } from '@bourse/test-kit/submit.ts';

const EXIT_DATA = 4;

/** Stopped, with a log of many segments and two snapshots. */
async function stopped(context: TestContext): Promise<string> {
  const dir = makeDirectory(context);
  const engine = await openDirectoryEngine(dir, { segmentBytes: 4096, keepSegments: true });
  for (const command of openMarket()) await submit(engine, command);
  for (const command of orderFlow(6, 200)) await submit(engine, command);
  await engine.snapshot();
  for (const command of orderFlow(7, 20)) await submit(engine, command);
  await engine.close();
  return dir;
}

/** And no snapshot to begin from. */
async function traded(context: TestContext): Promise<string> {
  const dir = await stopped(context);
  rmSync(join(dir, 'snapshots'), { recursive: true });
  return dir;
}

/** With snapshots, and without the segments that they make needless. */
async function shortened(context: TestContext): Promise<string> {
  const dir = await stopped(context);
  for (const segment of segmentsOf(dir).slice(0, 2)) rmSync(segment);
  return dir;
}

function segmentsOf(dir: string): string[] {
  return readdirSync(join(dir, 'log')).map((name) => join(dir, 'log', name));
}

function change(path: string, edit: (bytes: Buffer) => void): void {
  const bytes = readFileSync(path);
  edit(bytes);
  writeFileSync(path, bytes);
}

/** Its error message when it does not start. */
async function refusal(context: TestContext, dir: string): Promise<string> {
  const { code, err } = await run(['start', '--port', '0', '--data', dir]);
  context.diagnostic(`exit ${code}: ${err.trim()}`);
  assert.equal(code, EXIT_DATA, err);
  return err;
}

describe('bourse start prints the addresses and the next steps', { timeout: 300_000 }, () => {
  test('with a torn tail it starts, and reports what it cut', async (context) => {
    const dir = join(makeDirectory(context), 'data');
    await (await serve(context, ['--data', dir])).stop('SIGTERM');
    appendFileSync(segmentsOf(dir).at(-1) as string, Buffer.from([90, 0, 0, 0, 1, 0, 7]));
    const { code, err } = await (await serve(context, ['--data', dir])).stop('SIGTERM');
    context.diagnostic(err.trim());
    assert.equal(code, 0);
    assert.match(err, /data\/log: the record after \d+ was being written .*its 7 bytes were cut off/);
    assert.match(err, /nothing is missing, and no action is needed/);
  });

  test('a flipped bit in the middle', async (context) => {
    const dir = await traded(context);
    change(segmentsOf(dir)[3] as string, (bytes) => (bytes[1000] ^= 1));
    const said = await refusal(context, dir);
    assert.match(
      said,
      /log\/\d{20}\.log, byte \d+, record \d+: .*Nothing was changed\. Run `bourse log verify`/,
    );
    assert.match(said, /restore the files from a copy/);
  });

  test('a missing segment', async (context) => {
    const dir = await traded(context);
    rmSync(segmentsOf(dir)[3] as string);
    const said = await refusal(context, dir);
    assert.match(
      said,
      /byte \d+, record \d+: the segment \d{20}\.log is missing\. .*restore the files from a copy/,
    );
  });

  test('a segment of another log in its place', async (context) => {
    const [dir, other] = [await traded(context), await traded(context)];
    // The same commands at other times: the same sizes and sequences, but not the same chain.
    const name = (segmentsOf(dir)[3] as string).slice(dir.length);
    writeFileSync(join(dir, name), readFileSync(join(other, name)));
    const said = await refusal(context, dir);
    assert.match(
      said,
      /byte 0, record \d+: it does not continue \d{20}\.log\. .*restore the files from a copy/,
    );
  });

  test('snapshots that are damaged, when the log is not kept from its beginning', async (context) => {
    const dir = await shortened(context);
    const snapshots = readdirSync(join(dir, 'snapshots')).map((name) => join(dir, 'snapshots', name));
    assert.equal(snapshots.length, 2);
    for (const path of snapshots) change(path, (bytes) => (bytes[bytes.length >> 1] ^= 1));
    const said = await refusal(context, dir);
    for (const path of snapshots) assert.ok(said.includes(`${path} is damaged; `), path);
    assert.match(
      said,
      /Record 1 is not in the log any more: the oldest is \d+\. A start needs it, because there is no intact snapshot in .*snapshots\. Restore the snapshots/,
    );
  });

  test('snapshots that are gone, when the log is not kept from its beginning', async (context) => {
    const dir = await shortened(context);
    rmSync(join(dir, 'snapshots'), { recursive: true });
    const said = await refusal(context, dir);
    assert.match(said, /there is no intact snapshot in .*snapshots\. Restore the snapshots/);
  });

  test('history that is gone, when the log is not kept from its beginning', async (context) => {
    const dir = await shortened(context);
    for (const name of readdirSync(dir)) if (name.startsWith('history.db')) rmSync(join(dir, name));
    const said = await refusal(context, dir);
    assert.match(
      said,
      /^Record 1 is not in the log any more: the oldest is \d+\. History needs it, because it is empty, .*\. Restore the history database/,
    );
  });

  test('a lock that cannot be opened', async (context) => {
    const dir = makeDirectory(context);
    mkdirSync(join(dir, 'lock.db'));
    const said = await refusal(context, dir);
    assert.match(said, /^The lock file .*lock\.db cannot be used .*that this user may read and write it/);
  });

  test('a newer format', async (context) => {
    const dir = await traded(context);
    change(segmentsOf(dir).at(-1) as string, (bytes) => {
      bytes.writeUInt16LE(2, 10);
      bytes.fill(0, 28, 32);
      hash('sha256', bytes.subarray(0, 64), 'buffer').copy(bytes, 28, 0, 4);
    });
    const said = await refusal(context, dir);
    assert.match(
      said,
      /\/log\/\d{20}\.log has format 2; this version reads up to 1\. A newer version of Bourse wrote this log; start that/,
    );
  });

  test('a directory in use', async (context) => {
    const dir = join(makeDirectory(context), 'data');
    const first = await serve(context, ['--data', dir]);
    const said = await refusal(context, dir);
    assert.match(
      said,
      /data directory .*data is in use by another process\. Stop that one first, or give this one/,
    );
    assert.equal((await first.stop('SIGTERM')).code, 0);
  });
});
