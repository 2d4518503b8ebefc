/**
 * The operators' queues: deposits, withdrawals and questionnaires by state, paged, newest first, and their assignments.
 * Deposits and withdrawals come from history, where a state is one range of an index; questionnaires from the exchange,
 * which keeps all of them. A search reads the latest 10,000 rows that match the other filters, in pieces.
 */

import type { DepositSet, Exchange, Questionnaire, QueueKind, WithdrawalSet } from '@bourse/core';
import { COUNT_MAX, type Counted, EVERYBODY, type Moved, type MovedFilter, type Page } from '@bourse/engine';
import type { Catalogue } from '../../views/catalogue.ts';
import { actorId, parseMarkedId, userId } from '../ids.ts';
import { cutOf, cutPage, type NumberedPage, PAGE_QUERY, pageOf, pageWith } from '../paging.ts';
import { Type } from '../schema.ts';
import { DEPOSIT_STATUSES, depositDetail, questionnaireDetail, withdrawalDetail } from './money-routes.ts';
import { findCurrency, findMarked, findUser, unknownId } from './resolve.ts';
import { type OperatorRoute, operatorRoute, type OperatorServices } from './route.ts';

const ROOT = 0;
const Text = Type.String();

const QUEUE_QUERY = {
  search: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  olderThanMs: Type.Optional(Type.String({ pattern: '^[0-9]{1,15}$', expects: 'milliseconds' })),
  assigned: Type.Optional(Text),
};

interface QueueQuery {
  readonly search?: string;
  readonly olderThanMs?: string;
  readonly assigned?: string;
}

/** The latest creation time of an entry of that age. */
const bornUntil = ({ clock }: OperatorServices, { olderThanMs }: QueueQuery): number =>
  olderThanMs === undefined ? Infinity : clock.now() - Number(olderThanMs);

