/** Notices, published immediately or later, optionally with a scheduled change of a symbol's increments. */

import type { Notice } from '@bourse/core';
import type { Catalogue } from '../../views/catalogue.ts';
import { DEFAULT_LANGUAGE, DEFAULT_TYPE, TYPES } from '../announcements.ts';
import { line, Type } from '../schema.ts';
import { operatorRefusal } from './operator-errors.ts';
import { findSymbol } from './resolve.ts';
import { type OperatorRoute, operatorRoute, type OperatorServices } from './route.ts';

const TITLE_LENGTH_MAX = 200;
const TEXT_LENGTH_MAX = 2000;
const Milliseconds = Type.Optional(Type.Integer({ minimum: 0, description: 'Milliseconds since 1970.' }));
const Decimal = Type.Optional(Type.String());

export const NOTICE_ROUTES: readonly OperatorRoute[] = [
  operatorRoute({
    id: 'list-notices',
    method: 'GET',
    path: '/v1/notices',
    summary: 'All notices, newest first, including unpublished ones.',
    async handle({ services }) {
      const notices = await services.port.read(({ reference }) => reference.notices());
      return notices.toReversed().map((each) => noticeDetail(each, services.catalogue));
    },
  }),
  operatorRoute({
    id: 'publish-notice',
    method: 'POST',
    path: '/v1/notices',
    roles: ['listing'],
    summary:
      'Publishes a notice, immediately or at `publishAt`. With `symbol`, `effectiveAt` and new increments, the increments change automatically at that time.',
    body: {
      title: line(TITLE_LENGTH_MAX, 1),
      text: Type.Optional(Type.String({ maxLength: TEXT_LENGTH_MAX })),
      url: Type.Optional(Type.String({ maxLength: 256 })),
      type: Type.Optional(Type.Union(TYPES.map((type) => Type.Literal(type)))),
      language: Type.Optional(Type.String({ minLength: 1, maxLength: 16 })),
      publishAt: Milliseconds,
      symbol: Type.Optional(Type.String()),
      effectiveAt: Milliseconds,
      priceIncrement: Decimal,
      quoteIncrement: Decimal,
    },
    async handle({ services, body, act }) {
      const { title, text = '', url = '', type = DEFAULT_TYPE, language = DEFAULT_LANGUAGE } = body;
      const change = changeOf(services, body);
      const outcome = await act({
        kind: 'publish-notice',
        title,
        text,
        url,
        types: [String(type)],
        language,
        publishAt: body.publishAt ?? services.clock.now(),
        ...(change && { change }),
      });
      if (outcome.kind !== 'added') throw new Error(`unexpected outcome '${outcome.kind}' of a notice`);
      const notices = await services.port.read(({ reference }) => reference.notices());
      return noticeDetail(notices.find(({ notice }) => notice === outcome.id) as Notice, services.catalogue);
    },
  }),
  operatorRoute({
    id: 'remove-notice',
    method: 'DELETE',
    path: '/v1/notices/:noticeId',
    roles: ['listing'],
    summary: 'Removes a notice, and cancels the change that it announced if that is still pending.',
    params: { noticeId: Type.String() },
    async handle({ services, params, act }) {
      const { noticeId } = params;
      const notices = await services.port.read(({ reference }) => reference.notices());
      const found = notices.find(({ notice }) => String(notice) === noticeId);
      if (!found) throw operatorRefusal('notice-unknown', `noticeId: there is no notice '${noticeId}'.`);
      await act({ kind: 'remove-notice', notice: found.notice });
      return { noticeId, removed: true };
    },
  }),
];

interface Changed {
  readonly symbol?: string;
  readonly effectiveAt?: number;
  readonly priceIncrement?: string;
  readonly quoteIncrement?: string;
}

function changeOf(services: OperatorServices, changed: Changed) {
  const { symbol, effectiveAt, priceIncrement, quoteIncrement } = changed;
  const isChange = priceIncrement !== undefined || quoteIncrement !== undefined;
  const given = [symbol !== undefined, effectiveAt !== undefined, isChange];
  if (!given.includes(true)) return undefined;
  if (symbol === undefined || effectiveAt === undefined || !isChange) {
    const msg =
      'symbol, effectiveAt and a new priceIncrement or quoteIncrement belong together: a change needs all three.';
    throw operatorRefusal('field-missing', msg);
  }
  return {
    symbol: findSymbol(services, symbol).symbol,
    at: effectiveAt,
    ...(priceIncrement !== undefined && { priceIncrement }),
    ...(quoteIncrement !== undefined && { quoteIncrement }),
  };
}

function noticeDetail({ notice, types, publishAt, change, ...rest }: Notice, catalogue: Catalogue) {
  return {
    noticeId: String(notice),
    ...rest,
    type: types[0],
    publishAt: new Date(publishAt).toISOString(),
    change: change
      ? {
          symbol: catalogue.symbolAt(change.symbol).code,
          effectiveAt: new Date(change.at).toISOString(),
          priceIncrement: change.priceIncrement ?? null,
          quoteIncrement: change.quoteIncrement ?? null,
          status: change.state,
        }
      : null,
  };
}
