/**
 * Long lists. A part is requested by cursor (`lastId`, `limit`), by page (`currentPage`, `pageSize`), or by time span
 * (`startAt`, `endAt`, in milliseconds); clients of the family send 0 or an empty value for unset. It is read and rendered
 * in pieces.
 */

import { type Clock, COUNT_MAX, type Page, type Span, Unavailable } from '@bourse/engine';
import { invalid } from './errors/refusal.ts';
import { shown } from './members.ts';
import { Raw } from './result.ts';
import { type TSchema, Type } from './schema.ts';

const LIMIT_MAX = 100;
const PAGE_SIZE_MAX = 500;
const INTEGER = /^\d{1,15}$/;

/** A query with these members. */
export interface QueryOf<Name extends string> {
  readonly query: { readonly [name in Name]?: string | undefined };
}

/** The query of a list, and the time it was sent. */
export interface ListCall<Name extends string> extends QueryOf<Name> {
  readonly time: number;
}

type SpanName = keyof typeof SPAN_QUERY;

export interface Cursor {
  readonly after?: number;
  readonly limit: number;
}

export interface NumberedPage {
  readonly currentPage: number;
  readonly pageSize: number;
  readonly skip: number;
  readonly limit: number;
}

const text = Type.Optional(Type.String());
const described = (description: string) => Type.Optional(Type.String({ description }));

export const SPAN_QUERY = {
  startAt: described('Milliseconds; belongs to the list.'),
  endAt: described('Milliseconds; belongs to the list.'),
};
export const CURSOR_QUERY = {
  lastId: described('From the previous response: the list continues after it.'),
  limit: described(`Number of items, at most ${LIMIT_MAX}.`),
};
export const PAGE_QUERY = { currentPage: text, pageSize: described(`At most ${PAGE_SIZE_MAX}.`) };

export const pagedSchema = (item: TSchema) =>
  Type.Object({
    currentPage: Type.Integer(),
    pageSize: Type.Integer(),
    totalNum: Type.Integer({ description: `Counted up to ${COUNT_MAX}.` }),
    totalPage: Type.Integer(),
    items: Type.Array(item),
  });

/** The value of a query member; undefined if it is missing or empty. */
export function queryValue<Query extends object>(
  { query }: { readonly query: Query },
  name: keyof Query & string,
): string | undefined {
  return (query as QueryOf<string>['query'])[name] || undefined;
}

/**
 * For requests that cancel: an empty filter is rejected. Without a filter they cancel everything, and a caller who
 * names one wants less.
 */
export function refuseEmptyFilters<Query extends object>(
  { query }: { readonly query: Query },
  ...names: readonly (keyof Query & string)[]
): void {
  const empty = names.find((name) => query[name] === '');
  if (empty !== undefined)
    throw invalid(`${empty} is empty: give it a value, or leave it out to cancel all.`);
}

export function queryWord<Word extends string, Query extends object>(
  call: { readonly query: Query },
  name: keyof Query & string,
  words: readonly Word[],
): Word | undefined {
  const value = queryValue(call, name);
  const word = words.find((each) => each === value);
  if (value === undefined || word !== undefined) return word;
  throw invalid(`${name} ${shown(value)} must be ${words.join(' or ')}.`);
}

/** Undefined for 0. */
function queryInteger<Query extends object>(
  call: { readonly query: Query },
  name: keyof Query & string,
): number | undefined {
  const value = queryValue(call, name);
  if (value === undefined || value === '0') return undefined;
  if (INTEGER.test(value)) return Number(value);
  throw invalid(`${name} ${shown(value)} must be a whole number of at most 15 digits.`);
}

/** A limit above the maximum is not an error: the maximum is used. */
export function cursorOf(call: QueryOf<keyof typeof CURSOR_QUERY>, limitDefault = 20): Cursor {
  const after = queryInteger(call, 'lastId');
  const limit = Math.min(queryInteger(call, 'limit') ?? limitDefault, LIMIT_MAX);
  return { limit, ...(after !== undefined && { after }) };
}

export function pageOf(
  call: QueryOf<'currentPage' | 'pageNum' | 'pageSize'>,
  pageSizeDefault = 50,
  number: 'currentPage' | 'pageNum' = 'currentPage',
): NumberedPage {
  const currentPage = queryInteger(call, number) ?? 1;
  const pageSize = queryInteger(call, 'pageSize') ?? pageSizeDefault;
  if (pageSize > PAGE_SIZE_MAX) throw invalid(`pageSize should not greater than ${PAGE_SIZE_MAX}.`);
  const skip = (currentPage - 1) * pageSize;
  if (skip >= COUNT_MAX && skip > 0) {
    throw invalid(`Pages end at row ${COUNT_MAX}: request another time span with startAt and endAt.`);
  }
  return { currentPage, pageSize, skip, limit: pageSize };
}

