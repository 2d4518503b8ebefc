/**
 * Mounts the rows of a plain JSON API: the operators', people's, and a sandbox's control. Schemas are closed, so a
 * misspelt member is rejected; errors are `{code, msg}`.
 */

import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { shortened } from '@bourse/engine';
import { jsonError, Refusal, type StatusTable } from './errors/refusal.ts';
import type { RequestLog } from './http/log.ts';
import { parseBody } from './members.ts';
import { findProblem, type JsonSchema, type Place, type Problem, type TObject } from './schema.ts';
import type { Parts, RouteOf, Row } from './route.ts';

/** A response with a status other than the row's. */
export class WithStatus {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    this.status = status;
    this.body = body;
  }
}

/** A response that is not JSON. */
export class RawText {
  readonly type: string;
  readonly text: string;

  constructor(type: string, text: string) {
    this.type = type;
    this.text = text;
  }
}

/** Server-sent events, until the client leaves or the stream ends. */
export class EventStream {
  readonly stream: Readable;

  constructor(stream: Readable) {
    this.stream = stream;
  }
}

export interface JsonInterface<Terms, Context> {
  /** Name in log lines. */
  readonly name: string;
  /** Path of the routes' documentation. */
  readonly listedAt: string;
  readonly routes: readonly RouteOf<Terms, Context>[];
  readonly statuses: StatusTable;
  readonly bodyBytesMax: number;
  readonly log: RequestLog;
  /** May reject a request by its head, before its body is read. */
  readonly enter: (request: FastifyRequest, route: RouteOf<Terms, Context>) => Promise<void> | void;
  /** Admits the request and calls the handler; `read` returns its validated parts, or throws. */
  readonly handle: (
    request: FastifyRequest,
    reply: FastifyReply,
    route: RouteOf<Terms, Context>,
    read: () => AnyParts,
  ) => Promise<unknown>;
  /** A missing body is an error if one of its members is required; otherwise it counts as `{}`. */
  readonly isBodyRequired: boolean;
  /** The error for a value that does not match its schema. */
  readonly refuseValue: (problem: Problem, place: Place) => Refusal<string>;
  /** Called with the code of every error. */
  readonly onRefused?: (request: FastifyRequest, code: string) => void;
}

export type AnyParts = Parts<never, never, never>;

const JSON_TYPE = 'application/json';

/** Register under the API's mount: body parsers and error handlers stay inside. */
export function serveInterface<Terms, Context>(
  app: FastifyInstance,
  served: JsonInterface<Terms, Context>,
): void {
  const { name, listedAt, routes, statuses, bodyBytesMax, log, onRefused } = served;
  const answerError = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { 'content-type': contentType } = request.headers;
    const { status, code, body, headers } = jsonError(error, statuses, bodyBytesMax, contentType);
    if (status === 500) log.fault({ to: name }, error, `${name} request failed`);
    onRefused?.(request, code);
    return reply.code(status).headers(headers).type(JSON_TYPE).send(JSON.stringify(body));
  };
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(JSON_TYPE, { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply));
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    const methods = methodsAt(path.slice(app.prefix.length), routes);
    const instead = methods === '' ? `${listedAt} lists the calls.` : `Use ${methods}.`;
    const msg = `Unknown call ${request.method} ${shortened(path)}. ${instead}`;
    return answerError(new Refusal<string>('route-unknown', msg), request, reply);
  });
  for (const route of routes) mount(app, route, served);
}

function mount<Terms, Context>(
  app: FastifyInstance,
  route: RouteOf<Terms, Context>,
  served: JsonInterface<Terms, Context>,
): void {
  const { enter, handle } = served;
  const { status = 200 } = route;
  app.route({
    method: route.method,
    url: route.path,
    onRequest: async (request) => enter(request, route),
    handler: async (request, reply) => {
      const given = await handle(request, reply, route, () => readParts(request, route, served));
      if (given instanceof WithStatus) {
        return reply.code(given.status).type(JSON_TYPE).send(JSON.stringify(given.body));
      }
      if (given instanceof RawText) return reply.code(status).type(given.type).send(given.text);
      if (given instanceof EventStream) return reply.type('text/event-stream').send(given.stream);
      reply.code(status);
      return given === undefined ? reply.send() : reply.type(JSON_TYPE).send(JSON.stringify(given));
    },
  });
}

/** The methods of the rows with this path; empty where there is none. */
function methodsAt(path: string, routes: readonly Row[]): string {
  const parts = path.split('/');
  const isMeant = ({ path: pattern }: Row): boolean => {
    const wanted = pattern.split('/');
    return (
      wanted.length === parts.length && wanted.every((each, at) => each[0] === ':' || each === parts[at])
    );
  };
  return routes
    .filter(isMeant)
    .map(({ method }) => method)
    .join(' or ');
}

type PartRules = Pick<JsonInterface<never, never>, 'isBodyRequired' | 'refuseValue'>;

function readParts(request: FastifyRequest, row: Row, rules: PartRules): AnyParts {
  const { params, query } = request;
  const body = row.body && readBody(request.body, row.body, rules);
  checkNames(body, row.body, 'body');
  checkNames(query, row.query, 'query');
  check(row.params, params, 'path', rules);
  check(row.query, query, 'query', rules);
  check(row.body, body, 'body', rules);
  return { params, query, body } as AnyParts;
}

/** A body without required members may be omitted. */
function readBody(bytes: unknown, schema: TObject, { isBodyRequired }: PartRules): unknown {
  if (Buffer.isBuffer(bytes) && bytes.length > 0) return parseBody(bytes);
  const required: readonly string[] = schema.required ?? [];
  if (!isBodyRequired || required.length === 0) return {};
  throw new Refusal<string>('body-missing', `Send a JSON object with content type ${JSON_TYPE}.`);
}

/** Otherwise a misspelt optional member would silently have no effect. */
function checkNames(sent: unknown, schema: TObject | undefined, place: Place): void {
  if (typeof sent !== 'object' || sent === null || schema === undefined) return;
  const known = Object.keys(schema.properties);
  const strange = Object.keys(sent).find((name) => !known.includes(name));
  if (strange === undefined) return;
  const expected = known.length === 0 ? 'No fields are expected.' : `Expected: ${known.join(', ')}.`;
  throw new Refusal<string>(
    'field-unknown',
    `Unknown field '${shortened(strange)}' in the ${place}. ${expected}`,
  );
}

function check(schema: TObject | undefined, value: unknown, place: Place, { refuseValue }: PartRules): void {
  const problem = schema && findProblem(schema as JsonSchema, value ?? {});
  if (problem) throw refuseValue(problem, place);
}
