/** Parameters and results of the endpoints. Prices, sizes and amounts are decimal strings: no float may hold them. */

export type Side = 'buy' | 'sell';
export type TimeInForce = 'GTC' | 'GTT' | 'IOC' | 'FOK';
export type SelfTradePrevention = 'CN' | 'CO' | 'CB' | 'DC';

interface AnyOrder {
  readonly symbol: string;
  readonly side: Side;
  /** Up to 40 letters, digits, `-` and `_`, used once. Retrying with the same one cannot trade twice. */
  readonly clientOid?: string;
  readonly stp?: SelfTradePrevention;
  readonly tags?: string;
  readonly remark?: string;
}

export interface LimitOrder extends AnyOrder {
  readonly type: 'limit';
  readonly price: string;
  readonly size: string;
  readonly timeInForce?: TimeInForce;
  /** Seconds, with GTT. */
  readonly cancelAfter?: number;
  readonly postOnly?: boolean;
  readonly hidden?: boolean;
  readonly iceberg?: boolean;
  readonly visibleSize?: string;
}

export interface MarketOrder extends AnyOrder {
  readonly type: 'market';
  /** Exactly one of size and funds. */
  readonly size?: string;
  readonly funds?: string;
}

export type NewOrder = LimitOrder | MarketOrder;

export interface PlacedOrder {
  readonly orderId: string;
  readonly clientOid: string;
}

export interface OrderResult extends PlacedOrder {
  readonly orderTime: number;
  readonly matchTime: number;
  readonly originSize: string;
  readonly dealSize: string;
  readonly remainSize: string;
  readonly canceledSize: string;
  readonly status: 'open' | 'done';
}

export type BatchResult =
  | (PlacedOrder & { readonly success: true })
  | { readonly success: false; readonly failMsg: string };

export interface CancelResult {
  readonly orderId?: string;
  readonly clientOid?: string;
  readonly originSize: string;
  readonly dealSize: string;
  readonly remainSize: string;
  readonly canceledSize: string;
  readonly status: 'open' | 'done';
}

/** Identifies one order: by the exchange's id or by the client's. */
export type OrderName =
  | { readonly symbol: string; readonly orderId: string }
  | { readonly symbol: string; readonly clientOid: string };

export type OrderChange = OrderName & { readonly newPrice?: string; readonly newSize?: string };

export interface AlteredOrder {
  /** Null if the new size was already filled. */
  readonly newOrderId: string | null;
  readonly clientOid: string;
}

export interface Order {
  readonly id: string;
  readonly clientOid: string;
  readonly symbol: string;
  readonly type: 'limit' | 'market';
  readonly side: Side;
  readonly price: string;
  readonly size: string;
  readonly funds: string;
  readonly dealSize: string;
  readonly dealFunds: string;
  readonly remainSize: string;
  readonly remainFunds: string;
  readonly cancelledSize: string;
  readonly cancelledFunds: string;
  readonly fee: string;
  readonly feeCurrency: string;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  readonly hidden: boolean;
  readonly iceberg: boolean;
  readonly visibleSize: string;
  /** Seconds, with GTT; 0 otherwise. */
  readonly cancelAfter: number;
  readonly stp: SelfTradePrevention | '';
  readonly tags: string;
  readonly remark: string;
  readonly active: boolean;
  readonly inOrderBook: boolean;
  readonly cancelExist: boolean;
  /** Why the order, or its remainder, was cancelled; only if it was. */
  readonly doneReason?: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly lastUpdatedAt: number;
}

export interface Fill {
  readonly id: number;
  readonly symbol: string;
  readonly tradeId: number;
  readonly orderId: string;
  readonly counterOrderId: string;
  readonly side: Side;
  readonly liquidity: 'maker' | 'taker';
  readonly price: string;
  readonly size: string;
  readonly funds: string;
  readonly fee: string;
  readonly feeRate: string;
  readonly feeCurrency: string;
  readonly createdAt: number;
}

export interface Listed<T> {
  readonly items: readonly T[];
  /** Pass it to get the next page. */
  readonly lastId: number;
}

export interface Account {
  readonly id: string;
  readonly currency: string;
  readonly type: string;
  readonly balance: string;
  readonly available: string;
  readonly holds: string;
}

export interface SymbolInfo {
  readonly symbol: string;
  readonly name: string;
  readonly baseCurrency: string;
  readonly quoteCurrency: string;
  readonly feeCurrency: string;
  readonly market: string;
  readonly baseMinSize: string;
  readonly baseMaxSize: string;
  readonly quoteMinSize: string;
  readonly quoteMaxSize: string;
  readonly baseIncrement: string;
  readonly priceIncrement: string;
  readonly quoteIncrement: string;
  readonly priceLimitRate: string;
  readonly minFunds: string | null;
  readonly enableTrading: boolean;
}

/** null: the side is empty, or there was no trade yet. */
export interface Ticker {
  readonly sequence: string;
  readonly price: string | null;
  readonly size: string | null;
  readonly bestAsk: string | null;
  readonly bestAskSize: string | null;
  readonly bestBid: string | null;
  readonly bestBidSize: string | null;
  readonly time: number;
}

/** Price and size. */
export type Level = readonly [string, string];

export interface BookSnapshot {
  readonly sequence: string;
  readonly time: number;
  /** Best first. */
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

export interface Trade {
  readonly sequence: string;
  readonly price: string;
  readonly size: string;
  readonly side: Side;
  /** Nanoseconds since 1970, rounded to a double. */
  readonly time: number;
}

/** Start in seconds, open, close, high, low, volume, turnover. */
export type Candle = readonly [string, string, string, string, string, string, string];

export interface FeedToken {
  readonly token: string;
  readonly instanceServers: readonly {
    readonly endpoint: string;
    readonly pingInterval: number;
    readonly pingTimeout: number;
  }[];
}
