/** A quantile out of the buckets of a histogram of several routes, in milliseconds. */

const UP_TO = /le="([^"]+)"/;

/**
 * `buckets` are counts up to a bound in seconds, each with its labels; null where nothing was counted. Within a bucket
 * it is a straight line, as Prometheus has it; beyond the last bound it is that bound.
 */
export function quantile(
  buckets: readonly (readonly [labels: string, count: number])[],
  part: number,
): number | null {
  const byBound = new Map<number, number>();
  for (const [labels, count] of buckets) {
    const text = UP_TO.exec(labels)?.[1] ?? '';
    const bound = text === '+Inf' ? Number.POSITIVE_INFINITY : Number(text);
    byBound.set(bound, (byBound.get(bound) ?? 0) + count);
  }
  const sorted = [...byBound].toSorted(([a], [b]) => a - b);
  const all = sorted.at(-1)?.[1] ?? 0;
  if (all === 0) return null;
  let lower = 0;
  let below = 0;
  for (const [bound, count] of sorted) {
    if (count >= part * all) {
      if (bound === Number.POSITIVE_INFINITY) return lower * 1000;
      const inside = count === below ? 1 : (part * all - below) / (count - below);
      return (lower + (bound - lower) * inside) * 1000;
    }
    lower = bound;
    below = count;
  }
  return lower * 1000;
}
