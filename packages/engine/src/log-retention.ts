/**
 * Decides which segments of the log may be removed: those that a start no longer needs, because a snapshot that was read back from
 * the disk covers them, and whose records are all in the copy. It runs concurrently with the follower's other work, because the
 * copy may be on a disk that is slow or does not respond.
 */

import type { Disk } from './io/disk.ts';
import { LogDamaged } from './log/command-log.ts';
import { type CompareOptions, faultOfCopy } from './log/log-copy.ts';
import { isMissing } from './log/log-reader.ts';
import { segmentsAmong } from './log/segment.ts';
import type { Snapshots } from './snapshots.ts';

export interface RetentionParts extends CompareOptions {
  readonly disk: Disk;
  readonly snapshots: Snapshots;
}

/** In record time: the delay before the next check after one that found a fault. */
const RETENTION_RETRY_MS = 60_000;

export class LogRetention {
  readonly #parts: RetentionParts;
  #running: Promise<void> | null = null;
  #isClosed = false;
  #checkedSnapshot = 0;
  #checkedAt = -Infinity;
  /** Segments with records up to this one may be removed. */
  removable = 0;
  /** An error message that says why segments before the snapshot are kept; null if nothing is wrong. */
  problem: string | null = null;

  constructor(parts: RetentionParts) {
    this.#parts = parts;
  }

  /** Starts a check if something may have changed; updates `removable` and `problem` asynchronously. */
  look(oldestSnapshot: number, time: number): void {
    const isNew = oldestSnapshot > this.#checkedSnapshot;
    const isRetryDue = this.problem !== null && time >= this.#checkedAt + RETENTION_RETRY_MS;
    if (this.#running || this.#isClosed || oldestSnapshot === 0 || !(isNew || isRetryDue)) return;
    this.#checkedSnapshot = oldestSnapshot;
    this.#checkedAt = time;
    this.#running = this.#check(oldestSnapshot).finally(() => {
      this.#running = null;
    });
  }

  /** Resolves when the current check is over. */
  async checked(): Promise<void> {
    await this.#running;
  }

  close(): void {
    this.#isClosed = true;
  }

  async #check(snapshot: number): Promise<void> {
    try {
      this.problem = await this.#findProblem(snapshot);
    } catch (error) {
      // A failure here only keeps segments.
      const what = (error as Error).message;
      this.problem =
        error instanceof LogDamaged
          ? `${this.#parts.dir}/${what} This is the log itself, not its copy: run \`bourse log verify\`.`
          : `The copy of the log cannot be checked (${what}).`;
    }
  }

  async #findProblem(snapshot: number): Promise<string | null> {
    const { disk, dir, snapshots } = this.#parts;
    const fault = await snapshots.findFault(snapshot).catch(orGone);
    if (fault === GONE) return null;
    if (fault !== null) return `${fault}, and the log is needed from its first record on.`;
    const segments = segmentsAmong(await disk.list(dir));
    for (let at = 0; at + 1 < segments.length; at++) {
      const last = segments[at + 1] - 1;
      if (last > snapshot || this.#isClosed) break;
      if (last <= this.removable) continue;
      const problem = await faultOfCopy(this.#parts, segments[at]);
      if (problem !== null) return problem;
      this.removable = last;
    }
    return null;
  }
}

const GONE = Symbol('gone');

/** Two newer snapshots were taken in the meantime: the older of them is checked next. */
function orGone(error: unknown): typeof GONE {
  if (isMissing(error)) return GONE;
  throw error;
}
