/**
 * The rows a record leaves in history. Ids are counted here and nowhere else, from counts that are kept with the
 * checkpoint: so they are a function of the log.
 *
 * The two ledger entries of a trade are not rows of their own but part of the fill: they say nothing that the fill does
 * not say, except the balances. That halves what there is to write.
 */

import type { BalanceChanged, EndedOrder, OrderReceived, SymbolSet, Trade } from '@bourse/core';
import type {
  AuditRow,
  FillRow,
  HistoryRecord,
  LedgerCause,
  LedgerRow,
  Movement,
  TradeRow,
} from '../engine/history.ts';

/** How many of each there have been: the last id that was given out. */
export interface Counts {
  readonly orders: number;
  readonly fills: number;
  readonly ledger: number;
  readonly audit: number;
}

export const NO_COUNTS: Counts = { orders: 0, fills: 0, ledger: 0, audit: 0 };

/** A fill with its ledger entries, whose ids are `entry` and `entry + 1`: what is paid first, then what is got. */
export interface LedgerFill {
  readonly fill: FillRow;
  readonly entry: number;
  /** Signed, in the base currency's units. */
  readonly baseChange: bigint;
  readonly baseBalance: bigint;
  /** null: the fee was all of the proceeds, so there is no entry. */
  readonly quoteBalance: bigint | null;
}

/** A done order in two parts, because putting them together would copy some forty fields. */
export interface OrderRow {
  readonly id: number;
  readonly ended: EndedOrder;
}

export interface MovedRow {
  readonly event: Movement;
  readonly time: number;
}

/** The rows of some records, in order. */
export class HistoryRows {
  readonly orders: OrderRow[] = [];
  readonly fills: LedgerFill[] = [];
  readonly trades: TradeRow[] = [];
  /** Without those of trades. */
  readonly ledger: LedgerRow[] = [];
  readonly moved: MovedRow[] = [];
  readonly symbols: SymbolSet[] = [];
  readonly audit: AuditRow[] = [];
  #orderId: number;
  #fillId: number;
  #entryId: number;
  #auditId: number;

  constructor({ orders, fills, ledger, audit }: Counts) {
    this.#orderId = orders;
    this.#fillId = fills;
    this.#entryId = ledger;
    this.#auditId = audit;
  }

