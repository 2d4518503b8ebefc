/**
 * A sandbox as its control API sees it: the current world, and everything of the tester that survives a
 * restore: snapshots, forks, faults, the request list, expectations and assertions. Operations that replace
 * the world or move time are serialised.
 */

import { LogTags, Mailbox } from '@bourse/api';
import { copyDirectory, removeDirectory, Unavailable } from '@bourse/engine';
import { closeAll } from './close-all.ts';
import { ReportThreads } from './report/report-threads.ts';
import { SANDBOX_DIR, WorldDirectories, writeClockFile } from './worlds/world-directory.ts';
import type { ClockMode, ClockView } from './clock/sandbox-clock.ts';
import { FaultRules } from './faults/fault-rules.ts';
import { Scenarios } from './faults/scenarios.ts';
import { Assertions } from './watch/assertions.ts';
import { EventLog, EventWatcher } from './watch/events.ts';
import { Expectations } from './watch/expectation.ts';
import { RequestList, RequestUses, watchedRequest, watchedSize } from './watch/requests.ts';
import { notOpened, withoutRoom, type World, type WorldOpener, WorldSnapshots } from './worlds/world.ts';
import { Forks, type ForkRequest } from './worlds/forks.ts';

export interface SandboxOptions {
  /** The data directory. */
  readonly dir: string;
  readonly seed: number;
  readonly opener: WorldOpener;
  /** What an exchange has in its directory besides log, snapshots, history and clock; a restore replaces all of it. */
  readonly exchangeFiles: readonly string[];
}

export interface IdleOptions {
  /** Exchange time. */
  readonly stepMs: number;
  readonly maxMs: number;
  /** Wall time. */
  readonly quietMs: number;
}

export interface Advanced {
  readonly time: number;
  readonly seq: number;
  readonly advancedMs: number;
  /** False if requests still arrived when `maxMs` had passed. */
  readonly isIdle: boolean;
}

/** Poll interval for requests in flight. */
const POLL_MS = 2;

export class Sandbox {
  readonly seed: number;
  readonly mailbox = new Mailbox();
  readonly requests = new RequestList();
  readonly requestUses = new RequestUses();
  readonly reports = new ReportThreads();
  readonly events = new EventLog();
  readonly expectations = new Expectations(this.events);
  readonly assertions = new Assertions(this.events);
  readonly faults = new FaultRules();
  readonly scenarios = new Scenarios(this.faults);
  readonly snapshots: WorldSnapshots;
  readonly forks: Forks;
  readonly directories: WorldDirectories;
  readonly #opener: WorldOpener;
  readonly #tags = new LogTags();
  readonly #atEnd = new Set<() => void>();
  #world: World | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  /** Resolves when the worlds that restores replaced are closed and removed. */
  #discarded: Promise<unknown> = Promise.resolve();
  #isEnding = false;

  constructor({ dir, seed, opener, exchangeFiles }: SandboxOptions) {
    this.seed = seed;
    this.#opener = opener;
    this.directories = new WorldDirectories(dir, exchangeFiles);
    this.snapshots = new WorldSnapshots(`${dir}/${SANDBOX_DIR}/snapshots`);
    this.forks = new Forks(`${dir}/${SANDBOX_DIR}/forks`, opener, this.snapshots);
    this.requests.subscribe((entry) => {
      this.events.add(watchedRequest(entry), watchedSize(entry));
      this.requestUses.add(entry, (route) => this.world.routes.find(({ id }) => id === route)?.pool);
    });
  }

