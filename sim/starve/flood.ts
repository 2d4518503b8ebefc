/** Requests over and over: as raw bytes, pipelined on many connections, whose answers are read or not; or signed ones. */

import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { credentials, sign } from '@bourse/test-tools/server.ts';
import type { Target } from './target.ts';

export interface FloodOptions {
  readonly connections: number;
  readonly requests: readonly string[];
  /** How often the requests are sent on each connection before it is left alone for a moment. */
  readonly repeat: number;
  readonly reads?: boolean;
}

const PAUSE_MS = 100;

export const get = (path: string, headers = ''): string =>
  `GET ${path} HTTP/1.1\r\nhost: localhost\r\n${headers}\r\n`;

/** Everything is right but the signature. */
export function signedRequest(method: string, path: string, body: string): string {
  const headers = { ...sign(credentials('alice'), method, path, 'something else'), host: 'localhost' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

export async function flood(
  { port }: Target,
  signal: AbortSignal,
  { connections, requests, repeat, reads = false }: FloodOptions,
): Promise<void> {
  const bytes = Buffer.from(requests.join('').repeat(repeat));
  const lane = async (): Promise<void> => {
    while (!signal.aborted) {
      const socket = connect({ port, host: '127.0.0.1' });
      socket.on('error', () => undefined);
      if (reads) socket.resume();
      else socket.pause();
      const gone = once(socket, 'close').catch(() => undefined);
      while (!signal.aborted && !socket.destroyed) {
        socket.write(bytes);
        await Promise.race([gone, pause(PAUSE_MS)]);
        // Who does not read cannot send for ever either: the rest waits here, and says nothing about the server.
        if (socket.writableLength > bytes.length) break;
      }
      if (!reads && !signal.aborted && !socket.destroyed) await pause(PAUSE_MS);
      socket.destroy();
      await gone;
    }
  };
  await Promise.all(Array.from({ length: connections }, lane));
}

/** Requests one after another on several connections, each signed anew. */
export async function sendAgain(
  signal: AbortSignal,
  lanes: number,
  send: () => Promise<unknown>,
): Promise<void> {
  const lane = async (): Promise<void> => {
    while (!signal.aborted) await send().catch(() => undefined);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
