/**
 * Time as the exchange sees it, so that a virtual clock can drive the whole exchange. There are two notions of it: the
 * exchange's own time, which a sandbox may move, and the machine's, by which sockets and requests have their limits.
 */

export interface Clock {
  /** Milliseconds since 1970; may jump, also back. */
  now(): number;
  /** Milliseconds since some moment; never goes back. */
  elapsed(): number;
  /** Milliseconds since the machine started, also those it slept through; left out where `elapsed` counts them too. */
  sinceBoot?(): number;
  /** Calls `action` once, `delayMs` from now at the earliest; the result takes it back. */
  after(delayMs: number, action: () => void): () => void;
  /** Calls `action` once, when what has already arrived at this thread is dealt with. */
  soon(action: () => void): void;
  /** Calls `action` once, right after what runs now, before anything else that arrives is dealt with. */
  next(action: () => void): void;
  /** The machine's own clock; this clock itself where the two are the same. */
  readonly machine: Clock;
  /**
   * Set where the same requests at the same times must give the same log, however fast the machine is: then nothing may
   * be decided by how long something took.
   */
  readonly isRepeatable?: boolean;
  /** Set while exchange time does not go with the machine's: then nothing need wait for a disk that nobody looks at. */
  readonly isSimulated?: boolean;
}
