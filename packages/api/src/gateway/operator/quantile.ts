/** A quantile out of the counts of a histogram. */

import { BUCKETS_MS } from '../http/metrics.ts';

/**
 * `counts` are those of the buckets of Metrics, not cumulative; null where nothing was counted. Within a bucket it is a
 * straight line, as Prometheus has it; beyond the last bound it is that bound.
 */
export function quantileMs(counts: readonly number[], part: number): number | null {
  const all = counts.reduce((sum, count) => sum + count, 0);
  if (all === 0) return null;
  let below = 0;
  for (const [at, count] of counts.entries()) {
    if (below + count >= part * all && count > 0) {
      const lower = at === 0 ? 0 : BUCKETS_MS[at - 1]!;
      const upper = BUCKETS_MS[at];
      return upper === undefined ? lower : lower + (upper - lower) * ((part * all - below) / count);
    }
    below += count;
  }
  return BUCKETS_MS.at(-1)!;
}
