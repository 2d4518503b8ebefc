/** The follower's thread begins here. */

import { parentPort, workerData } from 'node:worker_threads';
import { type FollowerLimits, openFollower } from '../engine/follower.ts';
import { serveFollower } from '../engine/follower-thread.ts';
import { LogReader } from '../log/log-reader.ts';
import { Snapshots } from '../engine/snapshots.ts';
import { SqliteHistoryWriter } from '../history/sqlite/sqlite-history-writer.ts';
import { nodeDisk } from '../io/node-disk.ts';
import { makeRests, yieldToOthers } from '../io/thread-priority.ts';

export interface FollowerTask {
  readonly dir: string;
  readonly historyPath: string;
  readonly limits: Partial<FollowerLimits>;
}

/**
 * Orders wait for the live thread, and lists of history for this one. With two processors, both busy, Linux's weights
 * leave it 0.4 of one, about what it needs to keep up; at 10 it would have 0.1, and lists would wait ever longer.
 */
const NICE = 3;

if (parentPort) {
  yieldToOthers(NICE);
  const { dir, historyPath, limits } = workerData as FollowerTask;
  const rest = makeRests();
  await serveFollower(parentPort, () =>
    openFollower({
      log: new LogReader(nodeDisk, `${dir}/log`),
      history: new SqliteHistoryWriter(historyPath, { rest }),
      snapshots: new Snapshots(nodeDisk, `${dir}/snapshots`),
      limits,
      rest,
    }),
  );
}
