/**
 * Time for the exchange, so that a virtual clock can drive all of it. There are two kinds: the
 * exchange's time, which a sandbox may move, and the machine's, which limits sockets and requests.
 */

export interface Clock {
  /** Milliseconds since 1970; may jump, also back. */
  now(): number;
  /** Milliseconds since some moment; never goes back. */
  elapsed(): number;
  /** Milliseconds since the machine started, including sleep; omitted if `elapsed` includes sleep as well. */
  sinceBoot?(): number;
  /** Calls `action` once, `delayMs` from now at the earliest; the result takes it back. */
  after(delayMs: number, action: () => void): () => void;
  /** Calls `action` once, after the events already queued for this thread. */
  soon(action: () => void): void;
  /** Calls `action` once, right after what runs now, before anything else that arrives is dealt with. */
  next(action: () => void): void;
  /** The machine's own clock; this clock itself where the two are the same. */
  readonly machine: Clock;
  /**
   * Set where the same requests at the same times must give the same log, however fast the machine is: then nothing may
   * be decided by how long something took.
   */
  readonly isDeterministic?: boolean;
  /** Set while exchange time is independent of the machine's: records that nobody observes then need no sync. */
  readonly isSimulated?: boolean;
}
