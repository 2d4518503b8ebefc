/**
 * A record's rows in history. Ids are assigned only here, from counts that are kept with the
 * checkpoint, so they are a function of the log.
 *
 * The two ledger entries of a trade are not separate rows but part of the fill: except for the balances, they contain
 * nothing that the fill does not. That halves the amount to write.
 */

import type { Command } from '@bourse/core';
import {
  type AuditRow,
  type FillRow,
  type HistoryRecord,
  type LedgerRow,
  type PostedEntry,
  type PostedTrade,
  type TradeSide,
  type TradeRow,
  EVERYBODY,
  type Movement,
} from './history.ts';
import { type Candle, INTERVAL_NAMES, type Interval, joined, startOf, withTrade } from './candles.ts';

/** The number of rows of each kind, which is the last assigned id. */
export interface Counts {
  readonly orders: number;
  readonly fills: number;
  readonly ledger: number;
  readonly audit: number;
}

export const NO_COUNTS: Counts = { orders: 0, fills: 0, ledger: 0, audit: 0 };

/** Rows of a kind get consecutive ids in the order of the record. */
export function countsAfter(before: Counts, record: HistoryRecord): Counts {
  return {
    orders: before.orders + record.done.length,
    fills: before.fills + 2 * record.trades.length,
    ledger: before.ledger + record.entryCount,
    audit: before.audit + record.audited.length,
  };
}

/** A fill with its ledger entries, whose ids are `entry` and `entry + 1`: the amount paid, then the amount received. */
export interface LedgerFill {
  readonly fill: FillRow;
  readonly entry: number;
  /** Signed, in the base currency's units. */
  readonly baseChange: bigint;
  readonly baseBalance: bigint;
  /** null: the fee was all of the proceeds, so there is no entry. */
  readonly quoteBalance: bigint | null;
}

/** The two fills of the record's trade with this index; `before` are the counts before the record. */
export function fillsOf(
  { seq, trades }: HistoryRecord,
  at: number,
  before: Counts,
): readonly [LedgerFill, LedgerFill] {
  const trade = trades[at];
  const { buyer, seller } = trade;
  const id = before.fills + 2 * at + 1;
  const entry = before.ledger + trade.entriesBefore + 1;
  return [
    fillOf(seq, trade, 'buy', buyer, seller.order, id, entry),
    fillOf(seq, trade, 'sell', seller, buyer.order, id + 1, entry + 2),
  ];
}

/** Field by field, because it runs for every fill, and objects built by spreading are slow to create and to read. */
function fillOf(
  seq: number,
  { time, symbol, trade, price, size, funds }: PostedTrade,
  side: FillRow['side'],
  { order, user, type, fee, feeRate, liquidity, baseChange, baseBalance, quoteBalance }: TradeSide,
  counterOrder: number,
  id: number,
  entry: number,
): LedgerFill {
  const fill = {
    id,
    seq,
    time,
    symbol,
    trade,
    order,
    counterOrder,
    user,
    side,
    type,
    price,
    size,
    funds,
    fee,
    feeRate,
    liquidity,
  };
  return { fill, entry, baseChange, baseBalance, quoteBalance };
}

/** An entry outside of trades. */
export function entryOf({ seq, time }: HistoryRecord, posted: PostedEntry, before: Counts): LedgerRow {
  const { entriesBefore, ...entry } = posted;
  return { id: before.ledger + entriesBefore + 1, seq, time, ...entry, order: 0, trade: 0, symbol: -1 };
}

export function auditOf({ seq, time, audited }: HistoryRecord, before: Counts): AuditRow[] {
  return audited.map(({ command, outcome }, at) => {
    const { by = '', why = '' } = command as { by?: unknown; why?: unknown };
    const shown = shownOf(command);
    const id = before.audit + at + 1;
    return { id, seq, time, by: String(by), why: String(why), command: shown, outcome };
  });
}

function shownOf(command: Command): Command {
  if (command.kind === 'add-key') return { ...command, secret: '' };
  if ('token' in command) return { ...command, token: '' };
  return command.kind === 'import-candles' ? { ...command, candles: [] } : command;
}

/** The ids of a fill's two ledger entries: the amount paid comes first. */
export function entryIdsOf(side: FillRow['side'], entry: number): { base: number; quote: number } {
  return side === 'buy' ? { base: entry + 1, quote: entry } : { base: entry, quote: entry + 1 };
}

/** The ledger entries of a fill, in order; `base` and `quote` are the symbol's currencies. */
export function entriesOf(of: LedgerFill, base: number, quote: number): LedgerRow[] {
  const { fill, entry, baseChange, baseBalance, quoteBalance } = of;
  const { seq, time, user, order, trade, symbol, side, funds, fee } = fill;
  const isBuy = side === 'buy';
  const ids = entryIdsOf(side, entry);
  const common = {
    seq,
    time,
    user,
    account: 'trade',
    cause: 'trade',
    order,
    trade,
    symbol,
    reference: 0,
  } as const;
  const baseRow: LedgerRow = {
    id: ids.base,
    ...common,
    currency: base,
    change: baseChange,
    fee: 0n,
    balance: baseBalance,
  };
  if (quoteBalance === null) return [baseRow];
  const quoteRow: LedgerRow = {
    id: ids.quote,
    ...common,
    currency: quote,
    change: isBuy ? -(funds + fee) : funds - fee,
    fee,
    balance: quoteBalance,
  };
  return isBuy ? [quoteRow, baseRow] : [baseRow, quoteRow];
}

/**
 * One candle per interval that some trades touch: a batch writes few rows however many trades it has. Every interval
 * consists of whole minutes, so trades are folded into minutes and only minutes into the rest.
 */
export interface FoldedCandle {
  readonly symbol: number;
  readonly interval: Interval;
  readonly candle: Candle;
}

/** The trades are in order. */
export function foldCandles(trades: readonly TradeRow[]): Iterable<FoldedCandle> {
  const folded = new Map<string, FoldedCandle>();
  for (const { symbol, minute } of minutesOf(trades)) {
    for (const interval of INTERVAL_NAMES) {
      const start = startOf(interval, minute.start);
      const key = `${symbol} ${interval} ${start}`;
      const before = folded.get(key)?.candle;
      const candle = before ? joined(before, minute) : { ...minute, start };
      folded.set(key, { symbol, interval, candle });
    }
  }
  return folded.values();
}

/** In time order for each symbol. */
function minutesOf(trades: readonly TradeRow[]): { symbol: number; minute: Candle }[] {
  const minutes: { symbol: number; minute: Candle }[] = [];
  const current = new Map<number, number>();
  for (const trade of trades) {
    const start = startOf('1min', trade.time);
    const at = current.get(trade.symbol);
    if (at !== undefined && minutes[at].minute.start === start) {
      minutes[at].minute = withTrade(minutes[at].minute, start, trade);
    } else {
      current.set(trade.symbol, minutes.length);
      minutes.push({ symbol: trade.symbol, minute: withTrade(undefined, start, trade) });
    }
  }
  return minutes;
}

/** Transfers, deposits and withdrawals: their ids and owners. */
export function idOf(event: Movement): number {
  switch (event.kind) {
    case 'deposit-set':
      return event.deposit;
    case 'withdrawal-set':
      return event.withdrawal;
    case 'transfer-made':
      return event.transfer;
  }
}

/** The users whose lists contain it; deposits and withdrawals are also in a list of all users, for operators. */
export function usersOf(event: Movement): readonly number[] {
  if (event.kind !== 'transfer-made') return [event.user, EVERYBODY];
  return [...new Set([event.user, event.fromUser, event.toUser])];
}
