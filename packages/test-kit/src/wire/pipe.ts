/**
 * One connection that sends complete requests without waiting and returns each response, in order: raw bytes,
 * without normalisation. No timers: to give up, close it.
 */

import { connect, type Socket } from 'node:net';

export interface Answer {
  readonly status: number;
  /** As latin1: compared and counted, never shown to a user. */
  readonly body: string;
}

/** Null: the connection ended before the response was complete. */
export type Answered = Answer | null;

const LENGTH = 'content-length: ';
const CLOSING = /^connection: close\r$/im;
const CHUNKED = /^transfer-encoding: chunked\r$/im;
const LAST_CHUNK = '0\r\n\r\n';
const HEAD_END = '\r\n\r\n';
const STATUS_AT = 'HTTP/1.1 '.length;

export class Pipe {
  isClosed = false;
  /** The server closes after this response: it would not read anything sent now. */
  isEnding = false;
  /** Unexpected responses: the server saw more requests than were sent. */
  readonly strays: Answer[] = [];
  readonly #socket: Socket;
  readonly #waiting: ((answer: Answered) => void)[] = [];
  readonly #closed = Promise.withResolvers<void>();
  #received = '';

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#take(chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => this.#end());
  }

  static open(port: number): Promise<Pipe> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.off('error', reject);
        resolve(new Pipe(socket));
      });
      socket.once('error', reject);
    });
  }

  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  ask(request: Buffer): Promise<Answered> {
    if (this.isClosed || this.isEnding) return Promise.resolve(null);
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#socket.write(request);
    });
  }

  /** Sends some bytes of a request that will never be whole. */
  write(bytes: Buffer | string): void {
    this.#socket.write(bytes);
  }

  /** Half-closes the connection: an incomplete request is then cut short. */
  finish(): void {
    this.#socket.end();
  }

  /** Closes at once with a reset: data in flight is lost, and no port stays in TIME_WAIT. */
  cut(): void {
    if (this.isClosed) return;
    const socket = this.#socket;
    // While the end is still being sent, a reset would fail and leave the handle open forever.
    if (socket.writableEnded && !socket.writableFinished) socket.destroy();
    else socket.resetAndDestroy();
    this.#end();
  }

  #take(chunk: string): void {
    let received = this.#received === '' ? chunk : this.#received + chunk;
    for (;;) {
      const headEnd = received.indexOf(HEAD_END);
      if (headEnd < 0) break;
      const head = received.slice(0, headEnd + 2);
      const at = head.indexOf(LENGTH);
      const length =
        at < 0 ? 0 : Number.parseInt(head.slice(at + LENGTH.length, at + LENGTH.length + 10), 10);
      const start = headEnd + HEAD_END.length;
      const end = CHUNKED.test(head) ? endOfChunks(received, start) : start + length;
      if (received.length < end) break;
      const status = Number(received.slice(STATUS_AT, STATUS_AT + 3));
      const answer = { status, body: received.slice(start, end) };
      received = received.slice(end);
      if (CLOSING.test(head)) this.isEnding = true;
      const resolve = this.#waiting.shift();
      if (resolve === undefined) this.strays.push(answer);
      else resolve(answer);
    }
    this.#received = received;
  }

  #end(): void {
    this.isClosed = true;
    this.#closed.resolve();
    for (const resolve of this.#waiting.splice(0)) resolve(null);
  }
}

/** The few chunked responses are short and not parsed; Infinity while the last chunk is missing. */
function endOfChunks(received: string, start: number): number {
  const at = received.indexOf(LAST_CHUNK, start);
  return at < 0 ? Number.POSITIVE_INFINITY : at + LAST_CHUNK.length;
}
