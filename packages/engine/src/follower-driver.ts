/**
 * The live side of the follower: sends it the durable position of the log with the digest of what was applied, and acts on
 * its reports: frees done orders that history has, and segments that no start needs. One round at a time, with a pause in
 * between, because every round syncs history and would delay the log's own syncs.
 */

import type { Exchange } from '@bourse/core';
import type { Clock } from './io/clock.ts';
import { type CommandLog, SegmentKept } from './log/command-log.ts';
import type { Digest } from './digest.ts';
import { Unavailable } from './exchange-port.ts';
import { Diverged, type FollowerLink, NoRoom, type FollowerProgress, type Target } from './follower.ts';
import type { EngineSequencer } from './sequencer.ts';
import type { SnapshotInfo } from './snapshots.ts';

export interface FeedParts {
  readonly sequencer: EngineSequencer;
  readonly link: FollowerLink;
  readonly exchange: Exchange;
  readonly digest: Digest;
  readonly log: CommandLog;
  /** The machine's clock: the pauses are for the disk, not for the exchange. */
  readonly clock: Clock;
  /** The digest covers the records after this one. */
  readonly digestFrom: number;
  readonly checkpoint: number;
  readonly snapshotSeq: number;
  /** Bytes of the log after this snapshot when the log was opened. */
  readonly logBytes: number;
  readonly keepSegments: boolean;
  readonly pauseMs: number;
  /** A snapshot was taken. */
  readonly onSnapshot: (snapshot: SnapshotInfo) => void;
  readonly onWarning: (sentence: string) => void;
}

/** Pruning pauses for this long after record time has leapt, so that a wrong clock is noticed in time. */
const PRUNING_PAUSE_MS = 3_600_000;
/** The pause between rounds while the disk is full. */
const NO_ROOM_PAUSE_MS = 5000;
/** The same for snapshots, longer: an attempt takes the space that commands need. */
const NO_SNAPSHOT_PAUSE_MS = 30_000;
/** Closing gives up a round without progress for this long: the servers of a shared log may be gone. */
const STUCK_MS_MAX = 10_000;
const STAYS =
  'No segment of the log is removed from there on (logCopy). Repair the copy with `bourse log copy`; it is then checked again';

export class FollowerDriver {
  readonly #parts: FeedParts;
  #digestFrom: number;
  #checkpoint: number;
  #snapshotSeq: number;
  #isClosing = false;
  /** The last round is over: the follower accepts no more calls. */
  #isOver = false;
  /** Calls to the follower, one after the other. */
  #turn: Promise<unknown> = Promise.resolve();
  #isRunning = false;
  /** The follower reads the log, and may wait for it. */
  #isFollowing = false;
  #cancelPause: (() => void) | null = null;
  /** A snapshot failed for lack of space: none is tried before this time. */
  #cancelSnapshotPause: (() => void) | null = null;
  /**
   * That snapshot. A node of a cluster has no limits by which it would stay due: the leader marks one record as due, and
   * the next one perhaps a million records later.
   */
  #isSnapshotOwed = false;
  /** No pruning before this time of the monotonic clock. */
  #pruneFrom = 0;
  #removedBelow = 0;
  /** The last warning about a segment that cannot be removed. */
  #keptWarning = '';
  #hurried: Promise<void> | null = null;
  /** A target that the follower could not reach for lack of space: its digest is already cut. */
  #unreached: Target | null = null;
  /** Records at which snapshots are due. */
  #due: Target[] = [];

  constructor(parts: FeedParts) {
    this.#parts = parts;
    this.#digestFrom = parts.digestFrom;
    this.#checkpoint = parts.checkpoint;
    this.#snapshotSeq = parts.snapshotSeq;
    parts.sequencer.subscribe(() => this.#wake(parts.pauseMs));
    this.#wake(0);
  }

  /** Record time is about to leap, because the clock does or because nothing was written for a long time. */
  putOffPruning(): void {
    this.#pruneFrom = this.#parts.clock.elapsed() + PRUNING_PAUSE_MS;
  }

  /** Everything up to here is in history. */
  get checkpoint(): number {
    return this.#checkpoint;
  }

  get snapshotSeq(): number {
    return this.#snapshotSeq;
  }

  /** Call right after a durable record was applied: a snapshot of exactly that record is taken soon. */
  snapshotHere(): void {
    this.#due.push({ ...this.#cut(this.#parts.exchange), isSnapshotDue: true });
    this.#wake(0);
  }

  /** A snapshot of everything that is durable now. */
  async snapshot(): Promise<SnapshotInfo> {
    return this.#inTurn(async () => {
      if (this.#isOver) throw closed();
      await this.#roundsBehind();
      await this.#round();
      return this.#took(await this.#parts.link.snapshot());
    });
  }

