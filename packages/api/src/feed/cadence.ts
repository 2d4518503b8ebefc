/**
 * Topics that send at most one message per interval. Changes in between are gathered, and only the resulting state is
 * sent. The interval is divided into slots and each symbol has one of them: messages of two symbols that always change
 * together would always arrive together, and clients that take one message per read (ccxt) would never see the second.
 */

import type { Clock } from '@bourse/engine';

type Publish = (symbols: readonly number[]) => void;

/** The number of slots. A reader of all symbols gets one write for each slot, so more slots cost more writes. */
const SLOTS_MAX = 16;
/** Approximate time that a client needs to take a message and read the next. */
const SLOT_MS_MIN = 2;
/**
 * The golden ratio: the fractional parts of its multiples are spread evenly over the interval, however many there are.
 */
const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

export class Cadence {
  readonly #slots: readonly Slot[];

  /** `publish` gets the symbols that have changed since their last message. */
  constructor(clock: Clock, intervalMs: number, publish: Publish) {
    const count = Math.max(1, Math.min(SLOTS_MAX, Math.floor(intervalMs / SLOT_MS_MIN)));
    this.#slots = Array.from(
      { length: count },
      (_, at) => new Slot(clock, intervalMs, (at * intervalMs) / count, publish),
    );
  }

  note(symbol: number): void {
    this.#slots[Math.floor(((symbol * GOLDEN_RATIO) % 1) * this.#slots.length)].note(symbol);
  }

  stop(): void {
    for (const slot of this.#slots) slot.stop();
  }
}

/** A phase of the interval, and the symbols published in it. */
class Slot {
  readonly #clock: Clock;
  readonly #intervalMs: number;
  readonly #phaseMs: number;
  readonly #publish: Publish;
  #changed = new Set<number>();
  #cancel: (() => void) | undefined;
  /** The number of the last interval that was published. */
  #used = -1;
  #turns = 0;

  constructor(clock: Clock, intervalMs: number, phaseMs: number, publish: Publish) {
    this.#clock = clock;
    this.#intervalMs = intervalMs;
    this.#phaseMs = phaseMs;
    this.#publish = publish;
  }

  note(symbol: number): void {
    this.#changed.add(symbol);
    if (this.#cancel !== undefined) return;
    const elapsed = this.#clock.elapsed() - this.#phaseMs;
    // Without this, a timer that fires slightly early would send twice in one interval.
    this.#used = Math.max(this.#used, Math.floor(elapsed / this.#intervalMs)) + 1;
    this.#cancel = this.#clock.after(this.#used * this.#intervalMs - elapsed, this.#run);
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  readonly #run = (): void => {
    this.#cancel = undefined;
    const symbols = [...this.#changed].toSorted((a, b) => a - b);
    this.#changed = new Set();
    // Symbols of one slot arrive together, so the first one rotates: ccxt sees only the first.
    const first = this.#turns++ % symbols.length;
    this.#publish([...symbols.slice(first), ...symbols.slice(0, first)]);
  };
}
