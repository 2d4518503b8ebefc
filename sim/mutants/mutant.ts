/** One rule of the core broken on purpose: a piece of its text, and what stands there instead. */

export interface Mutant {
  readonly name: string;
  /** As `docs/concepts/rules.md` calls it: an id, or the heading it stands under. */
  readonly rule: string;
  /** From `packages/core/src` on. */
  readonly file: string;
  /** Stands exactly once in the file. */
  readonly find: string;
  readonly replace: string;
}

export function inFile(file: string, mutants: readonly Omit<Mutant, 'file'>[]): Mutant[] {
  return mutants.map((mutant) => ({ ...mutant, file }));
}

/** The broken text. A mutant that has lost its place breaks nothing, so that is an error of its own. */
export function mutate(text: string, { name, file, find, replace }: Mutant): string {
  const pieces = text.split(find);
  if (pieces.length === 2) return pieces.join(replace);
  throw new Error(
    `mutant '${name}': its text stands ${pieces.length - 1} times in ${file}, not once:\n${find}`,
  );
}
