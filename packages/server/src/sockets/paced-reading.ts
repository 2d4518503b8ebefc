/**
 * What arrives on the connection of a websocket, in pieces. Node hands over up to 64 KiB at once, and the library deals
 * with all of it before it returns: ten thousand of the smallest frames, on each of a hundred connections in the same
 * turn of the event loop. So it is given a piece at a time while the turn has time for it; the rest waits here, and
 * meanwhile nothing more is read.
 */

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket, WebSocketServer } from 'ws';
import type { Worker, WorkTurns } from './work-turns.ts';

/** Well below a millisecond's worth of frames without a payload. */
const PIECE_BYTES = 4096;
const NOTHING = Buffer.alloc(0);

export class PacedReading implements Worker {
  readonly network: string;
  readonly #stream: Duplex;
  readonly #turns: WorkTurns;
  readonly #push: Duplex['push'];
  #rest: Buffer = NOTHING;
  /** The other side has said its last, which is in `#rest`. */
  #isEnding = false;
  /** Its turn will come, or is now. */
  #isAdded = false;

  constructor(stream: Duplex, turns: WorkTurns, network: string) {
    this.#stream = stream;
    this.#turns = turns;
    this.network = network;
    const { push, _read: read } = stream;
    this.#push = push.bind(stream);
    // The two ends of every stream: what has been read comes in by `push`, and `_read` asks for more.
    Object.assign(stream, {
      push: (bytes: Buffer | null) => this.take(bytes),
      _read: (size: number) => {
        if (this.#rest.length === 0) read.call(stream, size);
      },
    });
    stream.on('resume', () => this.#add());
  }

  /** Null after the last. Returns whether more is wanted. */
  take(bytes: Buffer | null): boolean {
    if (bytes === null) {
      if (this.#rest.length === 0) return this.#push(null);
      this.#isEnding = true;
      return false;
    }
    if (this.#rest.length === 0 && bytes.length <= PIECE_BYTES && this.#turns.hasTime)
      return this.#push(bytes);
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    while (this.#rest.length > 0 && !this.#stream.isPaused() && this.#turns.hasTime) this.#handOver();
    this.#add();
    return this.#rest.length === 0;
  }

  work(): boolean {
    if (this.#stream.destroyed) this.#rest = NOTHING;
    // Goes on when the stream does.
    this.#isAdded = this.#rest.length > 0 && !this.#stream.isPaused();
    if (this.#isAdded) {
      this.#handOver();
      this.#isAdded = this.#rest.length > 0;
    }
    return this.#isAdded;
  }

  #handOver(): void {
    const piece = this.#rest.subarray(0, PIECE_BYTES);
    this.#rest = this.#rest.subarray(piece.length);
    this.#push(piece);
    if (this.#rest.length === 0 && this.#isEnding) this.#push(null);
  }

  #add(): void {
    if (this.#isAdded || this.#rest.length === 0) return;
    this.#isAdded = true;
    this.#turns.add(this);
  }
}

interface Opening {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** Bytes that have arrived behind the request's headers. */
  readonly head: Buffer;
  readonly network: string;
}

/** Makes it a websocket whose connection is read in pieces, from its first byte on. */
export function openSocket(
  server: WebSocketServer,
  { request, socket: stream, head, network }: Opening,
  turns: WorkTurns,
  onOpen: (socket: WebSocket) => void,
): void {
  const reading = new PacedReading(stream, turns, network);
  server.handleUpgrade(request, stream, NOTHING, (socket) => {
    onOpen(socket);
    if (head.length > 0) reading.take(head);
  });
}
