/**
 * One request on its way through the gateway: body, caller, price, parameters, route, answer. The order of the checks is
 * that of the interface. Everything a request needs hangs on this one object, so that nothing else is made per request.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { Unavailable } from '../../engine/exchange-port.ts';
import { type AnswerType, HttpReply } from './http-reply.ts';
import { writeAnswer } from './answer.ts';
import { BodyBuffer } from './body-buffer.ts';
import {
  type Authentication,
  type Caller,
  type Signed,
  signedTextOf,
  SKEW_MS_LIMIT,
} from '../access/authenticate.ts';
import type { Clock } from '../../io/clock.ts';
import type { ErrorName } from '../errors/errors.ts';
import { type JsonObject, parseBody } from './json-body.ts';
import type { HttpLimits } from './limits.ts';
import type { MountedRoute } from './mounted-route.ts';
import type { HttpMessage } from './incoming-message.ts';
import { addPending } from './pending.ts';
import { parseQuery } from './query.ts';
import { Refusal } from '../errors/refusal.ts';
import { renderRefusal, renderSuccess, statusOf } from '../errors/render.ts';
import type { AskedRequest, Reply, RequestEdge, RequestFault } from '../request-edge.ts';
import type { Call } from '../route.ts';
import type { Services } from '../services.ts';
import type { Spent, Throttle } from '../access/throttle.ts';
import type { WallSigned } from '../access/wall-signed.ts';

/** What all requests share. */
export interface GatewayContext {
  readonly services: Services;
  readonly authentication: Authentication;
  readonly throttle: Throttle;
  readonly wallSigned: WallSigned;
  readonly limits: HttpLimits;
  readonly skewMsMax: number;
  readonly log: RequestLog;
  /** Undefined at a venue. */
  edge: RequestEdge | undefined;
  /** How websockets are closed when the gateway is; a sandbox that goes back to a snapshot says so. */
  closing: { readonly code: number; readonly reason: string };
  /** Another gateway has taken over: nothing is answered from here any more. */
  isRetired: boolean;
}

export interface RequestLog {
  /** Undefined where nobody wants a line for each request. */
  readonly each: ((line: RequestLine) => void) | undefined;
  readonly failed: (line: RequestLine, error: unknown) => void;
}

/** No headers, query or body: they may hold secrets. */
export interface RequestLine {
  readonly request: string;
  readonly route: string;
  readonly dialect: string;
  readonly status: number;
  readonly user: number;
  readonly ip: string;
  readonly ms: number;
}

/** Bytes of a refused body that are read and thrown away, so that the client gets to see its answer. */
const DRAINED_BYTES_MAX = 64 * 1024 * 1024;
const EMPTY = Buffer.alloc(0);
/**
 * 72 bits of the signature, which is a hash of the request. At 10,000 requests a second two would meet once in a hundred
 * thousand years, and the second would be refused. Of a longer piece V8 makes no string of its own, but a view that
 * keeps the whole signature.
 */
const ONCE_ID_LENGTH = 12;
/**
 * Twice as long as any signature may count: a command may wait before it gets its record's time, and the next start may
 * be with a longer skew than this one.
 */
export const REMEMBERED_MS = 2 * SKEW_MS_LIMIT;
/** The time JSON_TYPE takes grows with the square of the blanks, and everybody waits meanwhile. */
const TYPE_LENGTH_MAX = 100;
const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i;

export class HttpRequest implements Signed {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly ip: string;
  readonly time: number;
  readonly wallTime: number;
  body: Buffer | undefined;
  private readonly context: GatewayContext;
  private readonly mounted: MountedRoute;
  private readonly incoming: HttpMessage;
  private readonly outgoing: ServerResponse;
  private readonly params: Record<string, string>;
  private readonly id: string;
  private readonly startedAt: number;
  private user = -1;
  private isPending = false;
  private spent: Spent | undefined;
  private fault: RequestFault | undefined;

  constructor(
    context: GatewayContext,
    mounted: MountedRoute,
    incoming: HttpMessage,
    outgoing: ServerResponse,
    params: Record<string, string>,
    ip: string,
    id: string,
  ) {
    this.context = context;
    this.mounted = mounted;
    this.incoming = incoming;
    this.outgoing = outgoing;
    this.params = params;
    this.ip = ip;
    this.id = id;
    this.method = incoming.method!;
    this.url = mounted.stripMount(incoming.url!);
    this.headers = incoming.headers;
    const { clock } = context.services;
    this.time = clock.now();
    this.wallTime = clock.machine === clock ? this.time : clock.machine.now();
    this.startedAt = clock.machine.elapsed();
    this.body = undefined;
  }

  get dialect(): MountedRoute['dialect'] {
    return this.mounted.dialect;
  }

