/** One keep-alive connection that sends bytes and reads answers: no more than a load needs, so that it costs little. */

import { connect, type Socket } from 'node:net';

const LENGTH = 'content-length: ';

export class Connection {
  private readonly socket: Socket;
  private received = '';
  private resolve: ((answer: string) => void) | null = null;
  private failed: ((error: Error) => void) | null = null;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.take(chunk.toString('latin1')));
    socket.on('error', (error) => this.failed?.(error));
    socket.on('close', () => this.failed?.(new Error('the server closed the connection')));
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(new Connection(socket)));
      socket.once('error', reject);
    });
  }

  /** Sends one request; resolves to its whole answer, headers and body, as latin1. */
  ask(request: Buffer): Promise<string> {
    return new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.failed = reject;
      this.socket.write(request);
    });
  }

  close(): void {
    this.failed = null;
    this.socket.destroy();
  }

  private take(chunk: string): void {
    const received = this.received === '' ? chunk : this.received + chunk;
    const headEnd = received.indexOf('\r\n\r\n');
    const at = headEnd < 0 ? -1 : received.indexOf(LENGTH);
    const length =
      at < 0 ? 0 : Number.parseInt(received.slice(at + LENGTH.length, at + LENGTH.length + 10), 10);
    if (headEnd < 0 || received.length < headEnd + 4 + length) {
      this.received = received;
      return;
    }
    this.received = '';
    const { resolve } = this;
    this.resolve = null;
    resolve?.(received);
  }
}
