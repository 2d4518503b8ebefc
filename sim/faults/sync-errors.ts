/**
 * Promise 3 with a real process: the k-th fdatasync fails, injected by strace. The engine reports that and stops,
 * rejects all further commands, and never syncs that file again; the next start has everything that was acknowledged.
 */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Random } from '@bourse/test-kit/random.ts';
import { auditDirectory, Load } from './load.ts';
import { EngineProcess } from './engine-process.ts';

const SYNC_MAX = 40;
const LOAD_MS_MAX = 20_000;

export interface SyncReport {
  readonly tried: number;
  /** The affected file: a segment of the log, or another file. */
  readonly inLog: number;
  readonly elsewhere: number;
  readonly whileStarting: number;
  /** Whether the engine reported why it stopped. */
  readonly stopped: number;
  /** Syncs of the same file after the failed one, in the same process. */
  readonly retried: number;
  /** Commands acknowledged after the engine reported that it had stopped. */
  readonly answeredAfterStop: number;
  readonly acknowledged: number;
  readonly lost: number;
  readonly doubled: number;
}

/** Why it cannot run here; '' if it can. */
export function whyNoStrace(): string {
  const args = ['-f', '-e', 'trace=fdatasync', '-e', 'inject=fdatasync:error=EIO:when=1', 'true'];
  const { error, status } = spawnSync('strace', args, { stdio: 'ignore' });
  if (error) return 'strace is not installed';
  return status === 0 ? '' : 'strace may not trace processes here';
}

export async function failSyncs(dir: string, count: number, seed: number): Promise<SyncReport> {
  const random = new Random(seed);
  const report = {
    tried: 0,
    inLog: 0,
    elsewhere: 0,
    whileStarting: 0,
    stopped: 0,
    retried: 0,
    answeredAfterStop: 0,
    acknowledged: 0,
    lost: 0,
    doubled: 0,
  };
  for (let at = 0; at < count; at++) {
    const here = `${dir}/${at}`;
    const load = new Load(random);
    const first = new EngineProcess(here);
    await first.ready();
    await load.openMarket(first);
    await first.close();
    const trace = `${here}/trace`;
    const k = random.range(1, SYNC_MAX);
    const engine = new EngineProcess(here, {
      under: [
        'strace',
        '-f',
        '-qq',
        '-y',
        '-o',
        trace,
        '-e',
        'trace=fdatasync',
        '-e',
        `inject=fdatasync:error=EIO:when=${k}`,
      ],
      // strace counts per thread, so use a single thread.
      env: { UV_THREADPOOL_SIZE: '1' },
    });
    report.tried += 1;
    const isUp = await engine.ready().then(
      () => true,
      () => false,
    );
    if (isUp) {
      const end = Date.now() + LOAD_MS_MAX;
      await load.run(engine, () => engine.stopped !== '' || Date.now() > end);
      const before = load.acknowledged.length;
      await load.run(engine, () => load.acknowledged.length > before);
      report.answeredAfterStop += load.acknowledged.length - before;
      if (engine.stopped !== '') report.stopped += 1;
    } else report.whileStarting += 1;
    await engine.close();
    const { path, again } = lookAt(readFileSync(trace, 'utf8'));
    if (path.endsWith('.log') || path.endsWith('.log.tmp')) report.inLog += 1;
    else report.elsewhere += 1;
    report.retried += again;
    const last = new EngineProcess(here);
    await last.ready();
    await last.ask({ caughtUp: true });
    await last.close();
    const audit = await auditDirectory(here, load.acknowledged);
    report.acknowledged += audit.acknowledged;
    report.lost += audit.lost + audit.historyRowsLost;
    report.doubled += audit.doubled + audit.historyRowsDoubled;
  }
  return report;
}

/** The file of the first failed sync, and how often it was synced again. */
function lookAt(trace: string): { path: string; again: number } {
  const lines = trace.split('\n');
  const at = lines.findIndex((line) => line.includes('EIO'));
  if (at < 0) throw new Error(`no sync failed:\n${trace}`);
  // A call that was interrupted by another thread's call has its path in the line where it began.
  const [thread] = (lines[at] as string).split(' ');
  const begun = lines
    .slice(0, at + 1)
    .findLast((line) => line.startsWith(`${thread} `) && line.includes('fdatasync('));
  const path = /fdatasync\(\d+<([^>]*)>/.exec(begun ?? '')?.[1] ?? '';
  if (path === '') throw new Error(`no path of the sync that failed:\n${lines[at]}`);
  return { path, again: lines.slice(at + 1).filter((line) => line.includes(`<${path}>`)).length };
}
