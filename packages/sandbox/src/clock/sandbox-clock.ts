/**
 * The clock of a sandbox: exchange time that follows the machine's, runs faster, or moves only on request. Everything
 * the exchange times (expiries, candles, rate windows, feed intervals, agents) uses it; timeouts of sockets and
 * requests use the machine's time, `machine`.
 *
 * While time stands still, no timer fires. An advance goes from one due millisecond to the next: all timers due at
 * one of them fire in the order in which they were set, and their work completes before the next begins. So the
 * effect of an advance does not depend on how it is divided, nor on the speed of the machine.
 *
 * A scaled clock works like an advance limited to its speed: it stops at every millisecond at which something is due,
 * until the resulting work is complete. If the machine is too slow for the speed, time runs slower; nothing is
 * skipped. `view` reports the speed reached.
 *
 * In mode real, `now` follows the machine's wall clock even if it jumps, and `elapsed`, which timers use, the
 * monotonic one: so the engine detects a jump of the wall clock, and no timer fires because of it. In the other modes
 * the two advance together, because an advance is intended.
 */

import { type Clock, Unavailable } from '@bourse/engine';

/** The `clock` setting: `real`, `manual`, or `x` and a factor. */
export interface ClockWord {
  readonly mode: ClockMode;
  readonly speed: number;
}

/** Start time of a fresh sandbox with a standing clock, so that two of them give the same ids. */
export const MANUAL_START_MS = Date.UTC(2026, 0, 1);

/** Undefined if the text is not a clock. */
export function parseClock(word: string): ClockWord | undefined {
  if (word === 'real') return { mode: 'real', speed: 1 };
  if (word === 'manual') return { mode: 'manual', speed: 0 };
  const speed = /^x([1-9]\d{0,4})$/.test(word) ? Number(word.slice(1)) : 0;
  return speed >= 2 && speed <= SPEED_MAX ? { mode: 'scaled', speed } : undefined;
}

export const clockWord = ({ mode, speed }: ClockWord): string => (mode === 'scaled' ? `x${speed}` : mode);

export type ClockMode = 'real' | 'scaled' | 'manual';

export interface ClockState {
  readonly mode: ClockMode;
  /** 0 while time stands still. */
  readonly speed: number;
  readonly time: number;
}

/** For responses: with the speed that a scaled clock has recently reached. */
export interface ClockView extends ClockState {
  readonly reached?: number;
}

/** Pending work that timers started: commands in flight. */
export interface Work {
  readonly isSettled: boolean;
  settled(): Promise<void>;
  /** Resolves when the agents have finished their step, whatever other users do meanwhile. */
  agentsIdle(): Promise<void>;
}

const IDLE: Work = {
  isSettled: true,
  settled: async () => undefined,
  agentsIdle: async () => undefined,
};

export const SPEED_MAX = 10_000;
/** Machine time: how long a scaled clock waits for users' requests, which may never pause. */
const PATIENCE_MS = 100;
/** How far a scaled clock may lag behind its speed and still catch up; without a limit it would rush later. */
const LAG_MS_MAX = 50;
/** How long a scaled clock runs timers before it lets requests in. */
const SLICE_MS = 5;
/** The period over which the reached speed is measured, if that much time has passed since the last change. */
const MEASURE_MS = 2000;
const MEASURED_MS_MIN = 250;

/** The machine's clock and this one at the same moment. */
interface Moment {
  readonly machine: number;
  readonly elapsed: number;
}

const NEVER: Moment = { machine: 0, elapsed: 0 };

export class SandboxClock implements Clock {
  readonly machine: Clock;
  readonly #timers = new TimerHeap();
  #mode: ClockMode = 'manual';
  #speed = 0;
  /** This clock and the machine's monotonic clock at the same moment. */
  #time: number;
  #elapsed: number;
  #machineElapsed = 0;
  /** How far exchange time is ahead of the wall clock, if it follows that. */
  #ahead = 0;
  /** How long the machine slept in mode real; while in that mode, minus its earlier sleep. */
  #slept = 0;
  /** A scaled clock is stopped until due work is complete. */
  #isHeld = false;
  /** Changes with every change of mode, so that loops of an earlier mode end. */
  #way = 0;
  /** The start of the speed measurement, and of the next one. */
  #measured: readonly [from: Moment, next: Moment] = [NEVER, NEVER];
  #cancelWait: () => void = () => undefined;
  #waitsFor = Infinity;
  #work: Work = IDLE;
  /** Advances and mode changes, serialised. */
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

