/** The follower's thread begins here. */

import { parentPort, workerData } from 'node:worker_threads';
import { type FollowerLimits, openFollower } from '../engine/follower.ts';
import { serveFollower } from '../engine/follower-thread.ts';
import { makeRests, yieldToOthers } from '../io/thread-priority.ts';
import { followerParts } from './data-directory.ts';

export interface FollowerTask {
  readonly dir: string;
  readonly limits: Partial<FollowerLimits>;
}

/**
 * Orders wait for the live thread, and lists of history for this one. With two processors, both busy, Linux's weights
 * leave it 0.4 of one, about what it needs to keep up; at 10 it would have 0.1, and lists would wait ever longer.
 */
const NICE = 3;

if (parentPort) {
  yieldToOthers(NICE);
  const rest = makeRests();
  await serveFollower(parentPort, workerData, (task) => {
    const { dir, limits } = task as FollowerTask;
    return openFollower(followerParts(dir, limits, { rest }));
  });
}
