/**
 * The engine: a log, snapshots, a history and a clock, wherever they are, opened by recovery. The constructor is the
 * map: log, core, sequencer on this thread; history, snapshots and the comparison with the follower.
 */

import type { Command, Exchange } from '@bourse/core';
import type { Clock } from './io/clock.ts';
import { HELD_LOOK_MS } from './io/directory-lock.ts';
import { type CommandLog, LogGone, lostOwnership } from './log/command-log.ts';
import { Digest } from './digest.ts';
import type { EngineHealth, ExchangePort, Sender, Waiter } from './exchange-port.ts';
import { LazyPort } from './forwarding-port.ts';
import { type FollowerLink, NoRoom } from './follower.ts';
import { FollowerFeed } from './follower-feed.ts';
import type { HistoryReader } from './history/history.ts';
import { RecordUnfit, recover, type Recovered, type RecoveryProgress } from './recovery.ts';
import type { EngineSequencer, SequencerLimits, SequencerParts } from './sequencer-parts.ts';
import { Sequencer } from './sequencer.ts';
import type { SnapshotInfo, Snapshots } from './snapshots.ts';

export interface EngineOptions {
  /** Open for appending; the engine closes it. */
  readonly log: CommandLog;
  readonly snapshots: Snapshots;
  /** For looking up, because the follower writes it; the engine closes it. */
  readonly history: HistoryReader;
  readonly clock: Clock;
  /** The follower reads the log and writes history and snapshots with objects of its own. */
  readonly startFollower: () => Promise<FollowerLink>;
  /** Left out: commands enter the log here, and nowhere else. */
  readonly makeSequencer?: (parts: SequencerParts) => EngineSequencer;
  /** Others apply the same log: a record that cannot be applied here is not taken out of it. */
  readonly isLogShared?: boolean;
  /** Whether what the log is in is still this process's; asked every second. Once it is not, the engine stops. */
  readonly isOwned?: () => boolean;
  /** Whether somebody outside may be told of a record as soon as it is published; left out: nobody may. */
  readonly isWatched?: () => boolean;
  /** Called when everything else is closed: gives back what the parts are in, such as a directory. */
  readonly release?: () => Promise<void>;
  /** What the clock's `elapsed` said when the start began; left out: now. */
  readonly startedAt?: number;
  readonly limits?: Partial<SequencerLimits>;
  /** A wall clock that jumps by more than this against the monotonic one stops commands; left out: it never does. */
  readonly clockJumpMsMax?: number;
  /** Old segments stay, for audit. */
  readonly keepSegments?: boolean;
  /** Between two rounds of the follower: how long history may be behind when all is well. */
  readonly followPauseMs?: number;
  /** A snapshot was taken in the directory. */
  readonly onSnapshot?: (snapshot: SnapshotInfo) => void;
  /** Called about every second while recovery takes longer than one. */
  readonly onProgress?: (progress: RecoveryProgress) => void;
  /** A sentence for the operator: something was damaged or is short, and the engine goes on. */
  readonly onWarning?: (sentence: string) => void;
  /** A sentence that somebody must read: the engine goes on, but not as if nothing had happened. Left out: onWarning. */
  readonly onAlarm?: (sentence: string) => void;
  /** The engine has stopped for good by itself; it must be closed and opened again. */
  readonly onStop?: (why: Error) => void;
}

/** What it took to start. */
export interface Start {
  readonly snapshotSeq: number;
  readonly seq: number;
  readonly commands: number;
  readonly ms: number;
}

const FOLLOW_PAUSE_MS = 250;
/** A log whose last record is further in the future is warned of. Clocks of two machines often differ by less. */
const AHEAD_MS_TOLD = 1000;

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
  readonly #feed: FollowerFeed;
  readonly #log: CommandLog;
  readonly #link: FollowerLink;
  readonly #warn: (sentence: string) => void;
  readonly #release: () => Promise<void>;
  #cancelLook: () => void = () => undefined;
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
    this.#feed = new FollowerFeed({
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

  /** Stops the engine when another process has the directory: reads would go on and show what is no longer true. */
  #watchOwnership(isOwned: () => boolean, clock: Clock): void {
    this.#cancelLook = clock.after(HELD_LOOK_MS, () => {
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

  /** What nobody has awaited becomes durable, at once. */
  secure(): void {
    this.#sequencer.secure?.();
  }

  /**
   * The same exchange for the agents of a sandbox, who are told of records that are not durable yet where time is
   * simulated and nobody else is told.
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

  /** Why the engine has stopped by itself; null while it has not. */
  get stopReason(): Error | null {
    return this.#sequencer.stopReason;
  }

  get isSettled(): boolean {
    return this.#sequencer.isSettled;
  }

  /** Resolves when no command waits and no record is under way. */
  settled(): Promise<void> {
    return this.#sequencer.settled();
  }

  historyCaughtUp(): Promise<void> {
    return this.#feed.catchUp();
  }

  /** To be called when a durable record was just applied: a snapshot of exactly that record is taken soon. */
  snapshotHere(): void {
    this.#feed.snapshotHere();
  }

  /** A snapshot of everything that is durable now. */
  snapshot(): Promise<SnapshotInfo> {
    return this.#feed.snapshot();
  }

  /**
   * A snapshot and history of everything that is durable now, in a directory that has neither. `onCut` is called at the
   * record with which they end: nothing is in flight then.
   */
  async copyTo<T>(dir: string, onCut: (exchange: Exchange) => T): Promise<{ seq: number; cut: T }> {
    const { taken, cut } = await this.#feed.copyTo(dir, onCut);
    return { seq: taken.seq, cut };
  }

  /** For good and at once: who waits is refused, and nothing more is brought to history. */
  async discard(why: string): Promise<void> {
    this.#sequencer.discard(new Error(why));
    await this.close();
  }

  /**
   * Answers what waits, brings history up to date, compares the whole state with the follower's and takes a snapshot.
   * Rejects when they differ, or when something failed; everything is given back all the same.
   */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#cancelLook();
    try {
      await this.#sequencer.close();
      if (this.#sequencer.stopReason) await this.#feed.abandon();
      else await this.#finish();
    } finally {
      // Whoever writes history closes it last: only then is everything in the one file of the database.
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
      await this.#feed.finish();
    } catch (error) {
      if (!(error instanceof NoRoom)) throw error;
      this.#warn(`${error.message}: the next start will need longer`);
    }
  }
}

