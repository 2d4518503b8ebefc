/** From times to ids, for packed rows. */

import type { Span } from '../history.ts';
import type { Range } from './lanes.ts';
import type { PackReader } from './pack-reader.ts';
import type { RowHead } from './packs.ts';

export const timeOf = ({ time }: RowHead): number => time;

/** The ids of a span of time, but for those up to `pruned`. */
export function rangeOf(packs: PackReader<unknown>, { from, until }: Span, pruned: number): Range {
  const above = from === undefined ? 0 : packs.firstFrom(from, timeOf) - 1;
  const below = until === undefined ? Number.MAX_SAFE_INTEGER : packs.firstFrom(until + 1, timeOf);
  return { above: Math.max(above, pruned), below };
}
