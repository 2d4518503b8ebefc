/** Paths outside the API, and their rate limits per address. */

import type { FastifyInstance } from 'fastify';
import type { EngineHealth } from '@bourse/engine';
import type { Terms } from '../admission/admission.ts';
import { DOCUMENT_WEIGHT } from './answers/documents.ts';

const service = (weight: number): Terms => ({ access: 'public', pool: 'service', weight });

/** In a separate pool, so that a path scanner does not block the pages. */
export const PAGE_FILE: Terms = { access: 'public', pool: 'pages', weight: 1 };

const DOCUMENT = service(DOCUMENT_WEIGHT);
/** Generating the metrics takes milliseconds, though at most once a second. */
export const METRICS = service(10);
/** A request with a missing or wrong operator token. */
export const NO_TOKEN = service(1);
/** Unknown paths. */
const OTHER = service(1);

/** If an operator token may be sent, the route itself charges. Health checks are never rejected. */
const NOT_CHARGED = /^\/(?:(?:operator|sandbox\/v1)(?:\/|$)|metrics$|healthz$|readyz$)/;

/** Not on the public port of a venue. */
const FOR_OPERATORS = /^\/(?:operator|console|metrics)(?:[/.]|$)/;

export const isForOperators = (path: string): boolean => FOR_OPERATORS.test(path);

export function serviceTerms(path: string, isDocument: boolean): Terms | undefined {
  if (NOT_CHARGED.test(path)) return undefined;
  if (isDocument) return DOCUMENT;
  return OTHER;
}

export function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

/** For process managers and monitoring: whether the process is alive and whether it is ready. */
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
