/** The gateway: HTTP with its limits, the routes of every dialect, and one way to refuse. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import proxyAddress from '@fastify/proxy-addr';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { writeAnswer } from './answer.ts';
import { Authentication } from '../access/authenticate.ts';
import { answerClientError } from './client-error.ts';
import type { Connections } from './connections.ts';
import type { Dialect } from '../dialects.ts';
import type { DocumentedRoute } from '../docs/openapi.ts';
import { type DocsKey, serveDocs } from '../docs/page.ts';
import { serveHealth } from './health.ts';
import { parseBody } from './json-body.ts';
import type { HttpServing } from './http-listener.ts';
import type { HttpMessage } from './incoming-message.ts';
import type { HttpLimits } from './limits.ts';
import { type GatewayLog, toRequestLog } from './log.ts';
import { Metrics } from './metrics.ts';
import { type MountedRoute, mount, RouteFinder } from './mounted-route.ts';
import { Refusal } from '../errors/refusal.ts';
import { renderRefusal, statusOf } from '../errors/render.ts';
import type { Route } from '../route.ts';
import { canonicalAddress, peerAddress } from '../access/ip-addresses.ts';
import type { SecretBox } from '../access/secrets.ts';
import type { Services } from '../services.ts';
import { type Quotas, type Spent, Throttle } from '../access/throttle.ts';
import { Upgrades } from './upgrades.ts';
import { WallSigned } from '../access/wall-signed.ts';
import type { RequestEdge } from '../request-edge.ts';
import { type GatewayContext, HttpRequest, REMEMBERED_MS, toRefusal } from './request.ts';

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
  /** Addresses or networks of proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  /** Rows of other interfaces on the same server, for the document. */
  readonly documented?: readonly DocumentedRoute[];
  /** Made when everything it may look at is there; left out: there is nothing. */
  readonly edge?: (context: GatewayContext) => RequestEdge;
  /** Of the listener that requests come from. */
  readonly connections: Connections;
  /** A published key for trying out in the documentation; never one that is worth anything. */
  readonly docsKey?: DocsKey;
  /** Further things on the same server, such as the operator's interface. */
  readonly extensions: readonly ((app: FastifyInstance, parts: GatewayParts) => void)[];
}

/** What extensions may build on. */
export interface GatewayParts {
  readonly context: GatewayContext;
  readonly mounted: readonly MountedRoute[];
  readonly metrics: Metrics;
  readonly upgrades: Upgrades;
}

const GOING_AWAY = 1001;

export class Gateway implements HttpServing {
  private readonly app: FastifyInstance;
  private readonly context: GatewayContext;
  private readonly routes: RouteFinder;
  private readonly connections: Connections;
  private readonly upgrades: Upgrades;
  /** The framework, for what is no route of the interface. */
  private serveOthers: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
  private readonly dialects: readonly Dialect[];
  private readonly addressOf: (request: IncomingMessage) => string;
  private requests = 0;
  private isClosing = false;

  constructor(options: GatewayOptions) {
    const { services, limits, log } = options;
    this.dialects = options.dialects.toSorted((a, b) => b.mount.length - a.mount.length);
    this.addressOf = addressReader(options.trustedProxies);
    this.context = {
      services,
      authentication: new Authentication({ ...options, keys: services.catalogue }),
      throttle: new Throttle(options.quotas, services.clock),
      wallSigned: new WallSigned(services.clock, REMEMBERED_MS),
      limits,
      skewMsMax: options.skewMsMax,
      log: toRequestLog(log),
      edge: undefined,
      closing: { code: GOING_AWAY, reason: 'the exchange is shutting down' },
      isRetired: false,
    };
    if (options.edge) this.context.edge = options.edge(this.context);
    this.app = this.makeApp(options);
    this.connections = options.connections;
    const metrics = new Metrics();
    const mounted = mount(options.routes, options.dialects, metrics);
    this.routes = new RouteFinder(mounted, limits.headersBytesMax);
    metrics.watch({
      health: () => services.port.health,
      throttle: this.context.throttle,
      connections: () => this.connections.count,
    });

    serveHealth(this.app, () => services.port.health, metrics);
    serveDocs(this.app, options, options.docsKey);
    this.upgrades = new Upgrades(options.dialects);
    const parts = { context: this.context, mounted, metrics, upgrades: this.upgrades };
    for (const extend of options.extensions) extend(this.app, parts);
  }

  /** Resolves when requests may come. */
  async ready(): Promise<void> {
    await this.app.ready();
  }

  /** Another gateway has taken over: what waits is refused, and websockets are closed with this. */
  async retire(code: number, reason: string): Promise<void> {
    this.context.isRetired = true;
    this.context.closing = { code, reason };
    await this.app.close();
  }

  get throttle(): Throttle {
    return this.context.throttle;
  }

  /** Ends its websockets, and answers what still comes on open connections, for the last time on each. */
  async close(): Promise<void> {
    this.isClosing = true;
    await this.app.close();
  }

  take(request: HttpMessage, response: ServerResponse): void {
    if (this.serve(request, response)) return;
    this.connections.keepUntilAnswered(request, response);
    this.serveOthers(request, response);
  }

  answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
    const figures = this.figures(peerAddress(socket));
    answerClientError(error, socket, this.defaultDialect, figures, this.connections.isAwaited(socket));
  }

  wantsUpgrade(request: IncomingMessage): boolean {
    return this.upgrades.wants(request);
  }

  upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    this.upgrades.give({ request, socket, head, ip: this.addressOf(request) });
  }

  private makeApp({ limits }: GatewayOptions): FastifyInstance {
    const app = fastify({
      // The gateway has its own log; the framework's would listen to the end of every answer, whether it logs it or not.
      logger: false,
      exposeHeadRoutes: false,
      // Routes check what they take and render what they give; the framework's own compilers would only be loaded.
      schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
      // While it closes, what still arrives on open connections is answered as ever, and then they are closed.
      return503OnClosing: false,
      forceCloseConnections: 'idle',
      bodyLimit: limits.bodyBytesMax,
      // As long as a request line may be: no such id is no reason for 404.
      routerOptions: { maxParamLength: limits.headersBytesMax },
      genReqId: () => this.nextId(),
      // It never listens itself: requests come from the listener.
      serverFactory: (serveOthers) => {
        this.serveOthers = serveOthers;
        return createServer();
      },
      frameworkErrors: (_error, request, reply) => {
        const wrong = new Refusal('request-malformed', 'The path is not valid percent-encoded UTF-8.');
        this.refuse(
          request as FastifyRequest,
          reply as FastifyReply,
          wrong,
          this.dialectOf(request.raw.url ?? ''),
        );
      },
    });
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
      if (request.is404 || bytes.length === 0) done(null, undefined);
      else if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
        done(new Refusal('media-type'));
      else done(null, parseBody(bytes));
    });
    app.setErrorHandler((error, request, reply) => {
      if (request.is404) this.answerUnknown(request, reply);
      else this.refuse(request, reply, fromFramework(error), this.dialectOf(request.raw.url ?? ''));
    });
    app.setNotFoundHandler((request, reply) => this.answerUnknown(request, reply));
    return app;
  }

  /**
   * The routes of the interface, straight from Node's server to an HttpRequest: the framework's own objects for each request
   * would cost as much as checking its signature, and of what it does for one nothing would be used.
   */
  private serve(request: HttpMessage, response: ServerResponse): boolean {
    const found = this.routes.find(request.method!, request.url!);
    if (found === undefined) return false;
    if (this.isClosing) response.shouldKeepAlive = false;
    const { mounted, params } = found;
    new HttpRequest(
      this.context,
      mounted,
      request,
      response,
      params,
      this.addressOf(request),
      this.nextId(),
    ).begin();
    return true;
  }

  private nextId(): string {
    return `req-${(++this.requests).toString(36)}`;
  }

  private answerUnknown(request: FastifyRequest, reply: FastifyReply): void {
    const url = request.raw.url ?? '';
    const end = url.indexOf('?');
    const path = end < 0 ? url : url.slice(0, end);
    const dialect = this.dialectOf(url);
    const others = this.routes.at(path);
    if (others.length === 0) {
      this.refuse(
        request,
        reply,
        new Refusal('url-not-found', `There is no ${path.slice(0, 200)}; /docs has what there is.`),
        dialect,
      );
      return;
    }
    const allow = [...new Set(others.map(({ route }) => route.method))].join(', ');
    const wrong = new Refusal('method-not-allowed', `${request.method} is not allowed here, but ${allow}.`);
    this.refuse(request, reply, wrong, dialect, others[0].route.shape, allow);
  }

  private refuse(
    request: FastifyRequest,
    reply: FastifyReply,
    refusal: Refusal,
    dialect: Dialect,
    shape: Route['shape'] = 'A',
    allow?: string,
  ): void {
    reply.hijack();
    const text = renderRefusal(dialect, shape, refusal);
    const status = statusOf(dialect, refusal.error);
    writeAnswer(reply.raw, status, text, this.figures(this.addressOf(request.raw)), request.id, allow);
  }

  private dialectOf(url: string): Dialect {
    return (
      this.dialects.find(({ mount: at }) => url === at || url.startsWith(`${at}/`)) ?? this.defaultDialect
    );
  }

  /** For what cannot be understood far enough to tell. */
  private get defaultDialect(): Dialect {
    return this.dialects[this.dialects.length - 1];
  }

  private figures(ip: string): Spent {
    return this.context.throttle.spendAsAddress(ip, 0);
  }
}

/** Of the client, behind the proxies that are believed. */
function addressReader(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  if (trustedProxies.length === 0) return ({ socket }) => peerAddress(socket);
  const trust = proxyAddress.compile([...trustedProxies]);
  return (request) => canonicalAddress(proxyAddress(request, trust));
}

function noSchemas(): never {
  throw new Error('no route gives the framework a schema');
}

function fromFramework(error: unknown): Refusal {
  const { code } = error as { readonly code?: string };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Refusal('body-too-large');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new Refusal('media-type');
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH') return new Refusal('request-malformed');
  return toRefusal(error);
}
