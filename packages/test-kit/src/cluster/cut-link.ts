/**
 * A link that can be cut, like an unplugged cable: nothing passes, no connection is closed, and data sent meanwhile arrives
 * when the link is back.
 */

import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export class CutLink {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isCut = false;
  /** Delivered in order when the link is back. */
  #held: (() => void)[] = [];

  private constructor(server: Server) {
    this.#server = server;
  }

  /** It listens on loopback; the server may be elsewhere. */
  static async open(targetPort: number, host = '127.0.0.1'): Promise<CutLink> {
    const server = createServer();
    const link = new CutLink(server);
    server.on('connection', (near) => link.#pass(() => link.#join(near, connect(targetPort, host))));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return link;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  cut(): void {
    this.#isCut = true;
  }

  heal(): void {
    this.#isCut = false;
    for (const each of this.#held.splice(0)) each();
  }

  /** Permanently stops reading from the open connections: the senders' buffers fill up. New connections work. */
  stall(): void {
    for (const socket of this.#sockets) socket.pause();
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #pass(action: () => void): void {
    if (this.#isCut) this.#held.push(action);
    else action();
  }

  #join(near: Socket, far: Socket): void {
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from);
      from.on('data', (bytes) => this.#pass(() => void to.write(bytes)));
      from.on('error', () => undefined);
      from.on('close', () => {
        this.#sockets.delete(from);
        this.#pass(() => void to.end());
      });
    }
  }
}