  get counts(): Counts {
    return { orders: this.#orderId, fills: this.#fillId, ledger: this.#entryId, audit: this.#auditId };
  }

  add(record: HistoryRecord): void {
    const { seq, time, events } = record;
    let received: OrderReceived | null = null;
    let movement: Movement | null = null;
    let trades = 0;
    for (let at = 0; at < events.length; at++) {
      const event = events[at];
      switch (event.kind) {
        case 'order-received':
          received = event;
          break;
        case 'trade': {
          const rate = record.restingRates[trades++];
          this.#addTrade(record, event, postingsOf(record, at), received as OrderReceived, rate);
          break;
        }
        case 'balance-changed':
          if (event.user >= 0 && event.reference > 0) this.#addEntry(seq, time, event, movement as Movement);
          break;
        case 'deposit-set':
        case 'transfer-made':
        case 'withdrawal-set':
          movement = event;
          this.moved.push({ event, time });
          break;
        case 'symbol-set':
          this.symbols.push(event);
          break;
        default:
      }
    }
    for (const ended of record.ended) this.orders.push({ id: ++this.#orderId, ended });
    this.#addAudit(record);
  }

  #addTrade(
    { seq, time }: HistoryRecord,
    { symbol, trade, price, size, funds, side, incoming, resting }: Trade,
    { quotePaid, baseGot, basePaid, quoteGot }: TradePostings,
    { order, type, makerRate, takerRate }: OrderReceived,
    restingRate: number,
  ): void {
    if (order !== incoming.order) throw new Error(`record ${seq}: trade ${trade} is not of order ${order}`);
    this.trades.push({ symbol, trade, price, size, side, time });
    const common = { seq, time, symbol, trade, price, size, funds };
    const incomingRate = incoming.rate === 'taker' ? takerRate : makerRate;
    const isBuy = side === 'buy';
    const [buyer, seller] = isBuy ? [incoming, resting] : [resting, incoming];
    const buy: FillRow = {
      id: ++this.#fillId,
      ...common,
      order: buyer.order,
      counterOrder: seller.order,
      user: buyer.user,
      side: 'buy',
      type: isBuy ? type : 'limit',
      fee: buyer.fee,
      feeRate: isBuy ? incomingRate : restingRate,
      liquidity: buyer.liquidity,
    };
    const sell: FillRow = {
      id: ++this.#fillId,
      ...common,
      order: seller.order,
      counterOrder: buyer.order,
      user: seller.user,
      side: 'sell',
      type: isBuy ? 'limit' : type,
      fee: seller.fee,
      feeRate: isBuy ? restingRate : incomingRate,
      liquidity: seller.liquidity,
    };
    this.fills.push({
      fill: buy,
      entry: this.#entryId + 1,
      baseChange: changeOf(baseGot),
      baseBalance: balanceOf(baseGot),
      quoteBalance: balanceOf(quotePaid),
    });
    this.fills.push({
      fill: sell,
      entry: this.#entryId + 3,
      baseChange: changeOf(basePaid),
      baseBalance: balanceOf(basePaid),
      quoteBalance: quoteGot && balanceOf(quoteGot),
    });
    this.#entryId += quoteGot ? 4 : 3;
  }

  #addEntry(seq: number, time: number, event: BalanceChanged, movement: Movement): void {
    const change = changeOf(event);
    if (change === 0n) return;
    this.ledger.push({
      id: ++this.#entryId,
      seq,
      time,
      user: event.user,
      account: event.account as LedgerRow['account'],
      currency: event.currency,
      change,
      fee: movement.kind === 'withdrawal-set' ? movement.fee : 0n,
      balance: balanceOf(event),
      cause: causeOf(movement),
      order: 0,
      trade: 0,
      symbol: -1,
      reference: event.reference,
    });
  }

  #addAudit({ seq, time, audited }: HistoryRecord): void {
    for (const { command, outcome } of audited) {
      const { by = '', why = '' } = command as { by?: unknown; why?: unknown };
      const shown = command.kind === 'add-key' ? { ...command, secret: '' } : command;
      const row = { id: ++this.#auditId, seq, time, by: String(by), why: String(why) };
      this.audit.push({ ...row, command: shown, outcome });
    }
  }
}

/** A trade's postings follow it at once: the buyer pays and gets, the seller delivers and gets. */
interface TradePostings {
  readonly quotePaid: BalanceChanged;
  readonly baseGot: BalanceChanged;
  readonly basePaid: BalanceChanged;
  readonly quoteGot: BalanceChanged | null;
}

function postingsOf({ seq, events }: HistoryRecord, trade: number): TradePostings {
  const posting = (offset: number): BalanceChanged | null => {
    const event = events[trade + offset];
    return event?.kind === 'balance-changed' && event.cause === 'trade' && event.user >= 0 ? event : null;
  };
  const quotePaid = posting(1);
  const baseGot = posting(2);
  const basePaid = posting(3);
  if (!quotePaid || !baseGot || !basePaid) throw new Error(`record ${seq}: a trade without its postings`);
  return { quotePaid, baseGot, basePaid, quoteGot: posting(4) };
}

const changeOf = ({ availableChange, holdChange }: BalanceChanged): bigint => availableChange + holdChange;
const balanceOf = ({ available, hold }: BalanceChanged): bigint => available + hold;

function causeOf(movement: Movement): LedgerCause {
  switch (movement.kind) {
    case 'deposit-set':
      return 'deposit';
    case 'withdrawal-set':
      return 'withdrawal';
    case 'transfer-made':
      return movement.type === 'internal' ? 'transfer' : 'sub-transfer';
  }
}

/** The ledger entries of a fill, in order; `base` and `quote` are the symbol's currencies. */
export function entriesOf(of: LedgerFill, base: number, quote: number): LedgerRow[] {
  const { fill, entry, baseChange, baseBalance, quoteBalance } = of;
  const { seq, time, user, order, trade, symbol, side, funds, fee } = fill;
  const isBuy = side === 'buy';
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
    id: isBuy ? entry + 1 : entry,
    ...common,
    currency: base,
    change: baseChange,
    fee: 0n,
    balance: baseBalance,
  };
  if (quoteBalance === null) return [baseRow];
  const quoteRow: LedgerRow = {
    id: isBuy ? entry : entry + 1,
    ...common,
    currency: quote,
    change: isBuy ? -(funds + fee) : funds - fee,
    fee,
    balance: quoteBalance,
  };
  return isBuy ? [quoteRow, baseRow] : [baseRow, quoteRow];
}
