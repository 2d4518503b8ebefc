/** Unix sockets: removing stale ones, and their addresses. */

import { chmod, lstat, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { resolve } from 'node:path';

/** The address of a server: host and port, or a unix socket. */
export type ListenAddress = { readonly host: string; readonly port: number } | { readonly path: string };

/** Everybody who may write to a socket may connect: the owner and its group. */
const SOCKET_MODE = 0o660;

/** The request path follows the socket path after a colon: `unix:/run/bourse.sock:/operator`. */
export const unixUrl = (path: string): string => `unix:${resolve(path)}:`;

/** The socket path and the request path of such an address; the second may be ''. */
export function readUnixUrl(url: string): { readonly socketPath: string; readonly path: string } | undefined {
  const [, socketPath, path = ''] = /^unix:(?:\/\/)?(\/[^:]+)(?::(.*))?$/.exec(url) ?? [];
  return socketPath === undefined ? undefined : { socketPath, path };
}

/** A killed process leaves its socket behind, and no other could listen on it. */
export async function removeStaleSocket(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (found?.isSocket() !== true || (await isAnswered(path))) return;
  await rm(path, { force: true });
}

export async function shareWithGroup(path: string): Promise<void> {
  await chmod(path, SOCKET_MODE);
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolvePromise) => {
    const socket = connect({ path });
    socket.once('connect', () => {
      socket.destroy();
      resolvePromise(true);
    });
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolvePromise(code !== 'ECONNREFUSED'));
  });
}
