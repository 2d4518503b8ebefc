/**
 * All active orders, one row each in typed arrays (order-rows.ts, order-fills.ts): no garbage, and an order's fields are
 * adjacent, so that touching one of a million costs one or two cache lines instead of thirty. A row is found by its
 * order's id; freed rows are reused.
 *
 * A request is checked in a draft: the next free row, filled but not yet committed. Functions pass rows, not values,
 * because a number in a typed array costs nothing and a boxed double does.
 */

import { Amount } from '../../values/amount.ts';
import type { OrderTexts } from './order-flags.ts';
import { OrderIndex } from './order-index.ts';
import { OrderFills } from './order-fills.ts';

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
  /** Rows of orders done in the latest record, in that order: see done-orders.ts. */
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

  /** The same for an order that has not traded and holds nothing. */
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

  /** Hands over the rows: from now on done-orders.ts decides when they are freed. */
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
