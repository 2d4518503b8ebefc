/**
 * History: done orders, fills, ledger entries and movements, kept where they can be looked up. The follower writes it,
 * record by record, with the sequence as checkpoint in the same transaction, so that a crash neither loses nor doubles
 * a row.
 *
 * Every row has an id that rises, and pages are cut by it. The ids of done orders, fills, ledger entries and audit rows
 * count from 1 without a gap and are a function of the log alone: the same after a restart, after pruning, and when
 * history is written again from the beginning. Rows of one kind have their times in the order of their ids.
 */

import type {
  AccountType,
  CandlesImported,
  Command,
  CurrencySet,
  DepositSet,
  DoneOcoOrder,
  DoneOrder,
  DoneStopOrder,
  Side,
  SymbolSet,
  TransferMade,
  WithdrawalSet,
} from '@bourse/core';
import type { Candle, Interval } from './candles.ts';

/** A done order, as it was at its end. Its id counts done orders in the order they were done. */
export interface HistoryOrder extends DoneOrder {
  readonly id: number;
}

/** A stop order that waits no longer. Its id is its own. */
export interface DoneStop extends DoneStopOrder {
  /** The OCO order that it was a part of; 0 for none. */
  readonly oco: number;
}

/** One order's side of a trade; of the two the buyer's comes first. */
export interface FillRow {
  readonly id: number;
  readonly seq: number;
  readonly time: number;
  readonly symbol: number;
  readonly trade: number;
  readonly order: number;
  readonly counterOrder: number;
  readonly user: number;
  readonly side: Side;
  readonly type: 'limit' | 'market';
  readonly price: number;
  readonly size: number;
  readonly funds: bigint;
  readonly fee: bigint;
  /** The rate really charged, in 10^-8. */
  readonly feeRate: number;
  readonly liquidity: 'maker' | 'taker';
}

/** A trade as the public saw it; `side` is that of the order that came in. */
export interface TradeRow {
  readonly symbol: number;
  readonly trade: number;
  readonly price: number;
  readonly size: number;
  readonly side: Side;
  readonly time: number;
}

/** Of each symbol so many of its latest trades are kept, however old. */
export const LAST_TRADES_MAX = 100;

/** The last candle may be unfinished. With `limit`, the latest ones. */
export interface CandleFilter {
  readonly symbol: number;
  readonly interval: Interval;
  /** Of the candles' starts, in milliseconds; both ends belong to it. */
  readonly from: number;
  readonly until: number;
  readonly limit: number;
}

/** 'sub-transfer' is one between master and sub-account. */
export type LedgerCause = 'trade' | 'deposit' | 'transfer' | 'sub-transfer' | 'withdrawal';

/** A change of a user's balance that is more than a hold or its release. */
export interface LedgerRow {
  readonly id: number;
  readonly seq: number;
  readonly time: number;
  readonly user: number;
  readonly account: AccountType;
  readonly currency: number;
  /** Of available and hold together; the fee has been taken off. */
  readonly change: bigint;
  /** The part of it that was a fee; 0n on the side of a trade that pays none. */
  readonly fee: bigint;
  /** Available and hold together, afterwards. */
  readonly balance: bigint;
  readonly cause: LedgerCause;
  /** Of a trade; otherwise 0, 0 and -1. */
  readonly order: number;
  readonly trade: number;
  readonly symbol: number;
  /** The deposit, transfer or withdrawal; 0 for a trade. */
  readonly reference: number;
}

export type Movement = DepositSet | TransferMade | WithdrawalSet;

/** A transfer, deposit or withdrawal as it stands, with when it began and last changed. Its id is its own. */
export interface Moved<Kind extends Movement = Movement> {
  readonly id: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly event: Kind;
}

/** What an operator did, and why. Left out: a key's secret (''), the candles of an import ([]). */
export interface AuditRow {
  readonly id: number;
  readonly seq: number;
  readonly time: number;
  readonly by: string;
  readonly why: string;
  readonly command: Command;
  /** 'accepted', or the code of the rejection. */
  readonly outcome: string;
}

