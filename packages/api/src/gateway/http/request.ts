/** One HTTP request: reads its body, passes admission, and calls its route. No other object is created per request. */

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Unavailable } from '@bourse/engine';
import type { Authentication, Signed } from '../access/authenticate.ts';
import { senderOf } from '../access/ip-addresses.ts';
import type { RateUsage } from '../access/throttle.ts';
import { type Admission, type Applicant, signedProof, wallSignedProof, type Who } from '../admission.ts';
import type { AnswerSender, ObservedRequest, RenderedAnswer, RequestFaults } from '../faults.ts';
import { bodyTooLarge, Refusal, toRefusal, wrongMediaType } from '../errors/refusal.ts';
import { type Awaiting, renderRefusal, renderSuccess, settle, statusOf } from '../result.ts';
import type { Call } from '../route.ts';
import type { Services } from '../services.ts';
import {
  BodyBuffer,
  checkNoBody,
  drain,
  hasNoBody,
  type HttpMessage,
  type HttpResponse,
  isJson,
  NOT_KEPT,
  refuseCompressed,
  sendRaw,
  writeOrdinaryResponse,
  writeResponse,
} from './messages.ts';
import type { BodyTaker } from '../../sockets/node-internals.ts';
import { type JsonObject, parseBody } from '../members.ts';
import type { HttpLimits } from './limits.ts';
import type { RequestLine, RequestLog } from './log.ts';
import { type MountedRoute, parseQuery, type Query } from './routing.ts';
import { countHosts, type OwnOrigins } from './origin.ts';
import { addPending, type Penalties, type UnreadResponses } from './connections.ts';
import { positionHeaders, reachWanted } from './position-headers.ts';

/** Shared by all requests. */
export interface GatewayContext {
  readonly services: Services;
  readonly authentication: Authentication;
  readonly admission: Admission;
  readonly limits: HttpLimits;
  readonly unread: UnreadResponses;
  /** Absent behind proxies. */
  readonly penalties: Penalties | undefined;
  /** Closes a connection without a response. */
  readonly cut: (socket: Socket) => void;
  /** Origins whose pages may change something; undefined on a venue, where every change needs a secret. */
  readonly ownOrigins: OwnOrigins | undefined;
  /** Only in a sandbox. */
  readonly faults: RequestFaults | undefined;
  /** HTTP requests without a response yet. */
  inFlight: number;
  /** How to close websockets when the gateway closes, and whether another one has taken over. */
  closing: { readonly code: number; readonly reason: string; readonly isRetired: boolean };
  readonly log: RequestLog;
}

interface Sender extends Who {
  readonly key: string;
}

interface Parsed {
  readonly query: Query;
  readonly body: unknown;
}

const EMPTY = Buffer.alloc(0);
const ANYBODY: Sender = { user: -1, key: '', proof: undefined };

