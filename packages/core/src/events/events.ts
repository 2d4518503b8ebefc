/**
 * Events: what happened, in the order it happened. Views, feeds, history and audits are built from these alone.
 * Times are the record's. Prices and sizes are in the symbol's units, money in the currency's.
 */

import type {
  AccountType,
  ImportedCandle,
  OrderType,
  SelfTradeMode,
  Side,
  TimeInForce,
  TransferType,
} from '../commands/commands.ts';
import type { Interval } from '../values/intervals.ts';
import type {
  CurrencySet,
  CurrencyRemoved,
  SymbolSet,
  SymbolRemoved,
  AuctionSet,
  AuctionEnded,
  PauseSet,
  ScheduleChanged,
  FeesSet,
  FeesRemoved,
  LimitsSet,
  UserAdded,
  UserChanged,
  KeySet,
  KeyRemoved,
  OperatorsChanged,
  PersonChanged,
} from './reference-events.ts';

export type * from './reference-events.ts';

/** An order was accepted. Its fields are the effective ones; unset fields are 0, 0n or ''. */
export interface OrderReceived {
  readonly kind: 'order-received';
  readonly order: number;
  readonly user: number;
  readonly symbol: number;
  readonly side: Side;
  readonly type: OrderType;
  readonly price: number;
  readonly size: number;
  readonly funds: bigint;
  readonly timeInForce: TimeInForce;
  readonly cancelAfterSec: number;
  readonly postOnly: boolean;
  readonly hidden: boolean;
  readonly iceberg: boolean;
  readonly visibleSize: number;
  readonly stp: SelfTradeMode;
  /** In units of 10^-8; an order keeps the rates it was accepted with. */
  readonly makerRate: number;
  readonly takerRate: number;
  readonly clientId: string;
  readonly tags: string;
  readonly remark: string;
}

/** The remainder of an order rests in the book. */
export interface OrderOpened {
  readonly kind: 'order-opened';
  readonly order: number;
  readonly user: number;
  readonly symbol: number;
  readonly remaining: number;
}

/** One order's side of a trade. */
export interface Fill {
  readonly order: number;
  readonly user: number;
  /** The remaining size after this fill; 0 for an order by funds. */
  readonly remaining: number;
  readonly fee: bigint;
  /** The rate charged: a hidden or iceberg order pays the taker's even if it was resting. */
  readonly rate: 'maker' | 'taker';
  readonly liquidity: 'maker' | 'taker';
}

export interface Trade {
  readonly kind: 'trade';
  readonly symbol: number;
  /** Numbers the symbol's trades from 1 without a gap. */
  readonly trade: number;
  readonly price: number;
  readonly size: number;
  readonly funds: bigint;
  /** The side of the incoming order. In an auction both orders rest, both are makers, and the later one is `incoming`. */
  readonly side: Side;
  readonly incoming: Fill;
  readonly resting: Fill;
}

/** Part of an order was cancelled; the rest stays active. */
export interface OrderReduced {
  readonly kind: 'order-reduced';
  readonly order: number;
  readonly user: number;
  readonly symbol: number;
  readonly by: number;
  readonly remaining: number;
  readonly reason: 'requested' | 'self-trade';
}

export type DoneReason =
  | 'filled'
  | 'requested'
  | 'altered'
  | 'switch'
  | 'expired'
  | 'ioc'
  | 'fok'
  | 'post-only'
  | 'price-protection'
  | 'self-trade'
  | 'book-end'
  | 'funds-end'
  | 'oco'
  | 'delisted'
  | 'operator';

/** The end of an order. 'filled' is complete; every other reason cancels the remainder. */
export interface OrderDone {
  readonly kind: 'order-done';
  readonly order: number;
  readonly user: number;
  readonly symbol: number;
  readonly reason: DoneReason;
  readonly dealSize: number;
  readonly dealFunds: bigint;
  readonly fee: bigint;
  /** The total cancelled size of the order, including reductions; 0 for an order by funds. */
  readonly cancelledSize: number;
  /** For an order by funds that was not filled: the returned funds. */
  readonly cancelledFunds: bigint;
  readonly rested: boolean;
}

/** The new visible size at a price; 0 removes the level. */
export interface BookChanged {
  readonly kind: 'book-changed';
  readonly symbol: number;
  /** Numbers the symbol's book changes from 1 without a gap. */
  readonly sequence: number;
  readonly side: Side;
  readonly price: number;
  readonly size: number;
}

