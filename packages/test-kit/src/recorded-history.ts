/** A history in memory that also records its input, for tests of its writers. */

import type { HistoryRecord } from '../../engine/src/history/history.ts';
import { MemoryHistory } from './memory-history.ts';

export class RecordedHistory extends MemoryHistory {
  /** Calls that wrote. */
  writes = 0;
  readonly records: HistoryRecord[] = [];

  override write(records: readonly HistoryRecord[]): void {
    const { checkpoint } = this;
    super.write(records);
    this.writes++;
    this.records.push(...records.filter(({ seq }) => seq > checkpoint));
  }
}
