/**
 * Seeds of simulated worlds that once failed, each named after its fault. They always run first.
 *
 * The test and `run.ts` read the list, so a failing seed needs only one line here. If the generator of worlds
 * changes, a kept seed is another world: its fault needs a separate test as well.
 */

import type { KeptSeed } from '../seeds.ts';

export const KEPT_SEEDS: readonly KeptSeed[] = [
  {
    seed: 509,
    name: 'a full disk while commands wait for an unfinished order: the sequencer tried without a pause',
  },
  {
    seed: 624963463,
    name: 'an unfinished order waits beside a full queue: the bound of waiting commands did not count it',
  },
];