export type SystemAccount = 'fees' | 'outside' | 'waiting' | 'suspense';

export type BalanceCause =
  | 'hold'
  | 'release'
  | 'trade'
  | 'deposit'
  | 'transfer'
  | 'withdrawal-hold'
  | 'withdrawal-release'
  | 'withdrawal'
  | 'correction';

/** One posting. All postings of one command sum to zero per currency. */
export interface BalanceChanged {
  readonly kind: 'balance-changed';
  /** -1 for the system accounts. */
  readonly user: number;
  readonly account: AccountType | SystemAccount;
  readonly currency: number;
  readonly availableChange: bigint;
  readonly holdChange: bigint;
  readonly available: bigint;
  readonly hold: bigint;
  readonly cause: BalanceCause;
  /** Its subject: an order and possibly a trade of it, or a deposit, transfer or withdrawal; 0 if none. */
  readonly order: number;
  readonly trade: number;
  readonly reference: number;
}

export interface AddressSet {
  readonly kind: 'address-set';
  readonly user: number;
  readonly currency: number;
  readonly chain: string;
  readonly address: string;
  readonly memo: string;
  /** Only for an address derived from a key. */
  readonly index?: number;
}

/**
 * 'waiting' for a questionnaire, which is then under 'review', and may be 'refused' and submitted again; 'done' when
 * credited; 'returned' to where it came from.
 */
export interface DepositSet {
  readonly kind: 'deposit-set';
  readonly deposit: number;
  readonly user: number;
  readonly currency: number;
  readonly chain: string;
  readonly amount: bigint;
  readonly txId: string;
  readonly state: 'waiting' | 'review' | 'refused' | 'done' | 'returned';
  /** 0 if none is needed. */
  readonly travelRuleId: number;
  /** Deducted from the amount when it is credited; absent if the chain charges none. */
  readonly fee?: bigint;
  /** Why it was refused; only while it is refused, or if it was returned from that state. */
  readonly failureCode?: string;
  /** The transaction of the return payment, if reported. */
  readonly returnTxId?: string;
  /** Set while a correction reverses it: its txId may be reported again. */
  readonly reversed?: true;
}

export interface CorrectionPosting {
  /** -1 for the system accounts. */
  readonly user: number;
  readonly account: AccountType | SystemAccount;
  readonly change: bigint;
}

/** An operator reversed a movement or moved money. Balance events follow. */
export interface CorrectionMade {
  readonly kind: 'correction-made';
  readonly correction: number;
  readonly type: 'reverse' | 'move';
  readonly currency: number;
  /** The reversed or moved amount. */
  readonly amount: bigint;
  readonly postings: readonly CorrectionPosting[];
  /** Only for a reversal. */
  readonly reverses?: { readonly kind: 'deposit' | 'withdrawal' | 'correction'; readonly id: number };
  /** The deposit, for its reversal and for a reversal of that reversal. */
  readonly deposit?: number;
  /** A move's idempotency key, if it had one. */
  readonly clientId?: string;
}

export interface QuestionnaireSet {
  readonly kind: 'questionnaire-set';
  readonly questionnaire: number;
  readonly travelRuleId: number;
  readonly user: number;
  readonly senderType: 'individual' | 'company';
  readonly info: string;
  readonly state: 'pending' | 'success' | 'fail';
  readonly failureCode: string;
}

export interface TransferMade {
  readonly kind: 'transfer-made';
  readonly transfer: number;
  readonly user: number;
  readonly type: TransferType;
  readonly clientId: string;
  readonly currency: number;
  readonly amount: bigint;
  readonly from: AccountType;
  readonly to: AccountType;
  readonly fromUser: number;
  readonly toUser: number;
}

