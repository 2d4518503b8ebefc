/** OpenAPI 3.1, generated from the rows of the routes, so the document matches what is served. */

import type { JsonSchema, TSchema } from '../schema.ts';
import answers from './answers.json' with { type: 'json' };
import type { Dialect, Route, Row, Shape } from '../route.ts';
import { type ErrorRow, ERRORS } from '../errors/errors.ts';
import { bodyExamples, exampleOf } from './examples.ts';
import type { Quotas } from '../access/throttle.ts';
import { placeOf, TASKS, titleOf } from './tasks.ts';

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

const VERSION = '3.1.0';

/** Permissions as the interface document names them. */
export const ACCESS_NAMES = {
  public: 'none',
  general: 'General',
  spot: 'Spot Trading',
  'flex-transfers': 'FlexTransfers',
  withdrawal: 'Withdrawal',
} as const;

/** A row of another interface on the same server, with its mount in the path. */
export interface DocumentedRoute extends Row {
  readonly tag: string;
}

export interface OpenApiOptions {
  readonly routes: readonly Route[];
  readonly documented?: readonly DocumentedRoute[];
  readonly dialects: readonly Dialect[];
  readonly quotas: Quotas;
  readonly skewMsMax: number;
}

export function openApi({ routes, documented = [], dialects, quotas, skewMsMax }: OpenApiOptions): object {
  const paths: Record<string, object> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, dialects) };
  }
  for (const row of documented) {
    const path = row.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [row.method.toLowerCase()]: bearerOperation(row) };
  }
  const others = new Set(documented.map(({ tag }) => tag));
  const tags = [
    ...TASKS.map(({ name, about }) => ({ name, description: about })),
    ...[...others].map((name) => ({ name, description: 'Requires the operator token.' })),
  ];
  return {
    openapi: VERSION,
    info: {
      title: 'Bourse',
      version: '1',
      description: introduction(dialects, quotas, skewMsMax),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: dialects.map(({ mount, name, prefix }) => ({
      url: mount || '/',
      description: `The ${name} dialect, headers ${prefix}-API-*`,
    })),
    tags,
    paths,
    components: {
      securitySchemes: {
        ...Object.fromEntries(dialects.flatMap(securitySchemes)),
        ...(documented.length > 0 && { operatorToken: { type: 'http', scheme: 'bearer' } }),
      },
      headers: RATE_HEADERS,
      schemas: { Error: ERROR_SCHEMA, ErrorB: ERROR_B_SCHEMA },
    },
    'x-errors': Object.entries(ERRORS).map(([name, row]) => ({ name, ...row })),
  };
}

function operation(route: Route, dialects: readonly Dialect[]): object {
  const { access, pool, weight, shape } = route;
  const { task, title } = placeOf(route.id);
  const spoken = dialects.filter(({ name }) => route.dialects?.includes(name) ?? true);
  const isPublic = access === 'public';
  return {
    operationId: route.id,
    summary: title,
    tags: [task],
    description:
      `${route.summary}\n\nPermission: ${ACCESS_NAMES[access]}. Weight: ${weight} from the ${pool} pool. ` +
      `Dialects: ${spoken.map(({ name }) => name).join(', ')}.`,
    parameters: [
      ...parameters(route.params, 'path'),
      ...parameters(route.query, 'query'),
      ...missingParams(route),
    ],
    ...(route.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: route.body, examples: bodyExamples(route) } },
      },
    }),
    responses: responses(route, shape),
    security: isPublic ? [] : spoken.map(requirement),
    'x-weight': weight,
    'x-pool': pool,
    'x-permission': ACCESS_NAMES[access],
    'x-shape': shape,
    'x-example': exampleOf(route),
  };
}

/** Needs the operator's token. Errors are `{code, msg}`; an unknown field is an error. */
function bearerOperation({ id, summary, tag, params, query, body }: DocumentedRoute): object {
  const refused = (description: string) => ({
    description,
    content: { 'application/json': { schema: BEARER_ERROR_SCHEMA } },
  });
  return {
    operationId: id,
    summary: titleOf(id),
    tags: [tag],
    description: summary,
    parameters: [...parameters(params, 'path'), ...parameters(query, 'query')],
    ...(body && { requestBody: { content: { 'application/json': { schema: body } } } }),
    responses: {
      200: { description: 'Done and durable.', content: { 'application/json': { schema: {} } } },
      400: refused('Rejected; `msg` says what would be valid.'),
      401: refused('The token is missing or wrong.'),
      403: refused('Only from this machine, unless configured.'),
      404: refused('Unknown id.'),
      409: refused('In conflict with the current state.'),
    },
    security: [{ operatorToken: [] }],
  };
}

const BEARER_ERROR_SCHEMA = {
  type: 'object',
  required: ['code', 'msg'],
  properties: { code: { type: 'string' }, msg: { type: 'string' } },
};

function parameters(schema: TSchema | undefined, place: 'path' | 'query'): object[] {
  const { properties = {}, required = [] } = (schema ?? {}) as ObjectSchema;
  return Object.entries(properties).map(([name, each]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(each.description && { description: each.description }),
    schema: each,
  }));
}

/** Path parameters without a schema in the row. */
function missingParams({ path, params }: Route): object[] {
  const { properties = {} } = (params ?? {}) as ObjectSchema;
  return Array.from(path.matchAll(/:(\w+)/g), ([, name]) => name)
    .filter((name) => !Object.hasOwn(properties, name))
    .map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
}

