/**
 * The only place where commands enter the log. Group commit without timers: while one record syncs, commands queue up,
 * and all of them become the next record. The core applies a record while it syncs; when it is applied and durable,
 * subscribers see it first, then its callers get their answers, then the reads that waited for it run.
 *
 *   idle --send--> written, applied, syncing --durable--> published, answered --> idle, or the next record
 *                        | disk full: nothing was applied; callers are refused, reads continue, the next command retries
 *                        | failed sync: stopped permanently, because the content of the disk is unknown
 *
 * A read never sees a record that is not durable: it waits for the one in flight.
 *
 * While time is simulated and nobody watches, the next record does not wait until a record of only a sandbox's agents is
 * durable. Any other read or command makes it durable first.
 */

import { type Command, type Exchange, type LogRecord, RULES_VERSION } from '@bourse/core';
import {
  type CommandBatch,
  commandBytes,
  CommandQueue,
  loadOf,
  mastersIn,
  noCommands,
  RecordBudget,
  START_WORK,
} from './command-queue.ts';
import type { Digest } from './digest.ts';
import {
  type ExchangePort,
  PublishedRecord,
  type Sender,
  Unavailable,
  type UnavailableReason,
  type Waiter,
} from './exchange-port.ts';
import type { Clock } from './io/clock.ts';
import { LogTime, TickTimer } from './log-time.ts';
import { type Appending, type CommandLog, LogBroken, LogConflict, LogFull } from './log/command-log.ts';
import { attempt, EarlyRefusals, type InFlight, RecordResults, WaitingReads } from './results.ts';

/** Limits on pending commands, and on one record. */
export interface SequencerLimits {
  /** Maximum pending commands, and their bytes. */
  readonly queueMax: number;
  readonly queueBytesMax: number;
  /** Maximum commands in one record, and their bytes. */
  readonly recordMax: number;
  readonly recordBytesMax: number;
  /** Maximum reads that wait for a record to be durable. */
  readonly readsMax: number;
  /** Maximum done orders that wait for history. */
  readonly doneMax: number;
}

export const DEFAULT_SEQUENCER_LIMITS: SequencerLimits = {
  queueMax: 65_536,
  queueBytesMax: 64 << 20,
  recordMax: 1024,
  recordBytesMax: 1 << 20,
  readsMax: 65_536,
  doneMax: 1_000_000,
};

export interface SequencerParts {
  readonly log: CommandLog;
  /** Has applied everything in the log. */
  readonly exchange: Exchange;
  readonly clock: Clock;
  /** Covers every applied record; may be read only inside `read`. */
  readonly digest: Digest;
  readonly limits?: Partial<SequencerLimits>;
  /** A wall clock that jumps by more than this against the monotonic one is not followed. Default: no limit. */
  readonly clockJumpMsMax?: number;
  /** Called with a message when the wall clock jumps, and when it is trusted again. */
  readonly onClock?: (message: string) => void;
  /** Called once, when the sequencer stops permanently by itself. */
  readonly onStop?: (why: Error) => void;
  /** Whether somebody outside may observe a record as soon as it is published; default: nobody. */
  readonly isWatched?: () => boolean;
}

/** The sequencer as the engine sees it: that of one machine, or that of a cluster's node. */
export interface EngineSequencer extends Omit<ExchangePort, 'health' | 'historyCaughtUp' | 'read'> {
  /** `isLazy`: also sees records that are not durable because nobody awaits them. */
  read<T>(query: (exchange: Exchange) => T, isLazy?: boolean): Promise<T>;
  /** Makes everything durable at once that nobody has awaited. */
  secure?(): void;
  readonly state: 'open' | 'full' | 'clock' | 'no-leader' | 'stopped';
  /** Pending commands. */
  readonly waiting: number;
  /** Why it has stopped by itself; null if it has not. */
  readonly stopReason: Error | null;
  readonly isSettled: boolean;
  /** Resolves when no command is pending and no record is in flight. */
  settled(): Promise<void>;
  /** Accepts no more commands; resolves when the pending ones are answered. */
  close(): Promise<void>;
  /** Permanently. Pending commands fail, even those whose record may turn out to be durable. */
  stop(why: Error): void;
  /** Stops permanently on request, without reporting an error. */
  discard(why: Error): void;
}

