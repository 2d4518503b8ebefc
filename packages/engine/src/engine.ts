/**
 * The engine: a log, snapshots, a history and a clock, opened by recovery. The constructor is the map: log, core and
 * sequencer on this thread; history, snapshots and the comparison with the follower.
 */

import type { Command, Exchange } from '@bourse/core';
import type { Clock } from './io/clock.ts';
import { OWNERSHIP_CHECK_MS } from './io/directory-lock.ts';
import { type CommandLog, LogGone, lostOwnership } from './log/command-log.ts';
import { Digest } from './digest.ts';
import { type EngineHealth, type ExchangePort, type Sender, type Waiter, LazyPort } from './exchange-port.ts';
import { type FollowerLink, NoRoom } from './follower.ts';
import { FollowerDriver } from './follower-driver.ts';
import type { HistoryReader } from './history/history.ts';
import {
  RecordUnfit,
  recover,
  type Recovered,
  type RecoveryParts,
  type RecoveryProgress,
} from './recovery.ts';
import {
  DEFAULT_SEQUENCER_LIMITS,
  type EngineSequencer,
  type SequencerLimits,
  type SequencerParts,
  Sequencer,
} from './sequencer.ts';
import type { SnapshotInfo, Snapshots } from './snapshots.ts';

export interface EngineOptions {
  /** Opened for appending; the engine closes it. */
  readonly log: CommandLog;
  readonly snapshots: Snapshots;
  /** For look-ups, because the follower writes it; the engine closes it. */
  readonly history: HistoryReader;
  readonly clock: Clock;
  /** The follower reads the log and writes history and snapshots with its own objects. */
  readonly startFollower: () => Promise<FollowerLink>;
  /** Default: commands enter the log here, and nowhere else. */
  readonly makeSequencer?: (parts: SequencerParts) => EngineSequencer;
  /** Others apply the same log: a record that cannot be applied here is not removed from it. */
  readonly isLogShared?: boolean;
  /** Whether this process still owns the log's storage; checked every second. If not, the engine stops. */
  readonly isOwned?: () => boolean;
  /** Whether somebody outside may observe a record as soon as it is published; default: nobody. */
  readonly isWatched?: () => boolean;
  /** Called last on close: releases the storage, such as a directory. */
  readonly release?: () => Promise<void>;
  /** The clock's `elapsed` when the start began; default: now. */
  readonly startedAt?: number;
  readonly limits?: Partial<SequencerLimits>;
  /** A wall clock that jumps by more than this against the monotonic one stops commands; default: never. */
  readonly clockJumpMsMax?: number;
  /** Keep old segments, for audits. */
  readonly keepSegments?: boolean;
  /** Pause between two rounds of the follower: how far history normally lags. */
  readonly followPauseMs?: number;
  /** A snapshot was taken in the directory. */
  readonly onSnapshot?: (snapshot: SnapshotInfo) => void;
  /** Called about every second while recovery takes longer than one. */
  readonly onProgress?: (progress: RecoveryProgress) => void;
  /** A message for the operator: something was damaged or is short, but the engine continues. */
  readonly onWarning?: (message: string) => void;
  /** A message that somebody must read: the engine continues, but something serious happened. Default: onWarning. */
  readonly onAlarm?: (message: string) => void;
  /** The engine has stopped permanently by itself; it must be closed and opened again. */
  readonly onStop?: (why: Error) => void;
}

/** How the start went. */
export interface Start {
  readonly snapshotSeq: number;
  readonly seq: number;
  readonly commands: number;
  readonly ms: number;
}

/**
 * A round syncs the disk and uses a processor, which delays orders that arrive meanwhile, and many rows at once cost less:
 * orders of a thousand users change the same pages of the indexes. Nobody sees stale history, because a request for a list
 * starts a round at once.
 */
const FOLLOW_PAUSE_MS = 1000;
/** Warn if the last record is further in the future. Clocks of two machines often differ by less. */
const AHEAD_MS_WARNED = 1000;

interface EngineParts {
  readonly link: FollowerLink;
  readonly recovered: Recovered;
  readonly digest: Digest;
  readonly start: Start;
}

export class Engine implements ExchangePort {
  readonly history: HistoryReader;
  readonly start: Start;
  readonly #sequencer: EngineSequencer;
  readonly #feed: FollowerDriver;
  readonly #log: CommandLog;
  readonly #link: FollowerLink;
  readonly #warn: (message: string) => void;
  readonly #release: () => Promise<void>;
  #cancelOwnershipCheck: () => void = () => undefined;
  #closed: Promise<void> | null = null;