export class HttpRequest
  implements Signed, Applicant<Sender, Parsed>, ObservedRequest, AnswerSender, Awaiting, BodyTaker
{
  readonly transport = 'http';
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly ip: string;
  readonly time: number;
  readonly wallTime: number;
  body: Buffer | undefined;
  user = -1;
  key = '';
  readonly #context: GatewayContext;
  readonly #mounted: MountedRoute;
  readonly #incoming: HttpMessage;
  readonly #outgoing: HttpResponse;
  readonly #params: Record<string, string>;
  readonly #id: string;
  readonly #startedAt: number;
  /** The body so far. */
  #received: BodyBuffer | undefined;
  #isPending = false;
  #spent: RateUsage | undefined;

  constructor(
    context: GatewayContext,
    mounted: MountedRoute,
    incoming: HttpMessage,
    outgoing: HttpResponse,
    params: Record<string, string>,
    ip: string,
    id: string,
  ) {
    this.#context = context;
    this.#mounted = mounted;
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.#params = params;
    this.ip = ip;
    this.#id = id;
    this.method = incoming.method!;
    this.url = mounted.stripMount(incoming.url!);
    this.headers = incoming.headers;
    const { clock } = context.services;
    this.time = clock.now();
    this.wallTime = clock.machine === clock ? this.time : clock.machine.now();
    this.#startedAt = clock.machine.elapsed();
    this.body = undefined;
  }

  get dialect(): MountedRoute['dialect'] {
    return this.#mounted.dialect;
  }

  get route(): MountedRoute['route'] {
    return this.#mounted.route;
  }

  get target(): string {
    return this.url;
  }

  get presentedKey(): string {
    const key = this.headers[`${this.dialect.prefix.toLowerCase()}-api-key`];
    return typeof key === 'string' ? key : '';
  }

  get sent(): Buffer | undefined {
    return this.body;
  }

  /** Reads a body even of GET and DELETE, because the signature covers it. */
  begin(): void {
    const refusal = this.#checkHead();
    if (refusal !== undefined) this.refuse(refusal);
    else if (hasNoBody(this.headers)) {
      drain(this.#incoming);
      this.#process();
    } else this.#receive();
  }

  #checkHead(): Refusal | undefined {
    const { headersCountMax } = this.#context.limits;
    const { rawHeaders, httpVersion } = this.#incoming;
    if (rawHeaders.length > headersCountMax * 2) {
      return new Refusal('headers-too-large', `At most ${headersCountMax} headers are accepted.`);
    }
    const hosts = countHosts(rawHeaders);
    if (hosts > 1) return new Refusal('request-malformed', 'There are two Host headers; send one.');
    if (hosts === 0 && httpVersion === '1.1') {
      return new Refusal('request-malformed', 'The Host header is missing.');
    }
    return undefined;
  }

  #receive(): void {
    const { bodyBytesMax } = this.#context.limits;
    const given = this.headers['content-type'];
    if (given !== 'application/json' && !isJson(given ?? '')) {
      this.refuse(wrongMediaType(given));
      return;
    }
    const compressed = refuseCompressed(this.headers);
    if (compressed !== undefined) {
      this.refuse(compressed);
      return;
    }
    if (Number(this.headers['content-length']) > bodyBytesMax) {
      this.refuse(bodyTooLarge(bodyBytesMax));
      return;
    }
    this.#received = new BodyBuffer(bodyBytesMax);
    this.#incoming.takeBody(this);
  }

  takePiece(chunk: Buffer | null): void {
    const received = this.#received!;
    if (chunk === null) {
      this.body = received.whole;
      this.#process();
    } else if (!received.add(chunk)) this.refuse(bodyTooLarge(this.#context.limits.bodyBytesMax));
  }

  /** Not async, which would cost every order an extra promise. */
  #process(): void {
    const { faults, services } = this.#context;
    let given: unknown;
    // The request is complete: from now on the connection must not be closed before its response.
    this.#isPending = true;
    this.#context.inFlight++;
    addPending(this.#incoming.socket, 1);
    try {
      const held = faults?.arrive(this);
      if (held !== undefined || services.position !== undefined) {
        void this.#processWhenDue(held);
        return;
      }
      given = this.#handle();
    } catch (error) {
      this.refuse(error);
      return;
    }
    settle(given, this);
  }

  /** A sandbox may hold the request back; in a cluster it may name a record to wait for. */
  async #processWhenDue(held: Promise<void> | undefined): Promise<void> {
    const { services } = this.#context;
    let given: unknown;
    try {
      if (held !== undefined) await held;
      if (services.position !== undefined) await reachWanted(services.position, this.headers);
      given = this.#handle();
    } catch (error) {
      this.refuse(error);
      return;
    }
    settle(given, this);
  }

  /** The route's result; throws refusals. */
  #handle(): unknown {
    const { faults, closing } = this.#context;
    const { route } = this.#mounted;
    if (closing.isRetired) throw new Unavailable('stopped', closing.reason);
    const call = this.#admit();
    return faults === undefined
      ? route.handle(call as Call<never, never, never>)
      : faults.handle(this, call as Call, route.handle as (call: Call) => unknown);
  }

  succeed(data: unknown): void {
    const { dialect, route } = this.#mounted;
    let text: string;
    try {
      text = renderSuccess(dialect, route.shape, data);
    } catch (error) {
      this.refuse(error);
      return;
    }
    this.#respond({ status: 200, text, error: undefined });
  }

  /** All checks before the route's own code. */
  #admit(): Call<Record<string, string>, Query, unknown> {
    const { who, spent, parsed, once } = this.#context.admission.admit(this.#mounted.route, this);
    this.#spent = spent;
    return {
      dialect: this.#mounted.dialect,
      user: this.#mounted.route.access === 'public' ? -1 : who.user,
      signer: who.user,
      key: who.key,
      ip: this.ip,
      host: this.headers.host ?? '',
      params: this.#params,
      query: parsed.query,
      body: parsed.body,
      rawBody: this.body ?? EMPTY,
      time: this.time,
      once,
    };
  }

  identify(): Sender {
    const { ownOrigins, authentication } = this.#context;
    const { access } = this.#mounted.route;
    const isChange = this.method !== 'GET';
    if (isChange && ownOrigins !== undefined) ownOrigins.check(this.headers);
    if (access === 'public') {
      this.user = authentication.userOf(this);
      return this.user < 0 ? ANYBODY : { ...ANYBODY, user: this.user };
    }
    const { key, signature, timestamp, isWallTime } = authentication.authenticate(this, access);
    this.user = key.user;
    this.key = key.key;
    let proof: Who['proof'];
    if (isChange) {
      proof = isWallTime
        ? wallSignedProof(signature, timestamp - this.time + this.wallTime)
        : signedProof(signature, timestamp);
    }
    return { user: key.user, key: key.key, proof };
  }

  read(): Parsed {
    const mounted = this.#mounted;
    mounted.params?.check(this.#params);
    const query = parseQuery(this.url, mounted.dialect);
    mounted.query?.check(query);
    if (mounted.body !== undefined) {
      return { query, body: this.#readBody(mounted.body, mounted.route.checksBody) };
    }
    checkNoBody(this.body);
    return { query, body: undefined };
  }

  #readBody(schema: NonNullable<MountedRoute['body']>, isForRoute = false): JsonObject {
    const { body } = this;
    if (body === undefined)
      throw new Refusal('parameter-invalid', 'The body is missing: it must be a JSON object.');
    const value = parseBody(body);
    if (isForRoute) return value;
    if (!this.dialect.isLiteral) return schema.checkLeniently(value, body);
    return schema.checkPresent(value);
  }

  refuse(error: unknown): void {
    const refusal = toRefusal(error);
    const { dialect, route } = this.#mounted;
    if (!this.#incoming.complete) drain(this.#incoming);
    if (this.user < 0 || refusal.error === 'too-many-requests') {
      const length = this.body?.length ?? Number(this.headers['content-length'] ?? 0);
      if (this.#context.penalties?.note(senderOf(this.user, this.ip), length)) {
        this.#count(0, undefined);
        this.#context.cut(this.#incoming.socket);
        return;
      }
    }
    const status = statusOf(dialect, refusal.error);
    const text = renderRefusal(dialect, route.shape, refusal);
    const { transport, method, time } = this;
    // Without the query, which may contain secrets.
    const [target] = this.url.split('?', 1);
    this.#context.services.refusals.note(this.user, { time, transport, method, target, status, text });
    this.#respond({ status, text, error });
  }

  #respond(answer: RenderedAnswer): void {
    const { faults } = this.#context;
    if (faults === undefined) this.send(answer);
    else faults.answer(this, answer, this);
  }

  send({ status, text, error }: RenderedAnswer): void {
    const outgoing = this.#outgoing,
      context = this.#context;
    // Held back by a fault until its world was gone: there is no response from that world.
    if (context.closing.isRetired && status < 500) return this.cut();
    this.#count(status, error);
    const { position, clock } = context.services;
    const spent = this.#spent ?? this.#standing();
    const isPublic = this.#mounted.route.access === 'public';
    if (position === undefined && outgoing.isOrdinary) {
      writeOrdinaryResponse(outgoing, status, text, spent, this.#id, clock.machine.now(), isPublic);
    } else {
      const more = [...(isPublic ? [] : NOT_KEPT), ...(position ? positionHeaders(position) : [])];
      writeResponse(outgoing, status, text, spent, this.#id, undefined, more);
    }
    context.unread.note(this.#incoming.socket, outgoing, text.length, this.ip);
  }

  cut(): void {
    this.#count(0, undefined);
    this.#incoming.socket.destroy();
  }

  sendRaw(chunks: AsyncIterable<Buffer>): boolean {
    this.#count(0, undefined);
    sendRaw(this.#incoming.socket, chunks, () => !this.#context.closing.isRetired);
    return true;
  }

  #count(status: number, error: unknown): void {
    const context = this.#context,
      mounted = this.#mounted;
    if (this.#isPending) {
      addPending(this.#incoming.socket, -1);
      context.inFlight--;
    }
    this.#isPending = false;
    const ms = context.services.clock.machine.elapsed() - this.#startedAt;
    mounted.meter.count(status, ms);
    if (status >= 500) context.log.failed(this.#line(status, ms), error);
    else context.log.each?.(this.#line(status, ms));
  }

  /** A request rejected before authentication reports the pool of its address. */
  #standing(): RateUsage {
    const { pool, access } = this.#mounted.route;
    const isKnown = access === 'public' || this.user >= 0;
    return this.#context.admission.standing(isKnown ? pool : 'public', this.user, this.ip);
  }

  #line(status: number, ms: number): RequestLine {
    const { user, ip } = this,
      id = this.#id,
      mounted = this.#mounted;
    return { request: id, route: mounted.route.id, dialect: mounted.dialect.name, status, user, ip, ms };
  }
}
