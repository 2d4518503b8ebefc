/**
 * The entry point of the follower's thread. Every start loads its imports a second time here, so it needs only the engine and
 * the core.
 */

import { parentPort, workerData } from 'node:worker_threads';
import type { ClusterAddress } from '@bourse/cluster';
import { type FollowerLimits, makeRests, openFollower, serveFollower, yieldToOthers } from '@bourse/engine';
import { followerParts } from './data-directory.ts';

export interface FollowerTask {
  readonly dir: string;
  readonly limits: Partial<FollowerLimits>;
  /** The copy of the log that must exist before segments are removed; omitted if none are. */
  readonly logCopy?: string;
  /** Where the log is, when it is not in the directory. */
  readonly cluster?: { readonly address: ClusterAddress; readonly recordsKey: Uint8Array };
}

/**
 * Orders wait for the live thread, lists of history for this one. With two busy CPUs, Linux's weights leave it 0.4 of one,
 * about what it needs to keep up; at nice 10 it would have 0.1, and lists would wait ever longer.
 */
const NICE = 3;

if (parentPort) {
  yieldToOthers(NICE);
  const rest = makeRests();
  await serveFollower(parentPort, workerData, async (task) => {
    const { dir, limits, logCopy, cluster } = task as FollowerTask;
    const parts = followerParts(dir, limits, { rest, ...(logCopy && { logCopy }) });
    if (cluster === undefined) return openFollower(parts);
    // Loaded lazily: a single machine needs no servers.
    const { openStreamReader } = await import('./cluster-stream.ts');
    return openFollower({ ...parts, log: await openStreamReader(cluster.address, cluster.recordsKey) });
  });
}
