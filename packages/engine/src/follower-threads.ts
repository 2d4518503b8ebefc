/**
 * Keeps threads for the followers that a sandbox opens one after another when it goes back to a snapshot. Loading a
 * thread's code takes longer than opening a small exchange, so a free thread is kept for the next follower.
 */

import type { FollowerLink, FollowerProgress, Target } from './follower.ts';
import { FollowerThread } from './follower-thread.ts';
import type { SnapshotInfo } from './snapshots.ts';

export class FollowerThreads {
  readonly #entry: URL;
  #spare: FollowerThread | null = null;
  #isClosed = false;

  /** `entry` must call `serveFollower`. */
  constructor(entry: URL) {
    this.#entry = entry;
  }

  /** Returns at once; its calls wait until the follower is open. */
  start(task: unknown): FollowerLink {
    const starting = this.#open(task);
    // Callers see the failure.
    starting.catch(() => undefined);
    return new LateFollower(starting, (thread) => this.#take(thread));
  }

  /** Resolves once it is open, with the record at which it started. */
  async open(task: unknown): Promise<FollowerLink> {
    const thread = await this.#open(task);
    return new LateFollower(Promise.resolve(thread), (each) => this.#take(each), thread.beganWith);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#spare?.end();
    this.#spare = null;
  }

  async #open(task: unknown): Promise<FollowerThread> {
    const spare = this.#spare;
    this.#spare = null;
    if (spare === null) return FollowerThread.start(this.#entry, task);
    return ended(
      spare,
      spare.open(task).then(() => spare),
    );
  }

  async #take(thread: FollowerThread): Promise<void> {
    if (thread.isBusy) return thread.end();
    await ended(thread, thread.finish());
    if (this.#isClosed || this.#spare !== null) await thread.end();
    else this.#spare = thread;
  }
}

/** Ends the thread if the call fails: nobody would use it again. */
async function ended<T>(thread: FollowerThread, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    await thread.end();
    throw error;
  }
}

class LateFollower implements FollowerLink {
  readonly beganWith: number;
  readonly #starting: Promise<FollowerThread>;
  readonly #giveBack: (thread: FollowerThread) => Promise<void>;

  /** `beganWith`: omitted if the directory is known to be intact. */
  constructor(
    starting: Promise<FollowerThread>,
    giveBack: (thread: FollowerThread) => Promise<void>,
    beganWith = Infinity,
  ) {
    this.beganWith = beganWith;
    this.#starting = starting;
    this.#giveBack = giveBack;
  }

  async follow(target: Target, onStep?: (seq: number) => void): Promise<FollowerProgress> {
    return (await this.#starting).follow(target, onStep);
  }

  async snapshot(): Promise<SnapshotInfo> {
    return (await this.#starting).snapshot();
  }

  async copyTo(dir: string): Promise<SnapshotInfo> {
    return (await this.#starting).copyTo(dir);
  }

  async hash(): Promise<string> {
    return (await this.#starting).hash();
  }

  async close(): Promise<void> {
    await this.#giveBack(await this.#starting);
  }
}