export interface WithdrawalSet {
  readonly kind: 'withdrawal-set';
  readonly withdrawal: number;
  readonly user: number;
  readonly currency: number;
  readonly chain: string;
  readonly amount: bigint;
  readonly fee: bigint;
  readonly address: string;
  /** The canonical form of an address that can be written in several ways. */
  readonly payee?: string;
  readonly memo: string;
  readonly state: 'processing' | 'paying' | 'sent' | 'failed' | 'cancelled';
  /** Only if the user gave one. */
  readonly note?: string;
  /** The payer and the time of the claim (milliseconds); only if it was claimed. */
  readonly claimedBy?: string;
  readonly claimedAt?: number;
  /** The payer's last reported step; only if it reports steps. */
  readonly payment?: 'signed' | 'broadcast';
  /** The transaction of the payment, once known. */
  readonly txId?: string;
  /** Shown to the user of a failed withdrawal; only if the operator gave one. */
  readonly failureReason?: string;
}

export interface SwitchSet {
  readonly kind: 'switch-set';
  readonly user: number;
  /** -1 when it is off, or has just fired. */
  readonly timeoutSec: number;
  /** Milliseconds; 0 when off. */
  readonly triggerAt: number;
  readonly symbols: readonly number[];
}

/** Candles from before the first trade, as an operator imported them. */
export interface CandlesImported {
  readonly kind: 'candles-imported';
  readonly symbol: number;
  readonly interval: Interval;
  readonly candles: readonly ImportedCandle[];
}

/** Orders, trades, the book and money: the frequent events. */
export type TradingEvent =
  | OrderReceived
  | OrderOpened
  | Trade
  | OrderReduced
  | OrderDone
  | BookChanged
  | BalanceChanged;

/** The rare events. */
export type RareEvent =
  | CurrencySet
  | CurrencyRemoved
  | SymbolSet
  | SymbolRemoved
  | AuctionSet
  | AuctionEnded
  | PauseSet
  | ScheduleChanged
  | FeesSet
  | FeesRemoved
  | LimitsSet
  | UserAdded
  | UserChanged
  | KeySet
  | KeyRemoved
  | OperatorsChanged
  | PersonChanged
  | AddressSet
  | DepositSet
  | CorrectionMade
  | QuestionnaireSet
  | TransferMade
  | WithdrawalSet
  | SwitchSet
  | CandlesImported
  | StopPlaced
  | StopDone
  | OcoPlaced
  | OcoDone;

export type Event = TradingEvent | RareEvent;

/** The public part of a trade. */
export type PublicTrade = Pick<Trade, 'kind' | 'symbol' | 'trade' | 'price' | 'size' | 'side'>;

/** Market data: without orders and postings. */
export type MarketEvent = PublicTrade | BookChanged | RareEvent;

/**
 * Everything that moves money: trades, each after the order-received of its incoming order, postings and rare events.
 * Excludes book changes, order events and holds.
 */
export type MoneyEvent = OrderReceived | Trade | BalanceChanged | RareEvent;

/** Events of stop orders and OCO orders. */
export interface StopPlaced {
  readonly kind: 'stop-placed';
  readonly stopOrder: number;
  readonly user: number;
  readonly symbol: number;
  readonly side: Side;
  readonly type: OrderType;
  readonly stop: 'loss' | 'entry';
  readonly stopPrice: number;
  readonly price: number;
  readonly size: number;
  readonly funds: bigint;
  readonly clientId: string;
}

/**
 * 'triggered': became `order`. 'rejected': triggered, but refused as an order for `rejection`. 'oco': see OcoDone.
 * 'operator': an operator cancelled it for the reason in `rejection`.
 */
export interface StopDone {
  readonly kind: 'stop-done';
  readonly stopOrder: number;
  readonly user: number;
  readonly symbol: number;
  readonly reason: 'triggered' | 'rejected' | 'requested' | 'oco' | 'delisted' | 'operator';
  readonly order: number;
  readonly rejection: string;
}

/** `order` rests in the book and `stopOrder` is pending; each has its own events. */
export interface OcoPlaced {
  readonly kind: 'oco-placed';
  readonly oco: number;
  readonly user: number;
  readonly symbol: number;
  readonly side: Side;
  readonly price: number;
  readonly size: number;
  readonly stopPrice: number;
  readonly limitPrice: number;
  readonly stopOrder: number;
  readonly order: number;
  readonly clientId: string;
}

/** 'traded': the order did, so the stop order is gone. 'triggered': the reverse. 'cancelled': both are gone. */
export interface OcoDone {
  readonly kind: 'oco-done';
  readonly oco: number;
  readonly user: number;
  readonly symbol: number;
  readonly reason: 'traded' | 'triggered' | 'cancelled';
}
