/**
 * Promise 4 with a real process on a small RAM disk: commands are rejected, reads continue, and everything works
 * again when there is space. Runs in its own mount namespace, where it may mount: see `runFullDisk`.
 *
 * node sim/faults/full-disk.ts DIR COUNT SEED
 */

import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Random } from '@bourse/test-kit/random.ts';
import { auditDirectory, Load } from './load.ts';
import { EngineProcess } from './engine-process.ts';

export interface FullReport {
  readonly tried: number;
  readonly refused: number;
  readonly readsWhileFull: number;
  readonly answeredAfterwards: number;
  readonly acknowledged: number;
  readonly lost: number;
  readonly doubled: number;
}

const LOAD_MS_MAX = 60_000;
const START_MS_MAX = 60_000;
/** For one disk: fill it, empty it, and replay. */
const DISK_MS_MAX = 2 * LOAD_MS_MAX;
const REFUSED_MIN = 50;
const ANSWERED_MIN = 200;
const FILLER_BYTES = 8 << 20;
const DISK_BYTES_MIN = 9 << 20;

/** Tries the ways to get permission to mount; returns the reason if none works. */
export function runFullDisk(dir: string, count: number, seed: number): FullReport | string {
  const run = [process.execPath, fileURLToPath(import.meta.url), dir, String(count), String(seed)];
  for (const namespace of [
    ['unshare', '-rm'],
    ['unshare', '-m'],
    ['sudo', '-n', 'unshare', '-m'],
  ]) {
    const [file, ...args] = [...namespace, 'sh', '-c', `mount -t tmpfs tmpfs ${dir}`];
    if (spawnSync(file as string, args, { stdio: 'ignore' }).status !== 0) continue;
    const [first, ...rest] = [...namespace, ...run];
    const { status, stdout, stderr } = spawnSync(first as string, rest, {
      encoding: 'utf8',
      timeout: START_MS_MAX + count * DISK_MS_MAX,
    });
    if (status !== 0) throw new Error(`the run on a full disk ended with ${status}\n${stdout}\n${stderr}`);
    return JSON.parse(stdout) as FullReport;
  }
  return 'nothing here may mount a small disk: neither unshare nor sudo';
}

async function fill(
  disk: string,
  random: Random,
  report: { -readonly [Name in keyof FullReport]: number },
): Promise<void> {
  const dir = `${disk}/data`;
  const load = new Load(random);
  writeFileSync(`${disk}/filler`, Buffer.alloc(FILLER_BYTES, 1));
  const engine = new EngineProcess(dir);
  await engine.ready();
  await load.openMarket(engine);
  const end = Date.now() + LOAD_MS_MAX;
  await load.run(engine, () => load.refused >= REFUSED_MIN || Date.now() > end);
  report.refused += load.refused;
  for (const { order } of load.acknowledged.filter((each) => each.order > 0).slice(-20)) {
    const { active, done, history } = await engine.ask({ order });
    if (active ?? done ?? history) report.readsWhileFull += 1;
  }
  rmSync(`${disk}/filler`);
  const before = load.acknowledged.length;
  await load.run(engine, () => load.acknowledged.length >= before + ANSWERED_MIN || Date.now() > end);
  report.answeredAfterwards += load.acknowledged.length - before;
  if (engine.stopped !== '') throw new Error(`the engine stopped: ${engine.stopped}`);
  if (random.chance(0.5)) await engine.kill();
  else await engine.close();
  const last = new EngineProcess(dir);
  await last.ready();
  await last.ask({ caughtUp: true });
  await last.close();
  const audit = await auditDirectory(dir, load.acknowledged);
  report.tried += 1;
  report.acknowledged += audit.acknowledged;
  report.lost += audit.lost + audit.historyRowsLost;
  report.doubled += audit.doubled + audit.historyRowsDoubled;
}

if (import.meta.main) {
  const [dir = '', count, seed] = process.argv.slice(2);
  const random = new Random(Number(seed));
  const report = {
    tried: 0,
    refused: 0,
    readsWhileFull: 0,
    answeredAfterwards: 0,
    acknowledged: 0,
    lost: 0,
    doubled: 0,
  };
  for (let at = 0; at < Number(count); at++) {
    const disk = `${dir}/${at}`;
    mkdirSync(disk, { recursive: true });
    const size = DISK_BYTES_MIN + random.below(1 << 20);
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk], {
      stdio: 'inherit',
    });
    if (status !== 0) throw new Error('the small disk cannot be mounted');
    try {
      await fill(disk, random, report);
    } finally {
      spawnSync('umount', [disk]);
    }
  }
  console.log(JSON.stringify(report));
}