/** The engine's messages for rejected commands and clock jumps. */
export const UNAVAILABLE_TEXTS: Record<UnavailableReason, string> = {
  'queue-full': 'too many pending commands: try again soon',
  'disk-full': 'no space left on the disk for the log: commands are refused until there is',
  'history-behind': 'history has fallen too far behind: commands are refused until it catches up',
  clock:
    'the clock of the exchange has jumped: commands are refused until it is back, or an operator accepts it',
  'no-leader':
    'the cluster has no leader at the moment: the command was not executed and will not be; try again',
  stale: 'this node has lost contact with the log: the command was not executed; use another node',
  expired: 'the command did not reach the log in time: it was not executed and will not be; try again',
  unanswered:
    'the log did not respond in time: the command may have been executed; look it up (an order by its clientOid) before you send it again',
  stopped: 'the exchange is shutting down',
};

export const CLOCK_TRUSTED = 'The clock of this machine is trusted again, and commands are accepted';

export function jumped(jumpMs: number): string {
  const seconds = Math.round(Math.abs(jumpMs) / 1000);
  return (
    `The clock of this machine was set ${jumpMs > 0 ? 'forward' : 'back'} by ${seconds} seconds while the exchange ran. ` +
    'Commands are refused and nothing expires; reads continue. If the clock is wrong, correct it, and the exchange ' +
    'resumes by itself; if it is right now, accept it with POST /operator/v1/clock'
  );
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const EVERYTHING = { count: Infinity, bytes: Infinity, work: Infinity };

type Listener = Parameters<ExchangePort['subscribe']>[0];

export class Sequencer implements EngineSequencer {
  readonly #log: CommandLog;
  readonly #exchange: Exchange;
  readonly #digest: Digest;
  readonly #limits: SequencerLimits;
  #onStop: (why: Error) => void;
  readonly #onClock: (message: string) => void;
  readonly #isWatched: () => boolean;
  readonly #clock: Clock;
  readonly #time: LogTime;
  readonly #ticks: TickTimer;
  readonly #queue: CommandQueue;
  readonly #results: RecordResults;
  readonly #budget: RecordBudget;
  readonly #refusals: EarlyRefusals;
  readonly #listeners = new Set<Listener>();
  readonly #reads: WaitingReads;
  #inFlight: InFlight | null = null;
  /** A call of `#pump` is already scheduled. */
  #isScheduled = false;
  #isFull = false;
  #isJumpReported = false;
  #isClosing = false;
  #stopped: Error | null = null;
  #drained: (() => void) | null = null;
  #onSettled: (() => void)[] = [];

  constructor(parts: SequencerParts) {
    const { log, exchange, clock, digest, limits, clockJumpMsMax, onClock, onStop } = parts;
    this.#log = log;
    this.#exchange = exchange;
    this.#digest = digest;
    this.#limits = { ...DEFAULT_SEQUENCER_LIMITS, ...limits };
    this.#onStop = onStop ?? (() => undefined);
    this.#isWatched = parts.isWatched ?? (() => false);
    this.#queue = new CommandQueue(mastersIn(exchange));
    this.#results = new RecordResults(this.#queue);
    this.#budget = new RecordBudget(this.#limits.recordMax);
    this.#refusals = new EarlyRefusals(exchange);
    this.#reads = new WaitingReads(clock);
    this.#clock = clock;
    this.#onClock = onClock ?? (() => undefined);
    this.#time = new LogTime(clock, Math.max(log.lastTime, exchange.time), clockJumpMsMax);
    this.#ticks = new TickTimer(clock, this.#time, exchange, () => this.#schedule());
    // If time stands still, no timer would fire.
    if (this.#isCatchingUp) this.#schedule();
    else this.#ticks.arm();
  }

  get state(): 'open' | 'full' | 'clock' | 'stopped' {
    if (this.#stopped || this.#isClosing) return 'stopped';
    if (this.#hasJumped()) return 'clock';
    return this.#isFull ? 'full' : 'open';
  }

  /** Why it has stopped by itself; null if it has not. */
  get stopReason(): Error | null {
    return this.#stopped;
  }

  get aheadMs(): number {
    return Math.max(0, this.#time.now() - this.#clock.now());
  }

  acceptClock(): void {
    this.#time.trust();
    if (this.#isJumpReported) this.#hasJumped();
    this.#schedule();
  }

  /** Logs once when it begins and once when it is over. */
  #hasJumped(): boolean {
    const { jumpMs } = this.#time;
    const hasJumped = jumpMs !== 0;
    if (hasJumped !== this.#isJumpReported) {
      this.#isJumpReported = hasJumped;
      this.#onClock(hasJumped ? jumped(jumpMs) : CLOCK_TRUSTED);
    }
    return hasJumped;
  }

  get waiting(): number {
    return this.#queue.count + this.#results.waiting + (this.#inFlight?.batch.commands.length ?? 0);
  }

  send(command: Command, waiter: Waiter, sender: Sender): void {
    const bytes = commandBytes(command);
    const refused = this.#refusal(bytes, sender);
    if (refused) throw refused;
    this.#schedule();
    this.#queue.add(command, bytes, waiter, sender);
  }

  #refusal(bytes: number, sender: Sender): Unavailable | null {
    const { queueMax, queueBytesMax, doneMax } = this.#limits;
    if (this.#stopped || this.#isClosing) return this.#unavailable('stopped');
    // A new jump is detected when the record begins; reading two clocks for each command costs a tenth of the throughput.
    if (this.#isJumpReported && this.#hasJumped()) return this.#unavailable('clock');
    if (this.#queue.count >= queueMax || this.#queue.bytes + bytes > queueBytesMax) {
      return this.#unavailable('queue-full');
    }
    // One owner may fill at most half of the queue.
    if (this.#queue.countOf(sender) >= queueMax / 2) return this.#unavailable('queue-full');
    return this.#exchange.doneCount > doneMax ? this.#unavailable('history-behind') : null;
  }

  #unavailable(reason: UnavailableReason): Unavailable {
    return new Unavailable(
      reason,
      reason === 'stopped' && this.#stopped ? this.#stopped.message : UNAVAILABLE_TEXTS[reason],
    );
  }

  read<T>(query: (exchange: Exchange) => T, isLazy = false): Promise<T> {
    if (!isLazy) this.secure();
    if (this.#stopped) return Promise.reject(this.#unavailable('stopped'));
    if (!this.#inFlight && !this.#isCatchingUp) return attempt(() => query(this.#exchange));
    if (this.#reads.count >= this.#limits.readsMax) return Promise.reject(this.#unavailable('queue-full'));
    return this.#reads.add(() => query(this.#exchange));
  }

  #runReads(): void {
    if (this.#inFlight || this.#isCatchingUp || this.#reads.count === 0) return;
    this.secure();
    this.#reads.run();
  }

  secure(): void {
    try {
      if (!this.#stopped) this.#log.secure?.();
    } catch (error) {
      this.#fail(error);
    }
  }

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Resolves when no command is pending and no record is in flight; commands sent in response may begin the next. */
  settled(): Promise<void> {
    if (this.isSettled) return Promise.resolve();
    return new Promise((resolve) => this.#onSettled.push(resolve));
  }

  get isSettled(): boolean {
    if (this.#stopped !== null) return true;
    return !(this.#inFlight || this.#isScheduled || this.#queue.count > 0 || this.#hasLeftover);
  }

  /** Whether the latest record left work over, which the next one continues at once. */
  get #hasLeftover(): boolean {
    return this.#exchange.nextDue <= this.#exchange.time && !this.#isFull && !this.#isClosing;
  }

  /**
   * While time stands still, leftover work is completed before anything else is executed or read: which record a command is in,
   * and the result of a read, must not depend on the speed of the machine.
   */
  get #isCatchingUp(): boolean {
    return this.#clock.isDeterministic === true && this.#hasLeftover;
  }

  #resolveSettled(): void {
    if (this.#onSettled.length === 0 || !this.isSettled) return;
    const waiting = this.#onSettled;
    this.#onSettled = [];
    for (const resolve of waiting) resolve();
  }

  /** Accepts no more commands; resolves when the pending ones are answered. */
  close(): Promise<void> {
    this.#isClosing = true;
    this.#ticks.cancel();
    if (this.#stopped || (!this.#inFlight && this.waiting === 0)) return Promise.resolve();
    return new Promise((resolve) => {
      this.#drained = resolve;
    });
  }

  /** Stops permanently on request, without reporting an error. */
  discard(why: Error): void {
    this.#onStop = () => undefined;
    this.stop(why);
  }

  /** Permanently. Pending commands fail, even those whose record may turn out to be durable. */
  stop(why: Error): void {
    if (this.#stopped) return;
    this.#stopped = why;
    this.#ticks.cancel();
    const unavailable = this.#unavailable('stopped');
    const batches = [this.#queue.take(EVERYTHING)];
    if (this.#inFlight) batches.unshift(this.#inFlight.batch);
    this.#inFlight = null;
    for (const { waiters } of batches) for (const waiter of waiters) waiter.failed(unavailable);
    this.#results.refuse(unavailable);
    this.#reads.refuse(unavailable);
    this.#drained?.();
    this.#resolveSettled();
    this.#onStop(why);
  }

  /**
   * Runs after the events already queued, so that commands that arrive together share a record: with one record for the first of
   * them and one for the others, there would be twice as many to write and sync.
   */
  #schedule(): void {
    if (this.#isScheduled || this.#inFlight) return;
    this.#isScheduled = true;
    this.#clock.soon(this.#runScheduled);
  }

  readonly #runScheduled = (): void => {
    this.#isScheduled = false;
    this.#runReads();
    this.#pump();
    if (this.#reads.count > 0) this.#schedule();
    this.#resolveSettled();
  };

  /** Starts the next record, if there is something to do and nothing in flight. */
  #pump(): void {
    if (this.#inFlight || this.#stopped) return;
    const time = this.#time.now();
    if (this.#hasJumped()) {
      this.#refuseForClock();
      return;
    }
    // While the disk is full, try an empty record now and then: if clients stop sending commands, nothing
    // else would detect that there is space again.
    const isDue = this.#isFull || this.#exchange.nextDue <= time;
    const isDrained = this.#isClosing && this.#results.waiting === 0;
    if (this.#queue.count === 0 && (isDrained || !isDue)) {
      if (this.#isClosing) this.#drained?.();
      else this.#ticks.arm();
      return;
    }
    const { recordMax, recordBytesMax } = this.#limits;
    const bounds = {
      count: recordMax,
      bytes: recordBytesMax,
      work: this.#clock.isDeterministic || this.#clock.isSimulated ? START_WORK : this.#budget.work,
    };
    const hasUnfinished = this.#exchange.hasUnfinished;
    const mustWait = hasUnfinished ? (each: Command) => this.#exchange.mustWait(each) : undefined;
    const taken = this.#isCatchingUp ? noCommands() : this.#queue.take(bounds, mustWait);
    const batch = this.#refusals.rejectCertain(taken, time);
    if (taken.commands.length > 0 && batch.commands.length === 0 && !isDue) {
      // The rest of the queue has its own time slice: all of it may be rejected early, too.
      this.#schedule();
      return;
    }
    const load = loadOf(this.#queue.count, hasUnfinished);
    const record = { seq: this.#exchange.seq + 1, time, rules: RULES_VERSION, commands: batch.commands };
    let durable: Promise<void>;
    try {
      durable = this.#append(record, batch).durable;
    } catch (error) {
      this.#notAppended(batch, error);
      return;
    }
    const inFlight: InFlight = { record, batch, applied: null, load, ms: 0 };
    this.#inFlight = inFlight;
    durable.then(this.#complete, this.#fail);
    const startedAt = this.#clock.machine.elapsed();
    try {
      inFlight.applied = this.#exchange.apply(record);
      this.#digest.add(record.seq, inFlight.applied);
      inFlight.ms = this.#clock.machine.elapsed() - startedAt;
    } catch (error) {
      this.#break(error);
    }
  }

  #append(record: LogRecord, { waiters }: CommandBatch): Appending {
    const isLazy = this.#clock.isSimulated && waiters.length > 0 && waiters.every((each) => each.isLazy);
    return (isLazy && this.#log.appendLazily?.(record, this.#isWatched())) || this.#log.append(record);
  }

  /** Writes nothing, not even due work; the clock is checked again soon. */
  #refuseForClock(): void {
    const unavailable = this.#unavailable('clock');
    for (const waiter of this.#queue.take(EVERYTHING).waiters) waiter.failed(unavailable);
    if (this.#isClosing) this.#drained?.();
    else this.#ticks.armLater();
    this.#resolveSettled();
  }

  /** Nothing of the record counts, and nothing of it was applied. */
  #notAppended(batch: CommandBatch, error: unknown): void {
    if (error instanceof LogFull) {
      this.#isFull = true;
      const unavailable = this.#unavailable('disk-full');
      // If none could be included, the pending commands wait for an unfinished order, which cannot continue either.
      const refused = batch.commands.length > 0 ? batch : this.#queue.take(EVERYTHING);
      for (const waiter of refused.waiters) waiter.failed(unavailable);
      if (this.#queue.count > 0) this.#schedule();
      else if (this.#isClosing) this.#drained?.();
      else this.#ticks.armLater();
      return;
    }
    const unavailable = new Unavailable('stopped', messageOf(error));
    for (const waiter of batch.waiters) waiter.failed(unavailable);
    if (error instanceof LogBroken || error instanceof LogConflict) this.stop(error);
    else this.#break(error);
  }

  readonly #complete = (): void => {
    const done = this.#inFlight;
    if (!done) return;
    this.#inFlight = null;
    this.#isFull = false;
    const startedAt = this.#clock.machine.elapsed();
    try {
      this.#publish(done);
      this.#results.deliver(done);
      const ms = done.ms + this.#clock.machine.elapsed() - startedAt;
      this.#budget.update(done.batch.work, ms, done.load);
    } catch (error) {
      this.#break(error);
      return;
    }
    this.#runReads();
    if (this.#log.failure) {
      this.stop(this.#log.failure);
      return;
    }
    // Scheduled last, so that a caller's immediate follow-up command gets into the next record.
    if (this.#hasMore || this.#isClosing) this.#schedule();
    else this.#ticks.arm();
    this.#resolveSettled();
  };

  #publish({ applied }: InFlight): void {
    if (this.#listeners.size === 0 || !applied) return;
    const published = new PublishedRecord(this.#exchange, applied);
    for (const listener of this.#listeners) listener(published, this.#exchange);
  }

  /** Whether there is pending work that no timer starts. */
  get #hasMore(): boolean {
    return this.#queue.count > 0 || this.#hasLeftover || this.#reads.count > 0;
  }

  readonly #fail = (error: unknown): void => {
    this.stop(error instanceof Error ? error : new LogBroken(messageOf(error)));
  };

  /**
   * Broken inside: an invariant does not hold, or a subscriber or a waiter failed. The process ends; starting again
   * is recovery.
   */
  #break(error: unknown): void {
    this.stop(error instanceof Error ? error : new Error(messageOf(error)));
    queueMicrotask(() => {
      throw error;
    });
  }
}
