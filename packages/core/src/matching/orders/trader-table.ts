/**
 * A trader is one user in one symbol: the list of the user's active orders there, the two accounts they are paid from and
 * the current fee rates. Derived state, created on first use, so that the hot path finds all of it with one look-up.
 */

import type { OrderTable } from './order-table.ts';
import { GrowingMemory } from '../../tables/growing-memory.ts';
import { type HashKey, IndexTable } from '../../tables/index-table.ts';

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

/**
 * Layout, of 16: 0 next and 1 previous chunk, 2-15 order rows, -1 if empty. Positions are numbered through all chunks.
 * Literal positions for the reason given in order-rows.ts.
 */
const NONE = -1;
const CHUNK_BYTES = 64;
const FIRST_CHUNKS = 1024;
const FIRST_PLACE = 2;
const PLACES = 14;

/**
 * Lists of order rows, in chunks of a cache line: a leaving order clears its position and touches no other order, whereas
 * a linked list would touch two neighbours. Neither removal nor append reads a chunk, so that nothing waits for memory. A
 * chunk is freed when all of its positions were used and all orders have left, so an order costs at most 64 bytes, and 5
 * in a long list.
 */
class OwnOrders {
  readonly #memory = new GrowingMemory(FIRST_CHUNKS * CHUNK_BYTES);
  #chunks = new Int32Array(this.#memory.buffer);
  /** The number of orders that have left each chunk. */
  #left = new Uint8Array(FIRST_CHUNKS);
  #used = 0;
  /** Freed chunks are chained through `next`. */
  #firstFree = NONE;

  /** The first position of a new list. */
  begin(): number {
    return this.#addChunk(NONE);
  }

  /** Whether the list with this next position needs another chunk first. */
  isFull(place: number): boolean {
    return (place & 15) === 0;
  }

  /** Adds a chunk to such a list; returns its first position. */
  extend(place: number): number {
    return this.#addChunk((place >> 4) - 1);
  }

  put(place: number, row: number): void {
    this.#chunks[place] = row;
  }

  /** Clears a position. Returns true if its chunk is used up and empty. */
  remove(place: number): boolean {
    this.#chunks[place] = NONE;
    return ++this.#left[place >> 4] === PLACES;
  }

  /** Frees such a chunk. It must not be the last of its list. */
  drop(chunk: number): void {
    const chunks = this.#chunks;
    this.#link(chunks[(chunk << 4) | 1], chunks[chunk << 4]);
    chunks[chunk << 4] = this.#firstFree;
    this.#firstFree = chunk;
  }

  /** Reuses such a chunk; returns its first position. */
  reuse(chunk: number): number {
    this.#left[chunk] = 0;
    return (chunk << 4) | FIRST_PLACE;
  }

  /** -1 for the last chunk of a list. */
  next(chunk: number): number {
    return this.#chunks[chunk << 4];
  }

  /** The first order from a position on; -1 if there is none. */
  from(place: number): number {
    const chunks = this.#chunks;
    let at = place;
    while (true) {
      for (; (at & 15) !== 0; at++) if (chunks[at] !== NONE) return chunks[at];
      const next = chunks[at - 16];
      if (next === NONE) return NONE;
      at = (next << 4) | FIRST_PLACE;
    }
  }

  #addChunk(previous: number): number {
    let chunk = this.#firstFree;
    if (chunk !== NONE) this.#firstFree = this.#chunks[chunk << 4];
    else {
      if (this.#used === this.#left.length) this.#grow();
      chunk = this.#used++;
    }
    this.#chunks.fill(NONE, chunk << 4, (chunk + 1) << 4);
    this.#link(previous, chunk);
    return this.reuse(chunk);
  }

  #link(previous: number, next: number): void {
    if (previous !== NONE) this.#chunks[previous << 4] = next;
    this.#chunks[(next << 4) | 1] = previous;
  }

  #grow(): void {
    this.#memory.double();
    this.#chunks = new Int32Array(this.#memory.buffer);
    const left = new Uint8Array(this.#left.length * 2);
    left.set(this.#left);
    this.#left = left;
  }
}
