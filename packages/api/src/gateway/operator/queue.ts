/**
 * The operators' queues: assignments, and filters for which history has no index. A search reads the latest 10,000 rows
 * that match the other filters, in pieces.
 */

import type { DepositSet, Exchange, QueueKind, WithdrawalSet } from '@bourse/core';
import { COUNT_MAX, type Counted, EVERYBODY, type Moved, type MovedFilter, type Page } from '@bourse/engine';
import type { Catalogue } from '../../views/catalogue.ts';
import { actorId, parseMarkedId, userId } from '../ids.ts';
import { cutOf, cutPage, type NumberedPage, pageWith } from '../paging.ts';
import { Type } from '../schema.ts';
import { findMarked, unknownId } from './resolve.ts';
import { type OperatorRoute, operatorRoute, type OperatorServices } from './route.ts';

const ROOT = 0;
const Text = Type.String();

export const QUEUE_QUERY = {
  search: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  olderThanMs: Type.Optional(Type.String({ pattern: '^[0-9]{1,15}$', expects: 'milliseconds' })),
  assigned: Type.Optional(Text),
};

export interface QueueQuery {
  readonly search?: string;
  readonly olderThanMs?: string;
  readonly assigned?: string;
}

/** The latest creation time of an entry of that age. */
export const bornUntil = ({ clock }: OperatorServices, { olderThanMs }: QueueQuery): number =>
  olderThanMs === undefined ? Infinity : clock.now() - Number(olderThanMs);

/** Whether the search is a substring of one of the texts or of the user's name, or equals the user's id. */
export function isFound(
  search: string,
  user: number,
  texts: readonly (string | undefined)[],
  catalogue: Catalogue,
): boolean {
  const wanted = search.toLowerCase();
  if (userId(user) === wanted) return true;
  return [catalogue.user(user)?.name, ...texts].some((text) => text?.toLowerCase().includes(wanted));
}

/** Resolves an operator's id to its number; `root` is 0. */
export async function findOperator({ port }: OperatorServices, text: string): Promise<number> {
  if (text === actorId(ROOT)) return ROOT;
  const number = parseMarkedId('operator', text);
  const found = await port.read(({ reference }) => reference.operators.get(number));
  if (found) return number;
  throw unknownId('operator', text);
}

/** The id of the assigned operator; null for nobody. */
export function assigneeOf(reference: Pick<Exchange['reference'], 'assigneeOf'>, id: number): string | null {
  const to = reference.assigneeOf(id);
  return to === null ? null : actorId(to);
}

interface MovedList<Event extends DepositSet | WithdrawalSet> {
  readonly filter: Counted<MovedFilter<Event['state']>>;
  read(filter: MovedFilter<Event['state']>): Moved<Event>[];
  count(filter: Counted<MovedFilter<Event['state']>>): number;
  show(event: Event): object;
}

/** A page of deposits or withdrawals, newest first. */
export async function listMoved<Event extends DepositSet | WithdrawalSet>(
  services: OperatorServices,
  query: QueueQuery,
  page: NumberedPage,
  list: MovedList<Event>,
) {
  const { port, catalogue, longLists } = services;
  const { search, assigned } = query;
  const until = Math.min(list.filter.until ?? Infinity, bornUntil(services, query));
  const filter = { ...list.filter, ...(until !== Infinity && { until }) };
  const show = (rows: readonly Moved<Event>[]): Promise<object[]> =>
    port.read(({ reference }) =>
      rows.map(({ id, event, createdAt, updatedAt }) => ({
        ...list.show(event),
        assigned: assigneeOf(reference, id),
        createdAt: new Date(createdAt).toISOString(),
        updatedAt: new Date(updatedAt).toISOString(),
      })),
    );
  const isWanted = ({ event }: Moved<Event>): boolean =>
    search === undefined || isFound(search, event.user, textsOf(event), catalogue);
  await services.historyCaughtUp();
  if (assigned !== undefined) {
    const operator = await findOperator(services, assigned);
    const ids = await port.read(({ reference }) => reference.assignedTo(operator).toReversed());
    const found = await longLists.collect({
      user: EVERYBODY,
      page: { limit: ids.length },
      read: ({ after = Infinity, limit }: Page) =>
        ids
          .filter((id) => id < after)
          .slice(0, limit)
          .map((id) => ({ id, rows: list.read({ ...filter, after: id + 1, limit: 1 }) })),
      show: (pieces) => pieces.flatMap(({ id, rows }) => rows.filter((row) => row.id === id)),
    });
    const { items, ...head } = cutPage(page, found.filter(isWanted));
    return { ...head, items: await show(items) };
  }
  if (search !== undefined) {
    const found = await longLists.collect({
      user: EVERYBODY,
      page: { limit: COUNT_MAX },
      read: (piece) => list.read({ ...filter, ...piece }),
      show: (rows) => rows.filter(isWanted),
    });
    const { items, ...head } = cutPage(page, found);
    return { ...head, items: await show(items) };
  }
  const items = await longLists.collect({
    user: EVERYBODY,
    page: cutOf(page),
    read: (piece) => list.read({ ...filter, ...piece }),
    show,
  });
  return pageWith(page, list.count(filter), items);
}

const textsOf = (event: DepositSet | WithdrawalSet): (string | undefined)[] =>
  event.kind === 'deposit-set' ? [event.txId, event.returnTxId] : [event.txId, event.address];

const QUEUES = [
  { what: 'deposit', path: '/v1/deposits', param: 'depositId', role: 'finance' },
  { what: 'withdrawal', path: '/v1/withdrawals', param: 'withdrawalId', role: 'finance' },
  { what: 'questionnaire', path: '/v1/questionnaires', param: 'orderId', role: 'compliance' },
] as const satisfies readonly { what: QueueKind; path: string; param: string; role: string }[];

export const QUEUE_ROUTES: readonly OperatorRoute[] = QUEUES.flatMap(({ what, path, param, role }) => [
  operatorRoute({
    id: `assign-${what}`,
    method: 'POST',
    path: `${path}/:${param}/assign`,
    roles: [role],
    policy: 'never',
    mayBeBare: true,
    summary: `Assigns a pending ${what} to the operator \`to\`, or to the caller. Others may still act on it.`,
    params: { [param]: Text },
    body: { to: Type.Optional(Text) },
    async handle({ services, params, body, caller, act }) {
      const text = (params as Readonly<Record<string, string>>)[param] as string;
      const to = await findOperator(services, body.to ?? caller.id);
      await act({ kind: 'assign-movement', what, id: findMarked(what, text), to });
      return { [param]: text, assigned: actorId(to) };
    },
  }),
  operatorRoute({
    id: `release-${what}`,
    method: 'POST',
    path: `${path}/:${param}/release`,
    roles: [role],
    policy: 'never',
    summary: `Ends the assignment of a ${what}.`,
    params: { [param]: Text },
    body: {},
    async handle({ params, act }) {
      const text = (params as Readonly<Record<string, string>>)[param] as string;
      await act({ kind: 'release-movement', what, id: findMarked(what, text) });
      return { [param]: text, assigned: null };
    },
  }),
]);
