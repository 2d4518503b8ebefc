/**
 * Deposits, withdrawals and questionnaires by state, paged, newest first. Deposits and withdrawals come from history,
 * where a state is one range of an index; questionnaires from the exchange, which keeps all of them.
 */

import type { Deposit, DepositSet, WithdrawalSet } from '@bourse/core';
import { EVERYBODY } from '@bourse/engine';
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
      const { status } = query;
      const page = pageOf({ query });
      const user = query.userId === undefined ? undefined : findUser(services, query.userId).number;
      const { search, assigned } = query;
      const { port, catalogue } = services;
      const operator = assigned === undefined ? undefined : await findOperator(services, assigned);
      const wanted = await port.read(({ reference }) =>
        reference
          .questionnaires()
          .map((each) => ({ each, deposit: reference.depositOfTravelRule(each.travelRuleId) }))
          .filter(
            ({ each, deposit }) =>
              (status === undefined || each.state === status) &&
              (user === undefined || each.user === user) &&
              (operator === undefined || reference.assigneeOf(each.questionnaire) === operator) &&
              (search === undefined || isFound(search, each.user, [deposit?.txId], catalogue)),
          )
          .toReversed(),
      );
      const { items, ...head } = cutPage(page, await olderOf(services, query, wanted));
      return port.read(({ reference }) => {
        const show = ({ each }: (typeof items)[number]) => ({
          ...questionnaireDetail(each),
          assigned: assigneeOf(reference, each.questionnaire),
        });
        return { ...head, items: items.map(show) };
      });
    },
  }),
];

interface AboutDeposit {
  readonly deposit: Deposit | null;
}

/** Keeps entries whose deposit is that old, according to history. */
async function olderOf<Each extends AboutDeposit>(
  services: OperatorServices,
  query: QueueQuery,
  wanted: readonly Each[],
): Promise<readonly Each[]> {
  const until = bornUntil(services, query);
  if (until === Infinity) return wanted;
  const { history, longLists } = services;
  await services.historyCaughtUp();
  const isOlder = ({ deposit }: Each): boolean => {
    const id = deposit?.deposit ?? 0;
    const [row] = history.deposits({ user: EVERYBODY, after: id + 1, limit: 1 });
    return row?.id !== id || row.createdAt <= until;
  };
  return longLists.collect({
    user: EVERYBODY,
    page: { limit: wanted.length, ascending: true },
    read: ({ after = -1, limit }) =>
      wanted.slice(after + 1, after + 1 + limit).map((each, at) => ({ id: after + 1 + at, each })),
    show: (rows) => rows.flatMap(({ each }) => (isOlder(each) ? [each] : [])),
  });
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