  get world(): World {
    if (this.#world === undefined) throw new Error('the sandbox has no world yet');
    return this.#world;
  }

  /** Makes this the current world, and observes it from now on. */
  async begin(world: World): Promise<void> {
    this.#world = world;
    const { port, catalogue } = world.services;
    const reader = new EventWatcher(catalogue);
    world.throttle.onSpent((pool, owner, weight, limit, used) => {
      const user = typeof owner === 'number' ? catalogue.user(owner)?.name : undefined;
      if (user !== undefined) this.requestUses.spend(user, world.clock.now(), pool, weight, limit, used);
    });
    await port.read((exchange) => {
      this.events.begin(exchange.seq);
      this.assertions.begin(exchange);
      port.subscribe((published, now) => this.events.addRecord(reader.watch(published, now)));
    });
  }

  /** Returns a tag for the log that is unique in this sandbox. */
  nextTag(): string {
    return this.#tags.next(this.world.services.port.health.seq);
  }

  changeClock(mode: ClockMode, speed: number): Promise<ClockView> {
    return this.#inTurn('change of the clock', async () => {
      const { clock, services } = this.world;
      // Written before the change too: if the disk is full, nothing changes.
      await this.remember();
      await clock.change(mode, speed);
      // If the wall clock was set back, exchange time is ahead of it, and continues from there.
      if (mode !== 'real') clock.reach(clock.now() + services.port.aheadMs);
      await this.remember();
      return clock.view;
    });
  }

  /** Returns the state after the advance, or the mode of a clock that runs. */
  advance(ms: number): Promise<{ readonly time: number; readonly seq: number } | ClockMode> {
    return this.#inTurn('advance', async () => {
      const { clock, services } = this.world;
      try {
        if (!(await clock.advance(ms))) return clock.state.mode;
        return { time: clock.now(), seq: services.port.health.seq };
      } finally {
        this.world.engine.secure();
        await this.remember();
      }
    });
  }

  /**
   * Advances in steps while requests arrive or are in flight; ends when there was none for `quietMs` of wall
   * time, or after `maxMs` of exchange time. Returns the mode of a clock that runs.
   */
  async advanceUntilIdle({ stepMs, quietMs, maxMs }: IdleOptions): Promise<Advanced | ClockMode> {
    let advancedMs = 0;
    for (;;) {
      const isIdle = !(await this.#isBusyWithin(quietMs));
      const ms = isIdle ? 0 : Math.min(stepMs, maxMs - advancedMs);
      const reached = await this.advance(ms);
      if (typeof reached === 'string') return reached;
      advancedMs += ms;
      if (ms === 0) return { ...reached, advancedMs, isIdle };
    }
  }

  /** Resolves to true as soon as a request arrives or is in flight, to false if there was none for `quietMs`. */
  async #isBusyWithin(quietMs: number): Promise<boolean> {
    const { machine } = this.world.clock;
    const { count } = this.requests;
    const end = machine.elapsed() + quietMs;
    for (;;) {
      if (this.world.inFlight > 0 || this.requests.count > count) return true;
      if (machine.elapsed() >= end) return false;
      await new Promise<void>((resolve) => void machine.after(POLL_MS, resolve));
    }
  }

  /** Writes the state that neither the log nor history has, for the next start. */
  async remember(): Promise<void> {
    const { clock, dir, services } = this.world;
    await writeClockFile(dir, { time: clock.now(), tickers: services.market.marks });
  }

  snapshot(name: string | undefined) {
    return this.#inTurn('snapshot', () => this.snapshots.take(this.world, name));
  }

  /** Serialised, because a fork or a restore may be copying it. */
  removeSnapshot(wanted: string): Promise<string> {
    return this.#inTurn('removal', () => this.snapshots.remove(wanted));
  }

  fork(request: ForkRequest): Promise<object> {
    return this.#inTurn('fork', () => this.forks.add(this.world, request));
  }

  /** The new world is complete before the current one is touched. */
  restore(wanted: string): Promise<{ seq: number; time: number }> {
    return this.#inTurn('restore', async () => {
      const { entry, dir: from, state } = await this.snapshots.get(wanted);
      const dir = this.directories.next();
      const present = this.world;
      let world: World | undefined;
      try {
        await copyDirectory(from, dir);
        await writeClockFile(dir, { time: state.clock.time, tickers: state.tickerTimes });
        world = await this.#opener.open(dir, state);
        await this.directories.makePresent(dir);
      } catch (error) {
        await world?.discard('the restore failed');
        await removeDirectory(dir).catch(() => undefined);
        throw notOpened(entry.id, from, dir, error);
      }
      this.expectations.giveUp();
      // Nobody needs it any more, so that its errors do not matter. The next start removes a directory that is left.
      const gone = present.discard(RESTORED).then(() => this.directories.remove(present.dir));
      this.#discarded = Promise.allSettled([this.#discarded, gone]);
      await this.begin(world);
      world.serve();
      return { seq: world.services.port.health.seq, time: world.clock.now() };
    });
  }

  /** Cleans up after earlier runs, before anything in the data directory is opened. */
  async clean(settleHistory: (path: string) => void): Promise<void> {
    await this.directories.settle(settleHistory);
    await this.snapshots.removeUnfinished();
    await this.forks.removeLeft();
  }

  /** Calls it when the sandbox ends; the returned function removes it. */
  atEnd(action: () => void): () => void {
    this.#atEnd.add(action);
    return () => {
      this.#atEnd.delete(action);
    };
  }

  /**
   * Ends a running advance, which may have a year left. Queued operations are refused. A replaced world is awaited: its
   * follower has the history of its directory open until it is closed.
   */
  async close(): Promise<void> {
    for (const action of this.#atEnd) action();
    this.expectations.giveUp();
    this.#isEnding = true;
    this.world.clock.stop();
    await closeAll(
      () => this.reports.close(),
      () => this.#turn,
      () => this.#discarded,
      () => this.forks.close(),
    );
  }

  /** Serialises operations. `what` names the operation in error messages. */
  #inTurn<T>(what: string, action: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(async () => {
      if (this.#isEnding) throw new Unavailable('stopped', 'the sandbox is being stopped');
      try {
        return await action();
      } catch (error) {
        throw withoutRoom(what, error);
      }
    });
    this.#turn = mine.catch(() => undefined);
    return mine;
  }
}

const RESTORED = 'the sandbox was restored from a snapshot';
