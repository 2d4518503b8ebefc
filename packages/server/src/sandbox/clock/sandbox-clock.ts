/**
 * The clock of a sandbox: exchange time that runs with the machine's, faster, or only when it is told to. Whatever the
 * exchange times (expiries, candles, rate windows, ticks of the feed, agents) is timed by it; limits of sockets and
 * requests are the machine's time, which is at `machine`.
 *
 * While time stands, nothing happens by itself. An advance goes from one due millisecond to the next: everything due at
 * one of them is set off, in the order in which it was set, and is over before the next begins. So what an advance
 * brings about does not depend on how it is divided, nor on how long the machine takes.
 *
 * In mode real `now` follows the machine's wall clock wherever that goes, and `elapsed`, by which timers are due, the
 * monotonic one: so the engine sees when the wall clock jumps, and no timer goes off because of it. In the other modes
 * the two go together, because an advance is meant.
 */

import { Unavailable } from '../../engine/exchange-port.ts';
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
export class SandboxClock implements Clock {
  readonly machine: Clock;
  readonly #timers = new TimerHeap();
  #mode: ClockMode = 'manual';
  #speed = 0;
  /** What this clock said at a moment, and what the machine's monotonic clock said then. */
  #time: number;
  #elapsed: number;
  #machineElapsed = 0;
  /** How far exchange time is ahead of the wall clock, where it goes with that. */
  #ahead = 0;
  /** How long the machine slept in mode real; while in that mode, less what it had slept before. */
  #slept = 0;
  #cancelWait: () => void = () => undefined;
  #waitsFor = Infinity;
  #work: Work = IDLE;
  /** Advances and changes of mode, one after the other. */
  #turn: Promise<unknown> = Promise.resolve();
  #isStopped = false;

  constructor(machine: Clock, { mode, speed, time }: ClockState) {
    this.machine = machine;
    this.#time = time;
    this.#elapsed = time;
    this.#run(mode, speed);
  }

  get state(): ClockState {
    return { mode: this.#mode, speed: this.#speed, time: this.now() };
  }

  get isRepeatable(): boolean {
    return this.#mode === 'manual';
  }

  now(): number {
    if (this.#mode === 'real') return Math.floor(this.machine.now()) + this.#ahead;
    return this.#time + this.#passed();
  }

  /** Never goes back within a run: a restore makes a new clock. */
  elapsed(): number {
    return this.#elapsed + this.#passed();
  }

  sinceBoot(): number {
    return this.elapsed() + this.#slept + (this.#mode === 'real' ? this.#machineSlept() : 0);
  }

  after(delayMs: number, action: () => void): () => void {
    const timer = this.#timers.add(this.elapsed() + Math.max(0, Math.ceil(delayMs)), action);
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

  /** The exchange is there already: time is never before what its log says. No timer goes off because of it. */
  reach(time: number): void {
    const ms = time - this.now();
    if (ms <= 0) return;
    this.#time += ms;
    this.#ahead += ms;
  }

  /** What an advance waits for after each millisecond at which something was due. */
  waitFor(work: Work): void {
    this.#work = work;
  }

  /** Goes on from the present time in another way. */
  change(mode: ClockMode, speed: number): Promise<ClockState> {
    return this.#inTurn(async () => {
      this.#mark();
      if (this.#mode === 'real') this.#slept += this.#machineSlept();
      this.#run(mode, speed);
      return this.state;
    });
  }

  /**
   * Resolves when everything due by then has happened; false where time does not stand. Rejects where the clock is stopped
   * on the way: what was due until then has happened.
   */
  advance(ms: number): Promise<boolean> {
    return this.#inTurn(async () => {
      if (this.#mode !== 'manual') return false;
      const end = this.#elapsed + ms;
      // What was set off before, by a request that has its answer, belongs to the present time.
      await this.#calm();
      for (;;) {
        if (this.#isStopped) throw new Unavailable('stopped', 'the clock was stopped before it came there');
        const due = this.#timers.first?.due ?? Infinity;
        if (due > end) break;
        this.#move(Math.max(0, due - this.#elapsed));
        for (;;) {
          const timer = this.#timers.take(this.#elapsed);
          if (timer === undefined) break;
          timer.action();
        }
        await this.#calm();
      }
      this.#move(end - this.#elapsed);
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

  /** Since the last mark, in whole milliseconds. */
  #passed(): number {
    return Math.floor((this.machine.elapsed() - this.#machineElapsed) * this.#speed);
  }

  #machineSlept(): number {
    const { machine } = this;
    return machine.sinceBoot ? machine.sinceBoot() - machine.elapsed() : 0;
  }

  /** From here on is counted. */
  #mark(): void {
    const [time, elapsed] = [this.now(), this.elapsed()];
    this.#time = time;
    this.#elapsed = elapsed;
    this.#machineElapsed = this.machine.elapsed();
  }

  #move(ms: number): void {
    this.#time += ms;
    this.#elapsed += ms;
  }

  #run(mode: ClockMode, speed: number): void {
    this.#mode = mode;
    this.#speed = mode === 'manual' ? 0 : mode === 'real' ? 1 : speed;
    this.#machineElapsed = this.machine.elapsed();
    this.#ahead = this.#time - Math.floor(this.machine.now());
    if (mode === 'real') this.#slept -= this.#machineSlept();
    this.#waitAnew();
  }

  #waitAnew(): void {
    this.#waitsFor = Infinity;
    this.#wait();
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
    const delayMs = (first.due - this.elapsed()) / this.#speed;
    this.#cancelWait = this.machine.after(delayMs, this.#callDue);
  }

  readonly #callDue = (): void => {
    this.#waitsFor = Infinity;
    const elapsed = this.elapsed();
    for (;;) {
      const timer = this.#timers.take(elapsed);
      if (timer === undefined) break;
      timer.action();
    }
    this.#wait();
  };
}
