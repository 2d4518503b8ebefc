/** The master with the most entries of a shared table. */

/**
 * The owner with the most entries, where counts with the same number of binary digits are equal; ties go to the
 * lowest number.
 */
export function heaviest(owners: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const owner of owners) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  const weightOf = (owner: number): number => counts.get(owner)!.toString(2).length;
  const [first] = [...counts.keys()].toSorted((one, other) => weightOf(other) - weightOf(one) || one - other);
  return first!;
}
