/**
 * Done orders that history does not have yet. They keep the rows they had as active orders, so nothing is copied when an
 * order is done. A row is freed once history has its record.
 */

import type { OrderTable } from './order-table.ts';

/** Where a done order is, and the record it was done in. */
export interface DoneRow {
  readonly row: number;
  readonly seq: number;
  readonly time: number;
}

/** The orders done in one record: the rows from the end of the group before up to `end`. */
interface Group {
  readonly seq: number;
  readonly time: number;
  readonly end: number;
}

/** The array is truncated at the front once this many rows there are free. */
const CUT_AT = 65_536;
/** Rows freed at a time. After a snapshot, history may confirm hundreds of thousands at once; freeing all would block callers. */
const FREED_MAX = 4096;

export class DoneOrders {
  /** If false, rows are freed with the next record. */
  isKept = false;
  #rows: number[] = [];
  #groups: Group[] = [];
  #firstRow = 0;
  #firstGroup = 0;
  #forgottenSeq = 0;
  /** The first group that history does not have; some rows of earlier groups may not be freed yet. */
  #waitingGroup = 0;
  /** The number of rows truncated at the front. Positions count from the very first row, so truncation does not change them. */
  #cutRows = 0;

  /**
   * The number of kept orders that history does not have. Rows that history has are freed with later records, so counting
   * them could block the very records that free them.
   */
  get count(): number {
    return this.#rows.length - (this.#waitingGroup > 0 ? this.#groups[this.#waitingGroup - 1].end : 0);
  }

  /** Before the next record: keeps what was done in the latest, or frees its rows. */
  settle(orders: OrderTable, seq: number, time: number): void {
    this.#freeSome(orders);
    if (orders.doneCount === 0) return;
    if (!this.isKept) {
      orders.freeDone();
      return;
    }
    for (const row of orders.takeDone()) orders.setDonePlace(row, this.#cutRows + this.#rows.push(row) - 1);
    this.#groups.push({ seq, time, end: this.#rows.length });
    this.#passForgotten();
  }

  /** Frees the rows of records up to `seq`: some of them now, the others with later records. */
  forget(orders: OrderTable, seq: number): void {
    this.#forgottenSeq = Math.max(this.#forgottenSeq, seq);
    this.#passForgotten();
    this.#freeSome(orders);
  }

  #passForgotten(): void {
    const groups = this.#groups;
    const forgottenSeq = this.#forgottenSeq;
    while (this.#waitingGroup < groups.length && groups[this.#waitingGroup].seq <= forgottenSeq) {
      this.#waitingGroup++;
    }
  }

  #freeSome(orders: OrderTable): void {
    let left = FREED_MAX;
    for (; this.#firstGroup < this.#waitingGroup; this.#firstGroup++) {
      const { end } = this.#groups[this.#firstGroup];
      while (this.#firstRow < end && left-- > 0) orders.free(this.#rows[this.#firstRow++]);
      if (this.#firstRow < end) return;
    }
    if (this.#firstRow >= CUT_AT || (this.#firstRow > 0 && this.#firstRow === this.#rows.length)) this.#cut();
  }

  #cut(): void {
    const gone = this.#firstRow;
    this.#cutRows += gone;
    this.#rows = this.#rows.slice(gone);
    this.#groups = this.#groups
      .slice(this.#firstGroup)
      .map(({ seq, time, end }) => ({ seq, time, end: end - gone }));
    this.#waitingGroup -= this.#firstGroup;
    this.#firstRow = 0;
    this.#firstGroup = 0;
  }

  /** Searches the orders of earlier records. The row knows its position in the list, so only the record has to be searched. */
  find(orders: OrderTable, row: number): DoneRow | null {
    // Both are the low 32 bits of larger counts; their difference is exact.
    const index = (orders.donePlace(row) - this.#cutRows) | 0;
    if (index < this.#firstRow || this.#rows[index] !== row) return null;
    const { seq, time } = this.#groups[this.#groupOf(index)];
    return { row, seq, time };
  }

  #groupOf(index: number): number {
    let low = this.#firstGroup;
    let high = this.#groups.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#groups[middle].end > index) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
