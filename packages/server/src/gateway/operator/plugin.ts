/** Mounts the operator's routes: who may, the body, the check against the row's schemas, the answer. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Unavailable } from '../../engine/exchange-port.ts';
import { Refusal } from '../errors/refusal.ts';
import { parseBody } from '../http/json-body.ts';
import type { GatewayLog } from '../http/log.ts';
import { SchemaCheck } from '../http/schema-check.ts';
import { OperatorAuthentication, type OperatorAccess } from './access.ts';
import { LEDGER_ROUTES } from './ledger-routes.ts';
import { MONEY_ROUTES } from './money-routes.ts';
import { documentRoute } from './openapi.ts';
import { REFERENCE_ROUTES } from './reference-routes.ts';
import { OperatorError, type OperatorRoute, type OperatorServices, refuse } from './route.ts';
import { USER_ROUTES } from './user-routes.ts';

export const OPERATOR_MOUNT = '/operator';

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
  readonly log: GatewayLog;
}

/** To be registered under OPERATOR_MOUNT: body parsers and error handlers stay inside. */
export function operatorPlugin({ services, access, log }: OperatorOptions) {
  const authentication = new OperatorAuthentication(access);
  const answerError = (error: unknown, reply: FastifyReply): FastifyReply => {
    const { status, code, message } = describe(error);
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
    app.setErrorHandler((error, _request, reply) => answerError(error, reply));
    app.setNotFoundHandler((request, reply) => {
      const msg = `There is no ${request.method} ${request.url.split('?')[0]} here.`;
      return answerError(new OperatorError(404, 'route-unknown', msg), reply);
    });
    for (const route of OPERATOR_ROUTES) mount(app, route, services, authentication);
  };
}

function mount(
  app: FastifyInstance,
  route: OperatorRoute,
  services: OperatorServices,
  authentication: OperatorAuthentication,
): void {
  const isChange = route.method !== 'GET';
  const params = route.params && new SchemaCheck(route.params, 'path');
  const query = route.query && new SchemaCheck(route.query, 'query');
  const body = route.body && new SchemaCheck(route.body, 'body');
  const names = (schema: OperatorRoute['body']) => Object.keys(schema?.properties ?? {});
  const operators = new WeakMap<FastifyRequest, string>();

  app.route({
    method: route.method,
    url: route.path,
    // Before the body is read: who may not come in sends nothing.
    onRequest: async (request) => {
      const { headers, socket } = request.raw;
      operators.set(request, authentication.admit(headers, socket.remoteAddress ?? '', isChange));
    },
    handler: async (request, reply) => {
      const sent = body ? readBody(request.body) : undefined;
      checkNames(sent, names(route.body), 'body');
      checkNames(request.query, names(route.query), 'query');
      params?.check(request.params);
      query?.check(request.query);
      body?.check(sent);
      const by = operators.get(request) ?? '';
      const why = String(
        (sent as { reason?: string })?.reason ?? (request.query as { reason?: string }).reason ?? '',
      );
      const answer = await route.handle({
        services,
        params: request.params as never,
        query: request.query as never,
        body: sent as never,
        async act(command) {
          const { outcome } = await services.port.submit({ ...command, by, why });
          if (outcome.kind === 'rejected') throw refuse(outcome.rejection, command, services);
          return outcome;
        },
      });
      return reply.type('application/json').send(JSON.stringify(answer));
    },
  });
}

function readBody(bytes: unknown): unknown {
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) {
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
