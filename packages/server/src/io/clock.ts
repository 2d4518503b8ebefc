/** Time as the engine sees it, so that a virtual clock can drive the whole exchange. */

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
}
