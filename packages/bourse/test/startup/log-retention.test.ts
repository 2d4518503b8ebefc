/** With logCopy a venue removes segments of its log: those alone that a snapshot covers and that were copied. */

import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { openMarket, orderFlow } from '@bourse/test-kit/market.ts';
import { submit } from '@bourse/test-kit/submit.ts';
import { nodeDisk } from '../../../engine/src/io/disk.ts';
import { snapshotsIn } from '../../../engine/src/file-storage.ts';
import { LogRetention, copyLog, findCut } from '../../../engine/src/log/log-copy.ts';
import { snapshotPath } from '../../../engine/src/snapshots.ts';
import { copyLogOf } from '../../src/tools/stopped-directory.ts';
import { verifyLog } from '../../src/tools/log-verify.ts';
import type { RunningExchange } from '../../src/startup/running-exchange.ts';
import { open } from './exchange.ts';
import { run } from './process.ts';

const env = { BOURSE_SECRET_KEY: 'ab'.repeat(32) };

/** A venue whose log grows on demand, and its warnings. */
class Venue {
  readonly data: string;
  readonly copy: string;
  readonly lines: string[] = [];
  #running: RunningExchange | undefined;
  #seed = 1;

  constructor(data: string, copy: string) {
    this.data = data;
    this.copy = copy;
  }

