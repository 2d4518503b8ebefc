/**
 * Commands: what somebody wants of the exchange. A record of the log is a batch of them with one time.
 *
 * Users, currencies and symbols are named by number, given out from 0 in the order they were added, because
 * numbers are small in the log and fast in the core. Prices and sizes are integers in the symbol's own units
 * (see market/market.ts), amounts of money are integers in the currency's last decimal place. Only reference
 * data carries decimals as text: before a symbol exists there is no unit to count in.
 */

export type Side = 'buy' | 'sell';
export type OrderType = 'limit' | 'market';
export type TimeInForce = 'GTC' | 'GTT' | 'IOC' | 'FOK';
/** Self-trade prevention: cancel new, cancel old, cancel both, decrease and cancel; '' when unset. */
export type SelfTradeMode = '' | 'CN' | 'CO' | 'CB' | 'DC';
export type AccountType = 'main' | 'trade';
export type MarketState = 'open' | 'cancel-only' | 'halted';
export type Permission = 'general' | 'spot' | 'flex-transfers' | 'withdrawal';

export interface Chain {
  readonly chainId: string;
  readonly chainName: string;
  readonly depositMinSize: string | null;
  readonly depositFeeRate: string;
  readonly withdrawalMinSize: string;
  readonly withdrawalMinFee: string;
  readonly withdrawFeeRate: string;
  readonly withdrawMaxFee: string;
  readonly isWithdrawEnabled: boolean;
  readonly isDepositEnabled: boolean;
  readonly confirms: number;
  readonly preConfirms: number;
  readonly contractAddress: string;
}

/** The part of a currency that may change; `code`, `precision` and `scale` never do. */
export interface CurrencyTerms {
  readonly name: string;
  readonly fullName: string;
  readonly confirms: number | null;
  readonly contractAddress: string | null;
  readonly isMarginEnabled: boolean;
  readonly isDebitEnabled: boolean;
  readonly chains: readonly Chain[];
}

/** The part of a symbol that may change while orders rest; code, currencies and baseIncrement never do. */
export interface SymbolTerms {
  readonly name: string;
  readonly market: string;
  readonly baseMinSize: string;
  readonly baseMaxSize: string;
  readonly quoteMinSize: string;
  readonly quoteMaxSize: string;
  readonly quoteIncrement: string;
  readonly priceIncrement: string;
  readonly priceLimitRate: string;
  readonly minFunds: string;
  readonly isMarginEnabled: boolean;
  readonly enableTrading: boolean;
}

/** Decimals are shown to `precision` places at the door; the ledger counts in 10^-scale, scale >= precision. */
export interface AddCurrency extends CurrencyTerms {
  readonly kind: 'add-currency';
  readonly code: string;
  readonly precision: number;
  readonly scale: number;
}

export interface ChangeCurrency extends Partial<CurrencyTerms> {
  readonly kind: 'change-currency';
  readonly currency: number;
}

export interface AddSymbol extends SymbolTerms {
  readonly kind: 'add-symbol';
  readonly code: string;
  readonly base: number;
  readonly quote: number;
  readonly baseIncrement: string;
}

export interface ChangeSymbol extends Partial<SymbolTerms> {
  readonly kind: 'change-symbol';
  readonly symbol: number;
}

export interface SetMarketState {
  readonly kind: 'set-market-state';
  readonly symbol: number;
  readonly state: MarketState;
}

/** Neither user nor symbol: the default. The most special rate wins: user and symbol, user, symbol, default. */
export interface SetFees {
  readonly kind: 'set-fees';
  readonly user?: number;
  readonly symbol?: number;
  readonly maker: string;
  readonly taker: string;
}

export interface SetLimits {
  readonly kind: 'set-limits';
  readonly lookupWindowMs?: number;
  readonly activeOrdersPerSymbolMax?: number;
  readonly activeOrdersPerUserMax?: number;
  readonly stopOrdersPerSymbolMax?: number;
}

export interface AddUser {
  readonly kind: 'add-user';
  readonly name: string;
  /** The master, for a sub-account. */
  readonly parent?: number;
}

/** `secret` is opaque here: the edge decides what it holds and how it is protected. */
export interface AddKey {
  readonly kind: 'add-key';
  readonly user: number;
  readonly key: string;
  readonly version: number;
  readonly permissions: readonly Permission[];
  readonly ipAllowList: readonly string[];
  readonly secret: string;
}

export interface ChangeKey {
  readonly kind: 'change-key';
  readonly key: string;
  readonly permissions?: readonly Permission[];
  readonly ipAllowList?: readonly string[];
}

export interface RemoveKey {
  readonly kind: 'remove-key';
  readonly key: string;
}

export interface ReportDeposit {
  readonly kind: 'report-deposit';
  readonly user: number;
  readonly currency: number;
  readonly chain: string;
  readonly amount: bigint;
  /** Names the movement outside; the same txId again is the same deposit. */
  readonly txId: string;
  /** The money waits for a questionnaire before anybody may use it. */
  readonly travelRule: boolean;
}

export interface SubmitQuestionnaire {
  readonly kind: 'submit-questionnaire';
  readonly user: number;
  readonly travelRuleId: number;
  readonly senderType: 'individual' | 'company';
  readonly info: string;
}

