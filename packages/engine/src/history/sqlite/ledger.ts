/**
 * The ledger is stored in two places: entries of trades in the fills, all others in a separate table. A page is first
 * determined by ids alone, including skipped ones; then only its own rows are read.
 */

import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { COUNT_MAX, type Counted, type LedgerFilter, type LedgerRow } from '../history.ts';
import { entriesOf, entryIdsOf } from '../rows.ts';
import { ledgerLane, type OrderLane, readLedgerLane, readOrderLane } from './codes.ts';
import { FILL_COLUMNS, readLedgerFill } from './fills.ts';
import { afterIn, IdSearch, Lanes, type Range } from './lanes.ts';
import { readAmount, storeAmount } from './values.ts';

/** In the order of the table. */
const ENTRY_COLUMNS = 'id, user, lane, seq, time, change, fee, balance, reference';
export const INSERT_ENTRY = `INSERT INTO entries VALUES (${Array(9).fill('?').join(', ')})`;

export function insertEntry(insert: StatementSync, entry: LedgerRow): void {
  const { currency, cause, account, change } = entry;
  insert.run(
    entry.id,
    entry.user,
    ledgerLane({ currency, cause, account, direction: change > 0n ? 'in' : 'out' }),
    entry.seq,
    entry.time,
    storeAmount(change),
    storeAmount(entry.fee),
    storeAmount(entry.balance),
    entry.reference,
  );
}

interface Currencies {
  readonly base: number;
  readonly quote: number;
}

/** The location of an entry: in this fill, or in the table of entries. */
interface Place {
  readonly id: number;
  readonly fill: number | null;
}

/** Which of the two ledger entries of the lane's fills match. */
interface Wanted {
  readonly side: OrderLane['side'];
  readonly base: boolean;
  readonly quote: boolean;
}

type FillPlace = [id: number, lane: number, entry: number, hasQuote: 0 | 1];

const SELECT_FILL_PLACES = `SELECT fills.id, lane, entry, quote_balance IS NOT NULL
  FROM json_each(?) AS wanted CROSS JOIN fills WHERE fills.id = wanted.value`;

export class LedgerReader {
  readonly #entry: StatementSync;
  readonly #entryLanes: Lanes;
  readonly #entryTimes: IdSearch;
  readonly #fill: StatementSync;
  readonly #fillPlaces: StatementSync;
  readonly #fillLanes: Lanes;
  readonly #fillTimes: IdSearch;
  readonly #fillEntries: IdSearch;
  readonly #fillCount: StatementSync;
  readonly #symbol: StatementSync;
  /** Base and quote currency by symbol: they never change. */
  readonly #currencies = new Map<number, Currencies>();

