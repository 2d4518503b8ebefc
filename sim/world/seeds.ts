/**
 * Seeds of simulated worlds that once failed, each named for what was wrong. They run first, for ever.
 *
 * None has failed since the worlds have their present form. The list stays all the same: the test and `run.ts` read it,
 * so that whoever finds a failing seed adds one line here and nothing else. Change the draw of worlds and a kept seed
 * is another world: what it found belongs in a test of its own as well.
 */

import type { KeptSeed } from '../seeds.ts';

export const KEPT_SEEDS: readonly KeptSeed[] = [];