/**
 * The requested span of time. With a maximum, a missing end follows from the other one, and if both are missing
 * the span ends now.
 */
export function spanOf(call: ListCall<SpanName>, spanMsMax = Infinity): Span {
  const startAt = queryInteger(call, 'startAt');
  const endAt = queryInteger(call, 'endAt');
  if (startAt !== undefined && endAt !== undefined) {
    if (startAt > endAt) throw invalid('startAt is after endAt.');
    if (endAt - startAt > spanMsMax) {
      throw invalid(`startAt and endAt are ${endAt - startAt} ms apart; the maximum is ${spanMsMax} ms.`);
    }
  }
  if (spanMsMax === Infinity) {
    return { ...(startAt !== undefined && { from: startAt }), ...(endAt !== undefined && { until: endAt }) };
  }
  if (startAt !== undefined) return { from: startAt, until: endAt ?? startAt + spanMsMax };
  return { from: (endAt ?? call.time) - spanMsMax, ...(endAt !== undefined && { until: endAt }) };
}

/** The range of list items on the page. */
export const cutOf = ({ skip, limit }: NumberedPage) => ({ skip, limit });

/** Cuts a page out of a list that is completely in memory. */
export function cutPage<Item>(page: NumberedPage, items: readonly Item[]) {
  return { ...headOf(page, items.length), items: items.slice(page.skip, page.skip + page.limit) };
}

export function pageWith<Item>(page: NumberedPage, total: number, items: readonly Item[]) {
  return { ...headOf(page, total), items };
}

/** The same for items that are already JSON. */
export function pageOfTexts(page: NumberedPage, total: number, items: readonly string[]): Raw {
  return new Raw(`${JSON.stringify(headOf(page, total)).slice(0, -1)},"items":[${items.join(',')}]}`);
}

function headOf({ currentPage, pageSize }: NumberedPage, totalNum: number) {
  return { currentPage, pageSize, totalNum, totalPage: Math.ceil(totalNum / pageSize) };
}

/** About three milliseconds of work. */
const PIECE_ROWS = 50;
/** Pending lists per user; each keeps its partial result. */
const WAITING_MAX = 16;

export interface LongList<Row, Shown> {
  readonly user: number;
  readonly page: Page;
  /** Rows in a piece, for lists whose rows take less time than those of history. */
  readonly pieceRows?: number;
  read(page: Page): readonly Row[] | Promise<readonly Row[]>;
  show(rows: readonly Row[]): readonly Shown[] | Promise<readonly Shown[]>;
}

/**
 * Reads and renders long lists, most of them of history, in pieces on the main thread. Each event loop iteration
 * processes one piece of all pending lists, and users take turns: nobody waits for more than a piece, however many lists
 * are pending, and a user who requests many lists delays only their own.
 */
export class LongLists {
  readonly #clock: Clock;
  /** Pending lists by user; the user whose turn is next comes first. */
  readonly #waiting = new Map<number, (() => void)[]>();
  #isRunning = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Rejects with Unavailable if the user has too many pending. */
  async collect<Row extends { readonly id: number }, Shown>(list: LongList<Row, Shown>): Promise<Shown[]> {
    const { user, page, pieceRows = PIECE_ROWS, read, show } = list;
    if ((this.#waiting.get(user)?.length ?? 0) >= WAITING_MAX) {
      throw new Unavailable(
        'queue-full',
        'too many of your lists are pending: try again when they are complete',
      );
    }
    const items: Shown[] = [];
    let next = page;
    for (let left = page.limit; left > 0; ) {
      await this.#turn(user);
      try {
        const limit = Math.min(pieceRows, left);
        const rows = await read({ ...next, limit });
        items.push(...(await show(rows)));
        left = rows.length < limit ? 0 : left - limit;
        if (left > 0) next = { ...page, after: rows[limit - 1].id, skip: 0 };
      } finally {
        this.#clock.soon(this.#next);
      }
    }
    return items;
  }

  #turn(user: number): Promise<void> {
    return new Promise((resolve) => {
      const mine = this.#waiting.get(user);
      if (mine) mine.push(resolve);
      else this.#waiting.set(user, [resolve]);
      if (this.#isRunning) return;
      this.#isRunning = true;
      this.#clock.soon(this.#next);
    });
  }

  readonly #next = (): void => {
    const [first] = this.#waiting;
    this.#isRunning = first !== undefined;
    if (!first) return;
    const [user, turns] = first;
    const resolve = turns.shift()!;
    this.#waiting.delete(user);
    if (turns.length > 0) this.#waiting.set(user, turns);
    resolve();
  };
}
