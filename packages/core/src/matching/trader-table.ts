/**
 * A trader is one user in one symbol: the list of the user's active orders there, the two accounts they are paid
 * from and the fee rates in force. Derived state, made when first needed, so that the hot path finds all of it
 * with one look-up.
 */

import { IndexTable } from '../index-table.ts';
import type { OrderTable } from './order-table.ts';

const FIELDS = 8;
const USER = 0;
const BASE_ACCOUNT = 1;
const QUOTE_ACCOUNT = 2;
const FIRST = 3;
const LAST = 4;
const ORDERS = 5;
const MAKER_RATE = 6;
const TAKER_RATE = 7;
const UNKNOWN = -1;

/** Symbols are below this, so that user and symbol make one key. */
const SYMBOLS = 65_536;
export const SYMBOLS_END = SYMBOLS;

export class TraderTable {
  private rows = new Int32Array(256 * FIELDS);
  private readonly byUserAndSymbol = new IndexTable(512);
  /** Active orders of each user in all symbols. */
  private readonly ordersOfUser: number[] = [];

  get size(): number {
    return this.byUserAndSymbol.size;
  }

  /** -1 when the user has never traded in the symbol. */
  find(user: number, symbol: number): number {
    return this.byUserAndSymbol.get(user * SYMBOLS + symbol);
  }

  add(user: number, symbol: number, baseAccount: number, quoteAccount: number): number {
    const trader = this.size;
    if ((trader + 1) * FIELDS > this.rows.length) {
      const grown = new Int32Array(this.rows.length * 2);
      grown.set(this.rows);
      this.rows = grown;
    }
    this.byUserAndSymbol.set(user * SYMBOLS + symbol, trader);
    this.rows.set([user, baseAccount, quoteAccount, -1, -1, 0, UNKNOWN, UNKNOWN], trader * FIELDS);
    return trader;
  }

  baseAccount(trader: number): number {
    return this.rows[trader * FIELDS + BASE_ACCOUNT];
  }

  quoteAccount(trader: number): number {
    return this.rows[trader * FIELDS + QUOTE_ACCOUNT];
  }

  makerRate(trader: number): number {
    return this.rows[trader * FIELDS + MAKER_RATE];
  }

  takerRate(trader: number): number {
    return this.rows[trader * FIELDS + TAKER_RATE];
  }

  setRates(trader: number, maker: number, taker: number): void {
    this.rows[trader * FIELDS + MAKER_RATE] = maker;
    this.rows[trader * FIELDS + TAKER_RATE] = taker;
  }

  knowsRates(trader: number): boolean {
    return this.rows[trader * FIELDS + TAKER_RATE] !== UNKNOWN;
  }

  /** All rates are looked up anew before they are next used. */
  forgetRates(): void {
    for (let trader = 0; trader < this.size; trader++) this.setRates(trader, UNKNOWN, UNKNOWN);
  }

  orderCount(trader: number): number {
    return trader < 0 ? 0 : this.rows[trader * FIELDS + ORDERS];
  }

  orderCountOfUser(user: number): number {
    return this.ordersOfUser[user] ?? 0;
  }

  firstOrder(trader: number): number {
    return trader < 0 ? -1 : this.rows[trader * FIELDS + FIRST];
  }

  /** Orders come in ascending id, so the end of the list is always the right place. */
  append(orders: OrderTable, row: number): void {
    const { rows } = this;
    const t = orders.trader(row) * FIELDS;
    const last = rows[t + LAST];
    orders.setPreviousOwn(row, last);
    orders.setNextOwn(row, -1);
    if (last < 0) rows[t + FIRST] = row;
    else orders.setNextOwn(last, row);
    rows[t + LAST] = row;
    rows[t + ORDERS]++;
    const user = rows[t + USER];
    this.ordersOfUser[user] = this.orderCountOfUser(user) + 1;
  }

  unlink(orders: OrderTable, row: number): void {
    const { rows } = this;
    const t = orders.trader(row) * FIELDS;
    const previous = orders.previousOwn(row);
    const next = orders.nextOwn(row);
    if (previous < 0) rows[t + FIRST] = next;
    else orders.setNextOwn(previous, next);
    if (next < 0) rows[t + LAST] = previous;
    else orders.setPreviousOwn(next, previous);
    rows[t + ORDERS]--;
    this.ordersOfUser[rows[t + USER]]--;
  }
}
