/**
 * Whether records may follow this node's wall clock when it becomes the leader: not if the clock has jumped while another
 * node led, and not if it is far ahead of most others'. Otherwise each new leader would believe its own clock, and the jump
 * that stopped the previous one would become the time of the exchange.
 */

import { type Clock, LogTime } from '@bourse/engine';

export class OwnClock {
  readonly #clock: Clock;
  readonly #jumpMsMax: number;
  /** How far it is ahead of most other nodes' clocks. */
  readonly #aheadMs: () => number;
  /** Since the start of this process. */
  readonly #sinceStart: LogTime;

  constructor(clock: Clock, jumpMsMax: number | undefined, aheadMs: () => number) {
    this.#clock = clock;
    this.#jumpMsMax = jumpMsMax ?? Infinity;
    this.#aheadMs = aheadMs;
    this.#sinceStart = new LogTime(clock, 0, this.#jumpMsMax);
  }

  /** Call repeatedly: a change between two calls may be a jump. Returns the size of the jump. */
  look(): number {
    return this.#sinceStart.jumpMs;
  }

  /** The time of a record that another node has just written: a clock that agrees with it is right. */
  compare(time: number): void {
    if (this.look() !== 0 && Math.abs(time - this.#clock.now()) <= this.#jumpMsMax) this.accept();
  }

  /** An operator accepted the clock. */
  accept(): void {
    this.#sinceStart.trust();
  }

  /** For records after one of `lastTime`. */
  makeTime(lastTime: number): LogTime {
    return new LogTime(this.#clock, lastTime, this.#jumpMsMax, Math.max(this.look(), this.#aheadMs()));
  }
}

/**
 * The log as a clock: its last record carries the time of the leader. It decides where the nodes' clocks do not: a single
 * node has nothing to compare with, and of two that differ either may be right.
 */
export class LogClock {
  readonly #log: { readonly lastTime: number };
  readonly #clock: Clock;
  #seenTime: number;
  #seenAt: number;

  constructor(log: { readonly lastTime: number }, { machine }: Clock) {
    this.#log = log;
    this.#clock = machine;
    this.#seenTime = log.lastTime;
    this.#seenAt = machine.elapsed();
  }

  /** How far the time of the last record is ahead of this node's wall clock; negative: behind. */
  get lastAheadMs(): number {
    return this.#log.lastTime - this.#clock.now();
  }

  /**
   * A lower bound of how far the log's time would be ahead if a record were written now, because a record may be older than
   * its arrival here. Call often, so that a new record is noticed soon.
   */
  get nowAheadMs(): number {
    const elapsed = this.#clock.elapsed();
    if (this.#log.lastTime !== this.#seenTime) {
      this.#seenTime = this.#log.lastTime;
      this.#seenAt = elapsed;
    }
    return this.lastAheadMs + elapsed - this.#seenAt;
  }
}

/**
 * Whether this node's wall clock is off: far from most others' while another node has a better one, or far behind the
 * log's last record while no other node is alive. Then it does not lead, because records would carry its time, and is not
 * ready, because it would reject signed requests.
 */
export interface ClockWatchParts {
  /** How far this node's wall clock is ahead of most others'; less than 0: behind. */
  readonly aheadMs: () => number;
  /** How far the last record is ahead of it if no other node is alive; otherwise 0. */
  readonly aloneBehindMs: () => number;
  /** The process that should lead instead; null if none has a better clock. */
  readonly successor: () => string | null;
  readonly onClock?: ((sentence: string) => void) | undefined;
}

/** Half of the allowed skew of a signed request. */
const OFF_MS = 2500;

export class ClockWatch {
  readonly #parts: ClockWatchParts;
  #isTold = false;
  /** An operator accepted the clock although it is behind the log. */
  #isAccepted = false;

  constructor(parts: ClockWatchParts) {
    this.#parts = parts;
  }

  get isOff(): boolean {
    const { aheadMs, successor } = this.#parts;
    return (Math.abs(aheadMs()) > OFF_MS && successor() !== null) || (this.#isBehindLog && !this.#isAccepted);
  }

  get #isBehindLog(): boolean {
    return this.#parts.aloneBehindMs() > OFF_MS;
  }

  /** Until it has caught up with the log. */
  accept(): void {
    this.#isAccepted = this.#isBehindLog;
  }

  /** Call repeatedly. Logs once when the clock goes off and once when it is right again. */
  look(): void {
    const { aheadMs, aloneBehindMs, onClock } = this.#parts;
    this.#isAccepted &&= this.#isBehindLog;
    const { isOff } = this;
    if (isOff === this.#isTold) return;
    this.#isTold = isOff;
    if (!isOff) onClock?.(CLOCK_RIGHT);
    else onClock?.(this.#isBehindLog ? behindLog(aloneBehindMs()) : clockOff(aheadMs()));
  }
}

const CLOCK_RIGHT =
  "The clock of this machine agrees with most other nodes' and with the log again: this node may lead, and is ready";

const NOT_READY = 'This node does not lead, and is not ready.';

function clockOff(aheadMs: number): string {
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  return (
    `The clock of this machine is ${seconds} seconds ${aheadMs > 0 ? 'ahead of' : 'behind'} most other nodes'. ` +
    `${NOT_READY} Set the clock, and it resumes by itself`
  );
}

function behindLog(behindMs: number): string {
  return (
    `The clock of this machine is ${Math.round(behindMs / 1000)} seconds behind the last record of the log, and no other ` +
    `node is running. ${NOT_READY} Set the clock, or start another node, and it resumes by itself; if the clock is right, ` +
    'accept it with POST /operator/v1/clock'
  );
}
