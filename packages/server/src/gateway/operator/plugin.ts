/** Mounts the operator's routes: who may, the body, the check against the row's schemas, the answer. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Unavailable } from '../../engine/exchange-port.ts';
import { peerAddress } from '../access/ip-addresses.ts';
import type { Admission, Terms } from '../admission/admission.ts';
import { ERRORS } from '../errors/errors.ts';
import { fromFramework } from '../errors/to-refusal.ts';
import { parseBody } from '../http/json-body.ts';
import type { GatewayLog } from '../http/log.ts';
import { SchemaCheck } from '../http/schema-check.ts';
import { type Operator, type OperatorAccess, OperatorAuthentication } from './access.ts';
import { LEDGER_ROUTES } from './ledger-routes.ts';
import { MONEY_ROUTES } from './money-routes.ts';
import { documentRoute } from './openapi.ts';
import { REFERENCE_ROUTES } from './reference-routes.ts';
import { OperatorError, type OperatorRoute, type OperatorServices, refuse } from './route.ts';
import { USER_ROUTES } from './user-routes.ts';

export const OPERATOR_MOUNT = '/operator';

const TERMS: Terms = { access: 'operator', pool: 'operator', weight: 1 };

const ROUTES: readonly OperatorRoute[] = [
  ...REFERENCE_ROUTES,
  ...USER_ROUTES,
  ...MONEY_ROUTES,
  ...LEDGER_ROUTES,
];

export const OPERATOR_ROUTES: readonly OperatorRoute[] = [...ROUTES, documentRoute(ROUTES, OPERATOR_MOUNT)];

export interface OperatorOptions {
  readonly services: OperatorServices;
  readonly access: OperatorAccess;
  readonly admission: Admission;
  readonly bodyBytesMax: number;
  readonly log: GatewayLog;
}

/** To be registered under OPERATOR_MOUNT: body parsers and error handlers stay inside. */
export function operatorPlugin({ services, access, admission, bodyBytesMax, log }: OperatorOptions) {
  const authentication = new OperatorAuthentication(access);
  const answerError = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { status, code, message } = describe(error, bodyBytesMax, request.headers['content-type']);
    if (status === 500) log.error({ err: error }, 'operator request failed');
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
    app.setErrorHandler((error, request, reply) => answerError(error, request, reply));
    app.setNotFoundHandler((request, reply) => {
      const msg = `There is no ${request.method} ${request.url.split('?')[0]} here.`;
      return answerError(new OperatorError(404, 'route-unknown', msg), request, reply);
    });
    for (const route of OPERATOR_ROUTES) mount(app, route, { services, authentication, admission });
  };
}

interface Parts {
  readonly services: OperatorServices;
  readonly authentication: OperatorAuthentication;
  readonly admission: Admission;
}

function mount(
  app: FastifyInstance,
  route: OperatorRoute,
  { services, authentication, admission }: Parts,
): void {
  const isChange = route.method !== 'GET';
  const schemas = {
    params: route.params && new SchemaCheck(route.params, 'path'),
    query: route.query && new SchemaCheck(route.query, 'query'),
    body: route.body && new SchemaCheck(route.body, 'body'),
  };

  app.route({
    method: route.method,
    url: route.path,
    // Before the body is read, so that nobody without the token can make the server read one.
    onRequest: async ({ raw: { headers, socket } }) => {
      authentication.identify(headers, peerAddress(socket), isChange);
    },
    handler: async (request, reply) => {
      const { headers, socket } = request.raw;
      const ip = peerAddress(socket);
      const { who, said } = admission.admit<Operator, unknown>(TERMS, {
        ip,
        identify: () => authentication.identify(headers, ip, isChange),
        read: () => readParts(request, route, schemas),
      });
      const { reason = '' } = { ...(request.query as Reasoned), ...(said as Reasoned | undefined) };
      const answer = await route.handle({
        services,
        params: request.params as never,
        query: request.query as never,
        body: said as never,
        async act(command) {
          const { outcome } = await services.port.submit({ ...command, by: who.name, why: reason });
          if (outcome.kind === 'rejected') throw refuse(outcome.rejection, command, services);
          return outcome;
        },
      });
      return reply.type('application/json').send(JSON.stringify(answer));
    },
  });
}

interface Reasoned {
  readonly reason?: string;
}

type Schemas = Readonly<Record<'params' | 'query' | 'body', SchemaCheck | undefined>>;

/** The body, where the route has one; everything checked. */
function readParts(request: FastifyRequest, route: OperatorRoute, { params, query, body }: Schemas): unknown {
  const sent = body && readBody(request.body);
  checkNames(sent, namesOf(route.body), 'body');
  checkNames(request.query, namesOf(route.query), 'query');
  params?.check(request.params);
  query?.check(request.query);
  body?.check(sent);
  return sent;
}

const namesOf = (schema: OperatorRoute['body']): string[] => Object.keys(schema?.properties ?? {});

function readBody(bytes: unknown): unknown {
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) {
    throw new OperatorError(400, 'body-missing', 'Send a JSON object with content type application/json.');
  }
  return parseBody(bytes);
}

/** A misspelt optional member would be silently without effect. */
function checkNames(sent: unknown, known: readonly string[], place: string): void {
  if (typeof sent !== 'object' || sent === null) return;
  const strange = Object.keys(sent).find((name) => !known.includes(name));
  if (strange === undefined) return;
  const msg = `${strange}: no such field of the ${place}. Known: ${known.join(', ') || 'none'}.`;
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
