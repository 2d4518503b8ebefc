/** Operator commands that change no balance: reference data, users and their keys. */

/** docs/concepts/rules-markets.md lists what each state rejects. */
export type MarketState = 'open' | 'post-only' | 'cancel-only' | 'halted' | 'auction' | 'delisted';
export type Permission = 'general' | 'spot' | 'flex-transfers' | 'withdrawal';

/** Name and reason, for readers of the log; and the calling operator, who must still exist: see operate.ts. */
export interface Audited {
  readonly by?: string;
  readonly why?: string;
  /** The operator's number; omitted for root. */
  readonly operator?: number;
  /** The operator signed in as a person; omitted for programs, which have a token. */
  readonly isPerson?: true;
  /** The operator's network address; omitted for commands of the exchange itself. */
  readonly ip?: string;
  /** The id of the operator call that sent it; omitted for commands of the exchange itself. */
  readonly call?: string;
}

/** The values that a command replaced, under the command's own field names, so that the two can be compared. */
export type Before = Readonly<Record<string, unknown>>;

/** The gateway shows `precision` decimals; the ledger counts in 10^-scale, scale >= precision. */
export interface AddCurrency extends CurrencyTerms, Audited {
  readonly kind: 'add-currency';
  readonly code: string;
  readonly precision: number;
  readonly scale: number;
}

export interface ChangeCurrency extends Partial<CurrencyTerms>, Audited {
  readonly kind: 'change-currency';
  readonly currency: number;
}

/** Only for a currency without accounts, addresses and symbols. Its number is never reused. */
export interface RemoveCurrency extends Audited {
  readonly kind: 'remove-currency';
  readonly currency: number;
}

export interface AddSymbol extends SymbolTerms, Audited {
  readonly kind: 'add-symbol';
  readonly code: string;
  readonly base: number;
  readonly quote: number;
  readonly baseIncrement: string;
  /** Omitted: open. */
  readonly state?: MarketState;
}

export interface ChangeSymbol extends Partial<SymbolTerms>, Audited {
  readonly kind: 'change-symbol';
  readonly symbol: number;
}

/** Only for a symbol whose book was always empty and that has no pending stop orders. Its number is never reused. */
export interface RemoveSymbol extends Audited {
  readonly kind: 'remove-symbol';
  readonly symbol: number;
}

/** Not to `auction`, and not during one: see BeginAuction and CancelAuction. `delisted` cancels all orders. */
export interface SetMarketState extends Audited {
  readonly kind: 'set-market-state';
  readonly symbol: number;
  readonly state: MarketState;
}

/** A call auction: orders are collected without matching until it ends, and then trade at one price. */
export interface BeginAuction extends Audited {
  readonly kind: 'begin-auction';
  readonly symbol: number;
  readonly endsInMs: number;
  /** In units of price. Only used before the symbol's first trade. */
  readonly referencePrice?: number;
  /** The largest deviation of the auction price from the reference price, as a fraction of it. Default: no limit. */
  readonly band?: string;
  /** The state after the auction; not `auction` or `delisted`. */
  readonly thenState: MarketState;
}

/** Ends the auction without trades. The symbol is halted and keeps its orders. */
export interface CancelAuction extends Audited {
  readonly kind: 'cancel-auction';
  readonly symbol: number;
}

/** No market accepts orders, changes or cancellations until `ResumeExchange`. */
export interface PauseExchange extends Audited {
  readonly kind: 'pause-exchange';
}

export interface ResumeExchange extends Audited {
  readonly kind: 'resume-exchange';
}

/** Commands that can be scheduled: changes of markets and of fees. */
export type ScheduledChange =
  | SetMarketState
  | BeginAuction
  | CancelAuction
  | PauseExchange
  | ResumeExchange
  | ChangeSymbol
  | SetFees
  | RemoveFees;

/** The command is applied at `at`, and validated only then. */
export interface ScheduleCall extends Audited {
  readonly kind: 'schedule-call';
  /** Milliseconds. */
  readonly at: number;
  /** The id of the operator call that would send this command directly. */
  readonly scheduled: string;
  readonly command: ScheduledChange;
}

/** Only for a change that is not due yet. */
export interface UnscheduleCall extends Audited {
  readonly kind: 'unschedule-call';
  readonly entry: number;
}

/** Without user and symbol, the default rule. The most specific rule applies: user and symbol, user, symbol, default. */
export interface SetFees extends Audited {
  readonly kind: 'set-fees';
  readonly user?: number;
  readonly symbol?: number;
  readonly maker: string;
  readonly taker: string;
}

/** Removes the rule for exactly this user and symbol (either may be omitted). */
export interface RemoveFees extends Audited {
  readonly kind: 'remove-fees';
  readonly user?: number;
  readonly symbol?: number;
}