  async start(): Promise<void> {
    const flags = { logCopy: this.copy, logSegmentBytes: '65536', snapshotRecords: '2' };
    this.#running = await open({
      data: this.data,
      flags: { venue: true, ...flags },
      env,
      logLines: (line) => void this.lines.push((JSON.parse(line) as { msg: string }).msg),
    });
    if (this.#running.engine.start.seq > 0) return;
    for (const command of openMarket()) await submit(this.#running.engine, command);
  }

  async stop(): Promise<void> {
    await this.#running?.close();
    this.#running = undefined;
  }

  /** A few records, of which a snapshot is due. */
  async step(): Promise<void> {
    const { engine } = this.#running!;
    await Promise.all([...orderFlow(this.#seed++, 100)].map((command) => submit(engine, command)));
    await engine.historyCaughtUp();
  }

  /** Steps until it is so, however long a slow machine takes. */
  async until(what: string, isSo: () => boolean): Promise<void> {
    for (let steps = 0; !isSo(); steps++) {
      assert.ok(steps < 500, `never: ${what}; it said: ${this.lines.join(' | ')}`);
      await this.step();
    }
  }

  /** None is removed meanwhile, because none has been copied. */
  async untilSegments(count: number): Promise<void> {
    await this.until(`${count} segments`, () => {
      const segments = this.segments();
      assert.equal(segments[0], FIRST);
      return segments.length >= count;
    });
  }

  segments(): string[] {
    return readdirSync(join(this.data, 'log')).filter((name) => name.endsWith('.log'));
  }
}

async function venueOf(context: TestContext): Promise<Venue> {
  const dir = makeDirectory(context);
  const venue = new Venue(join(dir, 'data'), join(dir, 'copy'));
  context.after(() => venue.stop());
  await venue.start();
  return venue;
}

const FIRST = '00000000000000000001.log';

/** Faults of a copy: the venue's warning, and how to cause it. */
const faults: readonly [warning: RegExp, spoil: (venue: Venue, log: string) => Promise<void>][] = [
  [/0001\.log is missing\./, async () => undefined],
  [
    /0001\.log is damaged: byte \d+, record \d+ does not match its hash\./,
    async ({ data }, log) => copyFirst(data, log, (bytes) => (bytes[40_000]! ^= 1)),
  ],
  [
    /0001\.log, byte 0: the header does not match its checksum\./,
    async ({ data }, log) => copyFirst(data, log, (bytes) => (bytes[20]! ^= 1)),
  ],
  [
    /0001\.log continues after record \d+, the last of the segment: it was copied while it was written\./,
    async ({ data }, log) => copyFirst(data, log, () => undefined, 100),
  ],
  [
    /0001\.log is older: it ends before record 4\./,
    async ({ data }, log) => copyLog(join(data, 'log'), log, await findCut(nodeDisk, join(data, 'log'), 3)),
  ],
  [
    /0001\.log belongs to another log: its record \d+ is a different one\./,
    async (_venue, log) => copyFirst(await makeOther(log), log, () => undefined),
  ],
  [
    /0001\.log is the segment itself, not a copy of it\./,
    async ({ data }, log) => symlinkSync(join(data, 'log'), log),
  ],
];

/** The running venue checks these; both use the same function. */
const LIVE = /missing|damaged|older|another/;

/** The log of another venue, which did the same until then. */
async function makeOther(log: string): Promise<string> {
  const other = new Venue(`${log}-other`, `${log}-other-copy`);
  await other.start();
  await other.untilSegments(2);
  await other.stop();
  return other.data;
}

/** In one write: at no time is there a copy without its fault. */
function copyFirst(data: string, log: string, change: (bytes: Buffer) => void, zeros = 0): void {
  const bytes = Buffer.concat([readFileSync(join(data, 'log', FIRST)), Buffer.alloc(zeros)]);
  change(bytes);
  mkdirSync(log, { recursive: true });
  writeFileSync(join(log, FIRST), bytes);
}

test('a segment is removed once it is copied completely, and never while the copy has a fault', async (t) => {
  const venue = await venueOf(t);
  const log = join(venue.copy, 'log');
  await venue.untilSegments(3);
  for (const [warning, spoil] of faults) {
    rmSync(log, { recursive: true, force: true });
    await spoil(venue, log);
    if (LIVE.test(warning.source)) {
      const says = new RegExp(`${warning.source} No segment of the log is removed`);
      await venue.until(String(says), () => venue.lines.some((line) => says.test(line)));
      assert.equal(venue.segments()[0], FIRST);
    }
    if (!existsSync(log)) continue;
    await assert.rejects(copyLogOf(venue.data, venue.copy), (error: Error) => {
      assert.match(error.message, warning);
      assert.match(error.message, /Nothing was written over; move it away and copy again\.$/);
      return true;
    });
  }

  rmSync(log);
  const last = venue.segments().at(-1);
  const { code, out, err } = await run(['log', 'copy', venue.data, venue.copy, '--json']);
  assert.equal(code, 0, err);
  const { copied, kept, throughSeq } = JSON.parse(out) as Record<string, number>;
  assert.ok(copied! >= 2 && kept === 0 && throughSeq! > 0, out);
  await venue.until('copied ones are removed', () => !venue.segments().includes(FIRST));
  await venue.until('another segment is complete', () => venue.segments().at(-1) !== last);
  const first = Number.parseInt(venue.segments()[0]!, 10);
  assert.ok(first <= throughSeq! + 1, `the log begins with ${first}, the copy ends with ${throughSeq}`);

  const again = await copyLogOf(venue.data, venue.copy);
  assert.ok(again.copied > 0 && again.throughSeq > throughSeq!, JSON.stringify(again));
  await venue.stop();
  await venue.start();
  await venue.step();
  await venue.stop();
  // Together, the segments of the copy and those of the log are the log from its first record on.
  for (const name of venue.segments()) cpSync(join(venue.data, 'log', name), join(log, name));
  const { firstSeq, damage } = await verifyLog(venue.copy);
  assert.deepEqual([firstSeq, damage], [1, []]);
});

test('nothing is removed below a snapshot that is damaged on the disk', async (t) => {
  const venue = await venueOf(t);
  await venue.untilSegments(3);
  await venue.stop();
  await copyLogOf(venue.data, venue.copy);
  const snapshots = snapshotsIn(nodeDisk, venue.data);
  const oldest = await snapshots.oldestKept();
  const logs = { dir: join(venue.data, 'log'), copy: join(venue.copy, 'log') };
  const path = snapshotPath(snapshots.dir, oldest);
  const whole = readFileSync(path);
  for (const [bytes, problem] of [
    [Buffer.from('rubbish'), `${path} is truncated, and the log is needed from its first record on.`],
    [
      Buffer.alloc(whole.length),
      `${path} is not a snapshot, and the log is needed from its first record on.`,
    ],
    [whole, null],
  ] as const) {
    writeFileSync(path, bytes);
    const retention = new LogRetention({ disk: nodeDisk, snapshots, ...logs });
    retention.look(oldest, 1);
    await retention.checked();
    assert.equal(retention.problem, problem);
    assert.equal(retention.removable > 0, problem === null);
  }
});
