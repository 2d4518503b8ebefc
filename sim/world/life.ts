/** One process of a simulated world, from its start to its end: the production engine on the world's disk and clock. */

import type { Exchange } from '@bourse/core';
import { LogBroken } from '../../packages/engine/src/log/command-log.ts';
import { type Engine, openEngine } from '../../packages/engine/src/engine.ts';
import { logReaderIn, openFileStorage, snapshotsIn } from '../../packages/engine/src/file-storage.ts';
import { type Published, Unavailable } from '../../packages/engine/src/exchange-port.ts';
import { openFollower } from '../../packages/engine/src/follower.ts';
import { violated } from '../checkers/violation.ts';
import type { ManualClock } from '@bourse/test-kit/manual-clock.ts';
import type { MemoryHistory } from '@bourse/test-kit/memory-history.ts';
import { digestOf, type PublishedDigest } from './oracle.ts';
import type { Plan } from './plan.ts';
import type { ProcessDisk } from './process-disk.ts';

const DIR = 'data';
export const LOG_DIR = `${DIR}/log`;
export const SNAPSHOT_DIR = `${DIR}/snapshots`;

/** The history database, which fails in worlds that want it to. */
export class HistoryFailed extends Error {}

export interface Surroundings {
  readonly plan: Plan;
  readonly disk: ProcessDisk;
  readonly clock: ManualClock;
  readonly history: MemoryHistory;
}

export class Life {
  readonly disk: ProcessDisk;
  engine: Engine | null = null;
  state: 'starting' | 'open' | 'closing' | 'over' = 'starting';
  /** Why it failed to start, or to shut down in order. */
  failure: unknown = null;
  /** Everything subscribers saw, from the first record on. */
  readonly published: PublishedDigest[] = [];
  /** The last record that this process may show to anybody. */
  tip = 0;
  readonly warnings: string[] = [];
  stopped: Error | null = null;

  constructor(surroundings: Surroundings) {
    this.disk = surroundings.disk;
    this.#open(surroundings).then(
      (engine) => {
        this.engine = engine;
        this.tip = engine.health.seq;
        engine.subscribe((published, exchange) => this.#take(published, exchange));
        this.state = 'open';
      },
      (error: unknown) => {
        this.failure = error;
        this.state = 'over';
      },
    );
  }

  async #open({ plan, disk, clock, history }: Surroundings): Promise<Engine> {
    const onWarning = (sentence: string) => void this.warnings.push(sentence);
    const { checkpoint } = history;
    const { segmentBytes, followerLimits } = plan;
    await disk.makeDirectory(DIR);
    return openEngine({
      ...(await openFileStorage({ disk, dir: DIR, checkpoint, segmentBytes, onWarning })),
      history,
      clock,
      startFollower: () =>
        openFollower({
          log: logReaderIn(disk, DIR),
          history,
          snapshots: snapshotsIn(disk, DIR),
          limits: followerLimits,
        }),
      limits: plan.limits,
      keepSegments: plan.keepSegments,
      followPauseMs: plan.followPauseMs,
      onWarning,
      onStop: (why) => {
        this.stopped = why;
      },
    });
  }

  #take(published: Published, exchange: Exchange): void {
    const { seq, time, events } = published;
    if (seq !== this.tip + 1) violated('subscribers see every record once', { seq, after: this.tip });
    if (exchange.seq !== seq) violated('the exchange stands just after what is published', { seq });
    this.tip = seq;
    this.published.push({ seq, time, digest: digestOf(events) });
  }

  close(): void {
    this.state = 'closing';
    const { engine } = this;
    engine?.close().then(
      () => {
        this.state = 'over';
      },
      (error: unknown) => {
        this.failure = error;
        this.state = 'over';
      },
    );
  }

  /**
   * Throws if a failure was not injected by the world. A full disk is not a reason to stop or to fail to start
   * (promise 4), except without a log.
   */
  checkFailures(isLogEmpty: boolean): void {
    const { failure, stopped, disk } = this;
    if (disk.violation !== null) throw disk.violation;
    if (stopped !== null && !isInjected(stopped)) throw new Error(UNPROVOKED, { cause: stopped });
    if (failure === null || isInjected(failure) || this.#isRefusal(failure)) return;
    if (!isLogEmpty || codeOf(failure) !== 'ENOSPC') throw new Error(UNPROVOKED, { cause: failure });
  }

  /** It was already closing when it stopped. */
  #isRefusal(error: unknown): boolean {
    return error instanceof Unavailable && error.reason === 'stopped' && this.stopped !== null;
  }
}

const UNPROVOKED = 'the engine failed though nothing was done to it that may stop it';

function isInjected(error: unknown): boolean {
  if (error instanceof HistoryFailed || codeOf(error) === 'EIO') return true;
  return error instanceof LogBroken && (error.cause === undefined || isInjected(error.cause));
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : '');