export interface DecideQuestionnaire {
  readonly kind: 'decide-questionnaire';
  readonly questionnaire: number;
  readonly accepted: boolean;
  readonly failureCode: string;
}

export type TransferType = 'internal' | 'parent-to-sub' | 'sub-to-parent';

export interface Transfer {
  readonly kind: 'transfer';
  /** Who asks; for master and sub-account transfers always the master. */
  readonly user: number;
  readonly type: TransferType;
  readonly clientId: string;
  /** Left out: the one currency with money in the source account. */
  readonly currency?: number;
  readonly amount: bigint;
  readonly from: AccountType;
  readonly to: AccountType;
  readonly fromUser?: number;
  readonly toUser?: number;
}

export interface RequestWithdrawal {
  readonly kind: 'request-withdrawal';
  readonly user: number;
  readonly currency: number;
  readonly chain: string;
  readonly amount: bigint;
  readonly address: string;
  readonly memo: string;
}

export interface CancelWithdrawal {
  readonly kind: 'cancel-withdrawal';
  readonly user: number;
  readonly withdrawal: number;
}

/** The outside world's answer: the money left, or it did not. */
export interface SettleWithdrawal {
  readonly kind: 'settle-withdrawal';
  readonly withdrawal: number;
  readonly sent: boolean;
}

/**
 * One order. Absent fields are unset. `price`, `size` and `visibleSize` are in the symbol's units, `funds` in
 * quote units. A limit order has price and size; a market order exactly one of size and funds.
 */
export interface OrderRequest {
  readonly symbol: number;
  readonly type: OrderType;
  readonly side: Side;
  readonly price?: number;
  readonly size?: number;
  readonly funds?: bigint;
  readonly timeInForce?: TimeInForce;
  readonly cancelAfterSec?: number;
  readonly postOnly?: boolean;
  readonly hidden?: boolean;
  readonly iceberg?: boolean;
  readonly visibleSize?: number;
  readonly stp?: SelfTradeMode;
  readonly clientId?: string;
  readonly tags?: string;
  readonly remark?: string;
}

export interface PlaceOrder extends OrderRequest {
  readonly kind: 'place-order';
  readonly user: number;
}

/** Placed one after the other; each has its own outcome. */
export interface PlaceOrders {
  readonly kind: 'place-orders';
  readonly user: number;
  readonly orders: readonly OrderRequest[];
}

/** Everything that placing checks, and nothing placed. */
export interface TestOrder extends OrderRequest {
  readonly kind: 'test-order';
  readonly user: number;
}

/** A stop order waits outside the book until the last price reaches `stopPrice`, then is placed as an order. */
export interface PlaceStopOrder extends OrderRequest {
  readonly kind: 'place-stop-order';
  readonly user: number;
  readonly stopPrice: number;
  /** 'loss' triggers at or below the stop price, 'entry' at or above. */
  readonly stop: 'loss' | 'entry';
}

/** Names one order of the user: by the exchange's id, or by the client's. Exactly one is set. */
export interface OrderName {
  readonly user: number;
  readonly symbol: number;
  readonly order?: number;
  readonly clientId?: string;
}

export interface CancelOrder extends OrderName {
  readonly kind: 'cancel-order';
}

export interface CancelStopOrder extends OrderName {
  readonly kind: 'cancel-stop-order';
}

/** All orders of the user in one symbol, or in every symbol. */
export interface CancelOrders {
  readonly kind: 'cancel-orders';
  readonly user: number;
  readonly symbol?: number;
}

/** Cancels part of an order, which keeps its place in the queue. */
export interface ReduceOrder extends OrderName {
  readonly kind: 'reduce-order';
  readonly size: number;
}

/** Cancel and new, or neither. `newSize` counts what is already filled. */
export interface AlterOrder extends OrderName {
  readonly kind: 'alter-order';
  readonly newPrice?: number;
  readonly newSize?: number;
}

/** The dead man's switch: unless set again in time, the user's orders are cancelled. */
export interface SetSwitch {
  readonly kind: 'set-switch';
  readonly user: number;
  /** -1 turns it off; otherwise 5 to 86400. */
  readonly timeoutSec: number;
  /** Empty: every symbol. */
  readonly symbols: readonly number[];
}

export type Command =
  | AddCurrency
  | ChangeCurrency
  | AddSymbol
  | ChangeSymbol
  | SetMarketState
  | SetFees
  | SetLimits
  | AddUser
  | AddKey
  | ChangeKey
  | RemoveKey
  | ReportDeposit
  | SubmitQuestionnaire
  | DecideQuestionnaire
  | Transfer
  | RequestWithdrawal
  | CancelWithdrawal
  | SettleWithdrawal
  | PlaceOrder
  | PlaceOrders
  | TestOrder
  | PlaceStopOrder
  | CancelOrder
  | CancelStopOrder
  | CancelOrders
  | ReduceOrder
  | AlterOrder
  | SetSwitch;

/** A batch of commands with one time, the unit of the log. A record without commands only lets time pass. */
export interface LogRecord {
  /** Follows the previous record's by one. */
  readonly seq: number;
  /** Milliseconds since 1970; never before the previous record's. */
  readonly time: number;
  readonly commands: readonly Command[];
}
