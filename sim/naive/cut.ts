/** Work that may be interrupted when a record's matches are used up is a generator, which yields at that point. */

/** Where a generator stopped: at this order; these symbols are blocked until it is complete. */
export interface Cut {
  readonly order: number;
  readonly symbols: readonly number[];
}

export type Cuttable<T> = Generator<Cut, T, void>;

export interface Unfinished {
  readonly run: Cuttable<unknown>;
  readonly user: number;
  /** The order at which it was cut first. */
  readonly ticket: number;
  readonly isAwaited: boolean;
  symbols: readonly number[];
}
