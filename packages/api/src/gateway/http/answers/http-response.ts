/**
 * An answer whose head and body are ready together. Node would put the head together header by header, check each name
 * and value, and hold the connection back until the body is there; ours are always the same headers with values that
 * were made here. `writableEnded`, `finish` and the turn of pipelined answers are as Node has them.
 */

// Node's own names begin with an underscore.
/* oxlint-disable no-underscore-dangle */

import { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpMessage } from '../reading/incoming-message.ts';
import { enterPipeline, leavePipeline } from '../connections/pipeline.ts';

/** What Node's own `end` works with. It has been there since Node 0.x, but is missing in Node's types. */
interface Sending {
  _header: string | null;
  _headerSent: boolean;
  finished: boolean;
  readonly outputData: readonly unknown[];
  readonly _hasBody: boolean;
  readonly _expect_continue: boolean;
  readonly _keepAliveTimeout: number;
  readonly _maxRequestsPerSocket: number | null;
  readonly maxRequestsOnConnectionReached?: boolean;
  _writeRaw(data: string, encoding: 'latin1' | 'utf8', callback: () => void): boolean;
  _finish(): void;
}

interface SendingSocket {
  readonly _httpMessage?: unknown;
  readonly _hadError?: boolean;
}

const SECOND_MS = 1000;

export class HttpResponse extends ServerResponse<HttpMessage> {
  /** How many requests of its connection were under way when its own came, with that one. */
  readonly place = enterPipeline(this.req.socket, this);
  private isWritten = false;

  /** Whether the connection stays open after it and the request wants a body: then `sendWhole` may be used. */
  get isOrdinary(): boolean {
    const sending = this as unknown as Sending;
    return (
      this.shouldKeepAlive &&
      sending._header === null &&
      sending._hasBody &&
      !sending._expect_continue &&
      !sending.maxRequestsOnConnectionReached
    );
  }

  /** `head` ends with the line before Node's own headers, `text` is the whole body. `now`: milliseconds since 1970. */
  sendWhole(status: number, head: string, text: string, encoding: 'latin1' | 'utf8', now: number): void {
    const sending = this as unknown as Sending;
    this.statusCode = status;
    const whole = head + closingHeaders(now, sending._keepAliveTimeout, sending._maxRequestsPerSocket);
    sending._header = whole;
    sending._headerSent = true;
    sending._writeRaw(whole + text, encoding, this.onWritten);
    sending.finished = true;
    const socket = this.socket as SendingSocket | null;
    if (sending.outputData.length === 0 && socket?._httpMessage === this) sending._finish();
  }

  /** Node calls this when all of it has been sent. */
  override detachSocket(socket: Socket): void {
    super.detachSocket(socket);
    leavePipeline(socket);
  }

  // @ts-expect-error Node has an accessor here, which its types call a field.
  override get writableFinished(): boolean {
    return this.isWritten || Reflect.get(ServerResponse.prototype, 'writableFinished', this);
  }

  private readonly onWritten = (): void => {
    if ((this.socket as SendingSocket | null)?._hadError) return;
    this.isWritten = true;
    this.emit('finish');
  };
}

/** The headers that Node adds at the end, of the latest second. */
let closing = '';
let closingSecond = -1;
let closingTimeoutMs = -1;
let closingMax = -1;

function closingHeaders(now: number, timeoutMs: number, requestsMax: number | null): string {
  const second = Math.floor(now / SECOND_MS);
  const max = requestsMax ?? 0;
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
