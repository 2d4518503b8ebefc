import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeRecords } from '../../../core/test/golden-records.ts';
import { FileLog } from '../../../engine/src/log/file-log.ts';
import { nodeDisk } from '../../../engine/src/io/disk.ts';

const root = await mkdtemp(join(tmpdir(), 'bourse-log-command-'));
after(() => rm(root, { recursive: true }));

const RECORDS = 60;
const main = fileURLToPath(new URL('../../bin/bourse.mjs', import.meta.url));

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function bourse(...args: string[]): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], { timeout: 120_000 }, (error, out, err) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, out, err });
    });
  });
}

let count = 0;

/** A data directory with a log of several segments. */
async function makeData(): Promise<string> {
  count += 1;
  const dir = join(root, String(count));
  const log = await FileLog.open({ disk: nodeDisk, dir: join(dir, 'log'), segmentBytes: 3500 });
  for (const record of makeRecords().slice(0, RECORDS)) await log.append(record).durable;
  await log.close();
  return dir;
}

async function segmentsOf(dir: string): Promise<string[]> {
  const names = await readdir(join(dir, 'log'));
  return names.toSorted().map((name) => join(dir, 'log', name));
}

async function flip(path: string, at: number): Promise<void> {
  const bytes = await readFile(path);
  bytes[at] ^= 1;
  await writeFile(path, bytes);
}

describe('bourse log verify', () => {
  test('a clean log exits with 0 and prints its figures', async () => {
    const dir = await makeData();
    const { code, out } = await bourse('log', 'verify', dir);
    assert.equal(code, 0, out);
    assert.match(out, /state +clean/);
    assert.match(out, /records +60\n/);
    assert.match(out, /lastSeq +60\n/);
    assert.match(out, /lastHash +[0-9a-f]{64}\n/);
    const json = JSON.parse((await bourse('log', 'verify', dir, '--json')).out) as Record<string, unknown>;
    assert.deepEqual([json['firstSeq'], json['lastSeq'], json['damage']], [1, 60, []]);
    assert.equal(json['segments'], (await segmentsOf(dir)).length);
  });

  test('a torn tail exits with 0 and a note', async () => {
    const dir = await makeData();
    const last = (await segmentsOf(dir)).at(-1) as string;
    const { length } = await readFile(last);
    await truncate(last, length - 5);
    const { code, out } = await bourse('log', 'verify', dir);
    assert.equal(code, 0, out);
    assert.match(out, /note: .*record 60: a torn tail/);
  });

  test('damage exits with 4 and lists every place', async () => {
    const dir = await makeData();
    const segments = await segmentsOf(dir);
    assert.ok(segments.length >= 3);
    await flip(segments[0], 500);
    await flip(segments[1], 20);
    const { code, out, err } = await bourse('log', 'verify', dir);
    assert.equal(code, 4);
    assert.match(out, /damage: 0{19}1\.log, byte \d+, record \d+: /);
    assert.match(out, /damage: \d{20}\.log, byte 0: the header does not match its checksum/);
    assert.match(err, /is damaged/);
  });

  test('a missing segment gets exit code 4 and the range of missing records', async () => {
    const dir = await makeData();
    const segments = await segmentsOf(dir);
    await rm(segments[1]);
    const { code, out } = await bourse('log', 'verify', dir);
    assert.equal(code, 4);
    assert.match(out, /damage: Records \d+ to \d+ are missing/);
  });

  test('a missing log exits with 2 and a newer one with 4, each with the reason', async () => {
    const nothing = await bourse('log', 'verify', join(root, 'nothing'));
    assert.equal(nothing.code, 2);
    assert.match(nothing.err, /No log in/);
    assert.equal((await bourse('log', 'verify')).code, 2);
    const dir = await makeData();
    const log = await FileLog.open({ disk: nodeDisk, dir: join(dir, 'log') });
    await log.append({ seq: RECORDS + 1, time: log.lastTime, rules: 999, commands: [] }).durable;
    await log.close();
    const newer = await bourse('log', 'verify', dir);
    assert.equal(newer.code, 4);
    assert.match(newer.err, /Record 61 follows rules 999.*A newer version of Bourse wrote this log/);
  });
});

describe('bourse log dump', () => {
  const lines = (out: string) =>
    out
      .trim()
      .split('\n')
      .filter((line) => line !== '')
      .map(
        (line) =>
          JSON.parse(line) as {
            seq: number;
            command: Record<string, unknown>;
            outcome: Record<string, unknown>;
          },
      );

  test('prints one JSON object per line, filtered, without secrets', async () => {
    const dir = await makeData();
    const whole = await bourse('log', 'dump', dir);
    assert.equal(whole.code, 0, whole.err);
    const all = lines(whole.out);
    assert.equal(all.at(-1)?.seq, RECORDS);
    const keys = all.filter(({ command }) => command?.['kind'] === 'add-key');
    assert.ok(keys.length > 0);
    for (const { command } of keys) assert.equal(command['secret'], '(not shown)');
    assert.ok(
      all.some(({ command }) => command?.['amount'] !== undefined && typeof command['amount'] === 'string'),
    );

    const some = lines((await bourse('log', 'dump', dir, '--from', '10', '--to', '12')).out);
    assert.deepEqual(
      [...new Set(some.map(({ seq }) => seq))].filter((seq) => seq < 10 || seq > 12),
      [],
    );
    assert.ok(some.length > 0);

    const byName = await bourse('log', 'dump', dir, '--user', 'u1');
    assert.equal(byName.out, (await bourse('log', 'dump', dir, '--user', '1')).out);
    assert.ok(lines(byName.out).length > 3);

    const byCode = lines((await bourse('log', 'dump', dir, '--symbol', 'ETH-USD')).out);
    assert.ok(byCode.length > 0);
    for (const { command } of byCode) assert.match(JSON.stringify(command), /"symbols?":(\[[^\]]*)?1/);

    const made = all.find(({ outcome }) => outcome?.['kind'] === 'order')?.outcome['order'] as number;
    const ofOrder = lines((await bourse('log', 'dump', dir, '--order', String(made))).out);
    assert.ok(ofOrder.length > 0 && ofOrder.length < all.length);
    assert.equal(ofOrder[0].outcome['order'], made);
  });

  test('damage exits with 4, a missing log and an invalid number with 2', async () => {
    const dir = await makeData();
    await flip((await segmentsOf(dir))[0], 500);
    const damaged = await bourse('log', 'dump', dir);
    assert.equal(damaged.code, 4);
    assert.match(damaged.err, /byte \d+, record \d+/);
    assert.equal((await bourse('log', 'dump', join(root, 'nothing'))).code, 2);
    assert.equal((await bourse('log', 'dump', dir, '--from', 'x')).code, 2);
  });
});
