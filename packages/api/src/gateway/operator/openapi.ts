/**
 * The OpenAPI document of the operator interface, generated from its rows. It is served by the interface itself, with the
 * same authentication.
 */

import type { JsonSchema } from '../schema.ts';
import { operatorExamples } from './examples.ts';
import { type OperatorRoute, operatorRoute } from './route.ts';

const ERROR = {
  type: 'object',
  required: ['code', 'msg'],
  properties: {
    code: { type: 'string', description: 'The error code.' },
    msg: { type: 'string', description: 'What is wrong, and what would be valid.' },
  },
};

const REFUSALS = {
  400: 'Invalid request; the message says what would be valid.',
  401: 'The token is missing or wrong.',
  403: 'Not from this address, or none of the caller’s roles has the call (`role`).',
  404: 'Nothing has this id, or there is no such call.',
  409: 'In conflict with the current state.',
  503: 'The engine accepts no commands now.',
};

const DESCRIPTION =
  'For the people and programs that run an exchange. Every change has a `reason`, becomes a command in the log with ' +
  'who and why, and is answered when it is on the disk. Amounts are decimals as strings; users are named by id or by ' +
  'name. `x-roles` of a call are the roles that have it, `x-policy` says what a rule can say of it: that ' +
  'it needs approval `above` an amount, `always`, or `never`. The examples, in their order, set up an empty venue.';

export function documentRoute(routes: readonly OperatorRoute[], mount: string): OperatorRoute {
  const own: OperatorRoute = operatorRoute({
    id: 'get-openapi',
    method: 'GET',
    path: '/openapi.json',
    summary: 'This document.',
    handle: () => operatorOpenApi([...routes, own], mount),
  });
  return own;
}

function operatorOpenApi(routes: readonly OperatorRoute[], mount: string): object {
  const paths = new Map<string, object>();
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths.set(path, { ...paths.get(path), [route.method.toLowerCase()]: operation(route) });
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Bourse: the operator interface', version: '1', description: DESCRIPTION },
    servers: [{ url: mount }],
    security: [{ operatorToken: [] }],
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: { operatorToken: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: ERROR },
    },
  };
}

function operation(route: OperatorRoute): object {
  const refused = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  const examples = operatorExamples(route);
  return {
    operationId: route.id,
    summary: route.summary,
    parameters: [...parameters(route.params, 'path'), ...parameters(route.query, 'query')],
    ...(route.body && {
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: route.body,
            examples: Object.fromEntries(examples.map(({ body }, at) => [`${at + 1}`, { value: body }])),
          },
        },
      },
    }),
    responses: {
      200: { description: 'The result, as JSON.', content: { 'application/json': {} } },
      ...(route.id === 'add-operator' && { 201: { description: 'Added; the token is returned only once.' } }),
      ...((route.policy !== 'never' || route.id === 'approve-proposal') && {
        202: { description: 'Proposed, or approved by you; others must approve it.' },
      }),
      ...Object.fromEntries(
        Object.entries(REFUSALS).map(([status, description]) => [status, { description, content: refused }]),
      ),
    },
    'x-roles': route.roles,
    'x-policy': route.policy,
    'x-example': examples.map(({ path }) => path)[0],
  };
}

function parameters(schema: OperatorRoute['query'], place: 'path' | 'query'): object[] {
  const { properties = {}, required = [] } = (schema ?? {}) as JsonSchema;
  return Object.entries(properties).map(([name, each]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: each,
  }));
}
