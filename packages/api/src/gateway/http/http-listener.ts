/**
 * The listening server with its connections. What it serves can be replaced while it runs: a sandbox restored to a
 * snapshot is another exchange at the same address, and idle connections stay open.
 */

import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { type Clock, type ListenAddress, removeStaleSocket, shareWithGroup, unixUrl } from '@bourse/engine';
import proxyAddress from '@fastify/proxy-addr';
import { allowHalfOpen, testNodeInternals } from '../../sockets/node-internals.ts';
import { canonicalIp, noteUnixSocket, peerAddress } from '../access/ip-addresses.ts';
import { Refusal } from '../errors/refusal.ts';
import { Connections, limitHandshakes } from './connections.ts';
import { HttpMessage, HttpResponse, refusalOf } from './messages.ts';
import type { HttpLimits } from './limits.ts';
import {
  awaitsBody,
  declineUpgrade,
  drop,
  isDeclined,
  isAbandoned,
  leavePipeline,
  abandonRest,
  ReadTurns,
  inFlight,
  watchPipeline,
} from './pipeline.ts';
import { toOriginForm } from './routing.ts';

/** Handles the requests of a listener. */
export interface HttpServing {
  handle(request: HttpMessage, response: HttpResponse): void;
  /** Called for a request beyond the connection's pipelining limit: it is rejected, and no further one is accepted. */
  refuseLast(request: HttpMessage, response: HttpResponse): void;
  /** Called for input that is not a valid request for this server; the response is the last one of its connection. */
  answerUnreadable(refusal: Refusal, socket: Socket): void;
  /** Whether the request may become a websocket here. */
  wantsUpgrade(request: IncomingMessage): boolean;
  upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void;
}

/**
 * A connection may send this many times `pipelinedRequestsMax` per event loop iteration. Node reads up to 64 KiB at
 * once: of signed orders, which have more than 500 bytes each, that is twice as many.
 */
const TIMES_TAKEN_MAX = 3;
/** How long a client may take, when the server closes, to complete the request that it is sending. */
const CLOSING_MS = 1000;
const LOOK_MS = 100;

export interface ListenerOptions {
  /** If set, the listener speaks TLS. */
  readonly certificate?: Certificate | undefined;
  readonly trustedProxies?: readonly string[];
}

export class HttpListener {
  readonly connections: Connections;
  readonly #server: HttpServer;
  readonly #turns: ReadTurns;
  readonly #limits: HttpLimits;
  #serving: HttpServing | undefined;
  #isUnix = false;
  #endHandshakes = (): void => undefined;

