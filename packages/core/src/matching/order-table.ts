/**
 * All active orders, one row each in typed arrays (order-rows.ts): no garbage, and an order's fields lie side by side,
 * so that touching one of a million costs two or three cache lines and not thirty. A row is found by its order's id;
 * freed rows are used again.
 *
 * A request is checked in a draft: the next free row, filled but not yet committed. Rows, not values, are what
 * functions hand to each other, because a number in a typed array costs nothing and a boxed double does.
 */

import { Amount } from '../amount.ts';
import type { OrderTexts } from './order-flags.ts';
import { OrderIndex } from './order-index.ts';
import { OrderRows } from './order-rows.ts';

const NONE = -1;

export class OrderTable extends OrderRows {
  /**
   * The funds of an order by funds. One place is enough: it is a market order and never rests, so there is one at a
   * time.
   */
  readonly funds = new Amount();
  private readonly texts: (OrderTexts | undefined)[] = [];
  private readonly byId = new OrderIndex(this.capacity);
  private count = 0;
  /** Rows below this have been used; freed ones are chained through `previous`. */
  private used = 0;
  private firstFree = NONE;
  /** Rows of orders that were done in the latest record, in that order: see done-orders.ts. */
  private readonly done: number[] = [];
  /** How many entries of the array are valid. Emptying it for each record would allocate it anew each time. */
  doneCount = 0;

  get size(): number {
    return this.count;
  }

  /** The row the next order will have, emptied for a new request. */
  draft(): number {
    if (this.firstFree === NONE && this.used === this.capacity) this.grow();
    const row = this.firstFree === NONE ? this.used : this.firstFree;
    // What every order writes anyway is left as it was; fill() would cost more than these few.
    const { hot, cold } = this;
    const h = row << 4;
    hot[h | 1] = 0; // price
    hot[h | 2] = 0; // size
    hot[h | 3] = 0; // remaining
    hot[h | 4] = 0; // dealt
    hot[h | 5] = 0; // visible
    hot[h | 8] = hot[h | 9] = 0; // deal funds
    hot[h | 10] = hot[h | 11] = 0; // fee
    this.setLevel(row, NONE);
    const c = row << 3;
    cold[c] = 0; // visible size
    cold[c | 3] = 0; // expires
    cold[c | 6] = 0; // slack
    cold[c | 7] = 0; // cancel after
    this.funds.clear();
    return row;
  }

