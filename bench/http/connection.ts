/** A minimal keep-alive connection that sends bytes and reads responses. */

import { connect, type Socket } from 'node:net';
import { AnswerShape } from './answer.ts';

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
