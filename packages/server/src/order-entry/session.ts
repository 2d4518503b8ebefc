/**
 * One connection of order entry. It signs in twice, by its address and by a challenge, and then sends requests without
 * waiting for answers.
 *
 *   challenged --right--> open --last answer given, or nothing waits--> closed
 *        | wrong, late --> closed        | idle, old, cut, key gone, server ends
 *
 * Answers are those of HTTP, with the message's own members around them. Those of one record come in one turn, and go
 * out in one write.
 */

import { hash, randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { checkAddress, checkPermission, type OpenedSession } from '../gateway/access/authenticate.ts';
import type { Dialect } from '../gateway/dialects.ts';
import { type JsonObject, parseBody } from '../gateway/http/json-body.ts';
import { Refusal } from '../gateway/errors/refusal.ts';
import { renderRefusal, renderSuccess, statusOf } from '../gateway/errors/render.ts';
import type { Call } from '../gateway/route.ts';
import { equalDigests } from '../gateway/access/signature.ts';
import type { Spent } from '../gateway/access/throttle.ts';
import { type GatewayContext, toRefusal } from '../gateway/http/request.ts';
import { textFrames } from '../sockets/frames.ts';
import { Outlet, PONG_HEAD_BYTES } from '../sockets/outlet.ts';
import { OrderEntryError } from './errors.ts';
import type { OrderEntryLimits } from './limits.ts';
import { argumentsOf, type Operation } from './operations.ts';

/** What all sessions share. */
export interface OrderEntryContext {
  readonly gateway: GatewayContext;
  readonly dialect: Dialect;
  readonly operations: ReadonlyMap<string, Operation>;
  readonly limits: OrderEntryLimits;
}

const GOING_AWAY = 1001;
const POLICY = 1008;
const TRY_LATER = 1013;
const MESSAGE_ID_LENGTH_MAX = 128;
/** Such ids go into the log as they are; with the session's tag they fit. Others are hashed. */
const SHORT_ID = /^[\x21-\x7e]{1,40}$/;
const ONCE_ID_LENGTH = 22;

export class OrderEntrySession {
  readonly user: number;
  private readonly context: OrderEntryContext;
  private readonly ws: WebSocket;
  private readonly socket: Socket;
  private readonly outlet: Outlet;
  private readonly opened: OpenedSession;
  private readonly ip: string;
  private readonly id = randomBytes(12).toString('hex');
  /** Before the message's id in the log: 72 bits, so that no two sessions meet. */
  private readonly tag = randomBytes(9).toString('base64url');
  private readonly challenge: string;
  private readonly startedAt: number;
  private state: 'challenged' | 'open' | 'closed' = 'challenged';
  private isEnding = false;
  private heardAt: number;
  private inFlight = 0;
  private isPaused = false;
  private errors = 0;
  private waiting: string[] = [];

  constructor(context: OrderEntryContext, ws: WebSocket, socket: Socket, opened: OpenedSession, ip: string) {
    const { clock } = context.gateway.services;
    this.context = context;
    this.ws = ws;
    this.socket = socket;
    this.outlet = new Outlet(socket, context.limits.orderEntryBufferedBytesMax, this.cut);
    this.opened = opened;
    this.ip = ip;
    this.user = opened.key.user;
    this.startedAt = this.heardAt = clock.elapsed();
    this.challenge = `{"sessionId":"${this.id}","timestamp":${clock.now()}}`;
    ws.on('message', (data) => this.take(data as Buffer));
    ws.on('ping', (data: Buffer) => this.pong(data));
    ws.on('close', () => (this.state = 'closed'));
    // What is wrong with the frames is answered by the protocol's own close codes.
    ws.on('error', () => undefined);
    this.push(this.challenge);
  }

  /** Called every second or so: what has lasted too long ends. */
  look(now: number): void {
    const { limits } = this.context;
    if (this.state === 'closed') return;
    if (this.state === 'challenged') {
      if (now - this.startedAt > limits.orderEntryChallengeMs)
        this.refuse(new OrderEntryError('challenge-late'));
    } else if (now - this.heardAt > limits.orderEntryIdleMsMax) this.close(POLICY, 'ping timeout');
    else if (now - this.startedAt > limits.orderEntryAgeMsMax) this.end();
  }

  /** Takes no more, answers what waits, closes. */
  end(): void {
    this.isEnding = true;
    this.ws.pause();
    if (this.inFlight === 0) this.close(GOING_AWAY, 'the session ends, connect again');
  }

  refuse(error: OrderEntryError): void {
    this.push(error.toJson());
    this.close(POLICY, error.error);
  }

  private take(bytes: Buffer): void {
    const { clock } = this.context.gateway.services;
    this.heardAt = clock.elapsed();
    if (this.state === 'challenged') this.verify(bytes.toString('latin1'));
    else if (this.state === 'open') this.receive(bytes, clock.now());
  }

  private verify(signature: string): void {
    if (!equalDigests(signature, this.opened.signing.sign(this.challenge, undefined))) {
      this.refuse(new OrderEntryError('challenge-wrong'));
      return;
    }
    const { orderEntryPingIntervalMs, orderEntryPingTimeoutMs } = this.context.limits;
    this.state = 'open';
    this.push(
      `{"sessionId":"${this.id}","data":"welcome","pingInterval":${orderEntryPingIntervalMs},` +
        `"pingTimeout":${orderEntryPingTimeoutMs}}`,
    );
  }

  private receive(bytes: Buffer, inTime: number): void {
    let message: JsonObject | undefined;
    try {
      message = parseBody(bytes);
      const { id, op } = message;
      if (typeof id !== 'string' || id === '' || id.length > MESSAGE_ID_LENGTH_MAX) {
        throw wrong(
          `Field 'id' must be a non-empty string, at most ${MESSAGE_ID_LENGTH_MAX} characters long.`,
        );
      }
      this.errors = 0;
      if (op === 'ping') {
        this.push(`{"id":${JSON.stringify(id)},"op":"pong","timestamp":"${inTime}"}`);
        return;
      }
      const operation = this.context.operations.get(op as string);
      if (operation === undefined) {
        throw wrong(`Field 'op' must be one of ping, ${[...this.context.operations.keys()].join(', ')}.`);
      }
      this.inFlight++;
      if (this.inFlight >= this.context.limits.orderEntryInFlightMax && !this.isPaused) {
        this.isPaused = true;
        this.ws.pause();
      }
      void this.answer(id, operation, message, bytes, inTime);
    } catch (error) {
      this.answerWrong(error, message, inTime);
    }
  }

  private async answer(
    id: string,
    operation: Operation,
    message: JsonObject,
    bytes: Buffer,
    inTime: number,
  ): Promise<void> {
    const { gateway, dialect } = this.context;
    const { clock } = gateway.services;
    const startedAt = clock.elapsed();
    let status = 200;
    let spent: Spent | undefined;
    let failure: unknown;
    let text: string;
    try {
      this.checkKey(operation);
      spent = this.spend(operation);
      const { route, params, query, body } = operation.prepare(argumentsOf(message, bytes));
      const call: Call<unknown, unknown, unknown> = {
        dialect,
        user: this.user,
        key: this.opened.key.key,
        ip: this.ip,
        host: '',
        params,
        query,
        body,
        rawBody: bytes,
        time: inTime,
        once: { id: this.onceId(id), until: inTime + 2 * gateway.skewMsMax + gateway.services.port.aheadMs },
      };
      const given = route.handle(call as Call<never, never, never>);
      text = renderSuccess(dialect, route.shape, given instanceof Promise ? await given : given);
    } catch (error) {
      const refusal = toRefusal(error);
      failure = error;
      status = statusOf(dialect, refusal.error);
      text = renderRefusal(dialect, 'A', refusal);
    }
    const ms = clock.elapsed() - startedAt;
    operation.meter.count(status, ms);
    if (status >= 500 || gateway.log.each !== undefined) this.log(id, operation, status, ms, failure);
    this.push(this.wrap(id, operation, text, inTime, spent ?? this.standing(operation)));
    this.finish();
  }

  /** The answer of HTTP, with the message's own members around its own. */
  private wrap(id: string, { op }: Operation, text: string, inTime: number, spent: Spent): string {
    const { limit, remaining, resetMs } = spent;
    return (
      `{"id":${JSON.stringify(id)},"op":"${op}",${text.slice(1, -1)},"inTime":${inTime},` +
      `"outTime":${this.context.gateway.services.clock.now()},` +
      `"userRateLimit":{"limit":${limit},"reset":${resetMs},"remaining":${remaining}}}`
    );
  }

  private finish(): void {
    this.inFlight--;
    if (this.isEnding) {
      if (this.inFlight === 0) this.end();
    } else if (this.isPaused && this.inFlight <= this.context.limits.orderEntryInFlightMax / 2) {
      this.isPaused = false;
      this.ws.resume();
    }
  }

  /** A key may be taken away, or changed, while its sessions last. */
  private checkKey({ access }: Operation): void {
    const { key: known } = this.opened;
    const key = this.context.gateway.services.catalogue.key(known.key);
    if (key === undefined || key.secret !== known.secret) {
      this.isEnding = true;
      throw new Refusal('api-key-unknown', 'The key of this session is no longer there.');
    }
    checkAddress(key, this.ip);
    checkPermission(key, access);
  }

  private spend({ pool, weight }: Operation): Spent {
    const { services, throttle } = this.context.gateway;
    const tier = services.catalogue.user(this.user)?.tier ?? 0;
    const spent = throttle.spendAsUser(pool, this.user, tier, weight);
    if (spent.allowed) return spent;
    throw new Refusal(
      'too-many-requests',
      `This costs ${weight}, the ${pool} pool has ${spent.remaining} of ${spent.limit} left; ` +
        `it is full again in ${spent.resetMs} ms.`,
    );
  }

  private standing({ pool }: Operation): Spent {
    const { services, throttle } = this.context.gateway;
    return throttle.spendAsUser(pool, this.user, services.catalogue.user(this.user)?.tier ?? 0, 0);
  }

  private onceId(id: string): string {
    if (SHORT_ID.test(id)) return `${this.tag}.${id}`;
    return hash('sha256', `${this.tag}|${id}`, 'base64url').slice(0, ONCE_ID_LENGTH);
  }

  /** A message that is no request; many in a row are no client. */
  private answerWrong(error: unknown, message: JsonObject | undefined, inTime: number): void {
    const said =
      error instanceof Refusal
        ? wrong(error.detail.replace('The body', 'The message'))
        : (error as OrderEntryError);
    const members = { id: shortText(message?.['id']) ?? '', op: shortText(message?.['op']) };
    const outTime = this.context.gateway.services.clock.now();
    const text = said.toJson().slice(1, -1);
    this.push(`${JSON.stringify(members).slice(0, -1)},${text},"inTime":${inTime},"outTime":${outTime}}`);
    if (++this.errors >= this.context.limits.orderEntryErrorsMax)
      this.refuse(new OrderEntryError('errors-many'));
  }

  private log(id: string, { op }: Operation, status: number, ms: number, failure: unknown): void {
    const { log } = this.context.gateway;
    const request = `${this.id}/${id}`;
    const line = { request, route: op, dialect: 'order-entry', status, user: this.user, ip: this.ip, ms };
    if (status >= 500) log.failed(line, failure);
    else log.each?.(line);
  }

  private push(text: string): void {
    if (this.state === 'closed') return;
    if (this.waiting.length === 0) process.nextTick(this.flush);
    this.waiting.push(text);
  }

  /** After everything that answers in this turn. */
  private readonly flush = (): void => {
    const texts = this.waiting;
    if (texts.length === 0 || this.socket.destroyed) return;
    this.waiting = [];
    this.outlet.write(textFrames(texts));
  };

  /** The protocol's own ping: its answer waits like any other. */
  private pong(bytes: Buffer): void {
    if (this.state !== 'closed' && this.outlet.hasRoom(PONG_HEAD_BYTES + bytes.length)) this.ws.pong(bytes);
  }

  private readonly cut = (): void => {
    this.close(TRY_LATER, 'answers are not read');
    this.socket.destroy();
  };

  private close(code: number, reason: string): void {
    if (this.state === 'closed') return;
    this.flush();
    this.state = 'closed';
    this.ws.resume();
    this.ws.close(code, reason);
  }
}

const wrong = (detail: string): OrderEntryError => new OrderEntryError('message-invalid', detail);

/** What comes back of a message that was no request. */
const shortText = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.slice(0, MESSAGE_ID_LENGTH_MAX) : undefined;
