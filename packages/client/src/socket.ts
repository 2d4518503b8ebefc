/** The part of a websocket that this client uses: the browser's, Node's, or another with the same interface. */

export interface Socket {
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(
    type: 'close',
    listener: (event: { readonly code: number; readonly reason: string }) => void,
  ): void;
  addEventListener(type: 'error', listener: () => void): void;
  send(text: string): void;
  close(): void;
}

export type OpenSocket = (url: string) => Socket;

export const openSocket: OpenSocket = (url) => {
  if (typeof WebSocket === 'undefined') {
    throw new Error(
      'This Node has no WebSocket. Install the package ws and pass openNodeSocket from @bourse/client/node as openSocket.',
    );
  }
  return new WebSocket(url) as unknown as Socket;
};

/** One socket; its listeners may change during its lifetime. */
export class Line {
  take: (text: string) => void = () => undefined;
  /** Called once, with code and reason. Nothing is received or sent afterwards. */
  lost: (why: string) => void = () => undefined;
  readonly #socket: Socket;
  #isLost = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#isLost || this.take(data as string));
    socket.addEventListener('close', ({ code, reason }) => this.#lose(`${code} ${reason}`.trim()));
    // An error is followed by a close with the same reason.
    socket.addEventListener('error', () => undefined);
  }

  send(text: string): void {
    if (!this.#isLost) this.#socket.send(text);
  }

  /** Does not wait for the server's close frame: without a network it would not arrive for a long time. */
  close(why: string): void {
    this.#socket.close();
    this.#lose(why);
  }

  #lose(why: string): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.lost(why);
  }
}

/** From 0.25 seconds, doubled each time up to 15, plus a random part of up to half, so that clients do not all reconnect at once. */
export function delayMs(attempt: number): number {
  return Math.min(15_000, 250 * 2 ** attempt) * (1 + Math.random() / 2);
}
