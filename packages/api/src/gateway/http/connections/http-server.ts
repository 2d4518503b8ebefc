/** Node's HTTP server within the limits of the configuration, with or without TLS. */

import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import { HttpResponse } from '../answers/http-response.ts';
import { HttpMessage } from '../reading/incoming-message.ts';
import { allowHalfOpen } from '../../../sockets/node-internals.ts';
import type { HttpLimits } from '../limits.ts';

const CHECK_INTERVAL_MS = 1000;

export type HttpServer =
  | Server<typeof HttpMessage, typeof HttpResponse>
  | TlsServer<typeof HttpMessage, typeof HttpResponse>;

/** A certificate with its chain, and its private key, as PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export function makeHttpServer(
  limits: HttpLimits,
  take: (request: HttpMessage, response: HttpResponse) => void,
  certificate?: Certificate,
): HttpServer {
  const options = {
    IncomingMessage: HttpMessage,
    ServerResponse: HttpResponse,
    // HttpRequest checks the Host header itself, because Node's own 400 has no explanation.
    requireHostHeader: false,
    maxHeaderSize: limits.headersBytesMax,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
  };
  const server: HttpServer = certificate
    ? createTlsServer({ ...options, ...certificate, handshakeTimeout: limits.headersTimeoutMs }, take)
    : createServer(options, take);
  // Node silently drops headers beyond this count. Reading one more than allowed reveals an excess.
  server.maxHeadersCount = limits.headersCountMax + 1;
  server.maxRequestsPerSocket = limits.requestsPerConnectionMax;
  allowHalfOpen(server);
  return server;
}
