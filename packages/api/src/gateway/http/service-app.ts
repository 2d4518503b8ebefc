/** The framework, for everything that is not a route of the API: health, metrics, the operator API. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { Refusal } from '../errors/refusal.ts';
import { fromFramework, wrongMediaType } from '../errors/to-refusal.ts';
import type { HttpLimits } from './limits.ts';
import { parseBody } from './reading/json-body.ts';

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
