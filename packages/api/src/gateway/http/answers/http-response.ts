/**
 * A second path, 7 to 11 % of an HTTP order (docs/internals/speed.md), for a response whose head and body are ready
 * together. Node would build the head header by header, validate each name and value, and cork the socket until the
 * body is there; our headers are always the same, with values that we generate. `writableEnded`, `finish` and the
 * order of pipelined responses are as in Node.
 */

import { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import {
  canSendWhole,
  hadError,
  keepAliveOf,
  sendWhole,
  usesNodeInternals,
} from '../../../sockets/node-internals.ts';
import { enterPipeline, leavePipeline } from '../connections/pipeline.ts';
import type { HttpMessage } from '../reading/incoming-message.ts';

const SECOND_MS = 1000;

export class HttpResponse extends ServerResponse<HttpMessage> {
  /** Number of requests in flight on its connection when its own arrived, including that one. */
  readonly place = this.#enter();
  #isWritten = false;

  /** Whether `sendWhole` may be used. */
  get isOrdinary(): boolean {
    return canSendWhole(this);
  }

  /** `head` ends before Node's own headers; `text` is the complete body. `now`: milliseconds since 1970. */
  sendWhole(status: number, head: string, text: string, encoding: 'latin1' | 'utf8', now: number): void {
    this.statusCode = status;
    const { timeoutMs, requestsMax } = keepAliveOf(this);
    sendWhole(this, head + closingHeaders(now, timeoutMs, requestsMax), text, encoding, this.#onWritten);
  }

  #enter(): number {
    const { socket } = this.req;
    if (!usesNodeInternals()) this.once('close', () => leavePipeline(socket));
    return enterPipeline(socket, this);
  }

  /** Node calls this when all of it has been sent; `close` follows a tick later. */
  override detachSocket(socket: Socket): void {
    super.detachSocket(socket);
    if (usesNodeInternals()) leavePipeline(socket);
  }

  // @ts-expect-error Node has an accessor here, which its types call a field.
  override get writableFinished(): boolean {
    return this.#isWritten || Reflect.get(ServerResponse.prototype, 'writableFinished', this);
  }

  readonly #onWritten = (): void => {
    if (hadError(this.socket)) return;
    this.#isWritten = true;
    this.emit('finish');
  };
}

/** The headers that Node appends, cached for one second. */
let closing = '';
let closingSecond = -1;
let closingTimeoutMs = -1;
let closingMax = -1;

function closingHeaders(now: number, timeoutMs: number, max: number): string {
  const second = Math.floor(now / SECOND_MS);
  if (second !== closingSecond || timeoutMs !== closingTimeoutMs || max !== closingMax) {
    const seconds = Math.floor(timeoutMs / SECOND_MS);
    const keepAlive =
      timeoutMs > 0 ? `Keep-Alive: timeout=${seconds}${max > 0 ? `, max=${max}` : ''}\r\n` : '';
    closing = `Date: ${new Date(now).toUTCString()}\r\nConnection: keep-alive\r\n${keepAlive}\r\n`;
    closingSecond = second;
    closingTimeoutMs = timeoutMs;
    closingMax = max;
  }
  return closing;
}
