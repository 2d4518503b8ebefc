/**
 * Finds an order's row by its id. Ids are counted, so an id's last bits scatter the active orders as well as any hash,
 * and young orders, which are asked for most, lie side by side. Orders with the same last bits are chained, and the id
 * to compare with is in the row, which is wanted next anyway: mostly one small array is touched besides.
 */

const NONE = -1;

export class OrderIndex {
  /** The first row of each chain, by the last bits of the id. */
  private readonly heads: Int32Array;
  /** The row after each row. */
  private readonly chain: Int32Array;
  private readonly mask: number;

  /** As many chains as rows; the capacity is a power of two. */
  constructor(capacity: number) {
    this.heads = new Int32Array(capacity).fill(NONE);
    this.chain = new Int32Array(capacity);
    this.mask = capacity - 1;
  }

  /** -1 when no order has this id. `rows` has an order's id at every 16th place. */
  find(id: number, rows: Float64Array): number {
    let row = this.heads[id & this.mask];
    while (row >= 0 && rows[row << 4] !== id) row = this.chain[row];
    return row;
  }

  add(id: number, row: number): void {
    this.chain[row] = this.heads[id & this.mask];
    this.heads[id & this.mask] = row;
  }

  remove(id: number, row: number): void {
    const { heads, chain } = this;
    const next = chain[row];
    let at = heads[id & this.mask];
    if (at === row) {
      heads[id & this.mask] = next;
      return;
    }
    while (chain[at] !== row) at = chain[at];
    chain[at] = next;
  }

  /** The same orders in an index for twice as many. */
  grown(rows: Float64Array): OrderIndex {
    const larger = new OrderIndex(this.heads.length * 2);
    for (let row of this.heads) {
      for (; row >= 0; row = this.chain[row]) larger.add(rows[row << 4], row);
    }
    return larger;
  }
}
