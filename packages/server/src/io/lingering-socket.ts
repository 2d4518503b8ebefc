/**
 * A connection that ends in two steps: first it fails, and a moment later it is closed. The driver of the database forgets
 * its socket when that is closed, but still has to end a transaction that failed by it, and would throw where nobody can
 * catch it. So it learns of the failure while it has its socket; what it writes there then does nothing.
 */

import { Socket } from 'node:net';

/** Longer than one turn of the event loop, shorter than anybody notices. */
const LATE_MS = 50;

export interface SocketAddress {
  readonly host: readonly string[];
  readonly port: readonly number[];
  /** Of a socket in the file system; then host and port do not count. */
  readonly path?: string | false;
}

export class LingeringSocket extends Socket {
  #hasFailed = false;

  static to({ host, port, path }: SocketAddress): LingeringSocket {
    const socket = new LingeringSocket();
    return path ? socket.connect(path) : socket.connect(port[0], host[0]);
  }

  override emit(event: string, ...values: unknown[]): boolean {
    if (event === 'error') this.#hasFailed = true;
    if (event !== 'close') return super.emit(event, ...values);
    if (!this.#hasFailed && this.listenerCount('error') > 0) super.emit('error', closedByOther());
    setTimeout(() => super.emit(event, ...values), LATE_MS);
    return true;
  }
}

const closedByOther = (): Error =>
  Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' });
