/** Plays one script on its own connection and returns the result. */

import { connect } from 'node:net';
import type { Script } from './script.ts';

/** Longer than any timeout of the exchange: a connection that is still open then was forgotten. */
const OPEN_MS_MAX = 60_000;
/** Source addresses: a single one has too few ports for a thousand connections a second. */
const ADDRESSES = 100;
/** A short text frame after the head of the upgrade response. */
// oxlint-disable-next-line no-control-regex
const CHALLENGE = /\r\n\r\n\u0081[\u0000-\u007d](\S+)$/;
const STATUS = /HTTP\/1\.1 (\d{3}) /g;

export interface Played {
  /** `refused`: the connection was never established. */
  readonly how: 'closed' | 'stayed' | 'refused';
  /** In order of arrival. No response body contains such a line. */
  readonly statuses: readonly number[];
  readonly bytes: number;
  readonly isLoggedIn: boolean;
}

export function play(script: Script, port: number, at: number): Promise<Played> {
  return new Promise((resolve) => {
    const source = process.platform === 'linux' ? { localAddress: `127.0.1.${1 + (at % ADDRESSES)}` } : {};
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true, ...source });
    let [isOpen, received, bytes] = [false, '', 0];
    const settle = (how: Played['how']): void => {
      clearTimeout(timer);
      const statuses = Array.from(received.matchAll(STATUS), ([, status]) => Number(status));
      resolve({ how, statuses, bytes, isLoggedIn: received.includes('"welcome"') });
    };
    const timer = setTimeout(() => {
      settle('stayed');
      socket.destroy();
    }, OPEN_MS_MAX);
    socket.on('connect', () => {
      isOpen = true;
      send(0);
    });
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      bytes += chunk.length;
      if (isLoggingIn) answerChallenge();
      else if (script.end === 'wait') socket.end();
    });
    socket.on('end', () => socket.end());
    socket.on('error', () => undefined);
    socket.on('close', () => settle(isOpen ? 'closed' : 'refused'));
    let isLoggingIn = script.logIn !== undefined;
    const answerChallenge = (): void => {
      const challenge = CHALLENGE.exec(received)?.[1];
      if (challenge === undefined) return;
      isLoggingIn = false;
      socket.write(script.logIn!(challenge));
      send(1);
    };
    const send = (piece: number): void => {
      if (socket.destroyed) return;
      if (piece < script.pieces.length) {
        if (socket.writable) socket.write(script.pieces[piece]!);
        if (isLoggingIn) return;
        // The delay usually makes the next piece a separate read.
        if (piece + 1 < script.pieces.length) setTimeout(send, 1, piece + 1);
        else setImmediate(send, piece + 1);
      } else if (script.end === 'finish') socket.end();
      else if (script.end === 'reset') socket.resetAndDestroy();
      // An incomplete request gets no response, so end here.
      else setTimeout(() => socket.end(), 20);
    };
  });
}
