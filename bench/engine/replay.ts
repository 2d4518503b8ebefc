/** Recovery: commands per second from log files, compared with the core alone on the same records in memory. */

import { Digest } from '../../packages/engine/src/digest.ts';
import { LogReader } from '../../packages/engine/src/log/log-reader.ts';
import { recover } from '../../packages/engine/src/recovery.ts';
import { Snapshots } from '../../packages/engine/src/snapshots.ts';
import { nodeClock } from '../../packages/engine/src/io/clock.ts';
import { nodeDisk } from '../../packages/engine/src/io/disk.ts';
import { collectGarbage } from '../core/memory.ts';
import { prepareDirectory, recordsOf, scene } from './scene.ts';

/** Warm-up rounds, until V8 has optimised the code. */
const WARM_UPS = 2;

export interface Replay {
  readonly commands: number;
  /**
   * Commands per second if history is at the end of the log, the normal case a quarter of a second after a command.
   */
  readonly replay: number;
  /** If history is at the beginning of the log, so every done order is kept in memory for it. */
  readonly replayWithoutHistory: number;
  readonly core: number;
  readonly ratio: number;
}

export async function measureReplay(dir: string, turns: number): Promise<Replay> {
  const { exchange, commands } = scene();
  const records = recordsOf(exchange, commands);
  await prepareDirectory(dir, exchange, records);
  const found: Replay[] = [];
  // Keep one reader alive: when the last one is collected, V8 discards its optimised code, and every round would
  // start with slow code.
  const kept = new LogReader(nodeDisk, `${dir}/log`);
  for await (const { seq } of kept.read(exchange.seq + 1, exchange.seq + 1)) void seq;
  for (let turn = -WARM_UPS; turn < turns; turn++) {
    const alone = scene().exchange;
    collectGarbage();
    const start = performance.now();
    for (const record of records) alone.apply(record);
    const core = (1000 * commands.length) / (performance.now() - start);

    const lastSeq = exchange.seq + records.length;
    const replay = await measureRecovery(dir, commands.length, lastSeq, lastSeq, alone.hash());
    const without = await measureRecovery(dir, commands.length, lastSeq, exchange.seq, alone.hash());
    if (turn < 0) continue;
    found.push({
      commands: commands.length,
      replay,
      replayWithoutHistory: without,
      core,
      ratio: replay / core,
    });
  }
  await kept.close();
  return found.toSorted((a, b) => a.ratio - b.ratio)[found.length >> 1];
}

/** Commands per second; `checkpoint` is the position of history. */
async function measureRecovery(
  dir: string,
  commands: number,
  lastSeq: number,
  checkpoint: number,
  hash: string,
): Promise<number> {
  const log = Object.assign(new LogReader(nodeDisk, `${dir}/log`), { lastSeq });
  const snapshots = new Snapshots(nodeDisk, `${dir}/snapshots`);
  collectGarbage();
  await snapshots.restore();
  // The snapshot is measured separately, at its full size.
  const restoring = await timed(() => snapshots.restore());
  const start = performance.now();
  const { exchange } = await recover({ snapshots, log, clock: nodeClock, checkpoint, digest: new Digest() });
  const speed = (1000 * commands) / (performance.now() - start - restoring);
  await log.close();
  if (exchange.hash() !== hash) throw new Error('the log did not bring back the state');
  return speed;
}

async function timed(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}
