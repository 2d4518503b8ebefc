/**
 * History: done orders, fills, ledger entries and movements, stored for look-ups. The follower writes it, record by
 * record, with the sequence as checkpoint in the same transaction, so that a crash neither loses nor duplicates a
 * row.
 *
 * Every row has an increasing id, by which pages are cut. The ids of done orders, fills, ledger entries and audit
 * rows count from 1 without gaps and depend only on the log: they are the same after a restart, after pruning, and
 * when history is rebuilt. Within a kind, ids are in time order.
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
  SystemAccount,
  TransferMade,
  WithdrawalSet,
} from '@bourse/core';
import type { Candle, Interval } from './candles.ts';

/** A done order in its final state. Ids number done orders in the order they were done. */
export interface HistoryOrder extends DoneOrder {
  readonly id: number;
}

/** A stop order that is no longer pending. It has its own id. */
export interface DoneStop extends DoneStopOrder {
  /** The OCO order that it was part of; 0 for none. */
  readonly oco: number;
}

/** One order's side of a trade; the buyer's comes first. */
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
  /** The rate actually charged, in 10^-8. */
  readonly feeRate: number;
  readonly liquidity: 'maker' | 'taker';
}

/** A trade as the public saw it; `side` is that of the incoming order. */
export interface TradeRow {
  readonly symbol: number;
  readonly trade: number;
  readonly price: number;
  readonly size: number;
  readonly side: Side;
  readonly time: number;
}

/** The number of latest trades kept per symbol, however old they are. */
export const LAST_TRADES_MAX = 100;

/** The last candle may be unfinished. With `limit`, the latest ones. */
export interface CandleFilter {
  readonly symbol: number;
  readonly interval: Interval;
  /** The range of candle starts, in milliseconds, both inclusive. */
  readonly from: number;
  readonly until: number;
  readonly limit: number;
}

/** 'sub-transfer' is between master and sub-account. */
export type LedgerCause = 'trade' | 'deposit' | 'transfer' | 'sub-transfer' | 'withdrawal' | 'correction';

/** A change of a user's balance, except holds and their releases. */
export interface LedgerRow {
  readonly id: number;
  readonly seq: number;
  readonly time: number;
  readonly user: number;
  readonly account: AccountType;
  readonly currency: number;
  /** The change of available plus hold, net of the fee. */
  readonly change: bigint;
  /** The fee included in it; 0n on the side of a trade that pays none. */
  readonly fee: bigint;
  /** Available and hold together, afterwards. */
  readonly balance: bigint;
  readonly cause: LedgerCause;
  /** For a trade; otherwise 0, 0 and -1. */
  readonly order: number;
  readonly trade: number;
  readonly symbol: number;
  /** The deposit, transfer, withdrawal or correction; 0 for a trade. */
  readonly reference: number;
}

/**
 * A change of a system account: the exchange's own side of the ledger. The trades of a symbol in a record are one row.
 */
export interface HouseRow {
  readonly id: number;
  readonly seq: number;
  readonly time: number;
  readonly account: SystemAccount;
  readonly currency: number;
  readonly change: bigint;
  /** Afterwards. */
  readonly balance: bigint;
  readonly cause: 'trade' | 'deposit' | 'withdrawal' | 'correction';
  /** The owner of the deposit or withdrawal; otherwise -1. */
  readonly user: number;
  /** The deposit, withdrawal or correction; 0 for trades. */
  readonly reference: number;
  /** The first and last trade; otherwise -1, 0 and 0. */
  readonly symbol: number;
  readonly trade: number;
  readonly lastTrade: number;
}

/** Before it gets an id. */
export type PostedHouse = Omit<HouseRow, 'id' | 'seq' | 'time'>;

export type Movement = DepositSet | TransferMade | WithdrawalSet;

/**
 * The current state of a transfer, deposit or withdrawal, with the times it began and last changed. It has its own
 * id.
 */
export interface Moved<Kind extends Movement = Movement> {
  readonly id: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly event: Kind;
}

/** An operator's command, with its reason. A key's secret is stored as '', the candles of an import as []. */
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
  /** null: the fee consumed all proceeds, so there is no entry. */
  readonly quoteBalance: bigint | null;
}

/** Its ledger entries are two per side, the buyer's first: the amount paid, then the amount received. */
export interface PostedTrade extends TradeRow {
  readonly funds: bigint;
  readonly buyer: TradeSide;
  readonly seller: TradeSide;
  /** Number of the record's ledger entries before its own. */
  readonly entriesBefore: number;
}

/** A ledger entry outside of trades. */
export interface PostedEntry
  extends Pick<
    LedgerRow,
    'user' | 'account' | 'currency' | 'change' | 'fee' | 'balance' | 'cause' | 'reference'
  > {
  readonly entriesBefore: number;
}

