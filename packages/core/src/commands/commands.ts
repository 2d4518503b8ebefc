/**
 * Commands: requests to the exchange. A record of the log is a batch of them with one time.
 *
 * Users, currencies and symbols are identified by number, assigned from 0 in the order they were added, because numbers
 * are small in the log and fast in the core. Prices and sizes are integers in the symbol's units, amounts in units of the
 * currency. Only reference data carries decimals as text: there is no unit before it.
 */

import type { IdentityCommand } from './identity-commands.ts';
import type { OperatorCommand } from './operator-commands.ts';
import type { Interval } from '../values/intervals.ts';
import type {
  Audited,
  AddCurrency,
  ChangeCurrency,
  RemoveCurrency,
  AddSymbol,
  ChangeSymbol,
  RemoveSymbol,
  SetMarketState,
  BeginAuction,
  CancelAuction,
  PauseExchange,
  ResumeExchange,
  ScheduleCall,
  UnscheduleCall,
  SetFees,
  RemoveFees,
  SetLimits,
  AddUser,
  ChangeUser,
  FreezeUser,
  UnfreezeUser,
  CloseUser,
  AddUserNote,
  CancelForOthers,
  AddKey,
  ChangeKey,
  RemoveKey,
  PublishNotice,
  RemoveNotice,
} from './reference-commands.ts';

export type * from './identity-commands.ts';
export type * from './operator-commands.ts';
export type * from './reference-commands.ts';
export type Side = 'buy' | 'sell';
export type OrderType = 'limit' | 'market';
export type TimeInForce = 'GTC' | 'GTT' | 'IOC' | 'FOK';
/** Self-trade prevention: cancel new, cancel old, cancel both, decrease and cancel; '' when unset. */
export type SelfTradeMode = '' | 'CN' | 'CO' | 'CB' | 'DC';
export type AccountType = 'main' | 'trade';

/** Replay protection: until `until` has passed, the same id is rejected. */
export interface Once {
  readonly id: string;
  /** Milliseconds since 1970, at most a minute after the record's time. */
  readonly until: number;
}

/** The permanent deposit address of a user for this currency on this chain. */
export interface AddAddress extends Audited {
  readonly kind: 'add-address';
  readonly user: number;
  readonly currency: number;
  readonly chain: string;
  readonly address: string;
  readonly memo: string;
  /** For an address derived from a key: the chain's next index, so that none is assigned twice. */
  readonly index?: number;
  /** The address that this one replaces, because nobody has its key. */
  readonly replaces?: string;
}

/** Adds addresses to the chain's pool; they are assigned to users in this order. */
export interface LoadAddresses extends Audited {
  readonly kind: 'load-addresses';
  readonly chain: string;
  readonly addresses: readonly { readonly address: string; readonly memo: string }[];
}

/** The user requests an address from an operator's program. */
export interface AskAddress {
  readonly kind: 'ask-address';
  readonly user: number;
  readonly currency: number;
  readonly chain: string;
}

export interface ReportDeposit extends Audited {
  readonly kind: 'report-deposit';
  readonly user: number;
  readonly currency: number;
  readonly chain: string;
  readonly amount: bigint;
  /** The transaction outside, and the idempotency key of the deposit. */
  readonly txId: string;
  /** The money stays in `waiting` until a questionnaire is accepted. */
  readonly travelRule: boolean;
  /** Play money: whether the chain accepts deposits, and its minimum, are ignored. */
  readonly isTestMoney?: boolean;
}

export interface SubmitQuestionnaire {
  readonly kind: 'submit-questionnaire';
  readonly user: number;
  readonly travelRuleId: number;
  readonly senderType: 'individual' | 'company';
  readonly info: string;
}

export interface DecideQuestionnaire extends Audited {
  readonly kind: 'decide-questionnaire';
  readonly questionnaire: number;
  readonly accepted: boolean;
  readonly failureCode: string;
}

export type TransferType = 'internal' | 'parent-to-sub' | 'sub-to-parent';

export interface Transfer {
  readonly kind: 'transfer';
  /** The caller; for transfers between master and sub-account always the master. */
  readonly user: number;
  readonly type: TransferType;
  readonly clientId: string;
  /** If omitted, the only currency with money in the source account. */
  readonly currency?: number;
  readonly amount: bigint;
  readonly from: AccountType;
  readonly to: AccountType;
  readonly fromUser?: number;
  readonly toUser?: number;
}

