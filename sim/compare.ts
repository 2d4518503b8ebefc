/** Compares and prints values of outcomes and events; equal values have the same text. */

/** Wording for people: the rules define when a rejection occurs and which field it names, not its text. */
const WORDING: ReadonlySet<string> = new Set(['expected', 'because', 'allowed']);

export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
    return Number.isNaN(one) && Number.isNaN(other);
  }
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length || Array.isArray(one) !== Array.isArray(other)) return false;
  for (const name of names) {
    if (WORDING.has(name)) continue;
    if (!isSame((one as Record<string, unknown>)[name], (other as Record<string, unknown>)[name]))
      return false;
  }
  return true;
}

/** JSON with sorted keys; bigints as `"12n"`, and text for numbers that JSON does not support. */
export function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === 'bigint') return `${part}n`;
    if (typeof part === 'number' && !Number.isFinite(part)) return String(part);
    if (part === undefined) return 'undefined';
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    const sorted = Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1));
    return Object.fromEntries(sorted);
  });
}

/** The first difference of two lists: the last equal items for orientation, then both texts. */
export function describeDifference(
  title: string,
  core: readonly unknown[],
  naive: readonly unknown[],
): string {
  let index = 0;
  while (index < core.length && index < naive.length && isSame(core[index], naive[index])) index += 1;
  const before = core
    .slice(Math.max(0, index - 3), index)
    .map((item) => `    both:      ${canonicalText(item)}`);
  const text = (list: readonly unknown[]): string =>
    index < list.length ? canonicalText(list[index]) : `(nothing: only ${list.length})`;
  return [
    `  ${title} ${index} of ${core.length} and ${naive.length}`,
    ...before,
    `    core:      ${text(core)}`,
    `    naive: ${text(naive)}`,
  ].join('\n');
}
