/** One request of order entry: a message of a signed-in session. */

import { Unavailable } from '@bourse/engine';
import type { GatewayContext } from '../gateway/http/request.ts';
import { checkFresh } from '../gateway/http/position-headers.ts';
import type { RateUsage } from '../gateway/access/throttle.ts';
import { type Applicant, sessionProof, type Who } from '../gateway/admission.ts';
import type { AnswerSender, ObservedRequest, RenderedAnswer } from '../gateway/faults.ts';
import type { Call, Dialect, Route, Shape } from '../gateway/route.ts';
import { Refusal, toRefusal } from '../gateway/errors/refusal.ts';
import { type Awaiting, renderRefusal, settle, statusOf, successMembers } from '../gateway/result.ts';
import type { JsonObject } from '../gateway/members.ts';
import type { OrderEntryLimits } from './limits.ts';
import { type Arguments, argumentsOf, type Operation } from './operations.ts';
import type { WaitingBytes } from '../sockets/outlet.ts';
import type { WorkScheduler } from '../sockets/work-scheduler.ts';

/** Shared by all sessions. */
export interface OrderEntryContext {
  readonly gateway: GatewayContext;
  readonly dialect: Dialect;
  readonly operations: ReadonlyMap<string, Operation>;
  readonly limits: OrderEntryLimits;
  /** Bytes of unread responses, over all sessions. */
  readonly waiting: WaitingBytes;
  readonly scheduler: WorkScheduler;
}

/** The session of a request. */
export interface RequestSession {
  /** Its id in log lines. */
  readonly id: string;
  /** Unique to the session. Together with the id of a message it names the request in the log of commands. */
  readonly tag: string;
  readonly user: number;
  readonly key: string;
  readonly ip: string;
  /** Checks that its key still exists and allows this address and operation; throws a refusal otherwise. */
  checkKey(operation: Operation): void;
  /** Completes the request: the response is `before`, the time of writing, and `after`. */
  finish(before: string, after: string): void;
  /** Closes the connection without a response. */
  cut(): void;
}

type Parsed = Arguments & { readonly route: Route };

/** A message has no signature that could be renewed. */
const REPEATED = new Refusal('request-repeated', 'Give the message an id of its own to act again.');

export interface EntryMessage {
  readonly id: string;
  readonly message: JsonObject;
  readonly bytes: Buffer;
  /** Exchange time when it was read. */
  readonly time: number;
  /** The same by the machine's monotonic clock. */
  readonly receivedAt: number;
}

/** Thousands may be in flight, and the garbage collector moves each, so it has few fields and looks up the rest. */
export class OrderEntryRequest implements Applicant<Who, Parsed>, ObservedRequest, AnswerSender, Awaiting {
  /** Until it is handled; while a sandbox records requests, until its response. */
  sent: Buffer | undefined;
  readonly time: number;
  readonly #context: OrderEntryContext;
  readonly #session: RequestSession;
  readonly #operation: Operation;
  readonly #id: string;
  /** Until it is handled. */
  #message: JsonObject | undefined;
  readonly #startedAt: number;
  #spent: RateUsage | undefined;
  /** The response shape of the called route: an operation may have several. */
  #shape: Shape = 'A';

  constructor(
    context: OrderEntryContext,
    session: RequestSession,
    operation: Operation,
    { id, message, bytes, time, receivedAt }: EntryMessage,
  ) {
    this.#context = context;
    this.#session = session;
    this.#operation = operation;
    this.sent = bytes;
    this.time = time;
    this.#id = id;
    this.#message = message;
    this.#startedAt = receivedAt;
  }

  get transport(): 'order-entry' {
    return 'order-entry';
  }

  get method(): string {
    return '';
  }

  get dialect(): Dialect {
    return this.#context.dialect;
  }

  get route(): Route {
    return this.#operation.route;
  }

  get target(): string {
    return this.#operation.op;
  }

  get ip(): string {
    return this.#session.ip;
  }

  get user(): number {
    return this.#session.user;
  }

  get key(): string {
    return this.#session.key;
  }

  get presentedKey(): string {
    return this.#session.key;
  }

  answer(): void {
    // A sandbox may hold it back.
    const held = this.#context.gateway.faults?.arrive(this);
    if (held === undefined) this.#answerNow();
    else void this.#answerWhenDue(held);
  }

