/** The gateway: HTTP with its limits, the routes of every dialect, and common error handling. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { shortened } from '@bourse/engine';
import { Authentication } from './access/authenticate.ts';
import { addressReader, type HttpServing } from './http/http-listener.ts';
import { peerAddress, senderOf } from './access/ip-addresses.ts';
import type { SecretBox } from './access/secrets.ts';
import { type Quotas, type RateUsage, Throttle } from './access/throttle.ts';
import { Admission, OnceIssuer, type WallSigned } from './admission.ts';
import type { Dialect, Route } from './route.ts';
import type { RequestFaults } from './faults.ts';
import type { DocumentedRoute } from './docs/openapi.ts';
import { addDocs, type DocsKey } from './docs/page.ts';
import { Refusal, toRefusal } from './errors/refusal.ts';
import { renderRefusal, statusOf } from './result.ts';
import type { Pages } from './pages/pages.ts';
import type { Services } from './services.ts';
import { type HttpMessage, type HttpResponse, respondToClientError, writeResponse } from './http/messages.ts';
import { type Connections, Penalties, UnreadResponses } from './http/connections.ts';
import { Documents } from './http/documents.ts';
import {
  isForOperators,
  makeServiceApp,
  PAGE_FILE,
  serveHealth,
  type ServiceApp,
  serviceTerms,
} from './http/outside-routes.ts';
import type { HttpLimits } from './http/limits.ts';
import { type GatewayLog, RequestLog } from './http/log.ts';
import { Metrics } from './http/metrics.ts';
import { refuseTarget, mount, type MountedRoute, pathOf, RouteFinder } from './http/routing.ts';
import { countHosts, foreignHost, type OwnOrigins } from './http/origin.ts';
import { abandonRest } from './http/pipeline.ts';
import { type GatewayContext, HttpRequest } from './http/request.ts';
import { OperatorTraffic } from './operator/traffic.ts';
import { denyUpgrade, Upgrades } from './http/upgrades.ts';

export interface GatewayOptions {
  readonly services: Services;
  readonly routes: readonly Route[];
  readonly dialects: readonly Dialect[];
  readonly limits: HttpLimits;
  readonly quotas: Quotas;
  readonly skewMsMax: number;
  readonly secrets: SecretBox;
  readonly isSandbox: boolean;
  readonly log: GatewayLog;
  /** Addresses or networks of trusted proxies, whose X-Forwarded-For is used. */
  readonly trustedProxies: readonly string[];
  /** Rows of other APIs on the same server, for the OpenAPI document. */
  readonly documented?: readonly DocumentedRoute[];
  /** The connections of the public listener. */
  readonly connections: Connections;
  /** The connections of the operators' listener, if there is one. */
  readonly operatorConnections?: Connections | undefined;
  /** Origins whose pages may change something in a sandbox. */
  readonly origins: OwnOrigins;
  /** Terminal and console, if they are served. */
  readonly pages?: Pages;
  /** A published key for trying out in the documentation; never a secret one. */
  readonly docsKey?: DocsKey;
  readonly wallSigned: WallSigned;
  /** Only in a sandbox. */
  readonly faults: RequestFaults | undefined;
  /** Further services on the same server, such as the operator API. */
  readonly extensions: readonly ((app: FastifyInstance, parts: GatewayParts) => void)[];
}

/** The parts that extensions may use. */
export interface GatewayParts {
  /** Serves the operators' routes; with a separate listener for operators, only that one passes requests here. */
  readonly operatorApp: FastifyInstance;
  readonly operatorTraffic: OperatorTraffic;
  readonly context: GatewayContext;
  readonly mounted: readonly MountedRoute[];
  readonly metrics: Metrics;
  readonly upgrades: Upgrades;
  readonly documents: Documents;
}

/** A connection closed because of unread responses counts like a rejected request with a body of this size. */
const CUT_BYTES = 128 * 1024;
const GOING_AWAY = 1001;
const NOT_PUBLIC =
  'The operator API, the console and the metrics of a venue are not on its public port. The start banner and ' +
  'operatorUrl in the connection file name their address (setting operatorListen).';

