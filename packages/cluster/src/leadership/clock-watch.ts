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
