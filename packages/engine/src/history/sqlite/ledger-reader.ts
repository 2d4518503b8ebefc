/**
 * The ledger is in two places: entries of trades in the fills, all others in a table of their own. A page is first found
 * by ids alone, which the fills' runs have too, those that are skipped as well; only its own rows are read.
 */

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Malformed } from '../../bytes/byte-source.ts';
import { COUNT_MAX, type Counted, type LedgerFilter, type LedgerRow } from '../history.ts';
import { type OrderLane, readLedgerLane, readOrderLane } from './codes.ts';
import type { FillReader } from './fill-reader.ts';
import { afterIn, IdSearch, Lanes, type Range } from './lanes.ts';
import { readEntry } from './ledger-rows.ts';
import { readNote } from './packed-writer.ts';
import { checkUser, type LaneItem } from './run-lanes.ts';
import { entriesOf, entryIdsOf } from '../rows.ts';

interface Currencies {
  readonly base: number;
  readonly quote: number;
}

/** Where an entry is: in this fill, or in the table of entries. */
interface Place {
  readonly id: number;
  readonly fill: number | null;
}

/** Which of the two ledger entries of the lane's fills are asked for. */
interface Wanted {
  readonly side: OrderLane['side'];
  readonly base: boolean;
  readonly quote: boolean;
}

export class LedgerReader {
  readonly #entry: StatementSync;
  readonly #entryLanes: Lanes;
  readonly #entryTimes: IdSearch;
  readonly #fills: FillReader;
  readonly #symbol: StatementSync;
  /** Base and quote currency by symbol: they never change. */
  readonly #currencies = new Map<number, Currencies>();

  constructor(db: DatabaseSync, fills: FillReader) {
    this.#entry = db.prepare('SELECT * FROM ledger WHERE id = ?');
    this.#entry.setReadBigInts(true);
    this.#entryLanes = new Lanes(db, 'ledger');
    this.#entryTimes = new IdSearch(db, 'ledger', 'time');
    this.#fills = fills;
    this.#symbol = db.prepare('SELECT base, quote FROM symbols WHERE symbol = ?');
  }

  ledger(filter: LedgerFilter): LedgerRow[] {
    const { skip = 0 } = filter;
    if (!mayBeOfTrades(filter)) return this.#entryIds(filter).flatMap((id) => this.#entryOf(id));
    const first = { ...filter, limit: skip + filter.limit, skip: 0 };
    const places = this.#tradePlaces(first);
    for (const id of this.#entryIds(first)) places.push({ id, fill: null });
    places.sort(filter.ascending ? (a, b) => a.id - b.id : (a, b) => b.id - a.id);
    const rows = this.#rowsAt(places.slice(skip, first.limit));
    for (const row of rows) checkUser(filter.user, row);
    return rows;
  }

  count(filter: Counted<LedgerFilter>): number {
    const range = this.#entryTimes.rangeOf(filter);
    const entries = this.#entryLanes.count(filter.user, isEntryWanted(filter), range, COUNT_MAX);
    return Math.min(entries + this.#countTradeEntries(filter), COUNT_MAX);
  }

  #countTradeEntries(filter: Counted<LedgerFilter>): number {
    const { user } = filter;
    if (!mayBeOfTrades(filter)) return 0;
    const range = this.#fills.range(filter);
    let count = 0;
    for (const lane of this.#fills.lanesOf(user)) {
      const wanted = this.#wantedOf(readOrderLane(lane), filter);
      if (!wanted.base && !wanted.quote) continue;
      for (const { note } of this.#fills.itemsOfLane(user, lane, range)) {
        if (wanted.base) count++;
        if (wanted.quote && readNote(note).hasQuote) count++;
        if (count >= COUNT_MAX) return count;
      }
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
    // Of the first fill one entry may be on the page before.
    const fillsMax = isAny ? Math.ceil(limit / 2) + 1 : limit;
    const places: Place[] = [];
    let range = this.#fillRange(filter);
    // A fill nearly always has the entries that are wanted; where one is missing, the page may not be full yet.
    for (;;) {
      const fills = this.#fills.items(user, isWanted, range, { limit: fillsMax, ascending });
      for (const place of this.#placesIn(fills, filter)) {
        if (isAfter(place.id)) places.push(place);
      }
      if (places.length >= limit || fills.length < fillsMax) return places;
      range = afterIn(range, { after: fills[fillsMax - 1].id, limit, ascending });
    }
  }

  #placesIn(fills: readonly LaneItem[], filter: LedgerFilter): Place[] {
    const wantedOfLanes = new Map<number, Wanted>();
    const places: Place[] = [];
    for (const { id: fill, lane, note } of fills) {
      let wanted = wantedOfLanes.get(lane);
      if (!wanted) {
        wanted = this.#wantedOf(readOrderLane(lane), filter);
        wantedOfLanes.set(lane, wanted);
      }
      const { entry, hasQuote } = readNote(note);
      const ids = entryIdsOf(wanted.side, entry);
      if (wanted.base) places.push({ id: ids.base, fill });
      if (wanted.quote && hasQuote) places.push({ id: ids.quote, fill });
    }
    return places;
  }

  /** What was pruned in the meantime is left out. */
  #rowsAt(places: readonly Place[]): LedgerRow[] {
    const ofFills = new Map<number, LedgerRow[]>();
    return places.flatMap(({ id, fill }) => {
      if (fill === null) return this.#entryOf(id);
      let entries = ofFills.get(fill);
      if (!entries) {
        entries = this.#entriesOf(fill);
        ofFills.set(fill, entries);
      }
      const found = entries.filter((entry) => entry.id === id);
      if (entries.length > 0 && found.length === 0)
        throw new Malformed(`ledger entry ${id} is not in its fill`);
      return found;
    });
  }

  /** The fills that may have entries of the page: the first of them perhaps with one entry only. */
  #fillRange(filter: LedgerFilter): Range {
    const { after, limit, ascending = false } = filter;
    const range = this.#fills.range(filter);
    if (after === undefined) return range;
    const first = this.#fills.firstWithEntry(after);
    return afterIn(range, { after: ascending ? first - 1 : first, limit, ascending });
  }

  #entriesOf(id: number): LedgerRow[] {
    const fill = this.#fills.row(id);
    if (fill === null) return [];
    const { base, quote } = this.#currenciesOf(fill.fill.symbol);
    return entriesOf(fill, base, quote);
  }

  /** Which of a fill's two entries are. */
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
