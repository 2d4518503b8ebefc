/** Seeds of simulated worlds that once failed, each named for what was wrong. They run first, for ever. */

import type { KeptSeed } from '../seeds.ts';

export const KEPT_SEEDS: readonly KeptSeed[] = [];