/** The fastify application of one listener, for everything besides the routes of the API. */
interface ListenerApp extends ServiceApp {
  readonly connections: Connections;
  readonly isForOperators: boolean;
}

export class Gateway implements HttpServing {
  readonly #publicApp: ListenerApp;
  /** The public listener, unless operators have a separate one. */
  readonly #operatorApp: ListenerApp;
  readonly #context: GatewayContext;
  readonly #routes: RouteFinder;
  readonly #documents = new Documents();
  readonly #pages: Pages | undefined;
  readonly #upgrades: Upgrades;
  readonly throttle: Throttle;
  readonly #dialects: readonly Dialect[];
  readonly #addressOf: (request: IncomingMessage) => string;
  #requests = 0;
  #isClosing = false;

  constructor(options: GatewayOptions) {
    const { services, limits } = options;
    this.#dialects = options.dialects.toSorted((a, b) => b.mount.length - a.mount.length);
    this.#addressOf = addressReader(options.trustedProxies);
    const throttle = new Throttle(options.quotas, services.clock);
    this.throttle = throttle;
    this.#context = makeContext(options, throttle);
    const { operatorConnections } = options;
    this.#publicApp = this.#makeApp(limits, options.connections, operatorConnections === undefined);
    this.#operatorApp = operatorConnections
      ? this.#makeApp(limits, operatorConnections, true)
      : this.#publicApp;
    this.#pages = options.pages;
    const metrics = new Metrics(services.clock.machine);
    const mounted = mount(options.routes, options.dialects, metrics);
    this.#routes = new RouteFinder(mounted, limits.headersBytesMax);
    metrics.watch({
      health: () => services.port.health,
      throttle,
      connections: () => this.#apps.reduce((sum, { connections }) => sum + connections.count, 0),
      unread: this.#context.unread,
    });

    for (const { app } of this.#apps) serveHealth(app, () => services.port.health);
    addDocs(this.#documents, options, options.docsKey);
    this.#upgrades = new Upgrades(options.dialects);
    const context = this.#context,
      upgrades = this.#upgrades,
      documents = this.#documents;
    const operatorTraffic = new OperatorTraffic(options.log, services.clock, !options.isSandbox);
    metrics.watchOperators(operatorTraffic);
    const operatorApp = this.#operatorApp.app;
    const parts = { operatorApp, operatorTraffic, context, mounted, metrics, upgrades, documents };
    for (const extend of options.extensions) extend(this.#publicApp.app, parts);
  }

  /** HTTP requests in flight. */
  get inFlight(): number {
    return this.#context.inFlight;
  }

  /** Resolves when it accepts requests. */
  async ready(): Promise<void> {
    await Promise.all(this.#apps.map(({ app }) => app.ready()));
  }

  /** Another gateway has taken over: pending requests fail, and websockets are closed with this code. */
  async retire(code: number, reason: string): Promise<void> {
    this.#context.closing = { code, reason, isRetired: true };
    await this.#closeApps();
  }

  /** Closes its websockets, and serves one last request on each open connection. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#closeApps();
  }

  /** For the operators' listener: everything on the public one, plus the operators' routes. */
  get operatorServing(): HttpServing {
    return {
      handle: (request, response) => this.#handleAt(this.#operatorApp, request, response),
      refuseLast: (request, response) => this.refuseLast(request, response),
      answerUnreadable: (refusal, socket) => this.answerUnreadable(refusal, socket),
      wantsUpgrade: (request) => this.wantsUpgrade(request),
      upgrade: (request, socket, head) => this.upgrade(request, socket, head),
    };
  }

  get #apps(): readonly ListenerApp[] {
    return this.#publicApp === this.#operatorApp ? [this.#publicApp] : [this.#publicApp, this.#operatorApp];
  }

  async #closeApps(): Promise<void> {
    await Promise.all(this.#apps.map(({ app }) => app.close()));
  }

  #makeApp(limits: HttpLimits, connections: Connections, isOperators: boolean): ListenerApp {
    const made = makeServiceApp({
      limits,
      nextId: () => this.#nextId(),
      refuse: (request, reply, refusal) => this.#refuse(request, reply, refusal),
      answerUnknown: (request, reply) => this.#answerUnknown(request, reply, isOperators),
    });
    return { ...made, connections, isForOperators: isOperators };
  }

  handle(request: HttpMessage, response: HttpResponse): void {
    this.#handleAt(this.#publicApp, request, response);
  }

  #handleAt(app: ListenerApp, request: HttpMessage, response: HttpResponse): void {
    const { pipelinedRequestsMax: max } = this.#context.limits;
    if (response.position > max) {
      const most = `At most ${max} requests of one connection may be in flight.`;
      this.#refuseAround(request, response, new Refusal('too-many-requests', most));
      return;
    }
    const refusal = this.#isOwnHost(request) ? refuseTarget(request.url!) : foreignHost(request);
    if (refusal !== undefined) {
      this.#refuseAround(request, response, refusal);
      return;
    }
    if (this.#serve(request, response) || this.#serveAround(app, request, response)) return;
    app.connections.keepUntilAnswered(request, response);
    app.serve(request, response);
  }

  refuseLast(request: HttpMessage, response: HttpResponse): void {
    abandonRest(request.socket);
    response.shouldKeepAlive = false;
    const { pipelinedRequestsMax: max } = this.#context.limits;
    const last = `Too many pipelined requests; closing the connection. Send at most ${max} before you read a response.`;
    this.#refuseAround(request, response, new Refusal('too-many-requests', last));
  }

  answerUnreadable(refusal: Refusal, socket: Socket): void {
    respondToClientError(refusal, socket, this.#defaultDialect, this.#figures(peerAddress(socket)));
  }

  wantsUpgrade(request: IncomingMessage): boolean {
    return this.#upgrades.wants(request);
  }

  upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const { ownOrigins } = this.#context;
    // A sandbox's keys are published, so any web page could sign websocket messages.
    const isForeign = ownOrigins !== undefined && !ownOrigins.includes(request.headers);
    if (isForeign || !this.#isOwnHost(request)) denyUpgrade(socket);
    else this.#upgrades.dispatch({ request, socket, head, ip: this.#addressOf(request) });
  }

  /**
   * The routes of the API, passed directly from Node's server to an HttpRequest: the framework's objects per request
   * would cost as much as checking its signature, and the routes would not use them.
   */
  #serve(request: HttpMessage, response: HttpResponse): boolean {
    const found = this.#routes.find(request.method!, request.url!);
    if (found === undefined) return false;
    if (this.#isClosing) response.shouldKeepAlive = false;
    const { mounted, params } = found;
    const ip = this.#addressOf(request);
    new HttpRequest(this.#context, mounted, request, response, params, ip, this.#nextId()).begin();
    return true;
  }

  /**
   * Charges requests outside the API (documentation, pages, metrics) to a pool of their address. Returns true if it
   * has sent a response.
   */
  #serveAround(app: ListenerApp, request: HttpMessage, response: ServerResponse): boolean {
    const { admission, unread } = this.#context;
    const ip = this.#addressOf(request);
    const path = pathOf(request.url!);
    const isDocument = this.#documents.has(path);
    const isPage = !isDocument && this.#pages?.serves(path, request, app.isForOperators) === true;
    try {
      if (countHosts(request.rawHeaders) > 1) {
        throw new Refusal('request-malformed', 'There are two Host headers; send one.');
      }
      this.#upgrades.checkNotRequested(request);
      const terms = isPage ? PAGE_FILE : serviceTerms(path, isDocument);
      if (terms !== undefined) admission.charge(terms, -1, ip);
    } catch (error) {
      this.#refuseAround(request, response, toRefusal(error));
      return true;
    }
    const isRead = isDocument && (request.method === 'GET' || request.method === 'HEAD');
    const source = isRead ? this.#documents : isPage ? this.#pages! : undefined;
    if (source === undefined) return false;
    if (this.#isClosing) response.shouldKeepAlive = false;
    request.resume();
    const bytes = source.serve(path, request, response);
    unread.note(request.socket, response, bytes, ip);
    return true;
  }

  /** Rejects a request before any other check. */
  #refuseAround(request: HttpMessage, response: ServerResponse, refusal: Refusal): void {
    const ip = this.#addressOf(request);
    const dialect = this.#dialectOf(request.url!);
    const text = renderRefusal(dialect, 'A', refusal);
    request.resume();
    if (this.#penalise(request)) return;
    const status = statusOf(dialect, refusal.error);
    writeResponse(response, status, text, this.#figures(ip, 'service'), this.#nextId());
    this.#context.unread.note(request.socket, response, text.length, ip);
  }

  /** A venue accepts any host name, because nothing can be read or done there without a secret. */
  #isOwnHost({ headers }: IncomingMessage): boolean {
    return this.#context.ownOrigins?.includesHost(headers) ?? true;
  }

  /** True if the connection was closed, so there is no response. */
  #penalise(request: IncomingMessage): boolean {
    const { penalties, cut } = this.#context;
    const bytes = Number(request.headers['content-length'] ?? 0);
    const isOut = penalties?.note(senderOf(-1, this.#addressOf(request)), bytes) ?? false;
    if (isOut) cut(request.socket);
    return isOut;
  }

  #nextId(): string {
    return `req-${(++this.#requests).toString(36)}`;
  }

  #answerUnknown(request: FastifyRequest, reply: FastifyReply, isOperators: boolean): void {
    const path = pathOf(request.raw.url ?? '');
    if (!isOperators && isForOperators(path)) {
      this.#refuse(request, reply, new Refusal('url-not-found', NOT_PUBLIC));
      return;
    }
    const others = this.#routes.at(path);
    if (others.length === 0) {
      const wrong = new Refusal('url-not-found', `Unknown path ${shortened(path)}. See /docs.`);
      this.#refuse(request, reply, wrong);
      return;
    }
    const allow = [...new Set(others.map(({ route }) => route.method))].join(', ');
    const wrong = new Refusal('method-not-allowed', `Use ${allow.replaceAll(', ', ' or ')}.`);
    this.#refuse(request, reply, wrong, others[0].route.shape, allow);
  }

  #refuse(
    request: FastifyRequest,
    reply: FastifyReply,
    refusal: Refusal,
    shape: Route['shape'] = 'A',
    allow?: string,
  ): void {
    reply.hijack();
    if (this.#penalise(request.raw)) return;
    const dialect = this.#dialectOf(request.raw.url ?? '');
    const text = renderRefusal(dialect, shape, refusal);
    const status = statusOf(dialect, refusal.error);
    const ip = this.#addressOf(request.raw);
    writeResponse(reply.raw, status, text, this.#figures(ip), request.id, allow);
    this.#context.unread.note(request.raw.socket, reply.raw, text.length, ip);
  }

  #dialectOf(url: string): Dialect {
    return (
      this.#dialects.find(({ mount: at }) => url === at || url.startsWith(`${at}/`)) ?? this.#defaultDialect
    );
  }

  /** For requests with an invalid path, whose dialect is unknown. */
  get #defaultDialect(): Dialect {
    return this.#dialects[this.#dialects.length - 1];
  }

  #figures(ip: string, pool: 'public' | 'service' = 'public'): RateUsage {
    return this.#context.admission.standing(pool, -1, ip);
  }
}

function makeContext(options: GatewayOptions, throttle: Throttle): GatewayContext {
  const { services, limits, isSandbox, origins } = options;
  const { catalogue, port, clock } = services;
  const penalties =
    options.trustedProxies.length > 0
      ? undefined
      : new Penalties(clock.machine, limits.refusalsPerAddressMax);
  return {
    services,
    authentication: new Authentication({
      ...options,
      keys: services.sessionKeys,
      isClockOff: () => port.health.state === 'clock',
    }),
    admission: new Admission(
      throttle,
      catalogue,
      new OnceIssuer(port, clock, options.skewMsMax, options.wallSigned),
    ),
    limits,
    unread: new UnreadResponses(limits, (network) => penalties?.note(network, CUT_BYTES)),
    penalties,
    cut: (socket) => options.connections.cut(socket),
    ownOrigins: isSandbox ? origins : undefined,
    faults: options.faults,
    inFlight: 0,
    closing: { code: GOING_AWAY, reason: 'the exchange is shutting down', isRetired: false },
    log: new RequestLog(options.log, clock),
  };
}
