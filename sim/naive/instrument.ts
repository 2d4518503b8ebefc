/** Orders and instruments: a symbol with its rules in units and both sides of its book. */

import type {
  MarketState,
  OrderType,
  SelfTradeMode,
  Side,
  SymbolTerms,
  TimeInForce,
} from '../../packages/core/src/commands/commands.ts';
import type { DoneReason } from '../../packages/core/src/events/events.ts';

/** An order's normalised fields; unset ones are 0, 0n or ''. */
export interface Terms {
  readonly symbol: number;
  readonly type: OrderType;
  readonly side: Side;
  readonly price: number;
  readonly size: number;
  readonly funds: bigint;
  readonly byFunds: boolean;
  readonly timeInForce: TimeInForce;
  readonly cancelAfterSec: number;
  readonly postOnly: boolean;
  readonly hidden: boolean;
  readonly iceberg: boolean;
  readonly visibleSize: number;
  readonly stp: SelfTradeMode;
  readonly clientId: string;
  readonly tags: string;
  readonly remark: string;
}

export interface Order {
  readonly id: number;
  readonly user: number;
  readonly terms: Terms;
  readonly makerRate: bigint;
  readonly takerRate: bigint;
  readonly createdAt: number;
  /** When a GTT order expires; 0 for all others. */
  readonly expiresAt: number;
  /** The remaining size; 0 for an order by funds. */
  remaining: number;
  /** The visible size in the queue; 0 for a hidden order. */
  slice: number;
  held: bigint;
  dealSize: number;
  dealFunds: bigint;
  fee: bigint;
  /** Fees overcharged by rounding up, in 10^-8. */
  slack: bigint;
  cancelledSize: number;
  cancelledFunds: bigint;
  rested: boolean;
  done: DoneReason | '';
}

export interface StopOrder {
  readonly id: number;
  readonly user: number;
  readonly stop: 'loss' | 'entry';
  readonly stopPrice: number;
  readonly terms: Terms;
}

/** An OCO order, in the list while both parts are active. */
export interface Oco {
  readonly id: number;
  readonly user: number;
  readonly symbol: number;
  readonly clientId: string;
  readonly order: Order;
  readonly stop: StopOrder;
}

/** One price of one side. Visible orders trade before hidden ones, each in order of arrival. */
export interface Level {
  readonly price: number;
  readonly visible: Order[];
  readonly hidden: Order[];
}

/** The terms, counted in the symbol's units of price and size and in quote units. */
export interface Rules {
  readonly sizeDecimals: number;
  readonly priceDecimals: number;
  /** Base units in one unit of size. */
  readonly sizeUnit: bigint;
  readonly sizeIncrement: number;
  readonly sizeMin: number;
  readonly sizeMax: number;
  readonly priceIncrement: number;
  readonly fundsIncrement: bigint;
  readonly fundsMin: bigint;
  readonly fundsMax: bigint;
  readonly minFunds: bigint;
  /** In units of 10^-6. */
  readonly priceLimitRate: bigint;
}

export interface Auction {
  readonly endsAt: number;
  readonly lastsMs: number;
  readonly reference: number | null;
  /** In units of 10^-6. */
  readonly band: bigint | null;
  readonly thenState: MarketState;
  readonly extended: boolean;
  /** The call has ended, but its trades continue in the next record. */
  isUncrossing?: boolean;
}

export interface Instrument {
  readonly symbol: number;
  readonly code: string;
  readonly base: number;
  readonly quote: number;
  readonly baseIncrement: string;
  terms: SymbolTerms;
  rules: Rules;
  state: MarketState;
  auction: Auction | null;
  /** True while the whole exchange is paused. */
  paused: boolean;
  removed: boolean;
  /** Each side best price first. */
  readonly bids: Level[];
  readonly asks: Level[];
  /** Ascending by id. */
  readonly stops: StopOrder[];
  /** null before the first trade. */
  lastPrice: number | null;
  trades: number;
  bookChanges: number;
}

export const PRICE_MAX = 2 ** 50 - 1;

/** Disabling trading by the symbol's terms acts like a halt for new orders, not for cancellations. */
export function isOpen(instrument: Instrument): boolean {
  return instrument.state === 'open' && instrument.terms.enableTrading && !instrument.paused;
}
