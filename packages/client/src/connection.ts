/**
 * A websocket of the feed or of order entry: opened when it is first needed, checked with pings, and opened again with
 * growing delays after it is lost. Requests in flight then reject with ConnectionLost.
 */

import { ConnectionLost } from './http.ts';
import { delayMs, Line, type OpenSocket } from './socket.ts';

/** In milliseconds, as announced with the welcome. */
export interface Heartbeat {
  readonly pingInterval: number;
  readonly pingTimeout: number;
}

/** The differences between the feed and order entry. */
export interface Protocol {
  /** For error messages. */
  readonly name: () => string;
  /** The address of a new socket; each has its own token or signature. */
  readonly address: () => Promise<string>;
  /** Handles a frame of the handshake. Returns the heartbeat if it is the welcome; throws if it is a rejection. */
  readonly handshake: (text: string, line: Line) => Heartbeat | undefined;
  readonly ping: (id: string) => string;
  /** Handles a frame after the handshake. */
  readonly receive: (text: string) => void;
  readonly opened?: () => void;
  /** Called when an open connection is lost, but not by `close`. */
  readonly lost?: (why: string) => void;
  /** Called when an attempt to reconnect has failed. */
  readonly failed?: (why: string) => void;
}

export interface ConnectionOptions {
  readonly openSocket: OpenSocket;
  /** For the handshake, and for each reply. */
  readonly timeoutMs: number;
}

interface Waiting {
  readonly resolve: (data: never) => void;
  readonly reject: (error: Error) => void;
  readonly timer: ReturnType<typeof setTimeout>;
}

export class Connection {
  readonly #protocol: Protocol;
  readonly #openSocket: OpenSocket;
  readonly #timeoutMs: number;
  readonly #waiting = new Map<string, Waiting>();
  #opening: Promise<Line> | undefined;
  /** Present as soon as the socket is, so that `close` ends even a handshake. */
  #newest: Line | undefined;
  #line: Line | undefined;
  #pinging: ReturnType<typeof setInterval> | undefined;
  #retrying: ReturnType<typeof setTimeout> | undefined;
  /** Attempts to reconnect since a connection last lasted for a ping interval. */
  #attempts = 0;
  /** How long nothing has arrived, in whole ping intervals. */
  #silentMs = 0;
  #serial = 0;
  #isClosed = false;

  constructor(protocol: Protocol, { openSocket, timeoutMs }: ConnectionOptions) {
    this.#protocol = protocol;
    this.#openSocket = openSocket;
    this.#timeoutMs = timeoutMs;
  }

  /** Undefined unless the handshake is complete. */
  get line(): Line | undefined {
    return this.#line;
  }

  nextId(): string {
    return String(++this.#serial);
  }

  /** Connects unless it is connected or connecting. */
  open(): Promise<Line> {
    if (this.#isClosed) return Promise.reject(this.#closedError());
    this.#opening ??= this.#connect().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  /** Sends a request, and resolves to the data that `settle` is called with. */
  request<T>(line: Line, toText: (id: string) => string): Promise<T> {
    if (line !== this.#line)
      return Promise.reject(
        this.#isClosed ? this.#closedError() : new ConnectionLost('the connection was lost'),
      );
    const id = this.nextId();
    return new Promise<T>((resolve, reject) => {
      const timer = setTimeout(
        () => this.settle(id, new ConnectionLost(`no answer within ${this.#timeoutMs} ms`)),
        this.#timeoutMs,
      );
      this.#waiting.set(id, { resolve, reject, timer });
      line.send(toText(id));
    });
  }

  /** Ends the request with its data or an error. Replies to anything else are ignored. */
  settle(id: string, result: unknown): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    clearTimeout(waiting.timer);
    if (result instanceof Error) waiting.reject(result);
    else waiting.resolve(result as never);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retrying);
    this.#newest?.close('closed');
  }

  async #connect(): Promise<Line> {
    const address = await this.#protocol.address();
    // While the address was requested, `close` had no socket to close.
    if (this.#isClosed) throw this.#closedError();
    const line = new Line(this.#openSocket(address));
    this.#newest = line;
    return new Promise<Line>((resolve, reject) => {
      const timer = setTimeout(() => line.close(`no welcome within ${this.#timeoutMs} ms`), this.#timeoutMs);
      line.lost = (why) => {
        clearTimeout(timer);
        reject(new ConnectionLost(`${this.#protocol.name()} was closed before it was open: ${why}`));
      };
      line.take = (text) => {
        try {
          const heartbeat = this.#protocol.handshake(text, line);
          if (heartbeat === undefined) return;
          clearTimeout(timer);
          this.#begin(line, heartbeat);
          resolve(line);
        } catch (error) {
          reject(error);
          line.close('rejected');
        }
      };
    });
  }

  #begin(line: Line, { pingInterval, pingTimeout }: Heartbeat): void {
    clearTimeout(this.#retrying);
    this.#line = line;
    this.#silentMs = 0;
    line.take = (text) => {
      this.#silentMs = 0;
      this.#protocol.receive(text);
    };
    line.lost = (why) => this.#drop(why);
    this.#pinging = setInterval(() => {
      this.#attempts = 0;
      this.#silentMs += pingInterval;
      // Without a network nothing else reports the loss for many minutes, so even a missing pong does.
      if (this.#silentMs > pingInterval + pingTimeout) line.close(`silent for ${this.#silentMs} ms`);
      else line.send(this.#protocol.ping(this.nextId()));
    }, pingInterval);
    this.#protocol.opened?.();
  }

  #drop(why: string): void {
    clearInterval(this.#pinging);
    this.#line = undefined;
    this.#opening = undefined;
    const error = this.#isClosed
      ? this.#closedError()
      : new ConnectionLost(`the connection was lost: ${why}`);
    for (const id of this.#waiting.keys()) this.settle(id, error);
    if (this.#isClosed) return;
    this.#reconnect();
    this.#protocol.lost?.(why);
  }

  #reconnect(): void {
    this.#retrying = setTimeout(
      () => {
        this.open().catch((error: Error) => {
          if (this.#isClosed) return;
          this.#reconnect();
          this.#protocol.failed?.(error.message);
        });
      },
      delayMs(this.#attempts++),
    );
  }

  #closedError(): ConnectionLost {
    return new ConnectionLost(`${this.#protocol.name()} is closed`);
  }
}
