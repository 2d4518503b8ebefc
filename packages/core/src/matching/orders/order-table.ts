/**
 * All active orders, one row each in typed arrays (order-rows.ts): no garbage, and an order's fields are adjacent, so that
 * touching one of a million costs one or two cache lines instead of thirty. A row is found by its order's id; freed rows
 * are reused. A done order keeps its row until history has its record.
 *
 * A request is checked in a draft: the next free row, filled but not yet committed. Functions pass rows, not values,
 * because a number in a typed array costs nothing and a boxed double does.
 */

import { OrderFills, type OrderTexts } from './order-rows.ts';
import { GrowingMemory } from '../../tables/growing-memory.ts';
import { Amount } from '../../values/amount.ts';

const NONE = -1;
const amount = new Amount();

export class OrderTable extends OrderFills {
  /** The funds of an order by funds. One is enough: a market order never rests, so there is one at a time. */
  readonly funds = new Amount();
  readonly #texts: (OrderTexts | undefined)[] = [];
  readonly #byId = new OrderIndex(this.capacity);
  #count = 0;
  /** Rows below this have been used; freed ones are chained through `previous`. */
  #used = 0;
  #firstFree = NONE;
  /** Rows of orders done in the latest record, in that order: see `DoneOrders`. */
  readonly #done: number[] = [];
  /** The number of valid entries in the array. Emptying it for each record would reallocate it each time. */
  doneCount = 0;

  get size(): number {
    return this.#count;
  }

