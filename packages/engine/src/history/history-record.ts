/**
 * Extracts the rows for history from an applied record. Only these are kept until they are written, not the events, which
 * are many times larger: the garbage collector would have to move all objects that live that long.
 */

import type {
  Administration,
  Applied,
  BalanceChanged,
  CandlesImported,
  Command,
  CurrencySet,
  DoneOcoOrder,
  DoneOrder,
  Exchange,
  Fill,
  LogRecord,
  MoneyEvent,
  OrderReceived,
  Outcome,
  SymbolSet,
  Trade,
  SystemAccount,
} from '@bourse/core';
import type {
  AuditedCommand,
  DoneStop,
  HistoryRecord,
  LedgerCause,
  Movement,
  PostedEntry,
  PostedTrade,
  TradeSide,
  HouseRow,
  PostedHouse,
} from './history.ts';

/** Rates are in 10^-8. */
type TradingOrder = Pick<OrderReceived, 'order' | 'type' | 'makerRate' | 'takerRate'>;

export interface RecordSource {
  readonly seq: number;
  readonly time: number;
  readonly events: readonly MoneyEvent[];
  readonly done: readonly DoneOrder[];
  readonly stops: readonly DoneStop[];
  readonly ocos: readonly DoneOcoOrder[];
  readonly audited: readonly AuditedCommand[];
  /** An order from an earlier record that traded in this one. */
  readonly orderOf: (order: number) => TradingOrder;
}

/** Call it right after `exchange` has applied the record. */
export function historyRecordOf(exchange: Exchange, applied: Applied, record: LogRecord): HistoryRecord {
  const done = exchange.doneOrders();
  return readRecord({
    seq: record.seq,
    time: record.time,
    events: applied.events.decodeMoney(),
    done,
    ...doneStopsOf(exchange),
    audited: auditedOf(exchange, applied, record),
    orderOf: earlierOrders(exchange, done),
  });
}

/** A pair and its stop part are done in the same record, so the pairs identify the paired stop orders. */
function doneStopsOf({ reference }: Exchange): Pick<RecordSource, 'stops' | 'ocos'> {
  const { doneStopOrders, doneOcoOrders } = reference;
  const pairs = new Map(doneOcoOrders.map(({ id, stopOrder }) => [stopOrder, id]));
  return {
    stops: doneStopOrders.map((stop) => ({ ...stop, oco: pairs.get(stop.id) ?? 0 })),
    ocos: [...doneOcoOrders],
  };
}

export function readRecord(source: RecordSource): HistoryRecord {
  const { seq, time, events, done, stops, ocos, audited } = source;
  const trades: PostedTrade[] = [];
  const entries: PostedEntry[] = [];
  const movements: Movement[] = [];
  const house = new HousePostings();
  const currencies: CurrencySet[] = [];
  const symbols: SymbolSet[] = [];
  const imports: CandlesImported[] = [];
  let imported = 0;
  let entryCount = 0;
  let received: OrderReceived | null = null;
  for (let at = 0; at < events.length; at++) {
    const event = events[at];
    switch (event.kind) {
      case 'order-received':
        received = event;
        break;
      case 'trade': {
        const isBrought = received?.order === event.incoming.order;
        // An order left unfinished is from an earlier record.
        const incoming = isBrought ? (received as OrderReceived) : source.orderOf(event.incoming.order);
        const posted = postedTrade(source, at, event, incoming, entryCount);
        trades.push(posted);
        entryCount += posted.seller.quoteBalance === null ? 3 : 4;
        break;
      }
      case 'balance-changed': {
        if (event.user < 0) {
          house.add(event, trades[trades.length - 1], movements[movements.length - 1]);
          break;
        }
        if (event.reference === 0) break;
        const change = changeOf(event);
        if (change === 0n) break;
        entries.push(postedEntry(event, change, movements[movements.length - 1], entryCount++));
        break;
      }
      case 'deposit-set':
      case 'transfer-made':
      case 'withdrawal-set':
        movements.push(event);
        break;
      case 'currency-set':
        currencies.push(event);
        break;
      case 'symbol-set':
        symbols.push(event);
        break;
      case 'candles-imported':
        imports.push(event);
        imported += event.candles.length;
        break;
      default:
    }
  }
  const terms = currencies.length + symbols.length;
  const houseRows = house.rows();
  const rare =
    stops.length + ocos.length + movements.length + houseRows.length + terms + imported + audited.length;
  const rowCount = done.length + 2 * trades.length + entries.length + rare;
  const orders = { done, stops, ocos, trades };
  const money = { entries, entryCount, movements, house: houseRows };
  return { seq, time, rowCount, ...orders, ...money, currencies, symbols, imports, audited };
}

