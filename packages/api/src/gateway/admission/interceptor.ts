/**
 * A hook between requests and their answers, by which a sandbox's faults watch, delay or replace them. HTTP and order
 * entry call it. A venue has none.
 */

import type { Dialect } from '../dialects.ts';
import type { Call, Route } from '../route.ts';

/** A request as far as it is known; `user` and `key` are -1 and '' until it is admitted. */
export interface InterceptedRequest {
  readonly transport: 'http' | 'order-entry';
  readonly dialect: Dialect;
  /** Of order entry: the route that the operation is another name for. */
  readonly route: Route;
  readonly method: string;
  /** Path and query as sent, without the mount; of order entry the operation. */
  readonly target: string;
  /** As sent; of order entry the whole message. */
  readonly sent: Buffer | undefined;
  readonly ip: string;
  /** Exchange time when it was read. */
  readonly time: number;
  /** The key it names, whether or not it has proved it; '' for none. */
  readonly presentedKey: string;
  readonly user: number;
  readonly key: string;
}

export interface RenderedAnswer {
  readonly status: number;
  readonly text: string;
  /** Why it was refused or failed; undefined for a success. */
  readonly error: unknown;
}

/** How an answer leaves. An interceptor calls exactly one of these, now or later. */
export interface AnswerSender {
  send(answer: RenderedAnswer): void;
  /** Ends the connection without an answer. */
  cut(): void;
  /** Bytes as they are, also such as no answer ever has, and then the end of the connection. False: cannot be done here. */
  sendRaw(chunks: AsyncIterable<Buffer>): boolean;
}

export interface Interceptor {
  /**
   * Before anybody is known. A rejection refuses the request. Undefined where it is not held back: what is answered in the
   * turn of the event loop in which it was read counts towards what that turn may take.
   */
  arrive(request: InterceptedRequest): Promise<void> | undefined;
  /** In place of the route's handler: admitted, paid for, nothing done yet. `handle` is the route itself. */
  handle(request: InterceptedRequest, call: Call, handle: (call: Call) => unknown): unknown;
  /** Every answer, refusals too, before it is sent. */
  answer(request: InterceptedRequest, answer: RenderedAnswer, sender: AnswerSender): void;
}