/** Whether the search is a substring of one of the texts or of the user's name, or equals the user's id. */
function isFound(
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
async function findOperator({ port }: OperatorServices, text: string): Promise<number> {
  if (text === actorId(ROOT)) return ROOT;
  const number = parseMarkedId('operator', text);
  const found = await port.read(({ reference }) => reference.operators.get(number));
  if (found) return number;
  throw unknownId('operator', text);
}

/** The id of the assigned operator; null for nobody. */
function assigneeOf(reference: Pick<Exchange['reference'], 'assigneeOf'>, id: number): string | null {
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
async function listMoved<Event extends DepositSet | WithdrawalSet>(
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
    mayBeEmpty: true,
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

/** About half a millisecond of work. */
const QUESTIONNAIRES_PER_PIECE = 500;
const Milliseconds = Type.Optional(
  Type.String({ pattern: '^[0-9]{1,15}$', expects: 'milliseconds since 1970' }),
);

const WHOSE = { userId: Type.Optional(Text), ...QUEUE_QUERY, ...PAGE_QUERY };
const MOVED = { ...WHOSE, currency: Type.Optional(Text), from: Milliseconds, until: Milliseconds };

const DEPOSIT_STATES = Object.keys(DEPOSIT_STATUSES) as readonly DepositSet['state'][];
const DepositStatuses = Type.Optional(
  Type.Union([
    Type.Literal('waiting'),
    Type.Literal('review'),
    Type.Literal('refused'),
    Type.Literal('credited'),
    Type.Literal('returned'),
  ]),
);
const WithdrawalStatuses = Type.Optional(
  Type.Union([
    Type.Literal('processing'),
    Type.Literal('paying'),
    Type.Literal('sent'),
    Type.Literal('failed'),
    Type.Literal('cancelled'),
  ]),
);
const QuestionnaireStatuses = Type.Optional(
  Type.Union([Type.Literal('pending'), Type.Literal('success'), Type.Literal('fail')]),
);

export const MONEY_LISTS: readonly OperatorRoute[] = [
  operatorRoute({
    id: 'list-deposits',
    method: 'GET',
    path: '/v1/deposits',
    summary:
      'Deposits by `status` (waiting for a questionnaire, under review, refused, credited, returned), user, currency and time, newest first; `search` (transaction, address, user), `olderThanMs`, `assigned` (an operator).',
    query: { status: DepositStatuses, ...MOVED },
    handle({ services, query }) {
      const { status } = query;
      const { history, catalogue } = services;
      const states = DEPOSIT_STATES.filter((state) => DEPOSIT_STATUSES[state] === status);
      return listMoved<DepositSet>(services, query, pageOf({ query }), {
        filter: { ...movedBy(services, query), ...(status && { states }) },
        read: (filter) => history.deposits(filter),
        count: (filter) => history.countDeposits(filter),
        show: (event) => depositDetail(event, catalogue),
      });
    },
  }),
  operatorRoute({
    id: 'list-withdrawals',
    method: 'GET',
    path: '/v1/withdrawals',
    summary:
      'Withdrawals by `status` (processing, paying, sent, failed, cancelled), user, currency and time, newest first; `search` (transaction, address, user), `olderThanMs`, `assigned` (an operator).',
    query: { status: WithdrawalStatuses, ...MOVED },
    handle({ services, query }) {
      const { status } = query;
      const { history, catalogue } = services;
      return listMoved<WithdrawalSet>(services, query, pageOf({ query }), {
        filter: { ...movedBy(services, query), ...(status && { states: [status] }) },
        read: (filter) => history.withdrawals(filter),
        count: (filter) => history.countWithdrawals(filter),
        show: (event) => withdrawalDetail(event, catalogue),
      });
    },
  }),
  operatorRoute({
    id: 'list-questionnaires',
    method: 'GET',
    path: '/v1/questionnaires',
    summary:
      'Questionnaires by `status` (pending, success, fail) and user, newest first; `search`, `olderThanMs` and `assigned` as for deposits.',
    query: { status: QuestionnaireStatuses, ...WHOSE },
    async handle({ services, query }) {
      const page = pageOf({ query });
      const { items, ...head } = cutPage(page, await findQuestionnaires(services, query));
      return services.port.read(({ reference }) => {
        const show = (each: Questionnaire) => ({
          ...questionnaireDetail(each),
          assigned: assigneeOf(reference, each.questionnaire),
        });
        return { ...head, items: items.map(show) };
      });
    },
  }),
];

type Reference = Exchange['reference'];

/** The latest that fit, newest first; reads as many as needed for them, in pieces. */
async function findQuestionnaires(
  services: OperatorServices,
  query: QuestionnaireQuery,
): Promise<readonly Questionnaire[]> {
  const { port, longLists } = services;
  const isWanted = await questionnaireFilter(services, query);
  let count = 0;
  const found = await longLists.collect({
    user: EVERYBODY,
    page: { limit: Infinity },
    pieceRows: QUESTIONNAIRES_PER_PIECE,
    read: (piece) =>
      count >= COUNT_MAX
        ? []
        : port.read(({ reference }) =>
            reference.questionnaires(piece).map((each) => {
              const { questionnaire: id } = each;
              return { id, each, isWanted: isWanted(each, reference) };
            }),
          ),
    show: (rows) => {
      const wanted = rows.flatMap((row) => (row.isWanted ? [row.each] : []));
      count += wanted.length;
      return wanted;
    },
  });
  return found.slice(0, COUNT_MAX);
}

interface QuestionnaireQuery extends QueueQuery {
  readonly status?: Questionnaire['state'];
  readonly userId?: string;
}

async function questionnaireFilter(services: OperatorServices, query: QuestionnaireQuery) {
  const { status, userId: id, search, assigned } = query;
  const user = id === undefined ? undefined : findUser(services, id).number;
  const operator = assigned === undefined ? undefined : await findOperator(services, assigned);
  const newest = await newestDeposit(services, query);
  return (each: Questionnaire, reference: Reference): boolean => {
    if (status !== undefined && each.state !== status) return false;
    if (user !== undefined && each.user !== user) return false;
    if (operator !== undefined && reference.assigneeOf(each.questionnaire) !== operator) return false;
    const deposit = reference.depositOfTravelRule(each.travelRuleId);
    if ((deposit?.deposit ?? 0) > newest) return false;
    return search === undefined || isFound(search, each.user, [deposit?.txId], services.catalogue);
  };
}

/** The newest deposit of that age, by id. History forgets the oldest first: whatever precedes all of its rows is older. */
async function newestDeposit(services: OperatorServices, query: QueueQuery): Promise<number> {
  const until = bornUntil(services, query);
  if (until === Infinity) return Infinity;
  await services.historyCaughtUp();
  const { history } = services;
  const [newest] = history.deposits({ user: EVERYBODY, until, limit: 1 });
  if (newest) return newest.id;
  const [oldest] = history.deposits({ user: EVERYBODY, ascending: true, limit: 1 });
  return oldest ? oldest.id - 1 : Infinity;
}

interface MovedQuery {
  readonly userId?: string;
  readonly currency?: string;
  readonly from?: string;
  readonly until?: string;
}

function movedBy(services: OperatorServices, { userId: id, currency, from, until }: MovedQuery) {
  return {
    user: id === undefined ? EVERYBODY : findUser(services, id).number,
    ...(currency !== undefined && { currency: findCurrency(services, currency).number }),
    ...(from !== undefined && { from: Number(from) }),
    ...(until !== undefined && { until: Number(until) }),
  };
}