  /**
   * A snapshot and history of everything durable now, in their own directory. `onCut` is called while nothing is in flight:
   * its result belongs to the same record.
   */
  copyTo<T>(dir: string, onCut: (exchange: Exchange) => T): Promise<{ taken: SnapshotInfo; cut: T }> {
    return this.#inTurn(async () => {
      if (this.#isOver) throw closed();
      await this.#roundsBehind();
      let cut: T | undefined;
      await this.#round((exchange) => {
        cut = onCut(exchange);
      });
      return { taken: await this.#parts.link.copyTo(dir), cut: cut as T };
    });
  }

  /**
   * Resolves when history has everything durable now, without waiting for the next round. Rejects with Unavailable if there
   * is no space for it, and if the engine was closed without it.
   */
  async catchUp(): Promise<void> {
    const { log } = this.#parts;
    const seq = log.lastSeq;
    try {
      // Callers that arrive during a round share the next one.
      while (this.#checkpoint < seq) await (this.#hurried ??= this.#hurry());
    } catch (error) {
      // The message is for the operator and may contain file names.
      throw error instanceof NoRoom
        ? new Unavailable('disk-full', 'no space left on the disk for history')
        : error;
    }
  }

  async #hurry(): Promise<void> {
    await this.#turn.catch(() => undefined);
    this.#hurried = null;
    await this.#inTurn(async () => {
      // The previous round may have been the last, with history complete.
      if (this.#checkpoint >= this.#parts.log.lastSeq) return;
      if (this.#isOver) throw closed();
      await this.#round();
    });
  }

  /**
   * After the last record: brings history up to date, compares the complete state, takes a last snapshot. Returns false if
   * the follower makes no progress: the next start then has more to replay, and nothing is lost.
   */
  async finish(): Promise<boolean> {
    this.#stopPauses();
    const finished = this.#inTurn(async () => {
      try {
        await this.#lastRounds();
      } finally {
        this.#isOver = true;
      }
      return true;
    });
    return this.#unlessStuck(finished);
  }

  #unlessStuck(finished: Promise<boolean>): Promise<boolean> {
    const { clock } = this.#parts;
    return new Promise((resolve, reject) => {
      let cancel: () => void;
      const watch = (seen: number | null): void => {
        cancel = clock.after(STUCK_MS_MAX, () => {
          if (seen === this.#checkpoint && this.#isFollowing) {
            this.#isOver = true;
            resolve(false);
          } else watch(this.#isFollowing ? this.#checkpoint : null);
        });
      };
      watch(this.#isFollowing ? this.#checkpoint : null);
      finished.then(resolve, reject).finally(() => cancel());
    });
  }

  async #lastRounds(): Promise<void> {
    const { link, exchange } = this.#parts;
    do await this.#round();
    while (this.#checkpoint < exchange.seq);
    const [live, follower] = [exchange.hash(), await link.hash()];
    if (live !== follower) {
      throw new Diverged(`the state of the live thread has hash ${live}, that of the follower ${follower}`);
    }
    if (exchange.seq > this.#snapshotSeq) this.#took(await link.snapshot());
  }

  /** Without a last round: for an engine that has stopped. */
  async abandon(): Promise<void> {
    this.#stopPauses();
    const rested = this.#inTurn(async () => {
      this.#isOver = true;
      return true;
    });
    await this.#unlessStuck(rested);
  }

  #stopPauses(): void {
    this.#isClosing = true;
    this.#cancelPause?.();
    this.#cancelSnapshotPause?.();
  }

  /** A pause in progress is cut short only by 0. */
  #wake(pauseMs: number): void {
    if (this.#isClosing) return;
    if (this.#isRunning) {
      if (pauseMs > 0 || this.#cancelPause === null) return;
      this.#cancelPause();
    }
    this.#isRunning = true;
    this.#cancelPause = this.#parts.clock.after(pauseMs, () => {
      this.#cancelPause = null;
      void this.#run();
    });
  }

  async #run(): Promise<void> {
    const { sequencer, pauseMs, onWarning } = this.#parts;
    let nextMs = pauseMs;
    try {
      await this.#inTurn(() => this.#round());
    } catch (error) {
      if (error instanceof NoRoom) {
        onWarning(`${error.message}: tried again every ${NO_ROOM_PAUSE_MS / 1000} seconds`);
        nextMs = NO_ROOM_PAUSE_MS;
      } else if (!isPassing(error) && !this.#isOver) {
        sequencer.stop(error instanceof Error ? error : new Error(String(error)));
        return;
      }
    }
    this.#isRunning = false;
    if (this.#hasWork) this.#wake(nextMs);
  }

  get #hasWork(): boolean {
    const isSnapshotDue =
      this.#due.length > 0 || (this.#isSnapshotOwed && this.#cancelSnapshotPause === null);
    return this.#unreached !== null || isSnapshotDue || this.#parts.log.lastSeq > this.#checkpoint;
  }

  #inTurn<T>(action: () => Promise<T>): Promise<T> {
    const mine = this.#turn.catch(() => undefined).then(action);
    this.#turn = mine;
    // The caller sees the failure; the chain continues.
    mine.catch(() => undefined);
    return mine;
  }

  /** For earlier targets: one may lag for lack of space, others may wait for their snapshot. */
  async #roundsBehind(): Promise<void> {
    while (this.#unreached || this.#due.length > 0) await this.#round();
  }

  async #round(onCut?: (exchange: Exchange) => void): Promise<void> {
    const { link, sequencer } = this.#parts;
    const target =
      this.#unreached ??
      this.#due.shift() ??
      (await sequencer.read((exchange) => {
        onCut?.(exchange);
        return this.#cut(exchange);
      }));
    this.#unreached = target;
    // Closing takes its own last snapshot.
    const isSnapshotPutOff = this.#isClosing || this.#cancelSnapshotPause !== null;
    const isPruningPutOff = this.#parts.clock.elapsed() < this.#pruneFrom;
    const isSnapshotDue = target.isSnapshotDue === true || this.#isSnapshotOwed;
    const how = { ...target, isSnapshotDue, isSnapshotPutOff, isPruningPutOff };
    this.#isFollowing = true;
    const progress = await link
      .follow(how, (seq) => {
        this.#reached(seq);
        if (seq >= target.seq) this.#isFollowing = false;
      })
      .finally(() => {
        this.#isFollowing = false;
      });
    this.#unreached = null;
    this.#reached(progress.seq);
    if (progress.snapshot) this.#took(progress.snapshot);
    if (progress.isSnapshotMissed && !this.#isClosing) this.#pauseSnapshots();
    await this.#removeSegments(progress);
  }

  /** Runs while nothing is in flight: everything applied is durable. */
  #cut({ seq }: Exchange): Target {
    const { digest, log } = this.#parts;
    const logBytes = this.#parts.logBytes + log.bytesAppended;
    const target = { from: this.#digestFrom, seq, digest: digest.text, logBytes };
    digest.reset();
    this.#digestFrom = seq;
    return target;
  }

  #reached(seq: number): void {
    if (seq <= this.#checkpoint) return;
    this.#checkpoint = seq;
    this.#parts.exchange.forgetDone(seq);
  }

  #pauseSnapshots(): void {
    const { clock, onWarning } = this.#parts;
    this.#isSnapshotOwed = true;
    onWarning(
      `no space left on the disk for a snapshot: tried again every ${NO_SNAPSHOT_PAUSE_MS / 1000} seconds; ` +
        'nothing else waits for it, but a start would take longer',
    );
    this.#cancelSnapshotPause = clock.after(NO_SNAPSHOT_PAUSE_MS, () => {
      this.#cancelSnapshotPause = null;
      this.#wake(0);
    });
  }

  #took(snapshot: SnapshotInfo): SnapshotInfo {
    this.#snapshotSeq = snapshot.seq;
    this.#isSnapshotOwed = false;
    this.#parts.onSnapshot(snapshot);
    return snapshot;
  }

  async #removeSegments({ removable, keptBecause, seq }: FollowerProgress): Promise<void> {
    const { log, keepSegments } = this.#parts;
    if (keepSegments) return;
    if (keptBecause !== null) this.#warnKept(`${keptBecause} ${STAYS}`);
    const below = Math.min(removable, seq);
    if (below <= this.#removedBelow) return;
    try {
      await log.removeBelow(below + 1);
      this.#removedBelow = below;
    } catch (error) {
      if (!(error instanceof SegmentKept)) throw error;
      // The next round tries again.
      this.#warnKept(error.message);
    }
  }

  /** Only new warnings, because there is a round every second. */
  #warnKept(sentence: string): void {
    if (sentence !== this.#keptWarning) this.#parts.onWarning(sentence);
    this.#keptWarning = sentence;
  }
}

function closed(): Unavailable {
  return new Unavailable(
    'stopped',
    'the exchange is closed, and its history is not brought up to date any more',
  );
}

/**
 * The state cannot be read now, but may be later: too many reads wait for the record in flight, or nodes with different
 * states are finding out which of them is wrong. Only an engine that has stopped never recovers.
 */
function isPassing(error: unknown): boolean {
  return error instanceof Unavailable && error.reason !== 'stopped';
}