/** From the call on log, history and their directory belong to the engine: when opening fails, it closes them. */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const { log, history, snapshots, clock, onWarning, release } = options;
  const { startedAt = clock.machine.elapsed() } = options;
  const opened = [() => log.close(), async () => history.close(), ...(release ? [release] : [])];
  try {
    const { checkpoint } = history;
    if (log.lastTime > clock.now() + AHEAD_MS_TOLD) onWarning?.(timeAhead(log, clock));
    const digest = new Digest();
    // Both read the same snapshot and log, each on its own thread.
    const starting = options.startFollower();
    // It is awaited below. Until then a failure must not count as one that nobody handles.
    starting.catch(() => undefined);
    opened.unshift(() =>
      starting.then(
        (link) => link.close(),
        () => undefined,
      ),
    );
    const recovered = await recoverWithoutUnfit(options, digest);
    const link = await starting;
    if (link.beganWith + 1 < log.firstSeq) {
      throw new LogGone(historyTooOld(snapshots.dir, checkpoint, link, log));
    }
    const { snapshotSeq, commands } = recovered;
    const start = { snapshotSeq, seq: log.lastSeq, commands, ms: clock.machine.elapsed() - startedAt };
    return new Engine(options, { link, recovered, digest, start });
  } catch (error) {
    await closeAll(opened);
    throw error;
  }
}

/**
 * A last record that cannot be applied is set aside, because nobody was told that it was done: history and snapshots have
 * only what was applied. Otherwise the exchange could never start again.
 */
async function recoverWithoutUnfit(options: EngineOptions, digest: Digest): Promise<Recovered> {
  const { log, history, snapshots, onAlarm, onWarning } = options;
  try {
    return await recoverAll(options, digest);
  } catch (error) {
    if (!(error instanceof RecordUnfit) || error.seq !== log.lastSeq || options.isLogShared) throw error;
    const knownSeq = Math.max(history.checkpoint, await snapshots.newestSeq());
    if (error.seq <= knownSeq) throw error;
    const path = await log.setLastAside();
    (onAlarm ?? onWarning)?.(setAside(error, path));
    digest.reset();
    return await recoverAll(options, digest);
  }
}

function recoverAll(options: EngineOptions, digest: Digest): Promise<Recovered> {
  const { log, history, snapshots, clock, onProgress, onWarning } = options;
  return recover({
    snapshots,
    log,
    clock: clock.machine,
    checkpoint: history.checkpoint,
    digest,
    ...(onProgress && { onProgress }),
    ...(onWarning && { onWarning }),
  });
}

/** Each is closed whatever becomes of the others; the first failure is thrown at the end. */
async function closeAll(closes: readonly (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const close of closes) await close().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

function setAside({ message, seq }: RecordUnfit, path: string): string {
  return (
    `${message} It was copied to ${path} and taken out of the log, and the exchange starts without it. Nobody was told ` +
    `that its commands were done; whoever sent them got no answer, and record ${seq} will be another one. This is a ` +
    'fault of Bourse: please report it with that file'
  );
}

function timeAhead({ lastTime }: CommandLog, clock: Clock): string {
  return (
    `The last record of the log is of ${new Date(lastTime).toISOString()}, ${Math.round((lastTime - clock.now()) / 1000)} ` +
    'seconds after what the clock of this machine says; records go on from there, and never back. ' +
    'If the clock is wrong now, set it; if it was wrong then, nothing is to be done'
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
      : `it has nothing after record ${checkpoint}, and there is no whole snapshot in ${snapshotDir} of that record or an older one`;
  return (
    `Record ${beganWith + 1} is not in the log any more: the oldest is ${log.firstSeq}. History needs it, because ${why}. ` +
    'Put back from a copy the history database that belongs to these snapshots, or the missing segments of the log.'
  );
}
