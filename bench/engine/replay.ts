/** Recovery: commands a second from the log's files, against the core alone on the same records in memory. */

import { Digest } from '../../packages/server/src/engine/digest.ts';
import { LogReader } from '../../packages/server/src/engine/log-reader.ts';
import { recover } from '../../packages/server/src/engine/recovery.ts';
import { Snapshots } from '../../packages/server/src/engine/snapshots.ts';
import { nodeClock } from '../../packages/server/src/io/node-clock.ts';
import { nodeDisk } from '../../packages/server/src/io/node-disk.ts';
import { collectGarbage } from '../core/memory.ts';
import { prepareDirectory, recordsOf, scene } from './scene.ts';

export interface Replay {
  readonly commands: number;
  /** Commands a second. */
  readonly replay: number;
  readonly core: number;
  readonly ratio: number;
}

export async function measureReplay(dir: string, turns: number): Promise<Replay> {
  const { exchange, commands } = scene();
  const records = recordsOf(exchange, commands);
  await prepareDirectory(dir, exchange, records);
  const found: Replay[] = [];
  for (let turn = -1; turn < turns; turn++) {
    const alone = scene().exchange;
    collectGarbage();
    let start = performance.now();
    for (const record of records) alone.apply(record);
    const core = (1000 * commands.length) / (performance.now() - start);

    const lastSeq = exchange.seq + records.length;
    const log = Object.assign(new LogReader(nodeDisk, `${dir}/log`), { lastSeq });
    const snapshots = new Snapshots(nodeDisk, `${dir}/snapshots`);
    collectGarbage();
    const { seq } = await snapshots.restore();
    const restoring = await timed(() => snapshots.restore());
    start = performance.now();
    const recovered = await recover({
      snapshots,
      log,
      clock: nodeClock,
      checkpoint: seq,
      digest: new Digest(),
    });
    // The snapshot is measured by itself, at its full size.
    const replay = (1000 * commands.length) / (performance.now() - start - restoring);
    await log.close();
    if (recovered.exchange.hash() !== alone.hash()) throw new Error('the log did not bring back the state');
    if (turn >= 0) found.push({ commands: commands.length, replay, core, ratio: replay / core });
  }
  return found.toSorted((a, b) => a.ratio - b.ratio)[found.length >> 1];
}

async function timed(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}