  /** An order that rests from the beginning, without a draft. Its place in the book and in the trader's list is still to be found. */
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
    let row = this.firstFree;
    if (row !== NONE) this.firstFree = this.links[(row << 5) | 27];
    else {
      if (this.used === this.capacity) this.grow();
      row = this.used++;
    }
    const { hot, links, cold } = this;
    const h = row << 4;
    hot[h] = id;
    hot[h | 1] = price;
    hot[h | 2] = size;
    hot[h | 3] = size; // remaining
    hot[h | 4] = 0; // dealt
    hot[h | 5] = size; // visible
    hold.store(hot, h | 6);
    hot[h | 8] = 0; // deal funds
    hot[h | 9] = 0;
    hot[h | 10] = 0; // fee
    hot[h | 11] = 0;
    const l = row << 5;
    links[l | 24] = user;
    links[l | 25] = trader;
    links[l | 31] = (symbol << 16) | flags;
    const c = row << 3;
    cold[c] = 0; // visible size
    cold[c | 1] = time; // created
    cold[c | 2] = time; // updated
    cold[c | 3] = 0; // expires
    cold[c | 4] = makerRate;
    cold[c | 5] = takerRate;
    cold[c | 6] = 0; // slack
    cold[c | 7] = 0; // cancel after
    this.byId.add(id, row, hot);
    this.count++;
    return row;
  }

  /** The draft becomes the order `id`. */
  commit(row: number, id: number): void {
    if (row === this.firstFree) this.firstFree = this.links[(row << 5) | 27];
    else this.used++;
    this.links[(row << 5) | 27] = NONE;
    this.hot[row << 4] = id;
    this.byId.add(id, row, this.hot);
    this.count++;
  }

  /**
   * The order is done. Its row is kept until `free`, because history needs all of its fields. How it was done replaces
   * what only an active order needs: the hold becomes the funds of an order by funds, and the links become its place
   * among done orders, its cancelled funds and the reason. Until `free` it can be looked up as a done order.
   */
  markDone(row: number, reason: number, cancelledFunds: Amount): void {
    this.addFlags(row, 16384);
    this.count--;
    if (this.isByFunds(row)) this.funds.store(this.hot, (row << 4) | 6);
    cancelledFunds.store(this.hot, (row << 4) | 13);
    this.links[(row << 5) | 30] = reason;
    this.setDonePlace(row, this.doneCount);
    this.done[this.doneCount++] = row;
  }

  /** The same of an order that has not traded, and of which nothing is held any more. */
  markCancelled(row: number, reason: number): void {
    const { hot, links } = this;
    const l = row << 5;
    const h = row << 4;
    hot[h | 6] = 0;
    hot[h | 7] = 0;
    hot[h | 13] = 0;
    hot[h | 14] = 0;
    links[l | 31] |= 16384;
    links[l | 30] = reason;
    links[l | 25] = this.doneCount;
    this.count--;
    this.done[this.doneCount++] = row;
  }

  /** Whether a done order was done in the latest record. */
  isLatestDone(row: number): boolean {
    const place = this.donePlace(row);
    return place >= 0 && place < this.doneCount && this.done[place] === row;
  }

  /** Where a done order stands: among those of the latest record, later among all that are kept. 32 bits of it. */
  donePlace(row: number): number {
    return this.links[(row << 5) | 25];
  }

  setDonePlace(row: number, place: number): void {
    this.links[(row << 5) | 25] = place;
  }

  get doneRows(): readonly number[] {
    return this.done.slice(0, this.doneCount);
  }

  /** Hands the rows over: from now on done-orders.ts decides when they are freed. */
  takeDone(): readonly number[] {
    const rows = this.doneRows;
    this.doneCount = 0;
    return rows;
  }

  freeDone(): void {
    for (let i = 0; i < this.doneCount; i++) this.free(this.done[i]);
    this.doneCount = 0;
  }

  /** Of an order that is done. */
  free(row: number): void {
    this.byId.remove(this.hot[row << 4], row);
    if (this.hasTexts(row)) this.texts[row] = undefined;
    this.links[(row << 5) | 27] = this.firstFree;
    this.firstFree = row;
  }

  doneReason(row: number): number {
    return this.links[(row << 5) | 30];
  }

  readDoneFunds(row: number, into: Amount): void {
    into.load(this.hot, (row << 4) | 6);
  }

  readDoneCancelled(row: number, into: Amount): void {
    into.load(this.hot, (row << 4) | 13);
  }

  /** -1 when no active order has this id. */
  rowOf(id: number): number {
    const row = this.byId.find(id, this.hot);
    return row >= 0 && this.isDone(row) ? NONE : row;
  }

  /** -1 when no order with this id is done and still has its row. */
  doneRowOf(id: number): number {
    const row = this.byId.find(id, this.hot);
    return row >= 0 && this.isDone(row) ? row : NONE;
  }

  textsOf(row: number): OrderTexts | undefined {
    return this.hasTexts(row) ? this.texts[row] : undefined;
  }

  setTexts(row: number, texts: OrderTexts): void {
    this.addFlags(row, 4096);
    this.texts[row] = texts;
  }

  /** All that a snapshot keeps of a row, but its texts; what is derived is made anew. */
  readFields(row: number, into: Float64Array): void {
    for (let i = 0; i < 12; i++) into[i] = this.hot[row * 16 + i];
    for (let i = 0; i < 8; i++) into[12 + i] = this.cold[row * 8 + i];
    into[20] = this.user(row);
    into[21] = this.symbol(row);
    into[22] = this.flags(row);
  }

  static readonly fieldCount = 12 + 8 + 3;

  /** An order from a snapshot; the derived links are still to be made. */
  restore(fields: Float64Array): number {
    const row = this.draft();
    for (let i = 0; i < 12; i++) this.hot[row * 16 + i] = fields[i];
    for (let i = 0; i < 8; i++) this.cold[row * 8 + i] = fields[12 + i];
    this.setOwner(row, fields[20], fields[21]);
    this.addFlags(row, fields[22]);
    this.commit(row, fields[0]);
    return row;
  }

  private grow(): void {
    this.growRows();
    this.byId.grow();
  }
}