/** A record's rows before they have ids: see history-record.ts. */
export interface HistoryRecord {
  readonly seq: number;
  readonly time: number;
  /** Number of its rows, of all kinds. */
  readonly rowCount: number;
  readonly done: readonly DoneOrder[];
  readonly stops: readonly DoneStop[];
  readonly ocos: readonly DoneOcoOrder[];
  readonly trades: readonly PostedTrade[];
  readonly entries: readonly PostedEntry[];
  /** The number of ledger entries, including those of trades. */
  readonly entryCount: number;
  readonly movements: readonly Movement[];
  readonly house: readonly PostedHouse[];
  readonly currencies: readonly CurrencySet[];
  readonly symbols: readonly SymbolSet[];
  /** Candles from before the exchange started. */
  readonly imports: readonly CandlesImported[];
  /** The commands with an operator (`by`), in order. */
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
   * Adds records, all or none; skips those at or below the checkpoint. Durable when it returns. Throws HistoryGap,
   * HistoryFull (may be retried), HistoryDamaged.
   */
  write(records: readonly HistoryRecord[]): void;
  /**
   * Removes a bounded number of rows older than `time`, oldest first; returns true if more are left. Audit rows stay, and so
   * do deposits and withdrawals that are still open.
   */
  prune(time: number): boolean;
  /** Copies the complete history into a file; only for a history in files. */
  copyTo?(path: string): Promise<void>;
  close(): void;
}

export interface Page {
  /** Rows with an id below this (or above, if ascending); omitted: from the newest (oldest). */
  readonly after?: number;
  readonly limit: number;
  readonly ascending?: boolean;
  /** The number of rows to skip, for numbered pages. At most COUNT_MAX. */
  readonly skip?: number;
}

/** Counting and skipping stop here, so that the cost of a numbered page is bounded. */
export const COUNT_MAX = 10_000;

/** The filter of a list without its page, for counting. */
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

/** With `order`, fills are found by the order, and the other fields only filter them. */
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

export interface HouseFilter extends Span, Page {
  readonly account: SystemAccount;
  readonly currency: number;
}

/** Stop orders that are done; the time span is of when they were placed. */
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

/** As the user of a filter: the deposits or withdrawals of all users. */
export const EVERYBODY = -1;

export interface MovedFilter<State extends string> extends Span, Page {
  readonly user: number;
  readonly currency?: number;
  readonly states?: readonly State[];
}

/**
 * Look-ups, each by an index and bounded by its limit; they see everything up to the checkpoint. The caller applies
 * the look-up window. They throw HistoryDamaged.
 */
export interface HistoryReader {
  readonly checkpoint: number;
  order(id: number): HistoryOrder | null;
  /** The user's latest done order with this client id; with `from`, only among those done since. */
  orderByClientId(user: number, clientId: string, from?: number): HistoryOrder | null;
  orders(filter: OrderFilter): HistoryOrder[];
  stopOrder(id: number): DoneStop | null;
  ocoOrder(id: number): DoneOcoOrder | null;
  /** The user's latest done stop order with this client id. */
  stopOrderByClientId(user: number, clientId: string): DoneStop | null;
  ocoOrderByClientId(user: number, clientId: string): DoneOcoOrder | null;
  stopOrders(filter: StopFilter): DoneStop[];
  ocoOrders(filter: OcoFilter): DoneOcoOrder[];
  fills(filter: FillFilter): FillRow[];
  ledger(filter: LedgerFilter): LedgerRow[];
  house(filter: HouseFilter): HouseRow[];
  /** The symbol's latest trades, newest first. */
  lastTrades(symbol: number): TradeRow[];
  /** Newest first; intervals without a trade have none. */
  candles(filter: CandleFilter): Candle[];
  /** Transfers that the user requested, paid or received. */
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

/** The records do not continue history: some in between are missing. */
export class HistoryGap extends Error {
  override readonly name = 'HistoryGap';
}

/** No space left on the disk; nothing was written, and the write may be retried. */
export class HistoryFull extends Error {
  override readonly name = 'HistoryFull';
}

/** History cannot be read or written; the message says what to do. */
export class HistoryDamaged extends Error {
  override readonly name = 'HistoryDamaged';
}

/** A newer version of Bourse wrote it, or it is not a history. */
export class HistoryUnfit extends Error {
  override readonly name = 'HistoryUnfit';
}

/** Maximum number of attempts while it is written in between. */
const LOOKS_MAX = 1000;

/** A result of a query, and the record up to which it is complete. */
export interface SteadyRead<T> {
  readonly value: T;
  readonly checkpoint: number;
}

/** Reads of history that belong together, although another thread may write to it in between. */
export function readSteadily<T>(history: Pick<HistoryReader, 'checkpoint'>, read: () => T): SteadyRead<T> {
  for (let looks = 0; looks < LOOKS_MAX; looks++) {
    const { checkpoint } = history;
    const value = read();
    if (history.checkpoint === checkpoint) return { value, checkpoint };
  }
  throw new Error('history never stood still');
}
