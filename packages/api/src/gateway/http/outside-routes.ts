/**
 * Everything on the server that is not a route of the API: its rate limits per address, and the framework that serves
 * health, metrics and the operator API.
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { EngineHealth } from '@bourse/engine';
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Terms } from '../admission.ts';
import { fromFramework, Refusal, wrongMediaType } from '../errors/refusal.ts';
import { parseBody } from '../members.ts';
import { DOCUMENT_WEIGHT } from './documents.ts';
import type { HttpLimits } from './limits.ts';

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

export interface ServiceAppOptions {
  readonly limits: HttpLimits;
  readonly nextId: () => string;
  readonly refuse: (request: FastifyRequest, reply: FastifyReply, refusal: Refusal) => void;
  /** Answers a request with an unknown path. */
  readonly answerUnknown: (request: FastifyRequest, reply: FastifyReply) => void;
}

export interface ServiceApp {
  readonly app: FastifyInstance;
  readonly serve: (request: IncomingMessage, response: ServerResponse) => void;
}

/** The framework for one listener. */
export function makeServiceApp({ limits, nextId, refuse, answerUnknown }: ServiceAppOptions): ServiceApp {
  let serve: ServiceApp['serve'] = () => undefined;
  const app = fastify({
    // The gateway writes its own log. The framework's logger adds a listener to every response, even when it logs
    // nothing.
    logger: false,
    exposeHeadRoutes: false,
    // Routes validate requests and render responses themselves, so the framework need not load its schema compilers.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    // While the server closes, requests that still arrive on open connections get responses; then those are closed.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    bodyLimit: limits.bodyBytesMax,
    // A path segment may be as long as the request line: the router returns 404 for longer ones, but a client with a
    // wrong id should get an error about the id.
    routerOptions: { maxParamLength: limits.headersBytesMax },
    genReqId: nextId,
    // It never listens itself: the listener passes requests to it.
    serverFactory: (given) => {
      serve = given;
      return createServer();
    },
    frameworkErrors: (_error, request, reply) => {
      const wrong = new Refusal('request-malformed', 'The path is not valid percent-encoded UTF-8.');
      refuse(request as FastifyRequest, reply as FastifyReply, wrong);
    },
  });
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store').header('x-content-type-options', 'nosniff');
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    const type = request.headers['content-type'];
    if (request.is404 || bytes.length === 0) done(null, undefined);
    else if (!/^application\/json\b/i.test(type ?? '')) done(wrongMediaType(type));
    else done(null, parseBody(bytes));
  });
  app.setErrorHandler((error, request, reply) => {
    if (request.is404) answerUnknown(request, reply);
    else refuse(request, reply, fromFramework(error, limits.bodyBytesMax, request.headers['content-type']));
  });
  app.setNotFoundHandler(answerUnknown);
  return { app, serve: (request, response) => serve(request, response) };
}

function noSchemas(): never {
  throw new Error('no route gives the framework a schema');
}
