/**
 * The clock of a sandbox: exchange time that runs with the machine's, faster, or only when it is told to. Whatever the
 * exchange times (expiries, candles, rate windows, ticks of the feed, agents) is timed by it; limits of sockets and
 * requests are the machine's time, which is at `machine`.
 *
 * While time stands, nothing happens by itself. An advance goes from one due millisecond to the next: everything due at
 * one of them is set off, in the order in which it was set, and is over before the next begins. So what an advance
 * brings about does not depend on how it is divided, nor on how long the machine takes.
 */

import type { Clock } from '../../io/clock.ts';
import { TimerHeap } from './timer-heap.ts';

export type ClockMode = 'real' | 'scaled' | 'manual';

export interface ClockState {
  readonly mode: ClockMode;
  /** 0 while time stands. */
  readonly speed: number;
  readonly time: number;
}

/** What timers set off: commands on their way. */
export interface Work {
  readonly isSettled: boolean;
  settled(): Promise<void>;
}

const IDLE: Work = { isSettled: true, settled: async () => undefined };

export const SPEED_MAX = 10_000;
/** The machine's clock may jump while a timer runs, as after sleep: so it is looked at again at least this often. */
const LOOK_AGAIN_MS = 1000;

export class SandboxClock implements Clock {
  readonly machine: Clock;
  readonly #timers = new TimerHeap();
  #mode: ClockMode = 'manual';
  #speed = 0;
  /** Exchange time at a moment, and what the machine's monotonic clock said then. */
  #time: number;
  #elapsed = 0;
  /** How far exchange time is ahead of the wall clock, where it goes with that. */
  #ahead = 0;
  #cancelWait: () => void = () => undefined;
  #waitsFor = Infinity;
  #work: Work = IDLE;
  /** Advances and changes of mode, one after the other. */
  #turn: Promise<unknown> = Promise.resolve();
  #isStopped = false;

  constructor(machine: Clock, { mode, speed, time }: ClockState) {
    this.machine = machine;
    this.#time = time;
    this.#run(mode, speed);
  }

  get state(): ClockState {
    return { mode: this.#mode, speed: this.#speed, time: this.now() };
  }

  get isRepeatable(): boolean {
    return this.#mode === 'manual';
  }

  now(): number {
    if (this.#mode === 'manual') return this.#time;
    const elapsed = this.machine.elapsed();
    const passed = Math.floor((elapsed - this.#elapsed) * this.#speed);
    if (this.#mode === 'scaled') return this.#time + passed;
    // Follows the machine's wall clock as long as that goes forward, and goes on at its own pace while it is set back.
    const byWall = Math.floor(this.machine.now()) + this.#ahead;
    if (byWall >= this.#time) {
      this.#time = byWall;
      this.#elapsed = elapsed;
    } else {
      this.#time += passed;
      this.#elapsed += passed;
    }
    return this.#time;
  }

  /** Exchange time never goes back within a run: a restore makes a new clock. */
  elapsed(): number {
    return this.now();
  }

  after(delayMs: number, action: () => void): () => void {
    const timer = this.#timers.add(this.now() + Math.max(0, Math.ceil(delayMs)), action);
    this.#wait();
    return () => {
      timer.isCancelled = true;
    };
  }

  soon(action: () => void): void {
    this.machine.soon(action);
  }

  next(action: () => void): void {
    this.machine.next(action);
  }

  /** The exchange is there already: time is never before what its log says. */
  reach(time: number): void {
    if (time > this.now()) this.#set(time);
  }

  /** What an advance waits for after each millisecond at which something was due. */
  waitFor(work: Work): void {
    this.#work = work;
  }

  /** Goes on from the present time in another way. */
  change(mode: ClockMode, speed: number): Promise<ClockState> {
    return this.#inTurn(async () => {
      this.#set(this.now());
      this.#run(mode, speed);
      return this.state;
    });
  }

  /** Resolves when everything due by then has happened; false where time does not stand. */
  advance(ms: number): Promise<boolean> {
    return this.#inTurn(async () => {
      if (this.#mode !== 'manual') return false;
      const end = this.#time + ms;
      // What was set off before, by a request that has its answer, belongs to the present time.
      await this.#calm();
      for (;;) {
        const due = this.#timers.first?.due ?? Infinity;
        if (due > end || this.#isStopped) break;
        this.#time = Math.max(this.#time, due);
        for (;;) {
          const timer = this.#timers.take(this.#time);
          if (timer === undefined) break;
          timer.action();
        }
        await this.#calm();
      }
      this.#time = end;
      return true;
    });
  }

  /** Nothing that was set is called any more. */
  stop(): void {
    this.#isStopped = true;
    this.#cancelWait();
    this.#timers.clear();
  }

  /** Answers wake whoever waited for them, and these may go on at once: so a turn without anything new must pass. */
  async #calm(): Promise<void> {
    do {
      await this.#work.settled();
      await new Promise<void>((resolve) => this.machine.soon(resolve));
    } while (!this.#work.isSettled);
  }

  #inTurn<T>(action: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(action);
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  #set(time: number): void {
    this.#time = time;
    this.#elapsed = this.machine.elapsed();
    this.#ahead = time - Math.floor(this.machine.now());
    this.#waitsFor = Infinity;
    this.#wait();
  }

  #run(mode: ClockMode, speed: number): void {
    this.#mode = mode;
    this.#speed = mode === 'manual' ? 0 : mode === 'real' ? 1 : speed;
    this.#set(this.#time);
  }

  /** For the first timer, by the machine's time. */
  #wait(): void {
    const { first } = this.#timers;
    if (this.#mode === 'manual' || this.#isStopped) {
      this.#cancelWait();
      return;
    }
    if (first === undefined || first.due >= this.#waitsFor) return;
    this.#cancelWait();
    this.#waitsFor = first.due;
    const delayMs = Math.min((first.due - this.now()) / this.#speed, LOOK_AGAIN_MS);
    this.#cancelWait = this.machine.after(delayMs, this.#callDue);
  }

  readonly #callDue = (): void => {
    this.#waitsFor = Infinity;
    const now = this.now();
    for (;;) {
      const timer = this.#timers.take(now);
      if (timer === undefined) break;
      timer.action();
    }
    this.#wait();
  };
}
