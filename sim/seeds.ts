/**
 * Seeds of worlds that once failed, each named after its fault. They always run first, because a fault that occurred
 * once is the most likely to recur. A change of the generator turns a seed into another world, so the fault also
 * needs a scenario test.
 */
export interface KeptSeed {
  readonly name: string;
  readonly seed: number;
}

export const KEPT_SEEDS: readonly KeptSeed[] = [];
