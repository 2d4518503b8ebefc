/**
 * A handler that uses a member missing from its schemas does not compile. The compiler checks that: `npm run check`
 * fails if an error expected here is missing. The test checks the rows themselves.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operatorRoute } from '../../../api/src/gateway/operator/route.ts';
import { type Call, route } from '../../../api/src/gateway/route.ts';
import { Type } from '../../../api/src/gateway/schema.ts';
import { identityRoute } from '../../../api/src/identity/routes/route.ts';
import { controlRoute } from '../../../sandbox/src/control/route.ts';

const text = Type.String();
const member = { symbol: text };
const head = { id: 'probe', path: '/probe/:symbol', summary: 'Probe.' } as const;
const ofUsers = { access: 'public', pool: 'public', weight: 1, shape: 'A', answer: Type.Any() } as const;
const ofPeople = { access: 'public', status: 200 } as const;
const ofOperators = { roles: ['admin'] } as const;

test('rows of all interfaces take their handlers by their schemas', () => {
  const rows = [
    route({
      ...head,
      ...ofUsers,
      method: 'POST',
      params: member,
      query: member,
      body: member,
      handle: ({ params, query, body }) => [
        params.symbol,
        query.symbol,
        body.symbol,
        // @ts-expect-error The path has no such part.
        params.colour,
        // @ts-expect-error The query has no such member.
        query.colour,
        // @ts-expect-error The body has no such member.
        body.colour,
      ],
    }),
    operatorRoute({
      ...head,
      ...ofOperators,
      method: 'POST',
      params: member,
      query: member,
      body: member,
      handle: ({ params, query, body }) => [
        params.symbol,
        query.symbol,
        body.symbol,
        // @ts-expect-error The path has no such part.
        params.colour,
        // @ts-expect-error The query has no such member.
        query.colour,
        // @ts-expect-error The body has no such member.
        body.colour,
      ],
    }),
    identityRoute({
      ...head,
      ...ofPeople,
      method: 'POST',
      params: member,
      query: member,
      body: member,
      handle: ({ params, query, body }) => [
        params.symbol,
        query.symbol,
        body.symbol,
        // @ts-expect-error The path has no such part.
        params.colour,
        // @ts-expect-error The query has no such member.
        query.colour,
        // @ts-expect-error The body has no such member.
        body.colour,
      ],
    }),
    controlRoute({
      ...head,
      method: 'POST',
      params: member,
      query: member,
      body: member,
      handle: ({ params, query, body }) => [
        params.symbol,
        query.symbol,
        body.symbol,
        // @ts-expect-error The path has no such part.
        params.colour,
        // @ts-expect-error The query has no such member.
        query.colour,
        // @ts-expect-error The body has no such member.
        body.colour,
      ],
    }),
  ];
  for (const { params, query, body } of rows) {
    assert.deepEqual(Object.keys(params!.properties), ['symbol']);
    assert.deepEqual(Object.keys(query!.properties), ['symbol']);
    assert.ok('symbol' in body!.properties);
  }
  const call = { params: { symbol: 'A' }, query: { symbol: 'B' }, body: { symbol: 'C' } };
  for (const { handle } of rows) {
    assert.deepEqual(handle(call as never), ['A', 'B', 'C', undefined, undefined, undefined]);
  }
});

test('a row without schemas gives its handler no members', () => {
  const row = route({
    ...head,
    ...ofUsers,
    method: 'GET',
    // @ts-expect-error The row has no query.
    handle: ({ query }) => query.symbol,
  });
  assert.equal(row.query, undefined);
});

test('a handler cannot widen its call by an annotation', () => {
  route({
    ...head,
    ...ofUsers,
    method: 'GET',
    query: member,
    // @ts-expect-error The query has no `colour`.
    handle: ({ query }: Call<unknown, { readonly colour: string }>) => query.colour,
  });
});

test('a handler that checks the body itself gets it unchecked', () => {
  const row = route({
    ...head,
    ...ofUsers,
    method: 'POST',
    body: member,
    checksBody: true,
    // @ts-expect-error Nobody has checked that there is a symbol.
    handle: ({ body }) => body.symbol,
  });
  assert.equal(row.checksBody, true);
});
