/**
 * The seam for a sandbox's faults, between clients and the exchange: HTTP and order entry pass their requests and
 * responses through `requests`, the feed its connections and messages through `feed`. A venue has no faults.
 */

import type { TokenOwner } from './access/feed-tokens.ts';
import type { Call, Dialect, Route } from './route.ts';

export interface Faults {
  readonly requests: RequestFaults;
  readonly feed: FeedFaults;
  /** Releases all requests that are held back. */
  release(): void;
  close(): Promise<void>;
}

/** A request as faults see it; `user` and `key` are -1 and '' until it is admitted. */
export interface ObservedRequest {
  readonly transport: 'http' | 'order-entry';
  readonly dialect: Dialect;
  /** For order entry: the route behind the operation. */
  readonly route: Route;
  readonly method: string;
  /** Path and query as sent, without the mount; for order entry the operation. */
  readonly target: string;
  /** The body as sent; for order entry the complete message. */
  readonly sent: Buffer | undefined;
  readonly ip: string;
  /** Exchange time when it was read. */
  readonly time: number;
  /** The key that it names, authenticated or not; '' for none. */
  readonly presentedKey: string;
  readonly user: number;
  readonly key: string;
}

export interface RenderedAnswer {
  readonly status: number;
  readonly text: string;
  /** The error of an unsuccessful request; undefined for a success. */
  readonly error: unknown;
}

/** How a response is sent. Faults call exactly one of these, now or later. */
export interface AnswerSender {
  send(answer: RenderedAnswer): void;
  /** Ends the connection without a response. */
  cut(): void;
  /**
   * Sends these bytes, even if they are not HTTP, and closes the connection. Returns false if the transport cannot do
   * that.
   */
  sendRaw(chunks: AsyncIterable<Buffer>): boolean;
}

export interface RequestFaults {
  /**
   * Called before authentication. A rejection refuses the request. Returns undefined if the request is not delayed,
   * because a request answered in the event loop iteration that read it counts toward that iteration's limit.
   */
  arrive(request: ObservedRequest): Promise<void> | undefined;
  /**
   * Replaces the route's handler: the request is admitted and charged, but has no effect yet. `handle` is the
   * handler.
   */
  handle(request: ObservedRequest, call: Call, handle: (call: Call) => unknown): unknown;
  /** Called with every response, including errors, before it is sent. */
  answer(request: ObservedRequest, answer: RenderedAnswer, sender: AnswerSender): void;
}

/** A channel of the feed. */
export interface FeedTopic {
  readonly name: string;
  /** The topic as messages carry it. */
  readonly text: string;
}

/** A feed connection, as far as faults use it. */
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
  /** The error code, or undefined if the token is accepted. */
  refusal(owner: TokenOwner): number | undefined;
  /** It has new subscriptions. */
  subscribed(socket: FeedSocket): void;
  answersPing(socket: FeedSocket): boolean;
  /** `give` may be called at once, later, repeatedly or never. */
  deliver(
    socket: FeedSocket,
    topic: FeedTopic,
    texts: readonly string[],
    give: (texts: readonly string[]) => void,
  ): void;
}