  get view(): ClockView {
    const { state } = this;
    const reached = state.mode === 'scaled' ? this.#reached() : undefined;
    return reached === undefined ? state : { ...state, reached };
  }

  get isDeterministic(): boolean {
    return this.#mode === 'manual';
  }

  get isSimulated(): boolean {
    return this.#mode !== 'real';
  }

  now(): number {
    if (this.#mode === 'real') return Math.floor(this.machine.now()) + this.#ahead;
    return this.#time + this.#passed();
  }

  /** Never goes back within a run: a restore creates a new clock. */
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

  /** Sets the initial time from an existing log: time is never before its last record. Fires no timers. */
  reach(time: number): void {
    const ms = time - this.now();
    if (ms <= 0) return;
    this.#time += ms;
    this.#ahead += ms;
  }

  /** Adds work that an advance waits for after each due millisecond. */
  waitFor(work: Work): void {
    this.#work = work;
  }

  /** Continues from the current time in another mode. */
  change(mode: ClockMode, speed: number): Promise<ClockState> {
    return this.#inTurn(async () => {
      this.#mark();
      if (this.#mode === 'real') this.#slept += this.#machineSlept();
      this.#run(mode, speed);
      return this.state;
    });
  }

  /**
   * Resolves when everything due by then has happened; to false if time does not stand still. Rejects if the clock is stopped
   * meanwhile: everything due until then has happened.
   */
  advance(ms: number): Promise<boolean> {
    return this.#inTurn(async () => {
      if (this.#mode !== 'manual') return false;
      const end = this.#elapsed + ms;
      // Work that an answered request started belongs to the current time.
      await this.#calm();
      for (;;) {
        if (this.#isStopped)
          throw new Unavailable('stopped', 'the clock was stopped before it reached that time');
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

  /** Cancels everything that was scheduled. */
  stop(): void {
    this.#isStopped = true;
    this.#cancelWait();
    this.#timers.clear();
  }

  /** A waiter may continue as soon as it is answered, so one turn of the event loop without new work must pass. */
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

  /** Time since the last mark, in whole milliseconds. A scaled clock never passes a due event. */
  #passed(): number {
    if (this.#isHeld) return 0;
    const wanted = this.#wanted();
    if (this.#mode !== 'scaled') return wanted;
    const { first } = this.#timers;
    return first === undefined ? wanted : Math.min(wanted, Math.max(0, first.due - this.#elapsed));
  }

  /** The time at which its speed would have arrived since the last mark. */
  #wanted(): number {
    return Math.floor((this.machine.elapsed() - this.#machineElapsed) * this.#speed);
  }

  /** Average over the last seconds of machine time, to two decimals; undefined until enough has passed. */
  #reached(): number | undefined {
    const now = this.#moment();
    this.#measure(now);
    const [from] = this.#measured;
    const ms = now.machine - from.machine;
    return ms < MEASURED_MS_MIN ? undefined : Math.round((100 * (now.elapsed - from.elapsed)) / ms) / 100;
  }

  #measure(now: Moment): void {
    const [, next] = this.#measured;
    if (now.machine - next.machine >= MEASURE_MS) this.#measured = [next, now];
  }

  #moment(): Moment {
    return { machine: this.machine.elapsed(), elapsed: this.elapsed() };
  }

  #machineSlept(): number {
    const { machine } = this;
    return machine.sinceBoot ? machine.sinceBoot() - machine.elapsed() : 0;
  }

  /** Starts measuring the speed again. */
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
    this.#way++;
    this.#isHeld = false;
    this.#mode = mode;
    this.#speed = mode === 'manual' ? 0 : mode === 'real' ? 1 : speed;
    this.#machineElapsed = this.machine.elapsed();
    this.#ahead = this.#time - Math.floor(this.machine.now());
    if (mode === 'real') this.#slept -= this.#machineSlept();
    const now = this.#moment();
    this.#measured = [now, now];
    this.#waitAnew();
  }

  #waitAnew(): void {
    this.#waitsFor = Infinity;
    this.#wait();
  }

  /** Waits for the first timer, in machine time. */
  #wait(): void {
    const { first } = this.#timers;
    if (this.#mode === 'manual' || this.#isStopped) {
      this.#cancelWait();
      return;
    }
    if (this.#isHeld || first === undefined || first.due >= this.#waitsFor) return;
    this.#cancelWait();
    this.#waitsFor = first.due;
    const delayMs = (first.due - this.elapsed()) / this.#speed;
    this.#cancelWait = this.machine.after(delayMs, this.#callDue);
  }

  readonly #callDue = (): void => {
    this.#waitsFor = Infinity;
    if (this.#mode === 'scaled') {
      void this.#goOn(this.#way);
      return;
    }
    this.#callThrough(this.elapsed());
    this.#wait();
  };

  #callThrough(elapsed: number): void {
    for (;;) {
      const timer = this.#timers.take(elapsed);
      if (timer === undefined) break;
      timer.action();
    }
  }

