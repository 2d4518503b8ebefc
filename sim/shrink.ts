/**
 * Shrinks a failing list of records. Records are data, so any of them can be removed and the rest tried again: if it
 * still fails, the removed ones were irrelevant. A separate file, because mutants/check.ts replaces it.
 */

import type { LogRecord } from '@bourse/core';

export function shrink(
  records: readonly LogRecord[],
  fails: (records: readonly LogRecord[]) => boolean,
  secondsMax = 20,
): readonly LogRecord[] {
  const end = Date.now() + secondsMax * 1000;
  let best = renumber(records);
  const single = renumber(best.flatMap((record) => separate(record)));
  if (fails(single)) best = single;
  for (let chunk = Math.ceil(best.length / 2); chunk >= 1; chunk = chunk === 1 ? 0 : Math.ceil(chunk / 2)) {
    // From the end, because the last records rarely cause the failure.
    for (let start = best.length - chunk; start > -chunk && Date.now() < end; start -= chunk) {
      const from = Math.max(0, start);
      const shorter = renumber([...best.slice(0, from), ...best.slice(start + chunk)]);
      if (shorter.length < best.length && fails(shorter)) best = shorter;
    }
  }
  return best;
}

/** One record per command; an empty record stays, because it lets time pass. */
function separate(record: LogRecord): LogRecord[] {
  if (record.commands.length < 2) return [record];
  return record.commands.map((command) => ({ ...record, commands: [command] }));
}

function renumber(records: readonly LogRecord[]): readonly LogRecord[] {
  return records.map((record, index) => ({ ...record, seq: index + 1 }));
}