/** A trade's postings follow it directly: the buyer pays and receives, the seller delivers and receives. */
function postedTrade(
  { seq, time, events, orderOf }: RecordSource,
  at: number,
  { symbol, trade, price, size, funds, side, incoming, resting }: Trade,
  taker: TradingOrder,
  entriesBefore: number,
): PostedTrade {
  const quotePaid = postingAt(events, at + 1);
  const baseGot = postingAt(events, at + 2);
  const basePaid = postingAt(events, at + 3);
  if (!quotePaid || !baseGot || !basePaid) throw new Error(`record ${seq}: a trade without its postings`);
  const quoteGot = postingAt(events, at + 4);
  const incomingRate = rateOf(incoming, taker);
  const restingRate = rateOf(resting, orderOf(resting.order));
  const isBuy = side === 'buy';
  return {
    symbol,
    trade,
    price,
    size,
    side,
    time,
    funds,
    entriesBefore,
    buyer: isBuy
      ? sideOf(incoming, taker.type, incomingRate, baseGot, quotePaid)
      : sideOf(resting, 'limit', restingRate, baseGot, quotePaid),
    seller: isBuy
      ? sideOf(resting, 'limit', restingRate, basePaid, quoteGot)
      : sideOf(incoming, taker.type, incomingRate, basePaid, quoteGot),
  };
}

function postingAt(events: readonly MoneyEvent[], at: number): BalanceChanged | null {
  if (at >= events.length) return null;
  const event = events[at];
  return event.kind === 'balance-changed' && event.cause === 'trade' && event.user >= 0 ? event : null;
}

function sideOf(
  { order, user, fee, liquidity }: Fill,
  type: OrderReceived['type'],
  feeRate: number,
  base: BalanceChanged,
  quote: BalanceChanged | null,
): TradeSide {
  return {
    order,
    user,
    type,
    fee,
    feeRate,
    liquidity,
    baseChange: changeOf(base),
    baseBalance: balanceOf(base),
    quoteBalance: quote && balanceOf(quote),
  };
}

function postedEntry(
  event: BalanceChanged,
  change: bigint,
  movement: Movement,
  entriesBefore: number,
): PostedEntry {
  return {
    user: event.user,
    account: event.account as PostedEntry['account'],
    currency: event.currency,
    change,
    fee: feeOf(event, movement),
    balance: balanceOf(event),
    cause: event.cause === 'correction' ? 'correction' : causeOf(movement),
    reference: event.reference,
    entriesBefore,
  };
}

