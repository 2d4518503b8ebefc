/** Routes that do nothing but show what arrived: one of each kind, for tests of the gateway. */

import type { Permission } from '@bourse/core';
import { Refusal } from '../../src/gateway/errors/refusal.ts';
import { type Route, route, type Shape } from '../../src/gateway/route.ts';
import type { Services } from '../../src/gateway/services.ts';
import { Type } from '../../src/gateway/schema.ts';
import { submit } from '@bourse/test-kit/submit.ts';

const ANYTHING = Type.Any();

export function probeRoutes(services: Services): Route[] {
  const row = (id: string, access: 'public' | Permission, shape: Shape = 'A') => ({
    id,
    summary: id,
    access,
    pool: access === 'public' ? ('public' as const) : ('spot' as const),
    weight: 2,
    shape,
    answer: ANYTHING,
  });
  return [
    route({
      ...row('probe-public', 'public', 'bare'),
      method: 'GET',
      path: '/probe/public',
      handle: ({ query, ip, user, once }) => ({ query: { ...query }, ip, user, once: once !== undefined }),
    }),
    route({
      ...row('probe-read', 'general'),
      method: 'GET',
      path: '/probe/things/:id',
      params: { id: Type.String() },
      query: { symbol: Type.Optional(Type.String({ minLength: 1 })) },
      handle: ({ params, query, user, once }) => ({
        id: params.id,
        query: { ...query },
        user,
        once: once !== undefined,
      }),
    }),
    route({
      ...row('probe-delete', 'spot'),
      method: 'DELETE',
      path: '/probe/things/:id',
      params: { id: Type.String() },
      handle: async ({ params, user, once }) => {
        const { outcome } = await submit(services.port, {
          kind: 'cancel-orders',
          user,
          ...(once && { once }),
        });
        if (outcome.kind === 'rejected') throw new Refusal('request-repeated');
        return { id: params.id, user };
      },
    }),
    route({
      ...row('probe-write', 'spot', 'B'),
      method: 'POST',
      path: '/probe/things',
      body: {
        text: Type.String({ maxLength: 40 }),
        size: Type.Optional(Type.String()),
        side: Type.Optional(Type.Union([Type.Literal('buy'), Type.Literal('sell')])),
        list: Type.Optional(Type.Array(Type.Object({ price: Type.String() }), { maxItems: 2 })),
      },
      handle: async ({ body, user, once }) => {
        const { outcome } = await submit(services.port, {
          kind: 'cancel-orders',
          user,
          ...(once && { once }),
        });
        if (outcome.kind === 'rejected') throw new Refusal('request-repeated');
        return { body, user };
      },
    }),
    route({
      ...row('probe-empty', 'general'),
      method: 'POST',
      path: '/probe/empty',
      handle: () => null,
    }),
    route({
      ...row('probe-broken', 'public'),
      method: 'GET',
      path: '/probe/broken',
      handle: () => {
        throw new TypeError('a defect with a canary-secret inside');
      },
    }),
  ];
}
