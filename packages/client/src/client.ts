/** The most common endpoints as typed methods; `http.call` reaches all others. */

import { HttpClient, type HttpOptions } from './http.ts';
import type {
  Account,
  AlteredOrder,
  BatchResult,
  BookSnapshot,
  CancelResult,
  Candle,
  FeedToken,
  Fill,
  LimitOrder,
  Listed,
  NewOrder,
  Order,
  OrderChange,
  OrderName,
  OrderResult,
  PlacedOrder,
  SymbolInfo,
  Ticker,
  Trade,
} from './types.ts';

const ORDERS = '/api/v1/hf/orders';

export class BourseClient {
  readonly http: HttpClient;

  constructor(options: HttpOptions) {
    this.http = new HttpClient(options);
  }

  /** Milliseconds since 1970. */
  serverTime(): Promise<number> {
    return this.http.call('GET', '/api/v1/timestamp');
  }

  symbols(): Promise<readonly SymbolInfo[]> {
    return this.http.call('GET', '/api/v2/symbols');
  }

  ticker(symbol: string): Promise<Ticker> {
    return this.http.call('GET', '/api/v1/market/orderbook/level1', { query: { symbol } });
  }

  /** The best 20 or 100 levels of each side. */
  async depth(symbol: string, levels: 20 | 100 = 20): Promise<BookSnapshot> {
    return this.http.call('GET', `/api/v1/market/orderbook/level2_${levels}`, { query: { symbol } });
  }

  /** Every level; needs credentials. */
  book(symbol: string): Promise<BookSnapshot> {
    return this.http.call('GET', '/api/v3/market/orderbook/level2', { query: { symbol } });
  }

  trades(symbol: string): Promise<readonly Trade[]> {
    return this.http.call('GET', '/api/v1/market/histories', { query: { symbol } });
  }

  /** Newest first; `type` such as 1min, 1hour, 1day; times in seconds. */
  candles(
    symbol: string,
    type: string,
    range: { readonly startAt?: number; readonly endAt?: number } = {},
  ): Promise<readonly Candle[]> {
    return this.http.call('GET', '/api/v1/market/candles', { query: { symbol, type, ...range } });
  }

  accounts(
    filter: { readonly currency?: string; readonly type?: 'main' | 'trade' } = {},
  ): Promise<readonly Account[]> {
    return this.http.call('GET', '/api/v1/accounts', { query: filter });
  }

  /** Between the user's own accounts. `clientOid` is the idempotency key. */
  transfer(order: {
    readonly clientOid: string;
    readonly currency: string;
    readonly amount: string;
    readonly from: 'main' | 'trade';
    readonly to: 'main' | 'trade';
  }): Promise<{ readonly orderId: string }> {
    return this.http.call('POST', '/api/v2/accounts/inner-transfer', { body: order });
  }

  placeOrder(order: NewOrder): Promise<PlacedOrder> {
    return this.http.call('POST', ORDERS, { body: order });
  }

  /** Returns after matching, with the result. */
  placeOrderSync(order: NewOrder): Promise<OrderResult> {
    return this.http.call('POST', `${ORDERS}/sync`, { body: order });
  }

  /** Up to five orders, each with its own result. */
  placeOrders(orderList: readonly LimitOrder[]): Promise<readonly BatchResult[]> {
    return this.http.call('POST', `${ORDERS}/multi`, { body: { orderList } });
  }

  /** Validates an order without placing it. */
  testOrder(order: NewOrder): Promise<PlacedOrder> {
    return this.http.call('POST', `${ORDERS}/test`, { body: order });
  }

  cancelOrder(name: OrderName): Promise<{ readonly orderId?: string; readonly clientOid?: string }> {
    return this.http.call('DELETE', `${ORDERS}/${pathOf(name)}`, { query: { symbol: name.symbol } });
  }

  cancelOrderSync(name: OrderName): Promise<CancelResult> {
    return this.http.call('DELETE', `${ORDERS}/sync/${pathOf(name)}`, { query: { symbol: name.symbol } });
  }

  /** All orders of one symbol. */
  cancelOrders(symbol: string): Promise<'success'> {
    return this.http.call('DELETE', ORDERS, { query: { symbol } });
  }

  /** Cancels an order and places one with another price or size, atomically. */
  alterOrder(change: OrderChange): Promise<AlteredOrder> {
    return this.http.call('POST', `${ORDERS}/alter`, { body: change });
  }

  order(name: OrderName): Promise<Order> {
    return this.http.call('GET', `${ORDERS}/${pathOf(name)}`, { query: { symbol: name.symbol } });
  }

  openOrders(symbol: string): Promise<readonly Order[]> {
    return this.http.call('GET', `${ORDERS}/active`, { query: { symbol } });
  }

  doneOrders(
    symbol: string,
    more: { readonly lastId?: number; readonly limit?: number } = {},
  ): Promise<Listed<Order>> {
    return this.http.call('GET', `${ORDERS}/done`, { query: { symbol, ...more } });
  }

  fills(
    symbol: string,
    more: {
      readonly orderId?: string;
      /** Milliseconds of exchange time; both ends are included. */
      readonly startAt?: number;
      readonly endAt?: number;
      readonly lastId?: number;
      readonly limit?: number;
    } = {},
  ): Promise<Listed<Fill>> {
    return this.http.call('GET', '/api/v1/hf/fills', { query: { symbol, ...more } });
  }

  /** Cancels all orders unless it is called again within `timeoutSec`; -1 turns the switch off. */
  setDeadMansSwitch(timeoutSec: number, symbols: readonly string[] = []): Promise<unknown> {
    const body = { timeout: timeoutSec, ...(symbols.length > 0 && { symbols: symbols.join(',') }) };
    return this.http.call('POST', `${ORDERS}/dead-cancel-all`, { body });
  }

  /** A token for the feed: for all topics with credentials, otherwise for the public ones. */
  feedToken(): Promise<FeedToken> {
    return this.http.call('POST', `/api/v1/bullet-${this.http.signer ? 'private' : 'public'}`);
  }

  /** The initial state of an order book: all levels with credentials, else the best hundred of each side. */
  bookSnapshot(symbol: string): Promise<BookSnapshot> {
    return this.http.signer ? this.book(symbol) : this.depth(symbol, 100);
  }
}

function pathOf(name: OrderName): string {
  return 'orderId' in name
    ? encodeURIComponent(name.orderId)
    : `client-order/${encodeURIComponent(name.clientOid)}`;
}