export interface SetLimits extends Audited {
  readonly kind: 'set-limits';
  readonly lookupWindowMs?: number;
  readonly activeOrdersPerSymbolMax?: number;
  readonly activeOrdersPerUserMax?: number;
  readonly stopOrdersPerSymbolMax?: number;
  readonly stepsPerRecordMax?: number;
  readonly clientIdsPerUserMax?: number;
  readonly clientIdsMax?: number;
  readonly movementWindowMs?: number;
  readonly movementsPerUserMax?: number;
  readonly movementsMax?: number;
}

/**
 * A command that an operator sends, or a user for its own sub-accounts. Freezes, ownership and limits apply to users, not
 * to operators.
 */
export interface SentByUser {
  /** The authenticated user; omitted for an operator. */
  readonly sender?: number;
}

/** For a person's own change: where it came from, for the person's activity list. */
export interface FromPerson {
  /** Sealed. */
  readonly from?: string;
  readonly session?: string;
}

export interface AddUser extends Audited, SentByUser {
  readonly kind: 'add-user';
  readonly name: string;
  /** The master, for a sub-account. */
  readonly parent?: number;
  /** A remark of whoever adds it; the core does not use it. */
  readonly note?: string;
}

/** Omitted fields stay. A frozen user, with all its sub-accounts, may only cancel. */
export interface ChangeUser extends Audited {
  readonly kind: 'change-user';
  readonly user: number;
  /** 0 to 12. The gateway uses it for rate limits; the core only keeps it. */
  readonly tier?: number;
  readonly frozen?: boolean;
}

export type FreezeLevel = 'trading' | 'withdrawals' | 'all';

/** The scope of a freeze. */
export interface Freeze {
  readonly level: FreezeLevel;
  readonly withSubAccounts: boolean;
}

/**
 * Replaces the user's current freeze, which it must include. `trading`: no new orders. `withdrawals`: no withdrawals.
 * `all`: the user may only cancel.
 */
export interface FreezeUser extends Audited {
  readonly kind: 'freeze-user';
  readonly user: number;
  readonly level: FreezeLevel;
  readonly withSubAccounts: boolean;
}

export interface UnfreezeUser extends Audited {
  readonly kind: 'unfreeze-user';
  readonly user: number;
  /** Also lifts the sub-accounts' own freezes. */
  readonly withSubAccounts: boolean;
}

/** Permanent: ends the keys and sessions of the user and its sub-accounts. Only for users without money or orders. */
export interface CloseUser extends Audited {
  readonly kind: 'close-user';
  readonly user: number;
}

/** A note about a user, visible only to operators. */
export interface AddUserNote extends Audited {
  readonly kind: 'add-user-note';
  readonly user: number;
  readonly text: string;
}

/**
 * An operator cancels users' orders: one (with its user and symbol), all of a user, or all of a symbol, including stop
 * and OCO orders. `why` becomes each order's remark, which its owner sees.
 */
export interface CancelForOthers extends Audited {
  readonly kind: 'cancel-for-others';
  readonly user?: number;
  readonly symbol?: number;
  readonly order?: number;
}

/** `secret` is opaque here: the gateway decides what it contains and how it is protected. */
export interface AddKey extends Audited, SentByUser, FromPerson {
  readonly kind: 'add-key';
  readonly user: number;
  readonly key: string;
  readonly version: number;
  readonly permissions: readonly Permission[];
  readonly ipAllowList: readonly string[];
  readonly secret: string;
  /** A remark of the key's owner; the core does not use it. */
  readonly note?: string;
  /** Milliseconds: from then on the gateway does not accept it. */
  readonly expires?: number;
}

export interface ChangeKey extends Audited, SentByUser, FromPerson {
  readonly kind: 'change-key';
  readonly key: string;
  readonly permissions?: readonly Permission[];
  readonly ipAllowList?: readonly string[];
  readonly note?: string;
}

export interface RemoveKey extends Audited, SentByUser, FromPerson {
  readonly kind: 'remove-key';
  readonly key: string;
}

/** A change of a symbol's increments that takes effect at `at`, in milliseconds. Decimals are text. */
export interface NoticeChange {
  readonly symbol: number;
  readonly at: number;
  readonly priceIncrement?: string;
  readonly quoteIncrement?: string;
}

/** Announces something to everybody: see announcements.ts. */
export interface PublishNotice extends Audited {
  readonly kind: 'publish-notice';
  readonly title: string;
  readonly text: string;
  /** '' for none. */
  readonly url: string;
  readonly types: readonly string[];
  readonly language: string;
  /** Milliseconds; hidden until then. */
  readonly publishAt: number;
  readonly change?: NoticeChange;
}

export interface RemoveNotice extends Audited {
  readonly kind: 'remove-notice';
  readonly notice: number;
}

/** The changeable terms of a currency and of a symbol. Decimals are text: see commands.ts. */
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
