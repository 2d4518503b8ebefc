/**
 * Durable commands per second and CPU time with 512 callers inside the leader, so HTTP costs nothing. Alternates
 * between a node of a three-node cluster with three log servers and a single exchange whose syncs take 2 ms.
 */

import { join } from 'node:path';
import { TestCluster } from '@bourse/test-kit/cluster/test-cluster.ts';
import { startExchangeProcess } from './exchange-process.ts';
import { median, processorUs, show, whole } from './figures.ts';

/** The sync time of an ordinary disk; one with a write cache may be faster. */
export const ORDINARY_SYNC_MS = 2;
const AIM = 0.5;
const LEADER = 'n9';

export interface CommandFigures {
  readonly ratio: number;
  readonly cluster: readonly number[];
  readonly single: readonly number[];
  readonly leaderUs: number;
  readonly singleUs: number;
  readonly serversUs: number;
}

export async function measureCommands(dir: string, turns: number, count: number): Promise<CommandFigures> {
  const alone = { data: join(dir, 'single'), market: 'quiet' };
  const single = await startExchangeProcess({ flags: alone, syncMs: ORDINARY_SYNC_MS });
  const others = await TestCluster.start({ nodes: 2 });
  const { logServers } = others.file;
  const flags = {
    cluster: logServers.map(({ url }) => url).join(','),
    node: LEADER,
    data: join(dir, LEADER),
  };
  const leader = await startExchangeProcess({ flags, syncMs: 0 });
  try {
    await others.lead(LEADER);
    const serversTime = (): number => logServers.reduce((sum, { pid }) => sum + processorUs(pid), 0);
    const figures: Record<'ours' | 'theirs' | 'leaderUs' | 'singleUs' | 'serversUs', number[]> = {
      ours: [],
      theirs: [],
      leaderUs: [],
      singleUs: [],
      serversUs: [],
    };
    // The first turn warms up.
    for (let turn = -1; turn < turns; turn++) {
      const theirs = await single.submit('pairs', count);
      const before = serversTime();
      const ours = await leader.submit('pairs', count);
      if (turn < 0) continue;
      figures.serversUs.push((serversTime() - before) / count);
      figures.ours.push(ours.perSecond);
      figures.theirs.push(theirs.perSecond);
      figures.leaderUs.push(ours.processorUs);
      figures.singleUs.push(theirs.processorUs);
    }
    const { ours, theirs } = figures;
    const ratio = median(ours.map((each, turn) => each / theirs[turn]));
    const [leaderUs, singleUs, serversUs] = [figures.leaderUs, figures.singleUs, figures.serversUs].map(
      median,
    );
    show(
      `durable commands/s, 512 callers, syncs of ${ORDINARY_SYNC_MS} ms`,
      `one machine ${whole(median(theirs))}, three nodes ${whole(median(ours))}: ${ratio.toFixed(2)} (aim ${AIM})`,
    );
    show(
      'processor time per command',
      `one machine ${singleUs.toFixed(1)} us, leader ${leaderUs.toFixed(1)} us, log servers ${serversUs.toFixed(1)} us`,
    );
    return { ratio, cluster: ours, single: theirs, leaderUs, singleUs, serversUs };
  } finally {
    await leader.stop();
    await others.close();
    await single.stop();
  }
}
