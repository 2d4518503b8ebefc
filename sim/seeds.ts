/**
 * Seeds of worlds that once failed, each named for what was wrong. They run first, for ever, because a fault
 * that was there once is the likeliest to come back. A change of the flow gives a seed another world: the
 * fault itself belongs in a scenario test as well.
 */
export interface KeptSeed {
  readonly name: string;
  readonly seed: number;
}

export const KEPT_SEEDS: readonly KeptSeed[] = [];