/** One side of a trade, with the user's balances afterwards. */
export interface TradeSide
  extends Pick<FillRow, 'order' | 'user' | 'type' | 'fee' | 'feeRate' | 'liquidity'> {
  /** Signed, in the base currency's units. */
  readonly baseChange: bigint;
  readonly baseBalance: bigint;
  /** null: the fee was all of the proceeds, so there is no entry. */
  readonly quoteBalance: bigint | null;
}

/** What it posted to the ledger is two entries of each side, first the buyer's: what is paid, then what is got. */
export interface PostedTrade extends TradeRow {
  readonly funds: bigint;
  readonly buyer: TradeSide;
  readonly seller: TradeSide;
  /** How many ledger entries of the record come before its own. */
  readonly entriesBefore: number;
}

/** A ledger entry that is of no trade. */
export interface PostedEntry
  extends Pick<
    LedgerRow,
    'user' | 'account' | 'currency' | 'change' | 'fee' | 'balance' | 'cause' | 'reference'
  > {
  readonly entriesBefore: number;
}

/** What a record leaves in history, before its rows have ids; history-record.ts makes it. */
export interface HistoryRecord {
  readonly seq: number;
  readonly time: number;
  /** How many rows it leaves, of all kinds together. */
  readonly rowCount: number;
  readonly done: readonly DoneOrder[];
  readonly stops: readonly DoneStop[];
  readonly ocos: readonly DoneOcoOrder[];
  readonly trades: readonly PostedTrade[];
  readonly entries: readonly PostedEntry[];
  /** Of all ledger entries, those of trades among them. */
  readonly entryCount: number;
  readonly movements: readonly Movement[];
  readonly currencies: readonly CurrencySet[];
  readonly symbols: readonly SymbolSet[];
  /** Candles from before the exchange began. */
  readonly imports: readonly CandlesImported[];
  /** The commands that say who gave them (`by`), in order. */
  readonly audited: readonly AuditedCommand[];
}

export interface AuditedCommand {
  readonly command: Command;
  /** 'accepted', or the code of the rejection. */
  readonly outcome: string;
}

export interface HistoryWriter {
  /** Sequence of the last record written and durable; 0 for none. */
  readonly checkpoint: number;
  /**
   * Adds records, all of them or none; those at or below the checkpoint are passed over. Durable when it returns.
   * Throws HistoryGap, HistoryFull (may be tried again), HistoryDamaged.
   */
  write(records: readonly HistoryRecord[]): void;
  /**
   * Removes a small part of what is older than `time`, oldest first; true when more is left. Audit rows stay, and so
   * do deposits and withdrawals that are not over.
   */
  prune(time: number): boolean;
  /** A copy of all there is, as a file of its own, where history is in files. */
  copyTo?(path: string): Promise<void>;
  close(): void;
}

export interface Page {
  /** Rows with an id below this (or above, ascending); left out: from the newest (oldest). */
  readonly after?: number;
  readonly limit: number;
  readonly ascending?: boolean;
  /** So many rows of the list are left out first: for pages that are numbered. At most COUNT_MAX. */
  readonly skip?: number;
}

/** Counting and skipping stop here, so that the cost of a numbered page is bounded. */
export const COUNT_MAX = 10_000;

/** The filter of a list without its page: what is counted. */
export type Counted<Filter extends Page> = Omit<Filter, keyof Page>;

/** Milliseconds; both ends belong to it. For orders when they were done, for movements when they began. */
export interface Span {
  readonly from?: number;
  readonly until?: number;
}

export interface OrderFilter extends Span, Page {
  readonly user: number;
  readonly symbol?: number;
  readonly side?: Side;
  readonly type?: 'limit' | 'market';
}