  constructor(options: EngineOptions, parts: EngineParts) {
    const { log, history, clock, limits, clockJumpMsMax, onStop, keepSegments = false } = options;
    const { link, recovered, digest, start } = parts;
    const { exchange, snapshotSeq, logBytes } = recovered;
    this.history = history;
    this.start = start;
    this.#log = log;
    this.#link = link;
    this.#release = options.release ?? (async () => undefined);
    this.#warn = options.onWarning ?? (() => undefined);
    const { makeSequencer = (each) => new Sequencer(each) } = options;
    this.#sequencer = makeSequencer({
      log,
      exchange,
      clock,
      digest,
      ...(limits && { limits }),
      ...(clockJumpMsMax !== undefined && { clockJumpMsMax }),
      onClock: options.onAlarm ?? this.#warn,
      ...(onStop && { onStop }),
      ...(options.isWatched && { isWatched: options.isWatched }),
    });
    this.#feed = new FollowerDriver({
      sequencer: this.#sequencer,
      link,
      exchange,
      digest,
      log,
      clock: clock.machine,
      digestFrom: snapshotSeq,
      checkpoint: history.checkpoint,
      snapshotSeq,
      logBytes,
      keepSegments,
      pauseMs: options.followPauseMs ?? FOLLOW_PAUSE_MS,
      onSnapshot: options.onSnapshot ?? (() => undefined),
      onWarning: this.#warn,
    });
    if (clock.now() - log.lastTime > (clockJumpMsMax ?? Infinity)) this.#feed.putOffPruning();
    if (options.isOwned) this.#watchOwnership(options.isOwned, clock.machine);
  }

  /** Stops the engine if another process owns the directory; otherwise reads would continue with stale data. */
  #watchOwnership(isOwned: () => boolean, clock: Clock): void {
    this.#cancelOwnershipCheck = clock.after(OWNERSHIP_CHECK_MS, () => {
      if (isOwned()) this.#watchOwnership(isOwned, clock);
      else this.#sequencer.stop(lostOwnership());
    });
  }

  send(command: Command, waiter: Waiter, sender: Sender): void {
    this.#sequencer.send(command, waiter, sender);
  }

  read<T>(query: (exchange: Exchange) => T): Promise<T> {
    return this.#sequencer.read(query);
  }

  /** Makes everything durable that was not awaited. */
  secure(): void {
    this.#sequencer.secure?.();
  }

  /**
   * The same exchange for a sandbox's agents, who see records that are not durable yet while time is simulated and nobody
   * else observes them.
   */
  get lazyPort(): ExchangePort {
    return new LazyPort(this, (query) => this.#sequencer.read(query, true));
  }

  subscribe(listener: Parameters<ExchangePort['subscribe']>[0]): () => void {
    return this.#sequencer.subscribe(listener);
  }

  acceptClock(): void {
    this.#feed.putOffPruning();
    this.#sequencer.acceptClock();
  }

  get aheadMs(): number {
    return this.#sequencer.aheadMs;
  }

  get health(): EngineHealth {
    const { state, waiting } = this.#sequencer;
    const { lastSeq: seq } = this.#log;
    const { checkpoint, snapshotSeq } = this.#feed;
    return { state, seq, waiting, historyLag: Math.max(0, seq - checkpoint), snapshotSeq };
  }

  /** Why the engine has stopped by itself; null if it has not. */
  get stopReason(): Error | null {
    return this.#sequencer.stopReason;
  }

  get isSettled(): boolean {
    return this.#sequencer.isSettled;
  }

  /** Resolves when no command is pending and no record in flight. */
  settled(): Promise<void> {
    return this.#sequencer.settled();
  }

  historyCaughtUp(): Promise<void> {
    return this.#feed.catchUp();
  }

  /** Call right after a durable record was applied: a snapshot of exactly that record is taken soon. */
  snapshotHere(): void {
    this.#feed.snapshotHere();
  }

  /** A snapshot of everything that is durable now. */
  snapshot(): Promise<SnapshotInfo> {
    return this.#feed.snapshot();
  }

  /**
   * A snapshot and history of everything durable now, in an empty directory. `onCut` is called at the record with which they
   * end, while nothing is in flight.
   */
  async copyTo<T>(dir: string, onCut: (exchange: Exchange) => T): Promise<{ seq: number; cut: T }> {
    const { taken, cut } = await this.#feed.copyTo(dir, onCut);
    return { seq: taken.seq, cut };
  }

  /** Permanently and at once: pending commands fail, and nothing more is written to history. */
  async discard(why: string): Promise<void> {
    this.#sequencer.discard(new Error(why));
    await this.close();
  }

  /**
   * Answers pending commands, brings history up to date, compares the complete state with the follower's and takes a
   * snapshot. Rejects if they differ or something failed; releases everything in any case.
   */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#cancelOwnershipCheck();
    try {
      await this.#sequencer.close();
      if (this.#sequencer.stopReason) await this.#feed.abandon();
      else await this.#finish();
    } finally {
      // The writer of history closes last: only then is everything in the one database file.
      await closeAll([
        async () => this.history.close(),
        () => this.#link.close(),
        () => this.#log.close(),
        this.#release,
      ]);
    }
  }

  async #finish(): Promise<void> {
    try {
      if (await this.#feed.finish()) return;
      this.#warn(
        'the log does not respond: closed without its last records in history; the next start will need longer',
      );
    } catch (error) {
      if (!(error instanceof NoRoom)) throw error;
      this.#warn(`${error.message}: the next start will need longer`);
    }
  }
}