  constructor(limits: HttpLimits, { machine }: Clock, options: ListenerOptions = {}) {
    const { certificate, trustedProxies = [] } = options;
    this.#limits = limits;
    // With TLS a connection starts when its handshake is complete.
    const connected = certificate ? 'secureConnection' : 'connection';
    const receive = (request: HttpMessage, response: HttpResponse): void => {
      const { socket } = request;
      if (isAbandoned(socket)) {
        if (!isDeclined(request)) {
          // Happens only without Node's internals: with them, a request that is not accepted is never parsed.
          leavePipeline(socket);
          this.#drop(socket);
          return;
        }
        response.shouldKeepAlive = false;
      }
      toOriginForm(request);
      if (this.#turns.note(socket) <= limits.pipelinedRequestsMax * TIMES_TAKEN_MAX) {
        this.#serving!.handle(request, response);
      } else this.#serving!.refuseLast(request, response);
    };
    this.#server = makeHttpServer(limits, receive, certificate);
    this.#server.on(connected, (socket: Socket) => {
      if (this.#isUnix) noteUnixSocket(socket);
    });
    // Ignore unknown `Expect` headers. Node would respond with 417 before anything is counted.
    this.#server.on('checkExpectation', receive);
    this.#server.on(connected, (socket: Socket) => watchPipeline(socket, (each) => this.#drop(each)));
    this.#server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
      const socket = stream as Socket;
      // Part of a request that is not accepted, while earlier responses are pending.
      if (isAbandoned(socket) && !awaitsBody(socket)) this.#drop(socket);
      else if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
      // Data after a request with `Connection: close`, whose response ends the connection.
      else if (error.code === 'HPE_CLOSED_CONNECTION') abandonRest(socket);
      else this.#serving!.answerUnreadable(refusalOf(error), socket);
    });
    this.#server.on('connect', (_request, socket) => {
      socket.on('error', () => undefined).resume();
      const notProxy = new Refusal(
        'method-not-allowed',
        'This server is not a proxy: CONNECT is not supported.',
      );
      this.#serving!.answerUnreadable(notProxy, socket as Socket);
    });
    const asking = this.#server as HttpServer & {
      shouldUpgradeCallback: (request: IncomingMessage) => boolean;
    };
    asking.shouldUpgradeCallback = (request) => {
      toOriginForm(request);
      // Responses still pending would be written into the websocket.
      const isGranted = inFlight(request.socket) === 0 && this.#serving!.wantsUpgrade(request);
      if (!isGranted) declineUpgrade(request);
      return isGranted;
    };
    this.#server.on('upgrade', (request, stream, head) => {
      const socket = stream as Socket;
      this.#turns.note(socket);
      this.#serving!.upgrade(request, socket, head);
      socket.on('data', () => this.#turns.note(socket));
    });
    this.connections = new Connections(this.#server, connected, limits, machine, proxyTest(trustedProxies));
    if ('setSecureContext' in this.#server) {
      this.#endHandshakes = limitHandshakes(this.#server, {
        connections: this.connections,
        perAddressMax: limits.handshakesPerAddressMax,
        isProxy: proxyTest(trustedProxies),
        clock: machine,
      });
    }
    this.#turns = new ReadTurns(machine, limits.pipelinedRequestsMax, (socket) =>
      this.connections.beside(socket),
    );
  }

  /** Requests go there from now on. */
  serve(serving: HttpServing): void {
    this.#serving = serving;
  }

  /** Applies to new connections; open ones keep theirs. */
  renew(certificate: Certificate): void {
    if ('setSecureContext' in this.#server) this.#server.setSecureContext(certificate);
  }

  #drop(socket: Socket): void {
    this.#turns.note(socket);
    drop(socket);
  }

  /** Resolves to the address it listens on, such as http://127.0.0.1:8080 or `unix:/run/bourse.sock:`. */
  async listen(address: ListenAddress): Promise<string> {
    await testNodeInternals();
    this.#isUnix = 'path' in address;
    if ('path' in address) await removeStaleSocket(address.path);
    // Connections that arrive while this thread is busy wait in the kernel's queue. If that is full, the client
    // retries after a second.
    const { connectionsMax: backlog } = this.#limits;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ ...address, backlog }, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    if (!('path' in address)) {
      const scheme = 'setSecureContext' in this.#server ? 'https' : 'http';
      return urlOf(scheme, this.#server.address() as AddressInfo);
    }
    await shareWithGroup(address.path);
    return unixUrl(address.path);
  }

  /** Completes requests in flight while `finish` runs, then accepts no more, and closes all connections. */
  async close({ machine }: Clock, finish: () => Promise<void>): Promise<void> {
    const endQuiet = (): void => {
      this.connections.endQuiet(machine.elapsed());
      cancel = machine.after(LOOK_MS, endQuiet);
    };
    let cancel = machine.after(CLOSING_MS, endQuiet);
    await finish();
    this.#endHandshakes();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeIdleConnections();
    });
    cancel();
  }
}

function urlOf(scheme: string, { address, port }: AddressInfo): string {
  // For a server that listens on all addresses: loopback, which always works.
  const host = address === '0.0.0.0' ? '127.0.0.1' : address;
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

const CHECK_INTERVAL_MS = 1000;

/** Node's HTTP server within the limits of the configuration, with or without TLS. */
type HttpServer =
  | Server<typeof HttpMessage, typeof HttpResponse>
  | TlsServer<typeof HttpMessage, typeof HttpResponse>;

/** A certificate with its chain, and its private key, as PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export function makeHttpServer(
  limits: HttpLimits,
  receive: (request: HttpMessage, response: HttpResponse) => void,
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
    ? createTlsServer({ ...options, ...certificate, handshakeTimeout: limits.headersTimeoutMs }, receive)
    : createServer(options, receive);
  // Node silently drops headers beyond this count. Reading one more than allowed reveals an excess.
  server.maxHeadersCount = limits.headersCountMax + 1;
  server.maxRequestsPerSocket = limits.requestsPerConnectionMax;
  allowHalfOpen(server);
  return server;
}

/** Returns a test for addresses of trusted proxies. */
export function proxyTest(trustedProxies: readonly string[]): (address: string) => boolean {
  if (trustedProxies.length === 0) return () => false;
  const trust = proxyAddress.compile([...trustedProxies]);
  return (address) => trust(address, 0);
}

/** The client's address: the one a trusted proxy reports, otherwise the peer's. */
export function addressReader(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  if (trustedProxies.length === 0) return ({ socket }) => peerAddress(socket);
  const trust = proxyAddress.compile([...trustedProxies]);
  return (request) => canonicalIp(proxyAddress(request, trust));
}
