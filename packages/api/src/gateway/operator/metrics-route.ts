/** `/metrics`: public in a sandbox, on a venue only for operators. */

import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { peerAddress } from '../access/ip-addresses.ts';
import type { Admission, Terms } from '../admission.ts';
import type { Metrics } from '../http/metrics.ts';
import { METRICS } from '../http/outside-routes.ts';
import { type OperatorAccess, OperatorAuthentication } from './access.ts';
import { identify } from './bearer-routes.ts';
import { isInDialects, jsonError, Refusal } from '../errors/refusal.ts';
import { OPERATOR_STATUSES } from './operator-errors.ts';
import type { OperatorTraffic } from './traffic.ts';

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