  constructor(db: DatabaseSync) {
    this.#entry = db.prepare(`SELECT ${ENTRY_COLUMNS} FROM entries WHERE id = ?`, { readBigInts: true });
    this.#entryLanes = new Lanes(db, 'entries');
    this.#entryTimes = new IdSearch(db, 'entries', 'time');
    this.#fill = db.prepare(`SELECT ${FILL_COLUMNS} FROM fills WHERE id = ?`, { readBigInts: true });
    this.#fillPlaces = db.prepare(SELECT_FILL_PLACES, { returnArrays: true });
    this.#fillLanes = new Lanes(db, 'fills');
    this.#fillTimes = new IdSearch(db, 'fills', 'time');
    this.#fillEntries = new IdSearch(db, 'fills', 'entry');
    this.#fillCount = db.prepare(
      `SELECT count(*) AS base, count(quote_balance) AS quote FROM
       (SELECT quote_balance FROM fills WHERE user = ? AND lane = ? AND id > ? AND id < ? LIMIT ?)`,
    );
    this.#symbol = db.prepare('SELECT base, quote FROM symbols WHERE symbol = ?');
  }

  ledger(filter: LedgerFilter): LedgerRow[] {
    const { skip = 0 } = filter;
    if (!mayBeOfTrades(filter)) return this.#entryIds(filter).flatMap((id) => this.#entryOf(id));
    const first = { ...filter, limit: skip + filter.limit, skip: 0 };
    const places = this.#tradePlaces(first);
    for (const id of this.#entryIds(first)) places.push({ id, fill: null });
    places.sort(filter.ascending ? (a, b) => a.id - b.id : (a, b) => b.id - a.id);
    return this.#rowsAt(places.slice(skip, first.limit));
  }

  count(filter: Counted<LedgerFilter>): number {
    const range = this.#entryTimes.rangeOf(filter);
    const entries = this.#entryLanes.count(filter.user, isEntryWanted(filter), range, COUNT_MAX);
    return Math.min(entries + this.#countTradeEntries(filter), COUNT_MAX);
  }

  #countTradeEntries(filter: Counted<LedgerFilter>): number {
    const { user } = filter;
    if (!mayBeOfTrades(filter)) return 0;
    const { above, below } = this.#fillTimes.rangeOf(filter);
    let count = 0;
    for (const lane of this.#fillLanes.of(user)) {
      const wanted = this.#wantedOf(readOrderLane(lane), filter);
      if (!wanted.base && !wanted.quote) continue;
      const row = this.#fillCount.get(user, lane, above, below, COUNT_MAX);
      if (wanted.base) count += row?.['base'] as number;
      if (wanted.quote) count += row?.['quote'] as number;
      if (count >= COUNT_MAX) break;
    }
    return count;
  }

  #entryIds(filter: LedgerFilter): number[] {
    const range = afterIn(this.#entryTimes.rangeOf(filter), filter);
    return this.#entryLanes.ids(filter.user, isEntryWanted(filter), range, filter);
  }

  #entryOf(id: number): LedgerRow[] {
    const row = this.#entry.get(id);
    return row ? [readEntry(row)] : [];
  }

  /** At least `limit` of them, unless there are fewer. */
  #tradePlaces(filter: LedgerFilter): Place[] {
    const { user, limit, after, ascending = false, currency, direction } = filter;
    const isWanted = (lane: number): boolean => {
      const wanted = this.#wantedOf(readOrderLane(lane), filter);
      return wanted.base || wanted.quote;
    };
    const isAfter = (id: number): boolean => after === undefined || (ascending ? id > after : id < after);
    const isAny = currency === undefined && direction === undefined;
    // One entry of the first fill may be on the previous page.
    const fillsMax = isAny ? Math.ceil(limit / 2) + 1 : limit;
    const places: Place[] = [];
    let range = this.#fillRange(filter);
    // Nearly every fill has the requested entries; if one is missing, the page may not be full yet.
    for (;;) {
      const fills = this.#fillLanes.ids(user, isWanted, range, { limit: fillsMax, ascending });
      for (const place of this.#placesIn(fills, filter)) {
        if (isAfter(place.id)) places.push(place);
      }
      if (places.length >= limit || fills.length < fillsMax) return places;
      range = afterIn(range, { after: fills[fillsMax - 1], limit, ascending });
    }
  }

  #placesIn(fills: readonly number[], filter: LedgerFilter): Place[] {
    const rows = this.#fillPlaces.all(JSON.stringify(fills)) as unknown as FillPlace[];
    const wantedOfLanes = new Map<number, Wanted>();
    const places: Place[] = [];
    for (const [fill, lane, entry, hasQuote] of rows) {
      let wanted = wantedOfLanes.get(lane);
      if (!wanted) {
        wanted = this.#wantedOf(readOrderLane(lane), filter);
        wantedOfLanes.set(lane, wanted);
      }
      const ids = entryIdsOf(wanted.side, entry);
      if (wanted.base) places.push({ id: ids.base, fill });
      if (wanted.quote && hasQuote === 1) places.push({ id: ids.quote, fill });
    }
    return places;
  }

  /** Omits rows that were pruned in the meantime. */
  #rowsAt(places: readonly Place[]): LedgerRow[] {
    const ofFills = new Map<number, LedgerRow[]>();
    return places.flatMap(({ id, fill }) => {
      if (fill === null) return this.#entryOf(id);
      let entries = ofFills.get(fill);
      if (!entries) {
        entries = this.#entriesOf(fill);
        ofFills.set(fill, entries);
      }
      return entries.filter((entry) => entry.id === id);
    });
  }

  /** The fills that may have entries on the page; the first may have only one of its two there. */
  #fillRange(filter: LedgerFilter): Range {
    const { after, limit, ascending = false } = filter;
    const range = this.#fillTimes.rangeOf(filter);
    if (after === undefined) return range;
    const first = this.#fillEntries.firstFrom(after);
    return afterIn(range, { after: ascending ? first - 1 : first, limit, ascending });
  }

  #entriesOf(id: number): LedgerRow[] {
    const row = this.#fill.get(id);
    if (!row) return [];
    const fill = readLedgerFill(row);
    const { base, quote } = this.#currenciesOf(fill.fill.symbol);
    return entriesOf(fill, base, quote);
  }

  /** Which of a fill's two entries match. */
  #wantedOf({ symbol, side }: OrderLane, { currency, direction }: Counted<LedgerFilter>): Wanted {
    const { base, quote } = this.#currenciesOf(symbol);
    const baseDirection = side === 'buy' ? 'in' : 'out';
    const fits = (of: number, isBase: boolean): boolean =>
      (currency === undefined || currency === of) &&
      (direction === undefined || (direction === baseDirection) === isBase);
    return { side, base: fits(base, true), quote: fits(quote, false) };
  }

  #currenciesOf(symbol: number): Currencies {
    let found = this.#currencies.get(symbol);
    if (!found) {
      found = this.#symbol.get(symbol) as unknown as Currencies;
      this.#currencies.set(symbol, found);
    }
    return found;
  }
}

function isEntryWanted({ currency, account, causes, direction }: Counted<LedgerFilter>) {
  return (number: number): boolean => {
    const lane = readLedgerLane(number);
    return (
      (currency === undefined || lane.currency === currency) &&
      (account === undefined || lane.account === account) &&
      (causes === undefined || causes.includes(lane.cause)) &&
      (direction === undefined || lane.direction === direction)
    );
  };
}

function mayBeOfTrades({ account = 'trade', causes }: Counted<LedgerFilter>): boolean {
  return account === 'trade' && (causes === undefined || causes.includes('trade'));
}

function readEntry(row: Record<string, SQLOutputValue>): LedgerRow {
  const { currency, cause, account } = readLedgerLane(Number(row['lane']));
  return {
    id: Number(row['id']),
    seq: Number(row['seq']),
    time: Number(row['time']),
    user: Number(row['user']),
    account,
    currency,
    change: readAmount(row['change']),
    fee: readAmount(row['fee']),
    balance: readAmount(row['balance']),
    cause,
    order: 0,
    trade: 0,
    symbol: -1,
    reference: Number(row['reference']),
  };
}
