/**
 * The live side of the follower: tells it how far the log is durable, with the digest of what was applied, and acts on
 * what it reports: frees ended orders that history has, and segments that no start needs any more. One round at a time;
 * between rounds a pause, because every round syncs history, and the log's own syncs would wait behind it.
 */

import type { Exchange } from '@bourse/core';
import type { Clock } from '../io/clock.ts';
import type { CommandLog } from './command-log.ts';
import type { Digest } from './digest.ts';
import { Unavailable } from './exchange-port.ts';
import { Diverged, type FollowerLink, NoRoom, type Progress, type Target } from './follower.ts';
import type { Sequencer } from './sequencer.ts';
import type { SnapshotInfo } from './snapshots.ts';

export interface FeedParts {
  readonly sequencer: Sequencer;
  readonly link: FollowerLink;
  readonly exchange: Exchange;
  readonly digest: Digest;
  readonly log: CommandLog;
  readonly clock: Clock;
  /** The digest is over the records after this one. */
  readonly digestFrom: number;
  readonly checkpoint: number;
  readonly snapshotSeq: number;
  readonly keepSegments: boolean;
  readonly pauseMs: number;
  readonly onWarning: (sentence: string) => void;
}

/** When the disk is full, rounds are tried again this seldom. */
const NO_ROOM_PAUSE_MS = 5000;

export class FollowerFeed {
  readonly #parts: FeedParts;
  #digestFrom: number;
  #checkpoint: number;
  #snapshotSeq: number;
  #isClosing = false;
  /** Calls of the follower, one after the other. */
  #turn: Promise<unknown> = Promise.resolve();
  #isRunning = false;
  #cancelPause: (() => void) | null = null;
  #removedBelow = 0;
  #hurried: Promise<void> | null = null;
  /** A target that the follower could not reach for want of room: its digest is already cut. */
  #unreached: Target | null = null;

  constructor(parts: FeedParts) {
    this.#parts = parts;
    this.#digestFrom = parts.digestFrom;
    this.#checkpoint = parts.checkpoint;
    this.#snapshotSeq = parts.snapshotSeq;
    parts.sequencer.subscribe(() => this.#wake(parts.pauseMs));
    this.#wake(0);
  }

  /** Everything up to here is in history. */
  get checkpoint(): number {
    return this.#checkpoint;
  }

  get snapshotSeq(): number {
    return this.#snapshotSeq;
  }

  /** A snapshot of everything that is durable now. */
  async snapshot(): Promise<SnapshotInfo> {
    return this.#inTurn(async () => {
      await this.#round();
      return this.#took(await this.#parts.link.snapshot());
    });
  }

  /**
   * Resolves when history has everything that is durable now, without waiting for the next round's turn. Rejects with
   * Unavailable while there is no room for it.
   */
  async catchUp(): Promise<void> {
    const { log } = this.#parts;
    const seq = log.lastSeq;
    try {
      // Whoever asks while a round is on its way shares the next one.
      while (this.#checkpoint < seq) await (this.#hurried ??= this.#hurry());
    } catch (error) {
      throw error instanceof NoRoom ? new Unavailable('disk-full', error.message) : error;
    }
  }

  async #hurry(): Promise<void> {
    await this.#turn.catch(() => undefined);
    this.#hurried = null;
    await this.#inTurn(() => this.#round());
  }

  /** After the last record: brings history up to it, compares the whole state, takes a last snapshot. */
  async finish(): Promise<void> {
    this.#isClosing = true;
    this.#cancelPause?.();
    await this.#inTurn(async () => {
      const { link, exchange } = this.#parts;
      do await this.#round();
      while (this.#checkpoint < exchange.seq);
      const [live, follower] = [exchange.hash(), await link.hash()];
      if (live !== follower) {
        throw new Diverged(`the state of the live thread has hash ${live}, that of the follower ${follower}`);
      }
      if (exchange.seq > this.#snapshotSeq) this.#took(await link.snapshot());
    });
  }

  /** Without a last round: for an engine that has stopped. */
  async abandon(): Promise<void> {
    this.#isClosing = true;
    this.#cancelPause?.();
    await this.#turn.catch(() => undefined);
  }

  #wake(pauseMs: number): void {
    if (this.#isRunning || this.#isClosing) return;
    this.#isRunning = true;
    this.#cancelPause = this.#parts.clock.after(pauseMs, () => {
      this.#cancelPause = null;
      void this.#run();
    });
  }

  async #run(): Promise<void> {
    const { sequencer, log, pauseMs, onWarning } = this.#parts;
    let nextMs = pauseMs;
    try {
      await this.#inTurn(() => this.#round());
    } catch (error) {
      if (error instanceof NoRoom) {
        onWarning(`${error.message}: tried again every ${NO_ROOM_PAUSE_MS / 1000} seconds`);
        nextMs = NO_ROOM_PAUSE_MS;
      } else if (!isCrowded(error)) {
        sequencer.stop(error instanceof Error ? error : new Error(String(error)));
        return;
      }
    }
    this.#isRunning = false;
    if (this.#unreached || log.lastSeq > this.#checkpoint) this.#wake(nextMs);
  }

  #inTurn<T>(action: () => Promise<T>): Promise<T> {
    const mine = this.#turn.catch(() => undefined).then(action);
    this.#turn = mine;
    // Whoever asked for the turn sees its failure; the chain itself goes on.
    mine.catch(() => undefined);
    return mine;
  }

  async #round(): Promise<void> {
    const { link, sequencer } = this.#parts;
    const target = this.#unreached ?? (await sequencer.read((exchange) => this.#cut(exchange)));
    this.#unreached = target;
    const progress = await link.follow(target, (seq) => this.#reached(seq));
    this.#unreached = null;
    this.#reached(progress.seq);
    if (progress.snapshot) this.#took(progress.snapshot);
    await this.#removeSegments(progress);
  }

  /** Runs while nothing is in flight: everything applied is durable. */
  #cut({ seq }: Exchange): Target {
    const { digest, log } = this.#parts;
    const target = { from: this.#digestFrom, seq, digest: digest.text, logBytes: log.bytesAppended };
    digest.reset();
    this.#digestFrom = seq;
    return target;
  }

  #reached(seq: number): void {
    if (seq <= this.#checkpoint) return;
    this.#checkpoint = seq;
    this.#parts.exchange.forgetEnded(seq);
  }

  #took(snapshot: SnapshotInfo): SnapshotInfo {
    this.#snapshotSeq = snapshot.seq;
    return snapshot;
  }

  async #removeSegments({ oldestSnapshot, seq }: Progress): Promise<void> {
    const { log, keepSegments } = this.#parts;
    const below = Math.min(oldestSnapshot, seq);
    if (keepSegments || below <= this.#removedBelow) return;
    await log.removeBelow(below + 1);
    this.#removedBelow = below;
  }
}

/** Too many reads wait for the record in flight; the next round may find a place among them. */
function isCrowded(error: unknown): boolean {
  return error instanceof Unavailable && error.reason === 'queue-full';
}