  /** Reads the body, where there is one, and goes on: whatever the method, it is part of what is signed. */
  begin(): void {
    if (this.incoming.rawHeaders.length > this.context.limits.headersCountMax * 2) {
      this.refuse(
        new Refusal('headers-too-large', `At most ${this.context.limits.headersCountMax} headers are taken.`),
      );
    } else if (this.headers.host === undefined && this.incoming.httpVersion === '1.1') {
      this.refuse(new Refusal('request-malformed', 'The Host header is missing.'));
    } else if (hasNoBody(this.headers)) {
      drain(this.incoming);
      void this.answer();
    } else this.receive();
  }

  private receive(): void {
    const { bodyBytesMax } = this.context.limits;
    const given = this.headers['content-type'];
    if (given !== 'application/json' && !isJson(given ?? '')) {
      const detail =
        given === undefined ? 'Content-Type is missing' : `Content-Type is '${given.slice(0, 60)}'`;
      this.refuse(new Refusal('media-type', `${detail}: a body needs Content-Type: application/json.`));
      return;
    }
    if (Number(this.headers['content-length']) > bodyBytesMax) {
      this.refuse(tooLarge(bodyBytesMax));
      return;
    }
    const body = new BodyBuffer(bodyBytesMax);
    this.incoming.takeBody((chunk) => {
      if (chunk === null) {
        this.body = body.whole;
        void this.answer();
      } else if (!body.add(chunk)) this.refuse(tooLarge(bodyBytesMax));
    });
  }

  private async answer(): Promise<void> {
    let text: string;
    try {
      const { mounted, context } = this;
      const { edge } = context;
      this.checkPipeline();
      if (edge !== undefined && (await this.isMet(edge))) return;
      if (context.isRetired) throw new Unavailable('stopped', 'the sandbox went back to a snapshot');
      const call = this.admit() as Call<never, never, never>;
      const given =
        edge === undefined ? mounted.route.handle(call) : edge.handle(call, mounted.route, this.fault);
      const data = given instanceof Promise ? await given : given;
      text = renderSuccess(mounted.dialect, mounted.route.shape, data);
      if (edge !== undefined) text = edge.outward(text);
    } catch (error) {
      this.refuse(error);
      return;
    }
    this.send(200, text, undefined);
  }

  /** Whether a fault has answered in the exchange's place, or cut the connection. */
  private async isMet(edge: RequestEdge): Promise<boolean> {
    const fault = edge.meet(this.asked);
    this.fault = fault;
    if (fault === undefined) return false;
    if (fault.waitMs > 0) await sleep(this.context.services.clock.machine, fault.waitMs);
    const { instead } = fault;
    if (instead === undefined) return false;
    if (instead === 'cut') {
      this.note(edge, 0, '', undefined);
      this.reply(0, '').cut();
    } else this.send(instead.status, instead.text, undefined, instead.type);
    return true;
  }

  private get asked(): AskedRequest {
    const { mounted, method, body } = this;
    const { route, dialect } = mounted;
    const sent = this.incoming.url!;
    const end = sent.indexOf('?');
    const key = this.headers[`${dialect.prefix.toLowerCase()}-api-key`];
    return {
      transport: 'http',
      dialect,
      route,
      method,
      path: end < 0 ? sent : sent.slice(0, end),
      query: end < 0 ? '' : sent.slice(end + 1),
      body,
      apiKey: typeof key === 'string' ? key : '',
    };
  }

  private note(edge: RequestEdge, status: number, answer: string, error: unknown): void {
    const { time, wallTime, startedAt, fault } = this;
    const durationMs = this.context.services.clock.machine.elapsed() - startedAt;
    const signedText = error instanceof Refusal ? signedTextOf(error) : undefined;
    edge.note({ ...this.asked, time, wallTime, status, answer, durationMs, signedText, fault });
  }

  private reply(status: number, text: string, type: AnswerType = 'json'): Reply {
    const { context, outgoing } = this;
    const spent = this.spent ?? context.throttle.spendAsAddress(this.ip, 0);
    return new HttpReply(
      outgoing,
      { status, text, type, spent, requestId: this.id },
      context.services.clock.machine,
    );
  }

  /** From here on the caller waits for an answer, and nothing else may be sent in its place. */
  private checkPipeline(): void {
    const { pipelinedRequestsMax } = this.context.limits;
    this.isPending = true;
    if (addPending(this.incoming.socket, 1) <= pipelinedRequestsMax) return;
    const most = `At most ${pipelinedRequestsMax} requests of one connection may wait for their answers.`;
    throw new Refusal('too-many-requests', most);
  }

