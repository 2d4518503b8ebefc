/**
 * Whether the wall clock of this node is off: far from most others', while another node has a better one. Then it does not
 * lead, because records would have its time, and is not ready, because it would refuse signed requests.
 */

export interface ClockWatchParts {
  /** How far this node's wall clock is ahead of most others'; less than 0: behind. */
  readonly aheadMs: () => number;
  /** The process that should lead instead; null where none has a better clock. */
  readonly successor: () => string | null;
  readonly onClock?: ((sentence: string) => void) | undefined;
}

/** Half of what a signed request may be off. */
const OFF_MS = 2500;

export class ClockWatch {
  readonly #parts: ClockWatchParts;
  #isTold = false;

  constructor(parts: ClockWatchParts) {
    this.#parts = parts;
  }

  get isOff(): boolean {
    const { aheadMs, successor } = this.#parts;
    return Math.abs(aheadMs()) > OFF_MS && successor() !== null;
  }

  /** Says so once, when it begins and when it is over; to be called again and again. */
  look(): void {
    const { isOff } = this;
    if (isOff === this.#isTold) return;
    this.#isTold = isOff;
    this.#parts.onClock?.(isOff ? clockOff(this.#parts.aheadMs()) : CLOCK_RIGHT);
  }
}

const CLOCK_RIGHT =
  "The clock of this machine agrees with most other nodes' again: this node may lead, and is ready";

function clockOff(aheadMs: number): string {
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  return (
    `The clock of this machine is ${seconds} seconds ${aheadMs > 0 ? 'ahead of' : 'behind'} most other nodes'. This node ` +
    'does not lead, and is not ready. Set the clock, and it goes on by itself'
  );
}
