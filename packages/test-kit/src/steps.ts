/**
 * Work counted instead of timed: the same on any machine, however busy it is. V8 counts the blocks of a function only if
 * it is compiled while coverage is on, so this module switches coverage on when it is loaded, and leaves it on.
 */

import { Session } from 'node:inspector';
import type { Profiler } from 'node:inspector';

const session = new Session();
session.connect();
// Calls of a session of the same thread complete before `post` returns.
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

/** How often blocks of code of the packages run during `action`; each iteration of a loop counts. */
export function stepsOf(action: () => unknown): number {
  takeSteps();
  action();
  return takeSteps();
}

/** The steps since the last call. */
function takeSteps(): number {
  let steps = 0;
  session.post('Profiler.takePreciseCoverage', (error, found) => {
    if (error) throw error;
    steps = countIn(found.result);
  });
  return steps;
}

function countIn(scripts: readonly Profiler.ScriptCoverage[]): number {
  let count = 0;
  for (const { url, functions } of scripts) {
    if (!url.includes('/packages/')) continue;
    for (const { ranges } of functions) for (const range of ranges) count += range.count;
  }
  return count;
}
