/**
 * Orders over one websocket: no signature per request, and any number in flight. After a lost connection it reconnects and
 * signs in again; requests that were in flight reject with ConnectionLost, because nobody knows whether they were
 * executed: look them up by clientOid.
 */

import { ApiError, ConnectionLost, type HttpClient } from './http.ts';
import { delayMs, Line, type OpenSocket, openSocket } from './socket.ts';
import type {
  AlteredOrder,
  CancelResult,
  NewOrder,
  OrderChange,
  OrderName,
  OrderResult,
  PlacedOrder,
} from './types.ts';

export interface OrderEntryOptions {
  readonly openSocket?: OpenSocket;
  readonly path?: string;
  /** Requests without a reply reject after this time. */
  readonly timeoutMs?: number;
}

interface Waiting {
  readonly resolve: (data: never) => void;
  readonly reject: (error: Error) => void;
  readonly timer: ReturnType<typeof setTimeout> | undefined;
}

interface Frame {
  readonly id?: string;
  readonly op?: string;
  readonly code?: string;
  readonly msg?: string;
  readonly detail?: string;
  readonly data?: unknown;
  readonly sessionId?: string;
  readonly pingInterval?: number;
  readonly userRateLimit?: { readonly limit: number; readonly remaining: number; readonly reset: number };
}

const SUCCESS = '200000';
const TIMEOUT_MS = 10_000;

export class OrderEntry {
  rateLimit: Frame['userRateLimit'];
  readonly #http: HttpClient;
  readonly #openSocket: OpenSocket;
  readonly #path: string;
  readonly #timeoutMs: number;
  readonly #waiting = new Map<string, Waiting>();
  #line: Line | undefined;
  /** The session that is open or being opened. */
  #session: Promise<Line> | undefined;
  #pinging: ReturnType<typeof setInterval> | undefined;
  #serial = 0;
  #isClosed = false;

  constructor(http: HttpClient, options: OrderEntryOptions = {}) {
    this.#http = http;
    this.#openSocket = options.openSocket ?? openSocket;
    this.#path = options.path ?? '/v1/private';
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  }

  /** Signs in now instead of with the first request. */
  async connect(): Promise<void> {
    await this.#open();
  }

  placeOrder(order: NewOrder): Promise<PlacedOrder> {
    return this.request('spot.order', order);
  }

  placeOrderSync(order: NewOrder): Promise<OrderResult> {
    return this.request('spot.sync_order', order);
  }

  cancelOrder(name: OrderName): Promise<{ readonly orderId?: string; readonly clientOid?: string }> {
    return this.request('spot.cancel', name);
  }

  cancelOrderSync(name: OrderName): Promise<CancelResult> {
    return this.request('spot.sync_cancel', name);
  }

  alterOrder(change: OrderChange): Promise<AlteredOrder> {
    return this.request('spot.modify', change);
  }

  /** Calls any operation. */
  async request<T>(op: string, args: unknown): Promise<T> {
    const line = this.#line ?? (await this.#open());
    const id = String(++this.#serial);
    return new Promise<T>((resolve, reject) => {
      const timer = setTimeout(
        () => this.#lose(id, `no answer within ${this.#timeoutMs} ms`),
        this.#timeoutMs,
      );
      this.#waiting.set(id, { resolve, reject, timer });
      line.send(JSON.stringify({ id, op, args }));
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#line?.close();
    this.#drop('closed');
  }

  #open(): Promise<Line> {
    if (this.#isClosed) return Promise.reject(new ConnectionLost('order entry is closed'));
    this.#session ??= this.#signIn().catch((error: unknown) => {
      this.#session = undefined;
      throw error;
    });
    return this.#session;
  }

  async #signIn(): Promise<Line> {
    const { signer } = this.#http;
    if (signer === undefined) throw new Error('Order entry needs credentials.');
    const query = await signer.sessionQuery(this.#http.now());
    const line = new Line(this.#openSocket(`${this.#http.url.replace(/^http/, 'ws')}${this.#path}?${query}`));
    return new Promise<Line>((resolve, reject) => {
      const timer = setTimeout(() => line.close(), this.#timeoutMs);
      line.lost = (why) => {
        clearTimeout(timer);
        reject(new ConnectionLost(`order entry at ${this.#http.url} was closed before it was open: ${why}`));
      };
      line.take = (text) => {
        const frame = JSON.parse(text) as Frame;
        if (frame.code !== undefined) {
          reject(new ApiError(frame.code, frame.msg ?? '', frame.detail ?? '', 200));
          line.close();
        } else if (frame.data === 'welcome') {
          clearTimeout(timer);
          this.#begin(line, frame.pingInterval ?? TIMEOUT_MS);
          resolve(line);
        } else void signer.sign(text).then((signature) => line.send(signature), reject);
      };
    });
  }

  #begin(line: Line, pingIntervalMs: number): void {
    this.#line = line;
    line.take = (text) => this.#receive(JSON.parse(text) as Frame);
    line.lost = (why) => {
      this.#drop(`the connection was lost: ${why}`);
      if (!this.#isClosed) this.#reconnect(0);
    };
    this.#pinging = setInterval(
      () => line.send(`{"id":"ping-${++this.#serial}","op":"ping","timestamp":"${this.#http.now()}"}`),
      pingIntervalMs,
    );
  }

  #reconnect(attempt: number): void {
    setTimeout(() => {
      if (!this.#isClosed) this.#open().catch(() => this.#reconnect(attempt + 1));
    }, delayMs(attempt));
  }

  #receive({ id = '', code, msg = '', detail = '', data, userRateLimit }: Frame): void {
    const waiting = this.#waiting.get(id);
    if (userRateLimit !== undefined) this.rateLimit = userRateLimit;
    if (waiting === undefined || code === undefined) return;
    this.#waiting.delete(id);
    clearTimeout(waiting.timer);
    if (code === SUCCESS) waiting.resolve(data as never);
    else waiting.reject(new ApiError(code, msg, detail, 200));
  }

  #lose(id: string, why: string): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    clearTimeout(waiting?.timer);
    waiting?.reject(new ConnectionLost(why));
  }

  #drop(why: string): void {
    clearInterval(this.#pinging);
    this.#line = undefined;
    this.#session = undefined;
    for (const id of this.#waiting.keys()) this.#lose(id, why);
  }
}
