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

/** One connection; its listeners may change during its lifetime. */
export class Line {
  take: (text: string) => void = () => undefined;
  /** Called once, with code and reason. */
  lost: (why: string) => void = () => undefined;
  readonly #socket: Socket;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.take(data as string));
    socket.addEventListener('close', ({ code, reason }) => this.lost(`${code} ${reason}`.trim()));
    // An error is followed by a close with the same reason.
    socket.addEventListener('error', () => undefined);
  }

  send(text: string): void {
    this.#socket.send(text);
  }

  close(): void {
    this.#socket.close();
  }
}

/** From 0.25 seconds, doubled each time up to 15, plus a random part of up to half, so that clients do not all reconnect at once. */
export function delayMs(attempt: number): number {
  return Math.min(15_000, 250 * 2 ** attempt) * (1 + Math.random() / 2);
}
