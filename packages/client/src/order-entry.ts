/**
 * Orders over one websocket: no signature per request, and any number in flight. After a lost connection it reconnects and
 * signs in again; requests that were in flight reject with ConnectionLost, because nobody knows whether they were
 * executed: look them up by clientOid.
 */

import { Connection, type Heartbeat } from './connection.ts';
import { ApiError, type HttpClient, type Signer } from './http.ts';
import { type Line, type OpenSocket, openSocket } from './socket.ts';
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

interface Frame {
  readonly id?: string;
  readonly op?: string;
  readonly code?: string;
  readonly msg?: string;
  readonly detail?: string;
  readonly data?: unknown;
  readonly sessionId?: string;
  readonly pingInterval?: number;
  readonly pingTimeout?: number;
  readonly userRateLimit?: { readonly limit: number; readonly remaining: number; readonly reset: number };
}

const SUCCESS = '200000';
const TIMEOUT_MS = 10_000;

export class OrderEntry {
  rateLimit: Frame['userRateLimit'];
  readonly #http: HttpClient;
  readonly #path: string;
  readonly #connection: Connection;

  constructor(http: HttpClient, options: OrderEntryOptions = {}) {
    this.#http = http;
    this.#path = options.path ?? '/v1/private';
    this.#connection = new Connection(
      {
        name: () => `order entry at ${http.url}`,
        address: () => this.#address(),
        handshake: (text, line) => this.#handshake(text, line),
        ping: (id) => `{"id":"ping-${id}","op":"ping","timestamp":"${http.now()}"}`,
        receive: (text) => this.#receive(JSON.parse(text) as Frame),
      },
      { openSocket: options.openSocket ?? openSocket, timeoutMs: options.timeoutMs ?? TIMEOUT_MS },
    );
  }

  /** Signs in now instead of with the first request. */
  async connect(): Promise<void> {
    await this.#connection.open();
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
    const line = this.#connection.line ?? (await this.#connection.open());
    return this.#connection.request(line, (id) => JSON.stringify({ id, op, args }));
  }

  close(): void {
    this.#connection.close();
  }

  async #address(): Promise<string> {
    const query = await this.#signer().sessionQuery(this.#http.now());
    return `${this.#http.url.replace(/^http/, 'ws')}${this.#path}?${query}`;
  }

  /** The server sends a challenge, which is signed, and then the welcome. */
  #handshake(text: string, line: Line): Heartbeat | undefined {
    const { code, msg = '', detail = '', data, pingInterval, pingTimeout } = JSON.parse(text) as Frame;
    if (code !== undefined) throw new ApiError(code, msg, detail, 200);
    if (data === 'welcome') {
      return { pingInterval: pingInterval ?? TIMEOUT_MS, pingTimeout: pingTimeout ?? TIMEOUT_MS };
    }
    this.#signer()
      .sign(text)
      .then(
        (signature) => line.send(signature),
        (error: Error) => line.close(error.message),
      );
    return undefined;
  }

  #signer(): Signer {
    const { signer } = this.#http;
    if (signer === undefined) throw new Error('Order entry needs credentials.');
    return signer;
  }

  #receive({ id = '', code, msg = '', detail = '', data, userRateLimit }: Frame): void {
    if (userRateLimit !== undefined) this.rateLimit = userRateLimit;
    // A pong has no code.
    if (code === undefined) return;
    this.#connection.settle(id, code === SUCCESS ? data : new ApiError(code, msg, detail, 200));
  }
}