  async #answerWhenDue(held: Promise<void>): Promise<void> {
    try {
      await held;
    } catch (error) {
      this.refuse(error);
      return;
    }
    this.#answerNow();
  }

  #answerNow(): void {
    let given: unknown;
    try {
      given = this.#handle();
    } catch (error) {
      this.refuse(error);
      return;
    }
    settle(given, this);
  }

  /** Calls the route; throws refusals. */
  #handle(): unknown {
    const { faults, closing, services } = this.#context.gateway;
    if (closing.isRetired) throw new Unavailable('stopped', closing.reason);
    checkFresh(services.position);
    const { call, route } = this.#admit();
    this.#shape = route.shape;
    return faults === undefined
      ? route.handle(call as Call<never, never, never>)
      : faults.handle(this, call, route.handle as (call: Call) => unknown);
  }

  succeed(data: unknown): void {
    let members: string;
    try {
      members = successMembers(this.dialect, this.#shape, data);
    } catch (error) {
      this.refuse(error);
      return;
    }
    this.#give(200, members, undefined);
  }

  refuse(error: unknown): void {
    const { dialect } = this;
    const given = toRefusal(error);
    const refusal = given.error === 'request-repeated' ? REPEATED : given;
    const text = renderRefusal(dialect, 'A', refusal);
    const status = statusOf(dialect, refusal.error);
    const { transport, method, target, time } = this;
    const { refusals } = this.#context.gateway.services;
    refusals.note(this.user, { time, transport, method, target, status, text });
    this.#give(status, withoutBraces(text), error);
  }

  #give(status: number, members: string, error: unknown): void {
    const { faults } = this.#context.gateway;
    if (faults === undefined) this.#finish(status, members, error);
    else faults.answer(this, { status, text: `{${members}}`, error }, this);
  }

  identify(): Who {
    const session = this.#session,
      operation = this.#operation;
    session.checkKey(operation);
    return { user: session.user, proof: sessionProof(session.tag, this.#id) };
  }

  read(): Parsed {
    const message = this.#message!;
    this.#message = undefined;
    return this.#operation.prepare(argumentsOf(message, this.sent!, this.dialect));
  }

  #admit(): { call: Call; route: Route } {
    const { parsed, spent, once } = this.#context.gateway.admission.admit(this.#operation, this);
    this.#spent = spent;
    const { route, params, query, body } = parsed;
    if (this.#context.gateway.faults === undefined) this.sent = undefined;
    const call: Call = {
      dialect: this.dialect,
      user: this.user,
      signer: this.user,
      key: this.key,
      ip: this.ip,
      host: '',
      params,
      query,
      body,
      rawBody: undefined,
      time: this.time,
      once,
    };
    return { call, route };
  }

  send({ status, text, error }: RenderedAnswer): void {
    this.#finish(status, withoutBraces(text), error);
  }

  #finish(status: number, members: string, error: unknown): void {
    this.#count(status, error);
    const { pool, op } = this.#operation;
    const { admission } = this.#context.gateway;
    const { limit, remaining, resetMs } = this.#spent ?? admission.standing(pool, this.user, this.ip);
    // Embeds the members of the HTTP response in the message's own.
    this.#session.finish(
      `{"id":${JSON.stringify(this.#id)},"op":"${op}",${members},"inTime":${this.time},"outTime":`,
      `,"userRateLimit":{"limit":${limit},"reset":${resetMs},"remaining":${remaining}}}`,
    );
  }

  cut(): void {
    this.#count(0, undefined);
    this.#session.cut();
  }

  /** A websocket carries complete messages. */
  sendRaw(): boolean {
    return false;
  }

  #count(status: number, error: unknown): void {
    const operation = this.#operation,
      session = this.#session;
    const { services, log } = this.#context.gateway;
    const ms = services.clock.machine.elapsed() - this.#startedAt;
    operation.meter.count(status, ms);
    if (status < 500 && log.each === undefined) return;
    const request = `${session.id}/${this.#id}`;
    const { user, ip } = this;
    const line = { request, route: operation.op, dialect: 'order-entry', status, user, ip, ms };
    if (status >= 500) log.failed(line, error);
    else log.each?.(line);
  }
}

const withoutBraces = (text: string): string => text.slice(1, -1);
