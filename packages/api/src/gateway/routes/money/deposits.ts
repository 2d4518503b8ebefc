/**
 * The caller's deposits, newest first, with their fees and the state of their questionnaires; and the questionnaire of
 * a deposit under the Travel Rule.
 */

import type { Address, DepositSet, Questionnaire } from '@bourse/core';
import { type Counted, type Moved, type MovedFilter, shortened, submit } from '@bourse/engine';
import type { Catalogue } from '../../../views/catalogue.ts';
import { explain } from '../../errors/explain.ts';
import { Refusal } from '../../errors/refusal.ts';
import { markedId, parseMarkedId } from '../../ids.ts';
import {
  checkComplianceInfo,
  COMPLIANCE_INFO,
  DEPOSIT_FILTERS,
  DEPOSIT_STATUS,
  depositAmounts,
  depositStatus,
  regions,
  type SenderType,
} from '../../money/travel-rule.ts';
import {
  queryValue,
  cutOf,
  type ListCall,
  type LongList,
  PAGE_QUERY,
  pagedSchema,
  pageOf,
  pageWith,
  SPAN_QUERY,
  spanOf,
} from '../../paging.ts';
import { route, type Route } from '../../route.ts';
import { Type, wordOf } from '../../schema.ts';
import type { Services } from '../../services.ts';

const text = Type.String();
const optional = Type.Optional(text);
const integer = Type.Integer();

export const MOVED_QUERY = { currency: optional, status: optional, ...SPAN_QUERY, ...PAGE_QUERY };

const SHORT = {
  currency: text,
  createAt: integer,
  amount: text,
  fee: text,
  walletTxId: text,
  isInner: Type.Boolean(),
  ...DEPOSIT_STATUS,
};

export function depositHistoryRoutes(services: Services): Route[] {
  const { port, catalogue, history } = services;
  const deposits: MovedList<DepositSet['state'], Moved<DepositSet>> = {
    filters: DEPOSIT_FILTERS,
    read: (filter) => history.deposits(filter),
    count: (filter) => history.countDeposits(filter),
  };
  const common = { method: 'GET', access: 'general', pool: 'manage', weight: 5, shape: 'A' } as const;
  return [
    route({
      ...common,
      id: 'list-deposits',
      path: '/api/v1/deposits',
      summary: "The caller's deposits.",
      query: MOVED_QUERY,
      answer: pagedSchema(
        Type.Object({
          id: text,
          currency: text,
          chain: text,
          address: text,
          memo: text,
          isInner: Type.Boolean(),
          amount: text,
          fee: text,
          walletTxId: text,
          createdAt: integer,
          updatedAt: integer,
          remark: text,
          arrears: Type.Boolean(),
          ...DEPOSIT_STATUS,
        }),
      ),
      handle: (call) =>
        listMoved(services, call, deposits, async (rows) => {
          const currencies = new Set(rows.map(({ event }) => event.currency));
          const addresses = await port.read(({ reference }) =>
            [...currencies].flatMap((currency) => reference.addressesOf(call.user, currency)),
          );
          return rows.map((row) => show(row, addresses, catalogue));
        }),
    }),
    route({
      ...common,
      id: 'old-list-deposits',
      path: '/api/v1/hist-deposits',
      summary: "The caller's deposits in the older format, with times in seconds.",
      query: MOVED_QUERY,
      answer: pagedSchema(Type.Object(SHORT)),
      handle: (call) =>
        listMoved(services, call, deposits, (rows) => rows.map((row) => showShort(row, catalogue))),
    }),
  ];
}

export interface MovedList<State extends string, Row> {
  /** By status filter; any other status has no rows. */
  readonly filters: ReadonlyMap<string, readonly State[]>;
  read(filter: MovedFilter<State>): readonly Row[];
  count(filter: Counted<MovedFilter<State>>): number;
}

