/** Node's HTTP server within the limits of the configuration. */

import { createServer, type Server } from 'node:http';
import { HttpResponse } from '../answers/http-response.ts';
import { HttpMessage } from '../reading/incoming-message.ts';
import type { HttpLimits } from '../limits.ts';

const CHECK_INTERVAL_MS = 1000;

export type HttpServer = Server<typeof HttpMessage, typeof HttpResponse>;

export function makeHttpServer(
  limits: HttpLimits,
  take: (request: HttpMessage, response: HttpResponse) => void,
): HttpServer {
  const server = createServer(
    {
      IncomingMessage: HttpMessage,
      ServerResponse: HttpResponse,
      // HttpRequest checks for the Host header itself, because Node's own 400 has no body that says why.
      requireHostHeader: false,
      maxHeaderSize: limits.headersBytesMax,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
    },
    take,
  );
  // Node drops headers beyond this count silently. One more than allowed is read, so that too many are noticed.
  server.maxHeadersCount = limits.headersCountMax + 1;
  server.maxRequestsPerSocket = limits.requestsPerConnectionMax;
  // Without this (Node's types do not name it) a client that sends its request and ends its side loses every answer
  // that is not ready at that moment.
  Object.assign(server, { httpAllowHalfOpen: true });
  return server;
}
