/**
 * Interfaces for holders of the operator's token: rows of routes with closed schemas, mounted together. Errors are
 * `{code, msg}`; a member that a row does not know is refused.
 */

import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { Role } from '@bourse/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { shortened, Unavailable } from '@bourse/engine';
import { peerAddress } from '../access/ip-addresses.ts';
import type { Admission, Terms } from '../admission/admission.ts';
import { ERRORS } from '../errors/errors.ts';
import { lacksRole, ROOT_CLOSED } from '../errors/explain.ts';
import { fromFramework } from '../errors/to-refusal.ts';
import { parseBody } from '../http/reading/json-body.ts';
import type { RequestLog } from '../http/log.ts';
import { NO_TOKEN, pathOf } from '../http/outside-routes.ts';
import { SchemaCheck } from '../http/reading/schema-check.ts';
import type { TObject } from '../schema.ts';
import { type Operator, type OperatorAccess, OperatorAuthentication } from './access.ts';
import { OperatorError } from './operator-error.ts';
import { mayCall } from './roles.ts';
import type { OperatorTraffic } from './traffic.ts';

export interface BearerCall {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly operator: Operator;
  /** Aborted when nobody waits for the answer any more. */
  readonly gone: AbortSignal;
}

export interface BearerRoute {
  /** Kebab-case, unique. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the mount. */
  readonly path: string;
  readonly summary: string;
  /** Left out where whoever has a shared token may call it. */
  readonly roles?: readonly Role[];
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TObject;
  /** What is answered, as JSON; an EventStream is sent as it comes. */
  handle(call: BearerCall): unknown;
}

/** An answer with another status than 200. */
export class WithStatus {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    this.status = status;
    this.body = body;
  }
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
  /** Where all routes are described. */
  readonly listedAt: string;
  readonly routes: readonly BearerRoute[];
  readonly access: OperatorAccess;
  readonly admission: Admission;
  readonly bodyBytesMax: number;
  readonly log: RequestLog;
  readonly traffic: OperatorTraffic;
  /** Called before a call is refused for lack of a role. */
  readonly lacksRole?: (operator: Operator, route: BearerRoute) => Promise<void>;
}

const TERMS: Terms = { access: 'operator', pool: 'operator', weight: 1 };

/** To be registered under a mount: body parsers and error handlers stay inside. */
export function bearerPlugin(options: BearerOptions) {
  const { name, listedAt, routes, access, admission, bodyBytesMax, log, traffic } = options;
  const { lacksRole: noteRefusal } = options;
  const authentication = new OperatorAuthentication(access);
  /** What the line of a request says besides what the framework knows of it. */
  const known = new WeakMap<FastifyRequest, { operator?: string; code?: string }>();
  const answerError = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { status, code, message } = describe(error, bodyBytesMax, request.headers['content-type']);
    if (status === 500) log.fault({ to: name }, error, 'operator request failed');
    known.set(request, { ...known.get(request), code });
    return reply
      .code(status)
      .type('application/json')
      .send(JSON.stringify({ code, msg: message }));
  };
  return async (app: FastifyInstance): Promise<void> => {
    app.addHook('onResponse', async (request, reply) => {
      const { method, raw } = request;
      traffic.answered({
        to: name,
        operator: known.get(request)?.operator,
        method,
        path: shortened(pathOf(raw.url ?? '')),
        status: reply.statusCode,
        code: known.get(request)?.code,
        ip: peerAddress(raw.socket),
        ms: reply.elapsedTime,
      });
    });
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    app.setErrorHandler((error, request, reply) => answerError(error, request, reply));
    app.setNotFoundHandler((request, reply) => {
      const path = request.url.split('?')[0];
      const methods = methodsAt(path.slice(app.prefix.length), routes);
      const instead = methods === '' ? `${listedAt} has what there is` : `there is ${methods}`;
      const msg = `There is no ${request.method} ${shortened(path)}; ${instead}.`;
      return answerError(new OperatorError(404, 'route-unknown', msg), request, reply);
    });
    for (const route of routes) {
      const find = ({ raw }: FastifyRequest): Promise<Operator> =>
        identify(authentication, admission, traffic, raw, route.method !== 'GET');
      mount(app, route, admission, find, async (request) => {
        const operator = await find(request);
        known.set(request, { operator: operator.name });
        if (mayCall(operator, route)) return;
        admission.charge(TERMS, operator.user, peerAddress(request.raw.socket), operator.token);
        await noteRefusal?.(operator, route);
        throw refusedFor(operator, route);
      });
    }
  };
}

/**
 * As `OperatorAuthentication.identify`, but a wrong token is refused late, so that guessing is slow, and whoever has
 * none counts by the address.
 */
