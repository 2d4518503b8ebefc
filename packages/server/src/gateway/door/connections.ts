/** Keeps connections within their limits: all of them, and those of one address; and ends them when the server does. */

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpLimits } from './limits.ts';
import { hasPending } from './pending.ts';

export class Connections {
  private readonly sockets = new Set<Socket>();
  private readonly byAddress = new Map<string, number>();
  /** Requests that wait for their answers, and are no visits. */
  private readonly unanswered = new Set<IncomingMessage>();
  /** Those that became websockets are ended by whoever took them. */
  private readonly upgraded = new WeakSet<Socket>();

  constructor(server: Server, limits: HttpLimits) {
    server.on('connection', (socket: Socket) => {
      const ofAddress = this.add(socket);
      if (this.count > limits.connectionsMax || ofAddress > limits.connectionsPerAddressMax) socket.destroy();
    });
    server.on('upgrade', (_request, socket) => this.upgraded.add(socket as Socket));
  }

  get count(): number {
    return this.sockets.size;
  }

  /** Ends those on which nobody waits for an answer. Node ends only those that had one and are idle since. */
  endQuiet(): void {
    const whole = [...this.unanswered].filter(({ complete }) => complete);
    const waiting = new Set(whole.map(({ socket }) => socket));
    for (const socket of this.sockets) {
      if (!hasPending(socket) && !waiting.has(socket) && !this.upgraded.has(socket)) socket.destroySoon();
    }
  }

  keepUntilAnswered(request: IncomingMessage, response: ServerResponse): void {
    this.unanswered.add(request);
    response.once('close', () => this.unanswered.delete(request));
  }

  /** Returns how many its address has now. */
  private add(socket: Socket): number {
    const address = socket.remoteAddress ?? '';
    const count = (this.byAddress.get(address) ?? 0) + 1;
    this.sockets.add(socket);
    this.byAddress.set(address, count);
    socket.once('close', () => {
      this.sockets.delete(socket);
      const left = (this.byAddress.get(address) ?? 1) - 1;
      if (left > 0) this.byAddress.set(address, left);
      else this.byAddress.delete(address);
    });
    return count;
  }
}