  /** Goes from one due millisecond to the next, up to where the speed has taken the clock by now. */
  async #goOn(way: number): Promise<void> {
    let sliceEnd = this.machine.elapsed() + SLICE_MS;
    while (!this.#isStopped && way === this.#way) {
      const due = this.#timers.first?.due ?? Infinity;
      const wanted = this.#wanted();
      if (due > this.#elapsed + wanted) break;
      this.#isHeld = true;
      const ms = Math.max(0, due - this.#elapsed);
      this.#move(ms);
      this.#machineElapsed += ms / this.#speed;
      this.#callThrough(this.#elapsed);
      if (!this.#work.isSettled) await this.#calmPatiently();
      if (this.machine.elapsed() >= sliceEnd) {
        await new Promise<void>((resolve) => this.machine.soon(resolve));
        sliceEnd = this.machine.elapsed() + SLICE_MS;
      }
      if (way !== this.#way) return;
      this.#machineElapsed = Math.max(this.#machineElapsed, this.machine.elapsed() - LAG_MS_MAX);
      this.#measure(this.#moment());
      this.#isHeld = false;
    }
    if (way === this.#way) this.#wait();
  }

  /** Like `#calm`, but users who never pause delay time only for a moment; agents always do. */
  async #calmPatiently(): Promise<void> {
    let cancel: () => void = () => undefined;
    const patience = new Promise<void>((resolve) => {
      cancel = this.machine.after(PATIENCE_MS, resolve);
    });
    await Promise.race([this.#calm(), patience]);
    cancel();
    await this.#work.agentsIdle();
  }
}

/** Timers by due time; ties fire in the order they were set. */
export interface Timer {
  readonly due: number;
  readonly order: number;
  readonly action: () => void;
  isCancelled: boolean;
}

class TimerHeap {
  readonly #heap: Timer[] = [];
  #orders = 0;

  add(due: number, action: () => void): Timer {
    const timer = { due, order: this.#orders++, action, isCancelled: false };
    this.#heap.push(timer);
    this.#raise(this.#heap.length - 1);
    return timer;
  }

  /** The next timer that was not cancelled; undefined for none. */
  get first(): Timer | undefined {
    while (this.#heap[0]?.isCancelled) this.#remove();
    return this.#heap[0];
  }

  /** Removes and returns the first if it is due by then. */
  take(time: number): Timer | undefined {
    const { first } = this;
    if (first === undefined || first.due > time) return undefined;
    this.#remove();
    return first;
  }

  clear(): void {
    this.#heap.length = 0;
  }

  #remove(): void {
    const last = this.#heap.pop()!;
    if (this.#heap.length === 0) return;
    this.#heap[0] = last;
    this.#sink();
  }

  #raise(from: number): void {
    const heap = this.#heap;
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!isBefore(heap[at], heap[parent])) return;
      [heap[at], heap[parent]] = [heap[parent], heap[at]];
      at = parent;
    }
  }

  #sink(): void {
    const heap = this.#heap;
    for (let at = 0; ; ) {
      const left = 2 * at + 1;
      if (left >= heap.length) return;
      const right = left + 1;
      const child = right < heap.length && isBefore(heap[right], heap[left]) ? right : left;
      if (!isBefore(heap[child], heap[at])) return;
      [heap[at], heap[child]] = [heap[child], heap[at]];
      at = child;
    }
  }
}

const isBefore = (a: Timer, b: Timer): boolean => a.due < b.due || (a.due === b.due && a.order < b.order);
