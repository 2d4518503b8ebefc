/**
 * Seeds of worlds that once failed, each named after its fault. They always run first, because a fault
 * that occurred once is the likeliest to come back. A change of the flow gives a seed another world: the
 * fault itself belongs in a scenario test as well.
 */
export interface KeptSeed {
  readonly name: string;
  readonly seed: number;
}

export const KEPT_SEEDS: readonly KeptSeed[] = [];
