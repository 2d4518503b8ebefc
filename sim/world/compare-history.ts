/**
 * History as the followers of all lives wrote it, compared with history from scratch: no row lost, duplicated or
 * different.
 */

import { violated } from '../checkers/violation.ts';
import { canonicalText, isSame } from '../compare.ts';
import type { MemoryHistory } from '@bourse/test-kit/memory-history.ts';

/** Rows older than `keptFrom` may have been pruned. Returns how many rows were compared. */
export function compareHistory(found: MemoryHistory, expected: MemoryHistory, keptFrom: number): number {
  if (found.checkpoint !== expected.checkpoint) {
    violated('history has everything', { found: found.checkpoint, expected: expected.checkpoint });
  }
  return (
    compareRows('done orders', found.doneOrders, expected.doneOrders, ({ doneAt }) => doneAt >= keptFrom) +
    compareRows('fills', found.fillRows, expected.fillRows, ({ time }) => time >= keptFrom) +
    compareRows('ledger entries', found.entries, expected.entries, ({ time }) => time >= keptFrom) +
    compareRows('trades', found.tradeRows, expected.tradeRows, () => true) +
    compareRows('audit rows', found.auditRows, expected.auditRows, () => true) +
    compareRows('movements', sorted(found), sorted(expected), ({ updatedAt }) => updatedAt >= keptFrom)
  );
}

const sorted = (history: MemoryHistory) => [...history.moved.values()].toSorted((a, b) => a.id - b.id);

function compareRows<Row>(
  kind: string,
  found: readonly Row[],
  expected: readonly Row[],
  isKept: (row: Row) => boolean,
): number {
  const rows = found.filter(isKept);
  const wanted = expected.filter(isKept);
  if (rows.length !== wanted.length) {
    violated(`${kind} in history are neither lost nor doubled`, {
      found: rows.length,
      expected: wanted.length,
    });
  }
  rows.forEach((row, at) => {
    if (isSame(row, wanted[at])) return;
    violated(`${kind} in history are what the log says`, {
      found: canonicalText(row),
      expected: canonicalText(wanted[at]),
    });
  });
  return rows.length;
}
