/** A minimal keep-alive connection that sends bytes and reads responses. */

import { connect, type Socket } from 'node:net';

/** Shared by all connections: data is handled or copied before the next read. */
const arrived = Buffer.allocUnsafeSlow(64 << 10);

export class Connection {
  /** A complete response: the first `size` bytes of `bytes`, which are overwritten after the call. */
  onAnswer: (bytes: Buffer, size: number) => void = () => undefined;
  onFailure: (error: Error) => void = () => undefined;

  readonly #socket: Socket;
  readonly #shape = new AnswerShape();
  /** The beginning of a response that arrives in pieces. */
  #begun: Buffer | null = null;

  private constructor(port: number) {
    const callback = (received: number): boolean => {
      this.#take(received);
      return true;
    };
    const onread = { buffer: arrived, callback };
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true, onread });
    this.#socket.on('error', (error) => this.onFailure(error));
    this.#socket.on('close', () => this.onFailure(new Error('the server closed the connection')));
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const connection = new Connection(port);
      connection.onFailure = reject;
      connection.#socket.once('connect', () => resolve(connection));
    });
  }

  send(request: Buffer): void {
    this.#socket.write(request);
  }

  close(): void {
    this.onFailure = () => undefined;
    this.#socket.destroy();
  }

  #take(received: number): void {
    const bytes =
      this.#begun === null ? arrived : Buffer.concat([this.#begun, arrived.subarray(0, received)]);
    const there = this.#begun === null ? received : bytes.length;
    const size = this.#shape.sizeOf(bytes, there);
    if (size === 0 || there < size) {
      this.#begun = this.#begun === null ? Buffer.from(arrived.subarray(0, received)) : bytes;
      return;
    }
    this.#begun = null;
    this.onAnswer(bytes, size);
  }
}

// Parses only what a load needs from the response in its buffer: converting every response to a string and
// searching it three times would cost the load about a microsecond.

const LENGTH = 'content-length: ';
const HEAD_END = Buffer.from('\r\n\r\n');
const SUCCESS = Buffer.from('HTTP/1.1 200');
const FAILURE = Buffer.from('"success":false');

/** Boyer-Moore-Horspool: how far the search for FAILURE may skip when it sees this byte at the last position. */
const SKIPS = new Uint8Array(256).fill(FAILURE.length);
for (let i = 0; i < FAILURE.length - 1; i++) SKIPS[FAILURE[i]] = FAILURE.length - 1 - i;

export function liesAt(bytes: Buffer, at: number, wanted: Buffer): boolean {
  for (let i = 0; i < wanted.length; i++) if (bytes[at + i] !== wanted[i]) return false;
  return true;
}

/** Status 200 without a failure in the body; a failed order of a batch counts. */
export function isSuccess(bytes: Buffer, size: number): boolean {
  if (!liesAt(bytes, 0, SUCCESS)) return false;
  const last = FAILURE.length - 1;
  for (let end = last; end < size; end += SKIPS[bytes[end]]) {
    if (bytes[end] === FAILURE[last] && liesAt(bytes, end - last, FAILURE)) return false;
  }
  return true;
}

/** Consecutive responses on a connection mostly have the same layout; only others are parsed for their length. */
class AnswerShape {
  #size = Number.POSITIVE_INFINITY;
  #lengthLine = Buffer.alloc(0);
  #lengthLineAt = 0;
  #headEndAt = 0;

  /** Length of the complete response of which `received` bytes have arrived; 0 until its head is complete. */
  sizeOf(bytes: Buffer, received: number): number {
    const known =
      received >= this.#size &&
      liesAt(bytes, this.#lengthLineAt, this.#lengthLine) &&
      liesAt(bytes, this.#headEndAt, HEAD_END);
    return known ? this.#size : this.#learn(bytes.toString('latin1', 0, received));
  }

  #learn(text: string): number {
    const headEndAt = text.indexOf('\r\n\r\n');
    if (headEndAt < 0) return 0;
    const head = text.slice(0, headEndAt + 2);
    const at = head.indexOf(LENGTH);
    const lengthLine = at < 0 ? '' : head.slice(at, head.indexOf('\r\n', at) + 2);
    this.#size = headEndAt + HEAD_END.length + Number(lengthLine.slice(LENGTH.length));
    this.#lengthLine = Buffer.from(lengthLine, 'latin1');
    this.#lengthLineAt = Math.max(at, 0);
    this.#headEndAt = headEndAt;
    return this.#size;
  }
}
