/**
 * Interfaces for who has the operator's token: rows of routes, each with closed schemas, mounted with their own small
 * manners. Errors are `{code, msg}`; a member that a row does not know is refused.
 */

import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Unavailable } from '../../engine/exchange-port.ts';
import { parseBody } from '../http/json-body.ts';
import type { GatewayLog } from '../http/log.ts';
import { SchemaCheck } from '../http/schema-check.ts';
import { Refusal } from '../errors/refusal.ts';
import type { TObject } from '../schema.ts';
import { type OperatorAccess, OperatorAuthentication } from './access.ts';
import { OperatorError } from './operator-error.ts';

export interface BearerCall {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  /** Who it says it is. */
  readonly by: string;
}

export interface BearerRoute {
  /** Kebab-case, unique. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the mount. */
  readonly path: string;
  readonly summary: string;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TObject;
  /** What is answered, as JSON; an EventStream is sent as it comes. */
  handle(call: BearerCall): unknown;
}

/** Server-sent events, until the client leaves or the stream ends. */
export class EventStream {
  readonly stream: Readable;

  constructor(stream: Readable) {
    this.stream = stream;
  }
}

export interface BearerOptions {
  /** As the log calls it. */
  readonly name: string;
  readonly routes: readonly BearerRoute[];
  readonly access: OperatorAccess;
  readonly log: GatewayLog;
}

/** To be registered under a mount: body parsers and error handlers stay inside. */
export function bearerPlugin({ name, routes, access, log }: BearerOptions) {
  const authentication = new OperatorAuthentication(access);
  const answerError = (error: unknown, reply: FastifyReply): FastifyReply => {
    const { status, code, message } = describe(error);
    if (status === 500) log.error({ err: error }, `${name} request failed`);
    return reply
      .code(status)
      .type('application/json')
      .send(JSON.stringify({ code, msg: message }));
  };
  return async (app: FastifyInstance): Promise<void> => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    app.setErrorHandler((error, _request, reply) => answerError(error, reply));
    app.setNotFoundHandler((request, reply) => {
      const msg = `There is no ${request.method} ${request.url.split('?')[0]} here.`;
      return answerError(new OperatorError(404, 'route-unknown', msg), reply);
    });
    for (const route of routes) mount(app, route, authentication);
  };
}

function mount(app: FastifyInstance, route: BearerRoute, authentication: OperatorAuthentication): void {
  const isChange = route.method !== 'GET';
  const params = route.params && new SchemaCheck(route.params, 'path');
  const query = route.query && new SchemaCheck(route.query, 'query');
  const body = route.body && new SchemaCheck(route.body, 'body');
  const names = (schema: BearerRoute['body']) => Object.keys(schema?.properties ?? {});
  const isBodyNeeded = (route.body?.required ?? []).length > 0;
  const callers = new WeakMap<FastifyRequest, string>();

  app.route({
    method: route.method,
    url: route.path,
    // Before the body is read: who may not come in sends nothing.
    onRequest: async (request) => {
      const { headers, socket } = request.raw;
      callers.set(request, authentication.admit(headers, socket.remoteAddress ?? '', isChange));
    },
    handler: async (request, reply) => {
      const sent = body ? readBody(request.body, isBodyNeeded) : undefined;
      checkNames(sent, names(route.body), 'body');
      checkNames(request.query, names(route.query), 'query');
      params?.check(request.params);
      query?.check(request.query);
      body?.check(sent);
      const by = callers.get(request) ?? '';
      const answer = await route.handle({ params: request.params, query: request.query, body: sent, by });
      if (answer instanceof EventStream) return reply.type('text/event-stream').send(answer.stream);
      return reply.type('application/json').send(JSON.stringify(answer));
    },
  });
}

function readBody(bytes: unknown, isNeeded: boolean): unknown {
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) {
    if (!isNeeded) return {};
    throw new OperatorError(400, 'body-missing', 'Send a JSON object with content type application/json.');
  }
  try {
    return parseBody(bytes);
  } catch (error) {
    if (error instanceof Refusal) throw new OperatorError(400, 'body-invalid', error.detail);
    throw error;
  }
}

/** A misspelt optional member would be silently without effect. */
function checkNames(sent: unknown, known: readonly string[], place: string): void {
  if (typeof sent !== 'object' || sent === null) return;
  const strange = Object.keys(sent).find((name) => !known.includes(name));
  if (strange === undefined) return;
  const msg = `${strange}: no such field of the ${place}. Known: ${known.join(', ') || 'none'}.`;
  throw new OperatorError(400, 'field-unknown', msg);
}

/** Errors of fastify itself carry a status: body too large, wrong content type. */
function describe(error: unknown): { status: number; code: string; message: string } {
  if (error instanceof OperatorError) return error;
  if (error instanceof Refusal)
    return { status: 400, code: error.error, message: error.detail || error.message };
  if (error instanceof Unavailable) return { status: 503, code: error.reason, message: error.message };
  const { statusCode, message } = error as { statusCode?: number; message?: string };
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return { status: statusCode, code: 'request-invalid', message: message ?? 'The request is not valid.' };
  }
  return {
    status: 500,
    code: 'internal',
    message: 'Something broke inside; the log of the service says what.',
  };
}
