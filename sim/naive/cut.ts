/** Work that may be interrupted when a record's meetings are used up: a generator that yields at that point. */

/** Where a generator stopped: at this order; these symbols are blocked until it is complete. */
export interface Cut {
  readonly order: number;
  readonly symbols: readonly number[];
}

export type Cuttable<T> = Generator<Cut, T, void>;

export interface Unfinished {
  readonly run: Cuttable<unknown>;
  readonly user: number;
  /** The first order at which it was interrupted. */
  readonly ticket: number;
  readonly isAwaited: boolean;
  symbols: readonly number[];
}