  /** Everything before the route itself. */
  private admit(): Call<Record<string, string>, Record<string, string>, unknown> {
    const { mounted, context } = this;
    const { access, pool, weight } = mounted.route;
    let caller: Caller | undefined;
    if (access === 'public') this.spent = context.throttle.spendAsAddress(this.ip, weight);
    else {
      caller = context.authentication.authenticate(this, access);
      const { user } = caller.key;
      this.user = user;
      const tier = context.services.catalogue.user(user)?.tier ?? 0;
      this.spent =
        pool === 'public'
          ? context.throttle.spendAsAddress(this.ip, weight)
          : context.throttle.spendAsUser(pool, user, tier, weight);
    }
    if (!this.spent.allowed) {
      const { limit, remaining, resetMs } = this.spent;
      throw new Refusal(
        'too-many-requests',
        `This costs ${weight}, the ${pool} pool has ${remaining} of ${limit} left; it is full again in ${resetMs} ms.`,
      );
    }
    mounted.params?.check(this.params);
    const query = parseQuery(this.url, mounted.dialect);
    mounted.query?.check(query);
    const body =
      mounted.body === undefined ? undefined : this.checkBody(mounted.body, mounted.route.checksBody);
    return {
      dialect: mounted.dialect,
      user: this.user,
      key: caller === undefined ? '' : caller.key.key,
      ip: this.ip,
      host: this.headers.host ?? '',
      params: this.params,
      query,
      body,
      rawBody: this.body ?? EMPTY,
      time: this.time,
      once: caller === undefined || this.method === 'GET' ? undefined : this.once(caller),
    };
  }

  private checkBody(schema: NonNullable<MountedRoute['body']>, isForRoute = false): JsonObject {
    const { body } = this;
    if (body === undefined)
      throw new Refusal('parameter-invalid', 'The body is missing: it must be a JSON object.');
    const value = parseBody(body);
    if (isForRoute) return value;
    if (!this.dialect.isLiteral) return schema.checkLeniently(value, body);
    schema.check(value);
    return value;
  }

  /** Records have the log's time, which may be ahead of the clock that the caller's timestamp was held against. */
  private once({ signature, timestamp, isWallTime }: Caller): Call['once'] {
    const { services, wallSigned } = this.context;
    const id = signature.slice(0, ONCE_ID_LENGTH);
    if (isWallTime) {
      wallSigned.take(id);
      return undefined;
    }
    const { port } = services;
    return { id, until: timestamp + REMEMBERED_MS + port.aheadMs };
  }

  private refuse(error: unknown): void {
    const refusal = toRefusal(error);
    const { dialect } = this.mounted;
    const status = statusOf(dialect, refusal.error);
    if (!this.incoming.complete) drain(this.incoming);
    this.send(status, renderRefusal(dialect, this.mounted.route.shape, refusal), error);
  }

  private send(status: number, text: string, error: unknown, type: AnswerType = 'json'): void {
    const { outgoing, context, mounted, fault } = this;
    if (this.isPending) addPending(this.incoming.socket, -1);
    const ms = context.services.clock.machine.elapsed() - this.startedAt;
    mounted.meter.count(status, ms);
    if (status >= 500) context.log.failed(this.line(status, ms), error);
    else context.log.each?.(this.line(status, ms));
    if (context.edge !== undefined) this.note(context.edge, status, text, error);
    if (fault !== undefined) {
      const reply = this.reply(status, text, type);
      if (fault.deliver === undefined) reply.send();
      else fault.deliver(reply);
      return;
    }
    writeAnswer(outgoing, status, text, this.spent ?? context.throttle.spendAsAddress(this.ip, 0), this.id);
  }

  private line(status: number, ms: number): RequestLine {
    const { id, mounted, user, ip } = this;
    return { request: id, route: mounted.route.id, dialect: mounted.dialect.name, status, user, ip, ms };
  }
}

export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (!(error instanceof Unavailable)) return new Refusal('internal-error');
  const name: ErrorName = error.reason === 'stopped' ? 'unavailable' : 'busy';
  return new Refusal(name, `${error.message}.`);
}

const sleep = (clock: Clock, ms: number): Promise<void> =>
  new Promise((resolve) => void clock.after(ms, resolve));

const tooLarge = (bytesMax: number): Refusal =>
  new Refusal('body-too-large', `At most ${bytesMax} bytes are taken.`);

const isJson = (type: string): boolean => type.length <= TYPE_LENGTH_MAX && JSON_TYPE.test(type);

function hasNoBody(headers: IncomingMessage['headers']): boolean {
  const length = headers['content-length'];
  return (length === undefined || length === '0') && headers['transfer-encoding'] === undefined;
}

/** A body that nobody wants is read and thrown away, within bounds: a client that sends it gets to read its answer. */
function drain(incoming: HttpMessage): void {
  let bytes = 0;
  incoming.takeBody((chunk) => {
    bytes += chunk?.length ?? 0;
    if (bytes > DRAINED_BYTES_MAX) incoming.destroy();
  });
}