export async function identify(
  authentication: OperatorAuthentication,
  admission: Admission,
  traffic: OperatorTraffic,
  { headers, socket }: IncomingMessage,
  isChange: boolean,
): Promise<Operator> {
  const ip = peerAddress(socket);
  try {
    return await authentication.identifyAny(headers, ip, isChange);
  } catch (error) {
    admission.charge(NO_TOKEN, -1, ip);
    const isWrong = error instanceof OperatorError && error.code === 'token-wrong';
    if (isWrong && !(await traffic.wrongToken(ip))) socket.destroy();
    throw error;
  }
}

function refusedFor({ kind }: Operator, { roles = [] }: BearerRoute): OperatorError {
  return new OperatorError(403, 'role', kind === 'closed-root' ? ROOT_CLOSED : lacksRole(roles));
}

/** Of the routes with this path; empty where there is none. */
function methodsAt(path: string, routes: readonly BearerRoute[]): string {
  const parts = path.split('/');
  const isMeant = ({ path: pattern }: BearerRoute): boolean => {
    const wanted = pattern.split('/');
    return (
      wanted.length === parts.length && wanted.every((each, at) => each[0] === ':' || each === parts[at])
    );
  };
  return routes
    .filter(isMeant)
    .map(({ method }) => method)
    .join(', ');
}

function mount(
  app: FastifyInstance,
  route: BearerRoute,
  admission: Admission,
  find: (request: FastifyRequest) => Promise<Operator>,
  onRequest: (request: FastifyRequest) => Promise<void>,
): void {
  const schemas = {
    params: route.params && new SchemaCheck(route.params, 'path'),
    query: route.query && new SchemaCheck(route.query, 'query'),
    body: route.body && new SchemaCheck(route.body, 'body'),
  };

  app.route({
    method: route.method,
    url: route.path,
    // Checked before the body is read, so that nothing is read of a caller who may not come in.
    onRequest,
    handler: async (request, reply) => {
      const ip = peerAddress(request.raw.socket);
      // Once more: the body may have taken its time.
      const operator = await find(request);
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      const { who, said } = admission.admit<Operator, unknown>(TERMS, {
        ip,
        identify() {
          if (mayCall(operator, route)) return operator;
          throw refusedFor(operator, route);
        },
        read: () => readParts(request, route, schemas),
      });
      const { params, query } = request;
      const answer = await route.handle({
        params,
        query,
        body: said,
        operator: who,
        gone: gone.signal,
      });
      if (answer instanceof WithStatus) {
        return reply.code(answer.status).type('application/json').send(JSON.stringify(answer.body));
      }
      if (answer instanceof EventStream) return reply.type('text/event-stream').send(answer.stream);
      return reply.type('application/json').send(JSON.stringify(answer));
    },
  });
}

type Schemas = Readonly<Record<'params' | 'query' | 'body', SchemaCheck | undefined>>;

/** The body, where the route has one; everything checked. */
function readParts(request: FastifyRequest, route: BearerRoute, { params, query, body }: Schemas): unknown {
  const sent = body && readBody(request.body, (route.body?.required ?? []).length > 0);
  checkNames(sent, namesOf(route.body), 'body');
  checkNames(request.query, namesOf(route.query), 'query');
  params?.check(request.params);
  query?.check(request.query);
  body?.check(sent);
  return sent;
}

const namesOf = (schema: BearerRoute['body']): string[] => Object.keys(schema?.properties ?? {});

/** A body without required members may be left out. */
function readBody(bytes: unknown, isNeeded: boolean): unknown {
  if (Buffer.isBuffer(bytes) && bytes.length > 0) return parseBody(bytes);
  if (!isNeeded) return {};
  throw new OperatorError(400, 'body-missing', 'Send a JSON object with content type application/json.');
}

/** A misspelt optional member would be silently without effect. */
function checkNames(sent: unknown, known: readonly string[], place: string): void {
  if (typeof sent !== 'object' || sent === null) return;
  const strange = Object.keys(sent).find((name) => !known.includes(name));
  if (strange === undefined) return;
  const msg = `${shortened(strange)}: no such field of the ${place}. Known: ${known.join(', ') || 'none'}.`;
  throw new OperatorError(400, 'field-unknown', msg);
}

/** The same refusals as elsewhere, in this interface's own words for their kinds. */
function describe(
  error: unknown,
  bodyBytesMax: number,
  contentType: string | undefined,
): { status: number; code: string; message: string } {
  if (error instanceof OperatorError) return error;
  const refusal = fromFramework(error, bodyBytesMax, contentType);
  const { status, text } = ERRORS[refusal.error];
  const code = error instanceof Unavailable ? error.reason : refusal.error;
  return { status, code, message: refusal.detail || text };
}
