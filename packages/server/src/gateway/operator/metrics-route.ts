/** `/metrics`: everybody's in a sandbox, at a venue the operators'. */

import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { peerAddress } from '../access/ip-addresses.ts';
import type { Metrics } from '../http/metrics.ts';
import { type OperatorAccess, OperatorAuthentication } from './access.ts';
import { identify } from './bearer-routes.ts';
import { OperatorError } from './operator-error.ts';
import type { OperatorTraffic } from './traffic.ts';

/** Throws unless the request may read. */
type ReaderCheck = (request: IncomingMessage) => Promise<void>;

/** Whoever is on this machine may read them; where others may come in too, they need one of the tokens. */
export function readerCheck(access: OperatorAccess, traffic: OperatorTraffic): ReaderCheck {
  const authentication = new OperatorAuthentication(access);
  return async (request) => {
    if (access.isRemoteAllowed) await identify(authentication, traffic, request, false);
    else authentication.checkPlace(request.headers, peerAddress(request.socket));
  };
}

export function serveMetrics(app: FastifyInstance, metrics: Metrics, check?: ReaderCheck): void {
  app.get('/metrics', async ({ raw }, reply) => {
    try {
      await check?.(raw);
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      const { status, code, message: msg } = error;
      return reply.code(status).send({ code, msg });
    }
    return reply.type(metrics.contentType).send(await metrics.text());
  });
}