  /** The row of the next order, cleared for a new request. */
  draft(): number {
    if (this.#firstFree === NONE && this.#used === this.capacity) this.#grow();
    const row = this.#firstFree === NONE ? this.#used : this.#firstFree;
    // Fields that every order writes anyway are not cleared.
    const { hot } = this;
    const h = row << 3;
    hot[h | 1] = 0; // price
    hot[h | 2] = 0; // remaining
    this.terms[row << 2] = 0; // size
    this.marks[(row << 4) | 15] = 0;
    this.setLevel(row, NONE);
    this.funds.clear();
    return row;
  }

  /** Adds an order that rests at once, without a draft. The caller links it into the book and the trader's list. */
  addResting(
    id: number,
    user: number,
    symbol: number,
    trader: number,
    flags: number,
    price: number,
    size: number,
    hold: Amount,
    makerRate: number,
    takerRate: number,
    time: number,
  ): number {
    let row = this.#firstFree;
    if (row !== NONE) this.#firstFree = this.marks[(row << 4) | 10];
    else {
      if (this.#used === this.capacity) this.#grow();
      row = this.#used++;
    }
    const { hot, marks, terms, parties } = this;
    const h = row << 3;
    hot[h] = id;
    hot[h | 1] = price;
    hot[h | 2] = size; // remaining
    hold.store(hot, h | 3);
    const m = row << 4;
    marks[m | 12] = trader;
    marks[m | 15] = (symbol << 16) | flags;
    terms[row << 2] = size;
    terms[(row << 2) | 1] = time;
    parties[h | 4] = user;
    parties[h | 5] = makerRate;
    parties[h | 6] = takerRate;
    this.#byId.add(id, row, hot, parties);
    this.#count++;
    return row;
  }

  /** Turns the draft into the order `id`. */
  commit(row: number, id: number): void {
    if (row === this.#firstFree) this.#firstFree = this.previous(row);
    else this.#used++;
    this.setPrevious(row, NONE);
    this.hot[row << 3] = id;
    this.#byId.add(id, row, this.hot, this.parties);
    this.#count++;
  }

  /**
   * Marks the order as done. Its row is kept until `free`, because history needs all of its fields. Fields that only an
   * active order needs are reused: the hold becomes the funds of an order by funds, the trader its position among done
   * orders, the level the reason. Until `free` it can be looked up as a done order.
   */
  markDone(row: number, reason: number, cancelledFunds: Amount): void {
    this.addFlags(row, 16384);
    this.#count--;
    if (this.isByFunds(row)) {
      this.funds.store(this.hot, (row << 3) | 3);
      this.setDoneCancelled(row, cancelledFunds);
    }
    this.marks[(row << 4) | 13] = reason;
    this.setDonePlace(row, this.doneCount);
    this.#done[this.doneCount++] = row;
  }

  /** A shorter `markDone`, for an order that has not traded and holds nothing. */
  markCancelled(row: number, reason: number): void {
    const { hot, marks } = this;
    const h = row << 3;
    hot[h | 3] = 0;
    hot[h | 4] = 0;
    const m = row << 4;
    marks[m | 15] |= 16384;
    marks[m | 13] = reason;
    marks[m | 12] = this.doneCount;
    this.#count--;
    this.#done[this.doneCount++] = row;
  }

  /** Whether a done order was done in the latest record. */
  isLatestDone(row: number): boolean {
    const place = this.donePlace(row);
    return place >= 0 && place < this.doneCount && this.#done[place] === row;
  }

  /** The position of a done order: among those of the latest record, later among all kept ones. Low 32 bits. */
  donePlace(row: number): number {
    return this.marks[(row << 4) | 12];
  }

  setDonePlace(row: number, place: number): void {
    this.marks[(row << 4) | 12] = place;
  }

  get doneRows(): readonly number[] {
    return this.#done.slice(0, this.doneCount);
  }

  /** Hands over the rows: from now on `DoneOrders` decides when they are freed. */
  takeDone(): readonly number[] {
    const rows = this.doneRows;
    this.doneCount = 0;
    return rows;
  }

  freeDone(): void {
    for (let i = 0; i < this.doneCount; i++) this.free(this.#done[i]);
    this.doneCount = 0;
  }

  /** The order must be done. */
  free(row: number): void {
    this.#byId.remove(this.hot[row << 3], row, this.parties);
    if (this.hasTexts(row)) this.#texts[row] = undefined;
    this.setPrevious(row, this.#firstFree);
    this.#firstFree = row;
  }

  doneReason(row: number): number {
    return this.marks[(row << 4) | 13];
  }

  readDoneFunds(row: number, into: Amount): void {
    into.load(this.hot, (row << 3) | 3);
  }

  /** -1 if no active order has this id. */
  rowOf(id: number): number {
    const row = this.#byId.find(id, this.hot, this.parties);
    return row >= 0 && this.isDone(row) ? NONE : row;
  }

  /** -1 if no kept done order has this id. */
  doneRowOf(id: number): number {
    const row = this.#byId.find(id, this.hot, this.parties);
    return row >= 0 && this.isDone(row) ? row : NONE;
  }

  textsOf(row: number): OrderTexts | undefined {
    return this.hasTexts(row) ? this.#texts[row] : undefined;
  }

  setTexts(row: number, texts: OrderTexts): void {
    this.addFlags(row, 4096);
    this.#texts[row] = texts;
  }

  /** The fields of a row that a snapshot keeps, without its texts; derived fields are recomputed. */
  readFields(row: number, into: Float64Array): void {
    into[0] = this.id(row);
    into[1] = this.price(row);
    into[2] = this.sizeOf(row);
    into[3] = this.remaining(row);
    into[4] = this.dealt(row);
    into[5] = this.visible(row);
    this.readHold(row, amount);
    amount.store(into, 6);
    this.readDealFunds(row, amount);
    amount.store(into, 8);
    this.readFee(row, amount);
    amount.store(into, 10);
    into[12] = this.visibleSize(row);
    into[13] = this.createdAt(row);
    into[14] = this.updatedAt(row);
    into[15] = this.expiresAt(row);
    into[16] = this.makerRate(row);
    into[17] = this.takerRate(row);
    into[18] = this.slack(row);
    into[19] = this.cancelAfterSec(row);
    into[20] = this.user(row);
    into[21] = this.symbol(row);
    into[22] = this.flags(row);
  }

  static readonly fieldCount = 23;

  /** Restores an order from a snapshot; the caller rebuilds the derived links. */
  restore(fields: Float64Array): number {
    const row = this.draft();
    this.setOwner(row, fields[20], fields[21]);
    this.addFlags(row, fields[22]);
    this.setPrice(row, fields[1]);
    this.setSize(row, fields[2]);
    this.lowerRemaining(row, fields[2] - fields[3]);
    amount.load(fields, 6);
    this.setHold(row, amount);
    this.create(row, fields[13]);
    this.setRates(row, fields[16], fields[17]);
    if (this.isIceberg(row)) {
      this.setSlice(row, fields[5]);
      this.setVisibleSize(row, fields[12]);
    }
    this.restoreCold(row, fields);
    this.commit(row, fields[0]);
    return row;
  }

  #grow(): void {
    this.growRows();
    this.#byId.grow();
  }
}

const NO_CHAIN = 0;
/** Keeps most chains at one order, even when old ids are no longer adjacent. */
const CHAINS_PER_ROW = 2;
const ROW_BYTES = CHAINS_PER_ROW * 4;
/**
 * Chains are added in groups, one group per 16 orders. If every order added some, V8 would inline that as frequent code
 * and exhaust its budget for what really is.
 */
const ADDED = 16 * CHAINS_PER_ROW;

/**
 * Finds an order's row by its id. Ids are sequential, so their low bits distribute active orders as well as any hash, and
 * young orders, which are looked up most, are adjacent. Orders with the same low bits are chained; the id to compare is in
 * the row, which is needed next anyway. Most orders are alone in their chain; the sign of the head says so, and such an
 * order is found and removed with four bytes of the index.
 *
 * Chains are added a few at a time, as orders arrive (linear hashing): a new one takes the orders with the next bit set
 * from the chain it splits. So no order ever waits for a million others to be rehashed.
 *
 * In the parameters, `ids` has the id of each row at every 8th position and `nexts` the next row of its chain at the 7th
 * of every 8. Both belong to the order table.
 */
export class OrderIndex {
  readonly #memory: GrowingMemory;
  /** The first row of each chain, by the low bits of the id. Rows count from 1, so that unused memory reads as no row; negative if others may follow. */
  #heads: Int32Array;
  #chains = ADDED;
  /** The low bits of an id that choose its chain. If that chain does not exist yet, one bit less is used. */
  #mask = ADDED - 1;
  #count = 0;

  /** `capacity`: number of rows. */
  constructor(capacity: number) {
    this.#memory = new GrowingMemory(capacity * ROW_BYTES);
    this.#heads = new Int32Array(this.#memory.buffer);
  }

  /** -1 if no order has this id. */
  find(id: number, ids: Float64Array, nexts: Int32Array): number {
    const head = this.#heads[this.#chainOf(id)];
    if (head === NO_CHAIN) return -1;
    const row = Math.abs(head) - 1;
    if (ids[row << 3] === id) return row;
    return head > 0 ? -1 : findBehind(row, id, ids, nexts);
  }

  add(id: number, row: number, ids: Float64Array, nexts: Int32Array): void {
    if (++this.#count * CHAINS_PER_ROW > this.#chains) this.#addChains(ids, nexts);
    this.#link(this.#chainOf(id), row, nexts);
  }

  remove(id: number, row: number, nexts: Int32Array): void {
    const heads = this.#heads;
    const chain = this.#chainOf(id);
    this.#count--;
    if (heads[chain] === row + 1) heads[chain] = NO_CHAIN;
    else this.#unlink(chain, row, nexts);
  }

  /** Doubles the number of rows. */
  grow(): void {
    this.#memory.double();
    this.#heads = new Int32Array(this.#memory.buffer);
  }

  #chainOf(id: number): number {
    const chain = id & this.#mask;
    return chain < this.#chains ? chain : chain & (this.#mask >> 1);
  }

  #link(chain: number, row: number, nexts: Int32Array): void {
    const heads = this.#heads;
    const head = heads[chain];
    nexts[(row << 3) | 7] = Math.abs(head);
    heads[chain] = head === NO_CHAIN ? row + 1 : -(row + 1);
  }

  /** For a chain that may have several orders. */
  #unlink(chain: number, row: number, nexts: Int32Array): void {
    const next = nexts[(row << 3) | 7];
    let before = -this.#heads[chain] - 1;
    if (before === row) {
      this.#heads[chain] = -next;
      return;
    }
    while (nexts[(before << 3) | 7] !== row + 1) before = nexts[(before << 3) | 7] - 1;
    nexts[(before << 3) | 7] = next;
  }

  #addChains(ids: Float64Array, nexts: Int32Array): void {
    for (let left = ADDED; left > 0; left--) this.#addChain(ids, nexts);
  }

  #addChain(ids: Float64Array, nexts: Int32Array): void {
    const heads = this.#heads;
    const added = this.#chains++;
    if (added > this.#mask) this.#mask = this.#mask * 2 + 1;
    const from = added & (this.#mask >> 1);
    let row = Math.abs(heads[from]) - 1;
    heads[from] = heads[added] = NO_CHAIN;
    while (row >= 0) {
      const next = nexts[(row << 3) | 7] - 1;
      this.#link(ids[row << 3] & this.#mask, row, nexts);
      row = next;
    }
  }
}

/** Rare: searches the rest of a chain. */
function findBehind(first: number, id: number, ids: Float64Array, nexts: Int32Array): number {
  let row = nexts[(first << 3) | 7] - 1;
  while (row >= 0 && ids[row << 3] !== id) row = nexts[(row << 3) | 7] - 1;
  return row;
}

/** Where a done order is, and the record it was done in. */
interface DoneRow {
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

/**
 * Done orders that history does not have yet. They keep the rows they had as active orders, so nothing is copied when an
 * order is done. A row is freed once history has its record.
 */
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