/** Recorded from a sandbox, for the endpoints of the document. */
const ANSWERS: ReadonlyMap<string, { readonly answer: string; readonly note: string }> = new Map(
  Object.entries(answers),
);

function responses({ id, answer, access }: Route, shape: Shape): object {
  const headers = Object.fromEntries(
    Object.keys(RATE_HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
  const error = { $ref: `#/components/schemas/${shape === 'B' ? 'ErrorB' : 'Error'}` };
  const refused = (description: string) => ({
    description,
    headers,
    content: { 'application/json': { schema: error } },
  });
  return {
    200: {
      description: 'Success.',
      headers,
      content: { 'application/json': { schema: envelope(answer, shape), ...exampleAnswer(id) } },
    },
    400: refused('Rejected; see `code`, and `msg` for what would be valid.'),
    ...(access !== 'public' && {
      401: refused('Key, passphrase, signature or key version is wrong.'),
      403: refused('The key’s address list or permissions do not allow it.'),
    }),
    404: refused('Unknown id.'),
    429: refused('The pool of weights is empty.'),
    503: refused('The service is overloaded or stopping.'),
  };
}

function exampleAnswer(id: string): object {
  const recorded = ANSWERS.get(id);
  if (recorded === undefined) return {};
  const { answer, note } = recorded;
  const value: unknown = JSON.parse(answer);
  return { examples: { sandbox: { summary: `From a sandbox. ${note}`.trim(), value } } };
}

function envelope(answer: TSchema, shape: Shape): object {
  if (shape === 'bare') return answer;
  const code = { type: 'string', const: shape === 'A' ? '200000' : '200' };
  if (shape === 'A')
    return { type: 'object', required: ['code', 'data'], properties: { code, data: answer } };
  const properties = {
    success: { type: 'boolean', const: true },
    code,
    msg: { type: 'string', const: 'success' },
    retry: { type: 'boolean', const: false },
    data: answer,
  };
  return { type: 'object', required: Object.keys(properties), properties };
}

const SIGNING_HEADERS: readonly [name: string, description: string][] = [
  ['KEY', 'The API key.'],
  ['SIGN', 'base64(HMAC-SHA256(secret, timestamp + METHOD + path?query + body)).'],
  ['TIMESTAMP', 'Milliseconds since 1970, the same as in the signed text.'],
  ['PASSPHRASE', 'base64(HMAC-SHA256(secret, passphrase)).'],
  ['KEY-VERSION', '2 or 3.'],
];

const securitySchemes = ({ prefix }: Dialect): [string, object][] =>
  SIGNING_HEADERS.map(([name, description]) => [
    `${prefix}-API-${name}`,
    { type: 'apiKey', in: 'header', name: `${prefix}-API-${name}`, description },
  ]);

const requirement = ({ prefix }: Dialect): object =>
  Object.fromEntries(SIGNING_HEADERS.map(([name]) => [`${prefix}-API-${name}`, []]));

const RATE_HEADERS = {
  'gw-ratelimit-limit': { description: 'Weight of the pool per window.', schema: { type: 'integer' } },
  'gw-ratelimit-remaining': { description: 'Weight left in this window.', schema: { type: 'integer' } },
  'gw-ratelimit-reset': {
    description: 'Milliseconds until the pool is full again.',
    schema: { type: 'integer' },
  },
};

const CODES = [...new Set(Object.values(ERRORS).map(({ code }: ErrorRow) => code))].toSorted();

const ERROR_SCHEMA = {
  type: 'object',
  required: ['code', 'msg'],
  properties: {
    code: { type: 'string', enum: CODES },
    msg: {
      type: 'string',
      description: 'The text of the table, and in the literal dialect what would be valid.',
    },
    detail: { type: 'string', description: 'Family dialect only: what would be valid.' },
  },
};

const ERROR_B_SCHEMA = {
  type: 'object',
  required: ['success', 'code', 'msg', 'retry', 'data'],
  properties: {
    success: { type: 'boolean', const: false },
    code: { type: 'string', enum: CODES },
    msg: { type: 'string' },
    retry: { type: 'boolean', description: 'Whether the same request may succeed later.' },
    data: { type: 'null' },
  },
};

function introduction(dialects: readonly Dialect[], quotas: Quotas, skewMsMax: number): string {
  const mounts = dialects.map(({ mount, prefix }) => `${mount || '/'} takes ${prefix}-API-* headers`);
  return [
    'A spot exchange: place orders, follow markets, move money. Requests and responses are JSON over HTTP. Market data ' +
      'needs no key; requests about an account are signed with an API key.',
    `The same calls are at two addresses: ${mounts.join(', ')}. Use /compat for ccxt and other clients of this family ` +
      'of exchanges, and / for the interface exactly as documented. Both have the same keys, orders and balances. ' +
      'Sign the path without /compat.',
    'At / each endpoint has its own form of response (A: code and data; B: success, code, msg, retry, data; or the ' +
      'data alone). At /compat all have form A; an order that is rejected is HTTP 200 there, with the reason in detail.',
    `The timestamp of a signed request may differ from the server's clock by ${skewMsMax} ms. A signed POST or DELETE ` +
      'takes effect at most once.',
    `Rate limits, as weights per ${quotas.windowMs / 1000} s: spot ${quotas.spot} and manage ${quotas.manage} for each ` +
      `user, public ${quotas.public} for each address; ${quotas.questionnairesPerSecondMax} questionnaires a second.`,
  ].join('\n\n');
}
