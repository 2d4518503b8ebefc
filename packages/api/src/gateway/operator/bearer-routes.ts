/** Interfaces that require an operator token: the operator API, a sandbox's control, and on a venue `/metrics`. */

import type { IncomingMessage } from 'node:http';
import type { Role } from '@bourse/core';
import { shortened } from '@bourse/engine';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { peerAddress } from '../access/ip-addresses.ts';
import type { Admission, Terms } from '../admission.ts';
import { lacksRole, ROOT_CLOSED } from '../errors/explain.ts';
import { isInDialects, jsonError, Refusal, type StatusTable } from '../errors/refusal.ts';
import type { RequestLog } from '../http/log.ts';
import type { Metrics } from '../http/metrics.ts';
import { METRICS, NO_TOKEN } from '../http/outside-routes.ts';
import { pathOf } from '../http/routing.ts';
import { type AnyParts, serveInterface } from '../json-interface.ts';
import type { RouteOf } from '../route.ts';
import { describeProblem } from '../schema.ts';
import { type Operator, type OperatorAccess, OperatorAuthentication } from './access.ts';
import { OPERATOR_STATUSES, type OperatorErrorName, operatorRefusal } from './operator-errors.ts';
import { mayCall } from './route.ts';
import type { OperatorTraffic } from './traffic.ts';

export interface BearerTerms {
  /** Absent if any holder of a shared token may call it. */
  readonly roles?: readonly Role[];
}

/** An admitted request of an operator. */
export interface AdmittedOperator {
  readonly operator: Operator;
  /** The User-Agent header. */
  readonly agent: string;
  /** Aborted when the client has closed the connection. */
  readonly gone: AbortSignal;
}

export interface BearerOptions<Given extends BearerTerms, Context> {
  /** In log lines. */
  readonly name: string;
  /** The path of the routes' documentation. */
  readonly listedAt: string;
  readonly routes: readonly RouteOf<Given, Context>[];
  readonly statuses: StatusTable;
  /** Calls the handler of an admitted request. */
  readonly invoke: (route: RouteOf<Given, Context>, parts: AnyParts, admitted: AdmittedOperator) => unknown;
  readonly access: OperatorAccess;
  readonly admission: Admission;
  readonly bodyBytesMax: number;
  readonly log: RequestLog;
  readonly traffic: OperatorTraffic;
  /** Called before a call is refused for lack of a role. */
  readonly lacksRole?: (operator: Operator, route: RouteOf<Given, Context>) => Promise<void>;
}

const TERMS: Terms = { access: 'operator', pool: 'operator', weight: 1 };

/** To be registered under a mount. */
export function bearerPlugin<Given extends BearerTerms, Context>(options: BearerOptions<Given, Context>) {
  const { name, access, admission, traffic, invoke } = options;
  const authentication = new OperatorAuthentication(access);
  /** Additional fields of a request's log line. */
  const known = new WeakMap<FastifyRequest, { operator?: string; code?: string }>();
  const find = ({ raw }: FastifyRequest, { method }: RouteOf<Given, Context>): Promise<Operator> =>
    identify(authentication, admission, traffic, raw, method !== 'GET');
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
    serveInterface<Given, Context>(app, {
      ...options,
      isBodyRequired: true,
      refuseValue: (problem, place) => new Refusal('parameter-invalid', describeProblem(problem, place)),
      onRefused: (request, code) => void known.set(request, { ...known.get(request), code }),
      // Authenticate before reading the body.
      async enter(request, route) {
        const operator = await find(request, route);
        known.set(request, { operator: operator.name });
        if (mayCall(operator, route)) return;
        admission.charge(TERMS, operator.user, peerAddress(request.raw.socket), operator.token);
        await options.lacksRole?.(operator, route);
        throw refusedFor(operator, route);
      },
      async handle(request, reply, route, read) {
        // Again, because the token may have been revoked while the body arrived.
        const operator = await find(request, route);
        const gone = new AbortController();
        reply.raw.once('close', () => gone.abort());
        const { who, parsed } = admission.admit<Operator, AnyParts>(TERMS, {
          ip: peerAddress(request.raw.socket),
          identify() {
            if (mayCall(operator, route)) return operator;
            throw refusedFor(operator, route);
          },
          read,
        });
        const { 'user-agent': agent = '' } = request.headers;
        return invoke(route, parsed, { operator: who, agent, gone: gone.signal });
      },
    });
  };
}

/**
 * Like `OperatorAuthentication.identify`, but delays the response to a wrong token, to slow down guessing. Requests
 * without a token count by address.
 */
async function identify(
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
    const isWrong = error instanceof Refusal && error.error === 'token-wrong';
    if (isWrong && !(await traffic.wrongToken(ip))) socket.destroy();
    throw error;
  }
}

function refusedFor({ kind }: Operator, { roles = [] }: BearerTerms): Refusal<OperatorErrorName> {
  return operatorRefusal('role', kind === 'closed-root' ? ROOT_CLOSED : lacksRole(roles));
}

// `/metrics`: public in a sandbox, on a venue only for operators.

const OPERATOR_METRICS: Terms = { ...METRICS, pool: 'operator' };

export interface MetricsOptions {
  readonly metrics: Metrics;
  readonly access: OperatorAccess;
  readonly admission: Admission;
  readonly traffic: OperatorTraffic;
  readonly isSandbox: boolean;
}

/** Anybody on this machine may read them; if remote operators are allowed, a token is required. */
export function serveMetrics(app: FastifyInstance, options: MetricsOptions): void {
  const { metrics, access, admission, traffic, isSandbox } = options;
  const authentication = new OperatorAuthentication(access);
  const check = async (request: IncomingMessage): Promise<void> => {
    if (isSandbox) return;
    if (access.isRemoteAllowed) await identify(authentication, admission, traffic, request, false);
    else authentication.checkPlace(request.headers, peerAddress(request.socket));
  };
  app.get('/metrics', async ({ raw }, reply) => {
    const ip = peerAddress(raw.socket);
    const token = authentication.tokenOf(raw.headers, ip);
    admission.charge(token === undefined ? METRICS : OPERATOR_METRICS, -1, ip, token);
    try {
      await check(raw);
    } catch (error) {
      if (!(error instanceof Refusal) || isInDialects(error)) throw error;
      const { status, body } = jsonError(error, OPERATOR_STATUSES);
      return reply.code(status).send(body);
    }
    return reply.type(metrics.contentType).send(await metrics.text());
  });
}
