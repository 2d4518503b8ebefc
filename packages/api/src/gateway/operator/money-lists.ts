/**
 * Deposits, withdrawals and questionnaires by state, paged, newest first. Deposits and withdrawals come from history,
 * where a state is one range of an index; questionnaires from the exchange, which keeps all of them.
 */

import type { DepositSet, Exchange, Questionnaire, WithdrawalSet } from '@bourse/core';
import { COUNT_MAX, EVERYBODY } from '@bourse/engine';
import { cutPage, PAGE_QUERY, pageOf } from '../paging.ts';
import { Type } from '../schema.ts';
import { DEPOSIT_STATUSES, depositDetail, questionnaireDetail, withdrawalDetail } from './movement-detail.ts';
import {
  assigneeOf,
  bornUntil,
  findOperator,
  isFound,
  listMoved,
  QUEUE_QUERY,
  type QueueQuery,
} from './queue.ts';
import { findCurrency, findUser } from './resolve.ts';
import { type OperatorRoute, operatorRoute, type OperatorServices } from './route.ts';

const Text = Type.String();
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
  const { status, userId, search, assigned } = query;
  const user = userId === undefined ? undefined : findUser(services, userId).number;
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

interface Moved {
  readonly userId?: string;
  readonly currency?: string;
  readonly from?: string;
  readonly until?: string;
}

function movedBy(services: OperatorServices, { userId, currency, from, until }: Moved) {
  return {
    user: userId === undefined ? EVERYBODY : findUser(services, userId).number,
    ...(currency !== undefined && { currency: findCurrency(services, currency).number }),
    ...(from !== undefined && { from: Number(from) }),
    ...(until !== undefined && { until: Number(until) }),
  };
}
