/** One rule of the server broken, and where that must be noticed. */

import type { Mutant } from '../mutants/mutant.ts';

export interface EngineMutant extends Mutant {
  /** The test file that catches it, from the root on; left out where the simulator does. */
  readonly test?: string;
  /** The test of that file, by a part of its name; left out: all of them. */
  readonly only?: string;
}

export const inFile = (file: string, mutants: readonly Omit<EngineMutant, 'file'>[]): EngineMutant[] =>
  mutants.map((mutant) => ({ ...mutant, file }));
