/**
 * Requests that become websockets: one taker for each path, at the root and under every dialect's mount. Everything
 * else stays HTTP, also where it asks for an upgrade: the routes answer it, and unknown paths are 404 as ever.
 */

import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Dialect } from '../dialects.ts';

export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Socket;
  /** Bytes that have arrived behind the request's headers. */
  readonly head: Buffer;
  /** Of the client, behind trusted proxies. */
  readonly ip: string;
}

export type UpgradeTaker = (upgrade: Upgrade) => void;

export class Upgrades {
  private readonly takers = new Map<string, UpgradeTaker>();
  private readonly mounts: ReadonlySet<string>;

  constructor(server: Server, dialects: readonly Dialect[], addressOf: (request: IncomingMessage) => string) {
    this.mounts = new Set(['', ...dialects.map(({ mount }) => mount)]);
    const asking = server as Server & { shouldUpgradeCallback: (request: IncomingMessage) => boolean };
    asking.shouldUpgradeCallback = (request) =>
      request.headers.upgrade?.toLowerCase() === 'websocket' && this.find(request) !== undefined;
    server.on('upgrade', (request, socket, head) => {
      this.find(request)!({ request, socket: socket as Socket, head, ip: addressOf(request) });
    });
  }

  /** `path` is without the mounts. */
  take(path: string, taker: UpgradeTaker): void {
    for (const mount of this.mounts) this.takers.set(mount + path, taker);
  }

  private find({ url = '' }: IncomingMessage): UpgradeTaker | undefined {
    const end = url.indexOf('?');
    return this.takers.get(end < 0 ? url : url.slice(0, end));
  }
}
