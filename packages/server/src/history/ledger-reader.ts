/** The ledger is in two places: entries of trades in the fills, all others in a table of their own. */

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { COUNT_MAX, type Counted, type LedgerFilter, type LedgerRow } from '../engine/history.ts';
import { type OrderLane, readLedgerLane, readOrderLane } from './codes.ts';
import { readEntry, readLedgerFill } from './fill-columns.ts';
import { afterIn, IdSearch, Lanes, type Range } from './lanes.ts';
import { entriesOf } from './rows.ts';

interface Currencies {
  readonly base: number;
  readonly quote: number;
}

export class LedgerReader {
  readonly #entry: StatementSync;
  readonly #entryLanes: Lanes;
  readonly #entryTimes: IdSearch;
  readonly #fill: StatementSync;
  readonly #fillLanes: Lanes;
  readonly #fillTimes: IdSearch;
  readonly #fillEntries: IdSearch;
  readonly #fillCount: StatementSync;
  readonly #symbol: StatementSync;
  /** They never change. */
  readonly #currencies = new Map<number, Currencies>();

  constructor(db: DatabaseSync) {
    this.#entry = db.prepare('SELECT * FROM ledger WHERE id = ?');
    this.#entry.setReadBigInts(true);
    this.#entryLanes = new Lanes(db, 'ledger');
    this.#entryTimes = new IdSearch(db, 'ledger', 'time');
    this.#fill = db.prepare('SELECT * FROM fills WHERE id = ?');
    this.#fill.setReadBigInts(true);
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
    const first = { ...filter, limit: skip + filter.limit, skip: 0 };
    const rows = [...this.#entries(first), ...this.#tradeEntries(first)];
    rows.sort(filter.ascending ? (a, b) => a.id - b.id : (a, b) => b.id - a.id);
    return rows.slice(skip, first.limit);
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

  #entries(filter: LedgerFilter): LedgerRow[] {
    const { user } = filter;
    const range = afterIn(this.#entryTimes.rangeOf(filter), filter);
    const ids = this.#entryLanes.ids(user, isEntryWanted(filter), range, filter);
    return ids.flatMap((id) => {
      const row = this.#entry.get(id);
      return row ? [readEntry(row)] : [];
    });
  }

  #tradeEntries(filter: LedgerFilter): LedgerRow[] {
    const { user, limit, after, ascending = false } = filter;
    if (!mayBeOfTrades(filter)) return [];
    const isWanted = (lane: number): boolean => {
      const wanted = this.#wantedOf(readOrderLane(lane), filter);
      return wanted.base || wanted.quote;
    };
    const isAfter = (id: number): boolean => after === undefined || (ascending ? id > after : id < after);
    const rows: LedgerRow[] = [];
    let range = this.#fillRange(filter);
    // A fill nearly always has an entry that is wanted; where one has none, the page is not full yet.
    for (;;) {
      const ids = this.#fillLanes.ids(user, isWanted, range, { limit, ascending });
      for (const id of ids) {
        for (const row of this.#entriesOf(id)) {
          if (isAfter(row.id) && matches(row, filter)) rows.push(row);
        }
      }
      if (rows.length >= limit || ids.length < limit) return rows;
      range = afterIn(range, { after: ids[limit - 1], limit, ascending });
    }
  }

  /** The fills that may have entries of the page: the first of them perhaps with one entry only. */
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

  /** Which of a fill's two entries are. */
  #wantedOf(
    { symbol, side }: OrderLane,
    { currency, direction }: Counted<LedgerFilter>,
  ): { readonly base: boolean; readonly quote: boolean } {
    const { base, quote } = this.#currenciesOf(symbol);
    const baseDirection = side === 'buy' ? 'in' : 'out';
    const fits = (of: number, isBase: boolean): boolean =>
      (currency === undefined || currency === of) &&
      (direction === undefined || (direction === baseDirection) === isBase);
    return { base: fits(base, true), quote: fits(quote, false) };
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

function matches({ currency, change }: LedgerRow, filter: LedgerFilter): boolean {
  return (
    (filter.currency === undefined || filter.currency === currency) &&
    (filter.direction === undefined || (filter.direction === 'in') === change > 0n)
  );
}
