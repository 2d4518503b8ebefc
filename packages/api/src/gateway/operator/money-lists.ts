/**
 * Deposits, withdrawals and questionnaires, waiting or decided, by state, page by page, the newest first. Deposits and
 * withdrawals come from history, where a state is one range of an index; questionnaires from the exchange, which keeps
 * all of them.
 */

import type { DepositSet } from '@bourse/core';
import { EVERYBODY } from '@bourse/engine';
import { cutOf, cutPage, PAGE_QUERY, pageOf, pageWith } from '../paging.ts';
import { Type } from '../schema.ts';
import { DEPOSIT_STATUSES, depositDetail, questionnaireDetail, withdrawalDetail } from './movement-detail.ts';
import { findCurrency, findUser } from './resolve.ts';
import { type OperatorRoute, operatorRoute, type OperatorServices } from './route.ts';

const Text = Type.String();
const Milliseconds = Type.Optional(
  Type.String({ pattern: '^[0-9]{1,15}$', expects: 'milliseconds since 1970' }),
);

const WHOSE = { userId: Type.Optional(Text), ...PAGE_QUERY };
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
      'Deposits by `status` (waiting for a questionnaire, under review, refused, credited, returned), user, currency and time, the newest first.',
    query: { status: DepositStatuses, ...MOVED },
    async handle({ services, query }) {
      const { status } = query;
      const page = pageOf({ query });
      const states = DEPOSIT_STATES.filter((state) => DEPOSIT_STATUSES[state] === status);
      const filter = { ...movedBy(services, query), ...(status && { states }) };
      await services.historyCaughtUp();
      const items = await services.longLists.collect({
        user: EVERYBODY,
        page: cutOf(page),
        read: (piece) => services.history.deposits({ ...filter, ...piece }),
        show: (rows) =>
          rows.map(({ event, ...times }) => ({
            ...depositDetail(event, services.catalogue),
            ...timesOf(times),
          })),
      });
      return pageWith(page, services.history.countDeposits(filter), items);
    },
  }),
  operatorRoute({
    id: 'list-withdrawals',
    method: 'GET',
    path: '/v1/withdrawals',
    summary:
      'Withdrawals by `status` (processing, paying, sent, failed, cancelled), user, currency and time, the newest first.',
    query: { status: WithdrawalStatuses, ...MOVED },
    async handle({ services, query }) {
      const { status } = query;
      const page = pageOf({ query });
      const filter = { ...movedBy(services, query), ...(status && { states: [status] }) };
      await services.historyCaughtUp();
      const items = await services.longLists.collect({
        user: EVERYBODY,
        page: cutOf(page),
        read: (piece) => services.history.withdrawals({ ...filter, ...piece }),
        show: (rows) =>
          rows.map(({ event, ...times }) => ({
            ...withdrawalDetail(event, services.catalogue),
            ...timesOf(times),
          })),
      });
      return pageWith(page, services.history.countWithdrawals(filter), items);
    },
  }),
  operatorRoute({
    id: 'list-questionnaires',
    method: 'GET',
    path: '/v1/questionnaires',
    summary: 'Questionnaires by `status` (pending, success, fail) and user, the newest first.',
    query: { status: QuestionnaireStatuses, ...WHOSE },
    async handle({ services, query }) {
      const { status } = query;
      const page = pageOf({ query });
      const user = query.userId === undefined ? undefined : findUser(services, query.userId).number;
      const all = await services.port.read(({ reference }) => reference.questionnaires());
      const wanted = all.filter(
        (each) =>
          (status === undefined || each.state === status) && (user === undefined || each.user === user),
      );
      return cutPage(page, wanted.toReversed().map(questionnaireDetail));
    },
  }),
];

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

function timesOf({ createdAt, updatedAt }: { readonly createdAt: number; readonly updatedAt: number }) {
  return { createdAt: new Date(createdAt).toISOString(), updatedAt: new Date(updatedAt).toISOString() };
}