export interface RequestWithdrawal {
  readonly kind: 'request-withdrawal';
  /** The canonical form of an address that can be written in several ways; address rules compare this form. */
  readonly payee?: string;
  readonly user: number;
  readonly currency: number;
  readonly chain: string;
  readonly amount: bigint;
  readonly address: string;
  readonly memo: string;
  /** The chain's fee is deducted from the amount instead of added to it. */
  readonly feeIncluded?: boolean;
  /** A remark of the user; the core does not use it. */
  readonly note?: string;
  /** The session whose signing key sent the request; it needs a recent step-up. */
  readonly session?: string;
}

export interface CancelWithdrawal {
  readonly kind: 'cancel-withdrawal';
  readonly user: number;
  readonly withdrawal: number;
}

/** Sent before the payment: from now on the user cannot cancel it. `by` is whoever pays. */
export interface ClaimWithdrawal extends Audited {
  readonly kind: 'claim-withdrawal';
  readonly withdrawal: number;
}

/** The payment was not started: the user may cancel again, and anybody may claim it. */
export interface UnclaimWithdrawal extends Audited {
  readonly kind: 'unclaim-withdrawal';
  readonly withdrawal: number;
}

/** The payer reports progress on a claimed withdrawal. */
export interface AdvanceWithdrawal extends Audited {
  readonly kind: 'advance-withdrawal';
  readonly withdrawal: number;
  readonly payment: 'signed' | 'broadcast';
  /** If already known; shown to the user. */
  readonly txId?: string;
}

/** The result of the payment: the money left, or it did not. */
export interface SettleWithdrawal extends Audited {
  readonly kind: 'settle-withdrawal';
  readonly withdrawal: number;
  readonly sent: boolean;
  /** Required for a payment that was sent; shown to the user. */
  readonly txId?: string;
  /** For a payment that was not sent: the reason, shown to the user. `why` is for operators only. */
  readonly failureReason?: string;
}

/** Money of a deposit that was not credited was sent back. */
export interface ReturnDeposit extends Audited {
  readonly kind: 'return-deposit';
  readonly deposit: number;
  /** The transaction of the return payment. */
  readonly txId?: string;
}

/** Reverses a credited deposit, a sent withdrawal or a correction by opposite postings. Exactly one is set. */
export interface ReverseMovement extends Audited {
  readonly kind: 'reverse-movement';
  readonly deposit?: number;
  readonly withdrawal?: number;
  readonly correction?: number;
}

/** `suspense` holds money whose owner is unknown. */
export type MoneySide =
  | { readonly user: number; readonly account: AccountType }
  | { readonly system: 'fees' | 'suspense' };

export interface MoveMoney extends Audited {
  readonly kind: 'move-money';
  readonly currency: number;
  readonly amount: bigint;
  readonly from: MoneySide;
  readonly to: MoneySide;
  /** Idempotency key: repeating the move has no effect and returns the first outcome. */
  readonly clientId?: string;
}

/** Sets limits of a user (a master) or of a tier. Currencies that are not listed keep theirs; null removes a limit. */
export interface SetWithdrawalLimits extends Audited {
  readonly kind: 'set-withdrawal-limits';
  readonly user?: number;
  readonly tier?: number;
  /** Per day (UTC). */
  readonly limits: readonly { readonly currency: number; readonly amount: bigint | null }[];
}

/** The balance of all external wallets in a currency: see `Wallets` in custody.ts. */
export interface ReportWallet extends Audited {
  readonly kind: 'report-wallet';
  readonly currency: number;
  readonly balance: bigint;
  /** Milliseconds: when the balance was read. */
  readonly at: number;
}

/** See `AddressRules` in withdrawal-limits.ts. */
export interface AddAddressRule extends Audited {
  readonly kind: 'add-address-rule';
  readonly action: 'block' | 'allow';
  readonly address: string;
  readonly currency?: number;
  readonly chain?: string;
}

