/**
 * The seam for a sandbox's faults, between clients and the exchange: HTTP and order entry pass their requests and
 * responses through `requests`, the feed its connections and messages through `feed`. A venue has no faults.
 */

import type { TokenOwner } from './access/feed-tokens.ts';
import type { Dialect } from './dialects.ts';
import type { Call, Route } from './route.ts';

export interface Faults {
  readonly requests: RequestFaults;
  readonly feed: FeedFaults;
  /** Lets all requests go on that are held back. */
  release(): void;
  close(): Promise<void>;
}

/** A request as far as it is known; `user` and `key` are -1 and '' until it is admitted. */
export interface ObservedRequest {
  readonly transport: 'http' | 'order-entry';
  readonly dialect: Dialect;
  /** For order entry: the route behind the operation. */
  readonly route: Route;
  readonly method: string;
  /** Path and query as sent, without the mount; of order entry the operation. */
  readonly target: string;
  /** The body as sent; for order entry the whole message. */
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

/** How a response leaves. Faults call exactly one of these, now or later. */
export interface AnswerSender {
  send(answer: RenderedAnswer): void;
  /** Ends the connection without a response. */
  cut(): void;
  /** Sends these bytes, even if they are not HTTP, and ends the connection. False: impossible on this transport. */
  sendRaw(chunks: AsyncIterable<Buffer>): boolean;
}

export interface RequestFaults {
  /**
   * Called before authentication. A rejection refuses the request. Undefined if the request is not delayed: a request that is
   * answered in the turn of the event loop in which it was read counts towards that turn's limit.
   */
  arrive(request: ObservedRequest): Promise<void> | undefined;
  /** Replaces the route's handler: admitted and charged, nothing done yet. `handle` is the handler. */
  handle(request: ObservedRequest, call: Call, handle: (call: Call) => unknown): unknown;
  /** Called with every response, refusals included, before it is sent. */
  answer(request: ObservedRequest, answer: RenderedAnswer, sender: AnswerSender): void;
}

/** A channel of the feed. */
export interface FeedTopic {
  readonly name: string;
  /** The topic as messages carry it. */
  readonly text: string;
}

/** A connection to the feed, as far as faults look at it. */
export interface FeedSocket {
  readonly owner: TokenOwner;
  /** Its subscriptions. */
  readonly addresses: Iterable<FeedTopic>;
  close(code: number, reason: string): void;
}

export interface FeedFaults {
  /** Whether messages pass through `deliver`. */
  readonly isActive: boolean;
  opened(socket: FeedSocket): void;
  closed(socket: FeedSocket): void;
  /** The code of the refusal; undefined where the token is accepted. */
  refusal(owner: TokenOwner): number | undefined;
  /** It has subscribed to something new. */
  subscribed(socket: FeedSocket): void;
  answersPing(socket: FeedSocket): boolean;
  /** `give` may be called at once, later, several times or never. */
  deliver(
    socket: FeedSocket,
    topic: FeedTopic,
    texts: readonly string[],
    give: (texts: readonly string[]) => void,
  ): void;
}
