/** What may be cut short where a record allows no further meeting is a generator, which yields there. */

/** Where a generator stopped: at this order, and nobody may act in these symbols until it is through. */
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