/** A page of the caller's deposits or withdrawals. */
export async function listMoved<State extends string, Row extends { readonly id: number }, Shown>(
  services: Services,
  call: ListCall<keyof typeof MOVED_QUERY> & { readonly user: number },
  { filters, read, count }: MovedList<State, Row>,
  showRows: LongList<Row, Shown>['show'],
) {
  const { catalogue, longLists } = services;
  const { user } = call;
  const page = pageOf(call);
  const code = queryValue(call, 'currency');
  const status = queryValue(call, 'status');
  const span = spanOf(call);
  const currency = code === undefined ? undefined : catalogue.currency(code);
  const states = status === undefined ? undefined : filters.get(status);
  if ((code !== undefined && !currency) || (status !== undefined && !states)) {
    return pageWith<Shown>(page, 0, []);
  }
  const filter = { user, ...span, ...(currency && { currency: currency.number }), ...(states && { states }) };
  await services.historyCaughtUp();
  const items = await longLists.collect({
    user,
    page: cutOf(page),
    read: (piece) => read({ ...filter, ...piece }),
    show: showRows,
  });
  return pageWith(page, count(filter), items);
}

function show(
  { createdAt, updatedAt, event }: Moved<DepositSet>,
  addresses: readonly Address[],
  catalogue: Catalogue,
) {
  const { code, scale } = catalogue.currencyAt(event.currency);
  const to = addresses.find(({ currency, chain }) => currency === event.currency && chain === event.chain);
  return {
    id: markedId('deposit', event.deposit),
    currency: code,
    chain: event.chain,
    address: to?.address ?? '',
    memo: to?.memo ?? '',
    isInner: false,
    ...depositAmounts(event, scale),
    walletTxId: event.txId,
    createdAt,
    updatedAt,
    remark: '',
    arrears: false,
    ...depositStatus(event),
  };
}

function showShort({ createdAt, event }: Moved<DepositSet>, catalogue: Catalogue) {
  const { code, scale } = catalogue.currencyAt(event.currency);
  return {
    currency: code,
    createAt: Math.floor(createdAt / 1000),
    ...depositAmounts(event, scale),
    walletTxId: event.txId,
    isInner: false,
    ...depositStatus(event),
  };
}

export function questionnaireRoutes({ port, catalogue }: Services): Route[] {
  return [
    route({
      id: 'submit-questionnaire',
      method: 'POST',
      path: '/api/v1/deposit/compliance/info',
      summary: 'Submits the Travel Rule questionnaire of a waiting deposit.',
      access: 'general',
      pool: 'questionnaire',
      weight: 1,
      shape: 'B',
      body: {
        travelRuleOId: text,
        type: wordOf('individual', 'company'),
        complianceInfo: COMPLIANCE_INFO,
      },
      answer: Type.Object({
        orderId: text,
        travelRuleOId: text,
        status: Type.Union([Type.Literal('pending'), Type.Literal('success'), Type.Literal('fail')]),
        failureCode: Type.Union([text, Type.Null()]),
      }),
      async handle({ user, body, once }) {
        const { travelRuleOId, type, complianceInfo } = body;
        if (type !== 'individual' && type !== 'company') {
          throw new Refusal(
            'parameter-invalid',
            `type is '${shortened(type)}': it must be individual or company.`,
          );
        }
        checkComplianceInfo(type satisfies SenderType, complianceInfo);
        const { outcome } = await submit(
          port,
          {
            kind: 'submit-questionnaire',
            user,
            travelRuleId: Math.max(0, parseMarkedId('travel-rule', travelRuleOId)),
            senderType: type,
            info: complianceInfo,
            ...(once && { once }),
          },
          user,
        );
        if (outcome.kind === 'rejected') throw explain(outcome.rejection, catalogue);
        if (outcome.kind !== 'added')
          throw new Error(`unexpected outcome '${outcome.kind}' of a questionnaire`);
        const { id } = outcome;
        // An operator may have decided it already.
        const { state, failureCode } = await port.read(
          ({ reference }) => reference.questionnaire(id) as Questionnaire,
        );
        const orderId = markedId('questionnaire', id);
        return { orderId, travelRuleOId, status: state, failureCode: failureCode || null };
      },
    }),
    regionsRoute('list-regions', '/kyc/regions/v4'),
    // For clients that prefix every path with /api.
    regionsRoute('list-regions-below-api', '/api/kyc/regions/v4'),
  ];
}

const regionsRoute = (id: string, path: string): Route =>
  route({
    id,
    method: 'GET',
    path,
    summary: 'The regions that a questionnaire may contain.',
    access: 'public',
    pool: 'public',
    weight: 3,
    shape: 'A',
    answer: Type.Array(Type.Object({ code: text, enName: text })),
    handle: () => regions(),
  });