/** From this call on the engine owns log, history and their directory: if opening fails, it closes them. */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const { log, history, snapshots, clock, onWarning, release } = options;
  const { startedAt = clock.machine.elapsed() } = options;
  const opened = [() => log.close(), async () => history.close(), ...(release ? [release] : [])];
  try {
    const { checkpoint } = history;
    if (log.lastTime > clock.now() + AHEAD_MS_WARNED) onWarning?.(timeAhead(log, clock));
    const digest = new Digest();
    // Both read the same snapshot and log, each on its own thread.
    const starting = options.startFollower();
    // Awaited below. Until then a failure must not count as unhandled.
    starting.catch(() => undefined);
    opened.unshift(() =>
      starting.then(
        (link) => link.close(),
        () => undefined,
      ),
    );
    const requireLink = async (): Promise<FollowerLink> => {
      const link = await starting;
      if (link.beganWith + 1 >= log.firstSeq) return link;
      throw new LogGone(historyTooOld(snapshots.dir, checkpoint, link, log));
    };
    const recovered = await recoverWithoutUnfit(options, digest, async (seq) =>
      writeHistory(await requireLink(), seq, onWarning),
    );
    const link = await requireLink();
    const { snapshotSeq, commands } = recovered;
    const start = { snapshotSeq, seq: log.lastSeq, commands, ms: clock.machine.elapsed() - startedAt };
    return new Engine(options, { link, recovered, digest, start });
  } catch (error) {
    await closeAll(opened);
    throw error;
  }
}

type WriteHistory = NonNullable<RecoveryParts['writeHistory']>;

/**
 * Without history, as after a restore, every order that was ever done would be kept in memory until the engine runs.
 * Compares nothing, because the digest of recovery is not complete, and so takes no snapshot. On a full disk the engine
 * still starts, and refuses commands.
 */
async function writeHistory(
  link: FollowerLink,
  seq: number,
  onWarning?: (message: string) => void,
): Promise<boolean> {
  const how = { isSnapshotPutOff: true, isPruningPutOff: true };
  try {
    await link.follow({ from: -1, seq, digest: '', logBytes: 0, ...how });
    return true;
  } catch (error) {
    if (!(error instanceof NoRoom)) throw error;
    onWarning?.(`${error.message}: the start continues without history, and needs more memory`);
    return false;
  }
}

/**
 * Sets aside a last record that cannot be applied, which was never acknowledged: history and snapshots have only applied
 * records. Otherwise the exchange could never start again.
 */
async function recoverWithoutUnfit(
  options: EngineOptions,
  digest: Digest,
  write: WriteHistory,
): Promise<Recovered> {
  const { log, history, snapshots, onAlarm, onWarning } = options;
  try {
    return await recoverAll(options, digest, write);
  } catch (error) {
    if (!(error instanceof RecordUnfit) || error.seq !== log.lastSeq || options.isLogShared) throw error;
    const knownSeq = Math.max(history.checkpoint, await snapshots.newestSeq());
    if (error.seq <= knownSeq) throw error;
    const path = await log.setLastAside();
    (onAlarm ?? onWarning)?.(setAside(error, path));
    digest.reset();
    return await recoverAll(options, digest, write);
  }
}

function recoverAll(options: EngineOptions, digest: Digest, write: WriteHistory): Promise<Recovered> {
  const { log, history, snapshots, clock, limits, onProgress, onWarning } = options;
  return recover({
    snapshots,
    log,
    clock: clock.machine,
    checkpoint: history.checkpoint,
    digest,
    // With more, the engine would refuse commands anyway.
    doneMax: limits?.doneMax ?? DEFAULT_SEQUENCER_LIMITS.doneMax,
    writeHistory: write,
    ...(onProgress && { onProgress }),
    ...(onWarning && { onWarning }),
  });
}

/** Closes all of them, even if some fail; throws the first error at the end. */
async function closeAll(closes: readonly (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const close of closes) await close().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

function setAside({ message, seq }: RecordUnfit, path: string): string {
  return (
    `${message} It was copied to ${path} and removed from the log, and the exchange starts without it. No client got a ` +
    `response to its commands, and the next record reuses the number ${seq}. This is a bug of Bourse: please report it ` +
    'with that file'
  );
}

function timeAhead({ lastTime }: CommandLog, clock: Clock): string {
  return (
    `The last record of the log is of ${new Date(lastTime).toISOString()}, ${Math.round((lastTime - clock.now()) / 1000)} ` +
    'seconds ahead of the clock of this machine; the time of records continues from there and never goes back. ' +
    'If the clock is wrong now, set it; if it was wrong then, no action is needed'
  );
}

function historyTooOld(
  snapshotDir: string,
  checkpoint: number,
  { beganWith }: FollowerLink,
  log: CommandLog,
): string {
  const why =
    checkpoint === 0
      ? 'it is empty, as after its removal'
      : `it has nothing after record ${checkpoint}, and there is no intact snapshot in ${snapshotDir} of that record or an older one`;
  return (
    `Record ${beganWith + 1} is not in the log any more: the oldest is ${log.firstSeq}. History needs it, because ${why}. ` +
    'Restore the history database that belongs to these snapshots, or the missing segments of the log, from a backup.'
  );
}