/** A fee returned by a correction is part of its amount. */
function feeOf({ cause }: BalanceChanged, movement: Movement): bigint {
  return cause === 'correction' || movement.kind === 'transfer-made' ? 0n : (movement.fee ?? 0n);
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

const rateOf = ({ rate }: Fill, { makerRate, takerRate }: TradingOrder): number =>
  rate === 'taker' ? takerRate : makerRate;

/** A resting order may be old, so its rates are in no event of this record. */
function earlierOrders(exchange: Exchange, done: readonly DoneOrder[]): RecordSource['orderOf'] {
  let doneById: Map<number, DoneOrder> | null = null;
  return (id) => {
    if (!doneById) {
      doneById = new Map();
      for (const order of done) doneById.set(order.order, order);
    }
    const order = doneById.get(id) ?? exchange.order(id);
    if (!order) throw new Error(`record ${exchange.seq} traded with order ${id}, which is nowhere`);
    return order;
  };
}

function auditedOf({ reference }: Exchange, applied: Applied, { commands }: LogRecord): AuditedCommand[] {
  if (!commands.some((command) => 'by' in command && command.by !== undefined)) return [];
  const outcomes = applied.outcomes.decode();
  const withBefore = (command: Command): Command => {
    const before = reference.before(command as Administration);
    return before === null ? command : (Object.assign({ before }, command) as Command);
  };
  return commands.flatMap((command, at) => {
    if (!('by' in command) || command.by === undefined) return [];
    const outcome = outcomes[at];
    // It will be in a later record.
    if (outcome.kind === 'waits') return [];
    const own = { command: withBefore(command), outcome: wordOf(outcome) };
    if (outcome.kind !== 'approved' || outcome.executed === null) return [own];
    const { command: proposed, approvedBy, outcome: came } = outcome.executed;
    const signed: Command & { readonly approvedBy: readonly string[] } = {
      ...withBefore(proposed),
      approvedBy,
    };
    return [own, { command: signed, outcome: wordOf(came) }];
  });
}

function wordOf(outcome: Outcome): string {
  if (outcome.kind === 'rejected') return outcome.rejection.code;
  return outcome.kind === 'proposed' ? outcome.kind : 'accepted';
}

type Growing = { -readonly [Field in keyof PostedHouse]: PostedHouse[Field] };

/** Collects the postings of system accounts in a record: one row for the trades of a symbol, one for each other posting. */
class HousePostings {
  readonly #rows: Growing[] = [];
  readonly #ofSymbols = new Map<number, Growing>();
  /** The last balance by account and currency. */
  readonly #balances = new Map<string, bigint>();

  /** A posting follows its trade, or the event of its deposit or withdrawal. */
  add(event: BalanceChanged, trade: PostedTrade | undefined, movement: Movement | undefined): void {
    const change = event.availableChange + event.holdChange;
    if (change === 0n) return;
    this.#balances.set(keyOf(event), event.available + event.hold);
    if (event.cause === 'trade') this.#addTrade(event, change, trade!);
    else this.#rows.push({ ...commonOf(event, change), user: userOf(event, movement) });
  }

  /** In the order of their first postings; each balance is the one after its row. */
  rows(): readonly PostedHouse[] {
    const rows = this.#rows;
    for (let at = rows.length - 1; at >= 0; at--) {
      const row = rows[at];
      const key = keyOf(row);
      row.balance = this.#balances.get(key)!;
      this.#balances.set(key, row.balance - row.change);
    }
    return rows;
  }

  #addTrade(event: BalanceChanged, change: bigint, { symbol, trade }: PostedTrade): void {
    const found = this.#ofSymbols.get(symbol);
    if (found) {
      found.change += change;
      found.lastTrade = trade;
      return;
    }
    const row = { ...commonOf(event, change), reference: 0, symbol, trade, lastTrade: trade };
    this.#ofSymbols.set(symbol, row);
    this.#rows.push(row);
  }
}

const keyOf = ({ account, currency }: { readonly account: string; readonly currency: number }): string =>
  `${account} ${currency}`;

function commonOf({ account, currency, cause, reference }: BalanceChanged, change: bigint): Growing {
  return {
    account: account as SystemAccount,
    currency,
    change,
    balance: 0n,
    cause: cause as HouseRow['cause'],
    user: -1,
    reference,
    symbol: -1,
    trade: 0,
    lastTrade: 0,
  };
}

function userOf({ cause }: BalanceChanged, movement: Movement | undefined): number {
  if (cause === 'correction' || movement === undefined || movement.kind === 'transfer-made') return -1;
  return movement.user;
}
