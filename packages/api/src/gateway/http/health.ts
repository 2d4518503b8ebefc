/** For process managers and monitoring: whether the process is alive and whether it is ready. */

import type { FastifyInstance } from 'fastify';
import type { EngineHealth } from '@bourse/engine';

export function serveHealth(app: FastifyInstance, health: () => EngineHealth): void {
  // Alive: a restart would not help. Only an engine that has stopped permanently needs one.
  app.get('/healthz', (_, reply) => {
    const { state } = health();
    reply.code(state === 'stopped' ? 503 : 200).send({ status: state === 'stopped' ? 'stopped' : 'ok' });
  });

  // Ready: orders may be sent here.
  app.get('/readyz', (_, reply) => {
    const { state, seq, waiting, historyLag, degraded } = health();
    const body = { status: state, seq, waiting, historyLag, ...(degraded !== undefined && { degraded }) };
    reply.code(state === 'open' ? 200 : 503).send(body);
  });
}
