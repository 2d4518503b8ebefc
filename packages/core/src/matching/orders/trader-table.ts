/**
 * A trader is one user in one symbol: the list of the user's active orders there, the two accounts they are paid from and
 * the current fee rates. Derived state, created on first use, so that the hot path finds all of it with one look-up.
 */

import { GrowingMemory } from '../../tables/growing-memory.ts';
import { type HashKey, IndexTable } from '../../tables/index-table.ts';
import type { OrderTable } from './order-table.ts';
import { OwnOrders } from './own-orders.ts';

/**
 * Layout, of 8: 0 symbol, 1 base account, 2 quote account, 3 first chunk of the orders and 4 the next position, 5 number of
 * orders, 6 maker rate, 7 taker rate. Literal positions for the reason given in order-rows.ts.
 */
const UNKNOWN = -1;
const ROW_BYTES = 32;
const FIRST_CAPACITY = 2048;
/** Symbols are below this, so that user and symbol form one key. */
const SYMBOLS = 65_536;
export const SYMBOLS_END = SYMBOLS;

export class TraderTable {
  readonly #memory = new GrowingMemory(FIRST_CAPACITY * ROW_BYTES);
  #rows = new Int32Array(this.#memory.buffer);
  readonly #byUserAndSymbol: IndexTable;
  readonly #own = new OwnOrders();
  /**
   * Two entries per user: the active orders in all symbols; and the row added or looked up last, plus 1. Users mostly trade
   * in one symbol for a while, and then their row is found without a search.
   */
  #ofUser = new Int32Array(FIRST_CAPACITY * 2);

  constructor(hashKey: HashKey) {
    this.#byUserAndSymbol = new IndexTable(FIRST_CAPACITY * 2, hashKey);
  }

  get size(): number {
    return this.#byUserAndSymbol.size;
  }

  /** -1 if the user has never traded in the symbol. */
  find(user: number, symbol: number): number {
    const latest = this.#latestOf(user);
    return latest < 0 || this.#rows[latest << 3] === symbol ? latest : this.#search(user, symbol);
  }

  /** -1 if the user has never traded, or is not a valid number: the shift would accept any number. */
  #latestOf(user: number): number {
    return user >>> 0 === user && user * 2 < this.#ofUser.length ? this.#ofUser[(user << 1) | 1] - 1 : -1;
  }

  #search(user: number, symbol: number): number {
    const trader = this.#byUserAndSymbol.get(user * SYMBOLS + symbol);
    if (trader >= 0) this.#ofUser[(user << 1) | 1] = trader + 1;
    return trader;
  }

  add(user: number, symbol: number, baseAccount: number, quoteAccount: number): number {
    const trader = this.size;
    if ((trader + 1) * 8 > this.#rows.length) this.#grow();
    while (user * 2 >= this.#ofUser.length) this.#growUsers();
    this.#byUserAndSymbol.set(user * SYMBOLS + symbol, trader);
    this.#ofUser[(user << 1) | 1] = trader + 1;
    const place = this.#own.begin();
    this.#rows.set([symbol, baseAccount, quoteAccount, place >> 4, place, 0, UNKNOWN, UNKNOWN], trader * 8);
    return trader;
  }

  baseAccount(trader: number): number {
    return this.#rows[(trader << 3) | 1];
  }

  quoteAccount(trader: number): number {
    return this.#rows[(trader << 3) | 2];
  }

  makerRate(trader: number): number {
    return this.#rows[(trader << 3) | 6];
  }

  takerRate(trader: number): number {
    return this.#rows[(trader << 3) | 7];
  }

  setRates(trader: number, maker: number, taker: number): void {
    this.#rows[(trader << 3) | 6] = maker;
    this.#rows[(trader << 3) | 7] = taker;
  }

  knowsRates(trader: number): boolean {
    return this.#rows[(trader << 3) | 7] !== UNKNOWN;
  }

  /** Rates are looked up again before their next use. */
  forgetRates(): void {
    for (let trader = 0; trader < this.size; trader++) this.setRates(trader, UNKNOWN, UNKNOWN);
  }

  orderCount(trader: number): number {
    return trader < 0 ? 0 : this.#rows[(trader << 3) | 5];
  }

  /** Whether the trader may have one more order. */
  hasRoom(trader: number, user: number, perSymbolMax: number, perUserMax: number): boolean {
    return this.#rows[(trader << 3) | 5] < perSymbolMax && this.#ofUser[user << 1] < perUserMax;
  }

  orderCountOfUser(user: number): number {
    return this.#ofUser[user << 1];
  }

  /** The trader's order with the lowest id; -1 if there is none. */
  firstOrder(trader: number): number {
    return trader < 0 ? -1 : this.#own.from((this.#rows[(trader << 3) | 3] << 4) | 2);
  }

  /** The order of the same trader with the next higher id; -1 for the last. */
  nextOrder(orders: OrderTable, row: number): number {
    return this.#own.from(orders.ownPlace(row) + 1);
  }

  /** Orders arrive in ascending id, so the end of the list is always right. */
  append(orders: OrderTable, row: number, user: number): void {
    const rows = this.#rows;
    const own = this.#own;
    const t = orders.trader(row) << 3;
    let place = rows[t | 4];
    if (own.isFull(place)) place = own.extend(place);
    own.put(place, row);
    orders.setOwnPlace(row, place);
    rows[t | 4] = place + 1;
    rows[t | 5]++;
    this.#ofUser[user << 1]++;
  }

  unlink(orders: OrderTable, row: number, user: number): void {
    const rows = this.#rows;
    const t = orders.trader(row) << 3;
    const place = orders.ownPlace(row);
    if (this.#own.remove(place)) this.#leaveChunk(t, place >> 4);
    rows[t | 5]--;
    this.#ofUser[user << 1]--;
  }

  /** The last order of a chunk has left. The trader's last chunk is kept for new orders. */
  #leaveChunk(t: number, chunk: number): void {
    const rows = this.#rows;
    const own = this.#own;
    if ((rows[t | 4] - 1) >> 4 === chunk) rows[t | 4] = own.reuse(chunk);
    else {
      if (rows[t | 3] === chunk) rows[t | 3] = own.next(chunk);
      own.drop(chunk);
    }
  }

  #grow(): void {
    this.#memory.double();
    this.#rows = new Int32Array(this.#memory.buffer);
  }

  #growUsers(): void {
    const larger = new Int32Array(this.#ofUser.length * 2);
    larger.set(this.#ofUser);
    this.#ofUser = larger;
  }
}
