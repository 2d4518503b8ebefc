/** Websockets whose server is the test. */

import type { OpenSocket, Socket } from '../src/index.ts';

type Listener = (event: { readonly data: string; readonly code: number; readonly reason: string }) => void;

export class FakeSocket implements Socket {
  readonly sent: string[] = [];
  isClosed = false;
  /** Called with every text that the client sends. */
  onSend: (text: string) => void = () => undefined;
  readonly #listeners: [type: string, listener: Listener][] = [];

  addEventListener(type: string, listener: Listener): void {
    this.#listeners.push([type, listener]);
  }

  send(text: string): void {
    this.sent.push(text);
    this.onSend(text);
  }

  /** As a websocket does, reports the end only later; if the server is silent, never. */
  close(): void {
    this.isClosed = true;
  }

  receive(frame: object): void {
    this.#emit('message', JSON.stringify(frame));
  }

  lose(code = 1006): void {
    this.isClosed = true;
    this.#emit('close', '', code);
  }

  #emit(type: string, data: string, code = 0): void {
    for (const [each, listener] of this.#listeners) if (each === type) listener({ data, code, reason: '' });
  }
}

/** Collects the sockets that the client opens; `begin` is called with each. */
export function fakeSockets(begin: (socket: FakeSocket) => void = () => undefined): {
  readonly sockets: FakeSocket[];
  readonly openSocket: OpenSocket;
} {
  const sockets: FakeSocket[] = [];
  const openSocket = (): Socket => {
    const socket = new FakeSocket();
    sockets.push(socket);
    begin(socket);
    return socket;
  };
  return { sockets, openSocket };
}

/** Runs everything that waits for promises only. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
