/** History in memory: rows as they came, and a disk that may be full. */

import type { DoneOrder } from '@bourse/core';
import {
  HistoryFull,
  HistoryGap,
  type HistoryRecord,
  type HistoryWriter,
} from '../../src/history/history.ts';

export class MemoryHistory implements HistoryWriter {
  checkpoint = 0;
  isFull = false;
  writes = 0;
  readonly records: HistoryRecord[] = [];
  readonly orders = new Map<number, DoneOrder>();

  write(records: readonly HistoryRecord[]): void {
    if (this.isFull) throw new HistoryFull('no room on the disk for history');
    this.writes++;
    for (const record of records) {
      if (record.seq <= this.checkpoint) continue;
      if (record.seq !== this.checkpoint + 1) throw new HistoryGap(`${record.seq} after ${this.checkpoint}`);
      this.records.push(record);
      for (const order of record.done) this.orders.set(order.order, order);
      this.checkpoint = record.seq;
    }
  }

  prune(): boolean {
    return false;
  }

  close(): void {}
}