/** With `order` the other fields only narrow: the fills are found by the order. */
export interface FillFilter extends OrderFilter {
  readonly order?: number;
}

export interface LedgerFilter extends Span, Page {
  readonly user: number;
  readonly currency?: number;
  readonly account?: AccountType;
  readonly causes?: readonly LedgerCause[];
  readonly direction?: 'in' | 'out';
}

/** Stop orders that are done; the span is of when they were placed. */
export interface StopFilter extends Span, Page {
  readonly user: number;
  readonly symbol?: number;
  readonly side?: Side;
  readonly type?: 'limit' | 'market';
  readonly stop?: DoneStop['stop'];
  /** Whether it was part of an OCO order. */
  readonly isPaired?: boolean;
}

export interface OcoFilter extends Span, Page {
  readonly user: number;
  readonly symbol?: number;
}

/** Given as the user of a filter, it means the deposits or withdrawals of all users. */
export const EVERYBODY = -1;

export interface MovedFilter<State extends string> extends Span, Page {
  readonly user: number;
  readonly currency?: number;
  readonly states?: readonly State[];
}

/**
 * Look-ups, each by an index and bounded by its limit; they see everything up to the checkpoint. They apply no look-up
 * window; the caller does. They throw HistoryDamaged.
 */
export interface HistoryReader {
  readonly checkpoint: number;
  order(id: number): HistoryOrder | null;
  /** The latest of the user's done orders with this client id; with `from`, only among those done since. */
  orderByClientId(user: number, clientId: string, from?: number): HistoryOrder | null;
  orders(filter: OrderFilter): HistoryOrder[];
  stopOrder(id: number): DoneStop | null;
  ocoOrder(id: number): DoneOcoOrder | null;
  /** The latest of the user's that is done and had this client id. */
  stopOrderByClientId(user: number, clientId: string): DoneStop | null;
  ocoOrderByClientId(user: number, clientId: string): DoneOcoOrder | null;
  stopOrders(filter: StopFilter): DoneStop[];
  ocoOrders(filter: OcoFilter): DoneOcoOrder[];
  fills(filter: FillFilter): FillRow[];
  ledger(filter: LedgerFilter): LedgerRow[];
  /** The symbol's latest trades, newest first. */
  lastTrades(symbol: number): TradeRow[];
  /** Newest first; stretches without a trade have none. */
  candles(filter: CandleFilter): Candle[];
  /** Those the user asked for, paid or received. */
  transfers(filter: MovedFilter<never>): Moved<TransferMade>[];
  deposits(filter: MovedFilter<DepositSet['state']>): Moved<DepositSet>[];
  withdrawals(filter: MovedFilter<WithdrawalSet['state']>): Moved<WithdrawalSet>[];
  /** How many rows the list has; COUNT_MAX for that many or more. */
  countOrders(filter: Counted<OrderFilter>): number;
  countStopOrders(filter: Counted<StopFilter>): number;
  countOcoOrders(filter: Counted<OcoFilter>): number;
  countFills(filter: Counted<FillFilter>): number;
  countLedger(filter: Counted<LedgerFilter>): number;
  countDeposits(filter: Counted<MovedFilter<DepositSet['state']>>): number;
  countWithdrawals(filter: Counted<MovedFilter<WithdrawalSet['state']>>): number;
  audit(filter: Span & Page): AuditRow[];
  close(): void;
}

/** The records do not follow what history has: some in between are missing. */
export class HistoryGap extends Error {
  override readonly name = 'HistoryGap';
}

/** No room on the disk; nothing of it was written, and writing may be tried again. */
export class HistoryFull extends Error {
  override readonly name = 'HistoryFull';
}

/** History cannot be read or written; the message says what to do. */
export class HistoryDamaged extends Error {
  override readonly name = 'HistoryDamaged';
}

/** A newer version of Bourse wrote it, or it is no history at all. */
export class HistoryUnfit extends Error {
  override readonly name = 'HistoryUnfit';
}
