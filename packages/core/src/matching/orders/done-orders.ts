/**
 * Done orders that history does not have yet. They stay in the rows they had as active orders, so that nothing is
 * copied when an order is done. A row returns to the order table once history has its record.
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

/** The array is cut at the front when this many rows there have been given back. */
const CUT_AT = 65_536;
/**
 * Rows given back at a time. After a snapshot history may confirm hundreds of thousands at once, and giving all back in
 * one go would keep callers waiting.
 */
const FREED_MAX = 4096;

export class DoneOrders {
  /** Off: rows are free again with the next record. */
  isKept = false;
  private rows: number[] = [];
  private groups: Group[] = [];
  private firstRow = 0;
  private firstGroup = 0;
  private forgottenSeq = 0;
  /** The first group that is not forgotten; of those before it some rows may not be given back yet. */
  private waitingGroup = 0;
  /**
   * How many rows were cut off the front so far. Places count from the very first row, so that cutting does not change
   * them.
   */
  private cutRows = 0;

  /**
   * How many are kept, without the forgotten ones. Forgotten rows are given back with later records, so counting them
   * could stop the very records they wait for.
   */
  get count(): number {
    return this.rows.length - (this.waitingGroup > 0 ? this.groups[this.waitingGroup - 1].end : 0);
  }

  /** Before the next record: what was done in the latest is kept, or its rows are free. */
  settle(orders: OrderTable, seq: number, time: number): void {
    this.freeSome(orders);
    if (orders.doneCount === 0) return;
    if (!this.isKept) {
      orders.freeDone();
      return;
    }
    for (const row of orders.takeDone()) orders.setDonePlace(row, this.cutRows + this.rows.push(row) - 1);
    this.groups.push({ seq, time, end: this.rows.length });
    this.passForgotten();
  }

  /** Gives back the rows of records up to `seq`: some of them now, the others with the records that come. */
  forget(orders: OrderTable, seq: number): void {
    this.forgottenSeq = Math.max(this.forgottenSeq, seq);
    this.passForgotten();
    this.freeSome(orders);
  }

  private passForgotten(): void {
    const { groups, forgottenSeq } = this;
    while (this.waitingGroup < groups.length && groups[this.waitingGroup].seq <= forgottenSeq) {
      this.waitingGroup++;
    }
  }

  private freeSome(orders: OrderTable): void {
    let left = FREED_MAX;
    for (; this.firstGroup < this.waitingGroup; this.firstGroup++) {
      const { end } = this.groups[this.firstGroup];
      while (this.firstRow < end && left-- > 0) orders.free(this.rows[this.firstRow++]);
      if (this.firstRow < end) return;
    }
    if (this.firstRow >= CUT_AT || (this.firstRow > 0 && this.firstRow === this.rows.length)) this.cut();
  }

  private cut(): void {
    const gone = this.firstRow;
    this.cutRows += gone;
    this.rows = this.rows.slice(gone);
    this.groups = this.groups
      .slice(this.firstGroup)
      .map(({ seq, time, end }) => ({ seq, time, end: end - gone }));
    this.waitingGroup -= this.firstGroup;
    this.firstRow = 0;
    this.firstGroup = 0;
  }

  /**
   * Looks among the orders of earlier records. The row knows its place in the list, so only the record has to be
   * searched for.
   */
  find(orders: OrderTable, row: number): DoneRow | null {
    // Both are the last 32 bits of counts that may be larger; their difference is exact.
    const index = (orders.donePlace(row) - this.cutRows) | 0;
    if (index < this.firstRow || this.rows[index] !== row) return null;
    const { seq, time } = this.groups[this.groupOf(index)];
    return { row, seq, time };
  }

  private groupOf(index: number): number {
    let low = this.firstGroup;
    let high = this.groups.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.groups[middle].end > index) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
