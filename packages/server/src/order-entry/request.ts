/** One request of order entry: a message of a session that has signed in. */

import { Unavailable } from '../engine/exchange-port.ts';
import type { Spent } from '../gateway/access/throttle.ts';
import type { Applicant, Who } from '../gateway/admission/admission.ts';
import type { AnswerSender, InterceptedRequest, RenderedAnswer } from '../gateway/admission/interceptor.ts';
import { sessionProof } from '../gateway/admission/once.ts';
import type { Dialect } from '../gateway/dialects.ts';
import { renderRefusal, renderSuccess, statusOf } from '../gateway/errors/render.ts';
import { toRefusal } from '../gateway/errors/to-refusal.ts';
import type { JsonObject } from '../gateway/http/reading/json-body.ts';
import type { Call, Route, Shape } from '../gateway/route.ts';
import { type Awaiting, settle } from '../gateway/sent-command.ts';
import type { OrderEntryContext } from './context.ts';
import { type Arguments, argumentsOf, type Operation } from './operations.ts';

/** The session that a request came on. */
export interface RequestSession {
  /** As log lines name it. */
  readonly id: string;
  /** Unique to the session. Together with the id of a message it names the request in the log of commands. */
  readonly tag: string;
  readonly user: number;
  readonly key: string;
  readonly ip: string;
  /** Whether its key still stands, may come from here, and may do this; throws a refusal otherwise. */
  checkKey(operation: Operation): void;
  /** The request is answered with this; undefined: its connection is to be cut. */
  finish(text: string | undefined): void;
}

type Said = Arguments & { readonly route: Route };

export class OrderEntryRequest implements Applicant<Who, Said>, InterceptedRequest, AnswerSender, Awaiting {
  readonly transport = 'order-entry';
  readonly method = '';
  readonly dialect: Dialect;
  readonly route: Route;
  readonly target: string;
  readonly sent: Buffer;
  readonly ip: string;
  readonly time: number;
  readonly user: number;
  readonly key: string;
  readonly presentedKey: string;
  private readonly context: OrderEntryContext;
  private readonly session: RequestSession;
  private readonly operation: Operation;
  private readonly id: string;
  /** Until it is read: the request may wait for long, with thousands of others. */
  private message: JsonObject | undefined;
  private readonly startedAt: number;
  private spent: Spent | undefined;
  /** Of the route that was called: an operation may have several. */
  private shape: Shape = 'A';

  constructor(
    context: OrderEntryContext,
    session: RequestSession,
    operation: Operation,
    { id, message, bytes, time }: { id: string; message: JsonObject; bytes: Buffer; time: number },
  ) {
    this.context = context;
    this.session = session;
    this.operation = operation;
    this.dialect = context.dialect;
    this.route = operation.route;
    this.target = operation.op;
    this.sent = bytes;
    this.ip = session.ip;
    this.time = time;
    this.user = session.user;
    this.key = session.key;
    this.presentedKey = session.key;
    this.id = id;
    this.message = message;
    this.startedAt = context.gateway.services.clock.machine.elapsed();
  }

  answer(): void {
    // A sandbox may hold it back.
    const held = this.context.gateway.interceptor?.arrive(this);
    if (held === undefined) this.answerNow();
    else void this.answerWhenDue(held);
  }

  private async answerWhenDue(held: Promise<void>): Promise<void> {
    try {
      await held;
    } catch (error) {
      this.refuse(error);
      return;
    }
    this.answerNow();
  }

  private answerNow(): void {
    let given: unknown;
    try {
      given = this.handle();
    } catch (error) {
      this.refuse(error);
      return;
    }
    settle(given, this);
  }

  /** What the route gives; refuses by throwing. */
  private handle(): unknown {
    const { interceptor, closing } = this.context.gateway;
    if (closing.isRetired) throw new Unavailable('stopped', closing.reason);
    const { call, route } = this.admit();
    this.shape = route.shape;
    return interceptor === undefined
      ? route.handle(call as Call<never, never, never>)
      : interceptor.handle(this, call, route.handle as (call: Call) => unknown);
  }

  succeed(data: unknown): void {
    let text: string;
    try {
      text = renderSuccess(this.dialect, this.shape, data);
    } catch (error) {
      this.refuse(error);
      return;
    }
    this.give({ status: 200, text, error: undefined });
  }

  refuse(error: unknown): void {
    const { dialect } = this;
    const refusal = toRefusal(error);
    const text = renderRefusal(dialect, 'A', refusal);
    this.give({ status: statusOf(dialect, refusal.error), text, error });
  }

  private give(answer: RenderedAnswer): void {
    const { interceptor } = this.context.gateway;
    if (interceptor === undefined) this.send(answer);
    else interceptor.answer(this, answer, this);
  }

  identify(): Who {
    const { session, operation } = this;
    session.checkKey(operation);
    return { user: session.user, proof: sessionProof(session.tag, this.id) };
  }

  read(): Said {
    const message = this.message!;
    this.message = undefined;
    return this.operation.prepare(argumentsOf(message, this.sent));
  }

  private admit(): { call: Call; route: Route } {
    const { said, spent, once } = this.context.gateway.admission.admit(this.operation, this);
    this.spent = spent;
    const { route, params, query, body } = said;
    const call: Call = {
      dialect: this.dialect,
      user: this.user,
      key: this.key,
      ip: this.ip,
      host: '',
      params,
      query,
      body,
      rawBody: this.sent,
      time: this.time,
      once,
    };
    return { call, route };
  }

  send({ status, text, error }: RenderedAnswer): void {
    this.count(status, error);
    this.session.finish(this.wrap(text));
  }

  cut(): void {
    this.count(0, undefined);
    this.session.finish(undefined);
  }

  /** A websocket carries whole messages. */
  sendRaw(): boolean {
    return false;
  }

  /** The answer of HTTP, with the message's own members around its own. */
  private wrap(text: string): string {
    const { pool, op } = this.operation;
    const { admission, services } = this.context.gateway;
    const { limit, remaining, resetMs } = this.spent ?? admission.standing(pool, this.user, this.ip);
    return (
      `{"id":${JSON.stringify(this.id)},"op":"${op}",${text.slice(1, -1)},"inTime":${this.time},` +
      `"outTime":${services.clock.now()},` +
      `"userRateLimit":{"limit":${limit},"reset":${resetMs},"remaining":${remaining}}}`
    );
  }

  private count(status: number, error: unknown): void {
    const { operation, session } = this;
    const { services, log } = this.context.gateway;
    const ms = services.clock.machine.elapsed() - this.startedAt;
    operation.meter.count(status, ms);
    if (status < 500 && log.each === undefined) return;
    const request = `${session.id}/${this.id}`;
    const { user, ip } = this;
    const line = { request, route: operation.op, dialect: 'order-entry', status, user, ip, ms };
    if (status >= 500) log.failed(line, error);
    else log.each?.(line);
  }
}
