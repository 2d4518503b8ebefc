/** The master with the most entries of a shared table. */

/**
 * Of the owners of the entries the one with the most, where counts with equally many binary digits are equal; of these
 * the one with the lowest number.
 */
export function heaviest(owners: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const owner of owners) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  const weightOf = (owner: number): number => counts.get(owner)!.toString(2).length;
  const [first] = [...counts.keys()].toSorted((one, other) => weightOf(other) - weightOf(one) || one - other);
  return first!;
}
