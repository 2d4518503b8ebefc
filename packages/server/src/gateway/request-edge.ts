/**
 * What may stand between requests and the exchange: a sandbox's faults and its list of requests. A venue has nothing
 * there. It sees requests over HTTP and order entry alike, and touches nothing behind the routes.
 */

import type { Dialect } from './dialects.ts';
import type { Call, Route } from './route.ts';

/** A request as it came, before anything of it is believed. */
export interface AskedRequest {
  readonly transport: 'http' | 'order-entry';
  readonly dialect: Dialect;
  readonly route: Route;
  readonly method: string;
  /** As sent. */
  readonly path: string;
  readonly query: string;
  readonly body: Buffer | undefined;
  /** As presented; '' for none. */
  readonly apiKey: string;
}

export interface AnsweredRequest extends AskedRequest {
  /** Exchange time when it came, and the machine's. */
  readonly time: number;
  readonly wallTime: number;
  /** 0 where the connection was cut instead. */
  readonly status: number;
  readonly answer: string;
  readonly durationMs: number;
  /** The text that should have been signed, where the signature was refused. */
  readonly signedText: string | undefined;
  readonly fault: RequestFault | undefined;
}

/** What is answered without asking the exchange. */
export interface Instead {
  readonly status: number;
  readonly type: 'json' | 'html';
  readonly text: string;
}

/** An answer that is ready to go, and the ways it may. */
export interface Reply {
  /** As ever. */
  send(): void;
  /** The connection is cut instead. */
  cut(): void;
  /** So many bytes of the body, then the connection is cut. */
  sendPart(bytes: number): void;
  sendSlowly(bytesPerSecond: number): void;
}

export interface RequestFault {
  /** Names the rule. */
  readonly id: string;
  /** To be waited for before anything is looked at; the machine's time. */
  readonly waitMs: number;
  /** Nothing is done; this is answered, or the connection is cut. */
  readonly instead: Instead | 'cut' | undefined;
  /** In place of the route's own. */
  readonly handle: ((call: Call<never, never, never>, route: Route) => unknown) | undefined;
  readonly deliver: ((reply: Reply) => void) | undefined;
}

export interface RequestEdge {
  /** The fault that meets the request, if one does. */
  meet(asked: AskedRequest): RequestFault | undefined;
  /** Has the route answer, or what the fault has in its place. */
  handle(call: Call<never, never, never>, route: Route, fault: RequestFault | undefined): unknown;
  /** The answer's text as it goes out. */
  outward(text: string): string;
  note(answered: AnsweredRequest): void;
}