export interface RemoveAddressRule extends Audited {
  readonly kind: 'remove-address-rule';
  readonly rule: number;
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

/** Placed one after the other, each with its own outcome. */
export interface PlaceOrders {
  readonly kind: 'place-orders';
  readonly user: number;
  readonly orders: readonly OrderRequest[];
}

/** Runs all checks of an order without placing it. */
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

/**
 * One cancels the other: a resting limit order, and a stop order in the other direction that becomes a limit order. The
 * stop price is above the price for a buy (an `entry`), below it for a sell (a `loss`).
 */
export interface PlaceOcoOrder {
  readonly kind: 'place-oco-order';
  readonly user: number;
  readonly symbol: number;
  readonly side: Side;
  readonly price: number;
  readonly size: number;
  readonly stopPrice: number;
  /** The price of the order that the stop order becomes. */
  readonly limitPrice: number;
  readonly clientId?: string;
  readonly tags?: string;
  readonly remark?: string;
}

/** Identifies one order of the user: by the exchange's id or by the client's. Exactly one is set. */
export interface OrderName {
  readonly user: number;
  readonly symbol: number;
  readonly order?: number;
  readonly clientId?: string;
  /**
   * The second since 1970 in which the order was placed, if its public id contains it. An order placed in another second
   * does not match.
   */
  readonly createdSec?: number;
}

export interface CancelOrder extends OrderName {
  readonly kind: 'cancel-order';
}

export interface CancelStopOrder extends OrderName {
  readonly kind: 'cancel-stop-order';
}

export interface CancelOcoOrder extends OrderName {
  readonly kind: 'cancel-oco-order';
}

/** All orders of the user in one symbol, or in every symbol. */
export interface CancelOrders {
  readonly kind: 'cancel-orders';
  readonly user: number;
  readonly symbol?: number;
}

/** Cancels part of an order, which keeps its queue position. */
export interface ReduceOrder extends OrderName {
  readonly kind: 'reduce-order';
  readonly size: number;
}

/** Cancels and replaces an order, atomically. `newSize` includes the filled part. */
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

/** One candle: prices in the symbol's units, volume in units of size, turnover in quote units. */
export interface ImportedCandle {
  /** Milliseconds. */
  readonly start: number;
  readonly open: number;
  readonly close: number;
  readonly high: number;
  readonly low: number;
  readonly volume: bigint;
  readonly turnover: bigint;
}

/** Candles from before the symbol's first trade here, oldest first; an existing candle is replaced. */
export interface ImportCandles extends Audited {
  readonly kind: 'import-candles';
  readonly symbol: number;
  readonly interval: Interval;
  readonly candles: readonly ImportedCandle[];
}

/** Stores a text under a name: see notes.ts. An empty text removes the note. */
export interface SetNote extends Audited {
  readonly kind: 'set-note';
  readonly name: string;
  readonly text: string;
}

/** An operator's commands. */
export type Administration =
  | AddCurrency
  | ChangeCurrency
  | RemoveCurrency
  | AddSymbol
  | ChangeSymbol
  | RemoveSymbol
  | SetMarketState
  | BeginAuction
  | CancelAuction
  | PauseExchange
  | ResumeExchange
  | ScheduleCall
  | UnscheduleCall
  | SetFees
  | RemoveFees
  | SetLimits
  | AddUser
  | ChangeUser
  | FreezeUser
  | UnfreezeUser
  | CloseUser
  | AddUserNote
  | CancelForOthers
  | AddKey
  | ChangeKey
  | RemoveKey
  | AddAddress
  | LoadAddresses
  | ReportDeposit
  | DecideQuestionnaire
  | ClaimWithdrawal
  | UnclaimWithdrawal
  | AdvanceWithdrawal
  | SettleWithdrawal
  | ReturnDeposit
  | ReverseMovement
  | MoveMoney
  | SetWithdrawalLimits
  | AddAddressRule
  | RemoveAddressRule
  | ReportWallet
  | ImportCandles
  | SetNote
  | PublishNotice
  | RemoveNotice
  | OperatorCommand
  | IdentityCommand;

export type Command = (
  | Administration
  | AskAddress
  | SubmitQuestionnaire
  | Transfer
  | RequestWithdrawal
  | CancelWithdrawal
  | PlaceOrder
  | PlaceOrders
  | TestOrder
  | PlaceStopOrder
  | PlaceOcoOrder
  | CancelOrder
  | CancelStopOrder
  | CancelOcoOrder
  | CancelOrders
  | ReduceOrder
  | AlterOrder
  | SetSwitch
) & { readonly once?: Once };

/** A batch of commands with one time, the unit of the log. A record without commands only advances time. */
export interface LogRecord {
  /** The previous record's plus one. */
  readonly seq: number;
  /** Milliseconds since 1970; never before the previous record's. */
  readonly time: number;
  /** The version of the rules for its commands: old records keep theirs. Default: 1. */
  readonly rules?: number;
  readonly commands: readonly Command[];
}
