/**
 * Upgrades to websockets: one handler per path, at the root and under every dialect's mount. Any other request stays
 * HTTP, even with an Upgrade header: the routes handle it, and unknown paths return 404.
 */

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Refusal } from '../errors/refusal.ts';
import type { Dialect } from '../route.ts';
import { hasNoBody } from './messages.ts';
import { abandonRest } from './pipeline.ts';

export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Socket;
  /** Bytes received after the request's headers. */
  readonly head: Buffer;
  /** The client's address, behind trusted proxies. */
  readonly ip: string;
}

export type UpgradeHandler = (upgrade: Upgrade) => void;

export class Upgrades {
  readonly #handlers = new Map<string, UpgradeHandler>();
  readonly #mounts: ReadonlySet<string>;

  constructor(dialects: readonly Dialect[]) {
    this.#mounts = new Set(['', ...dialects.map(({ mount }) => mount)]);
  }

  /** Body bytes would be interpreted as frames. */
  wants(request: IncomingMessage): boolean {
    return this.#isRequested(request) && hasNoBody(request.headers);
  }

  /** Call it for requests that were not upgraded. */
  checkNotRequested(request: IncomingMessage): void {
    if (!this.#isRequested(request)) return;
    throw new Refusal(
      'request-malformed',
      'A websocket request has no body, and is sent after the responses to all earlier requests of its connection.',
    );
  }

  /** Whether it requests a websocket at a path that has one. */
  #isRequested(request: IncomingMessage): boolean {
    return request.headers.upgrade?.toLowerCase() === 'websocket' && this.#find(request) !== undefined;
  }

  /** An accepted upgrade request. */
  dispatch(upgrade: Upgrade): void {
    this.#find(upgrade.request)!(upgrade);
  }

  /** `path` is without the mounts. */
  register(path: string, handler: UpgradeHandler): void {
    for (const mount of this.#mounts) this.#handlers.set(mount + path, handler);
  }

  #find({ url = '' }: IncomingMessage): UpgradeHandler | undefined {
    const end = url.indexOf('?');
    return this.#handlers.get(end < 0 ? url : url.slice(0, end));
  }
}

/**
 * The response explains why the upgrade failed. Scripts cannot read it, but developers see it in the browser's tools.
 */
export function denyUpgrade(socket: Socket): void {
  const text =
    'Websockets are not open to pages of other origins, nor under a host name that is not its own.\n';
  socket.on('error', () => undefined);
  abandonRest(socket);
  socket.write(
    `HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-type: text/plain\r\ncontent-length: ${text.length}\r\n\r\n${text}`,
  );
  socket.destroySoon();
}
