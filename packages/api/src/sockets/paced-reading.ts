/**
 * Reads a websocket's connection in pieces. Node delivers up to 64 KiB at once, and the library handles all of it
 * before it returns: ten thousand of the smallest frames, on each of a hundred connections in the same event loop
 * iteration. So it gets one piece at a time while the iteration has time for it; the rest is buffered here, and
 * meanwhile the connection is not read.
 */

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket, WebSocketServer } from 'ws';
import { MessageFrames } from './message-frames.ts';
import { interceptReading, usesNodeInternals } from './node-internals.ts';
import type { Worker, WorkScheduler } from './work-scheduler.ts';

/** Well below a millisecond's worth of empty frames. */
const PIECE_BYTES = 4096;
const NOTHING = Buffer.alloc(0);

export class PacedReading implements Worker {
  readonly network: string;
  readonly #stream: Duplex;
  readonly #scheduler: WorkScheduler;
  readonly #push: Duplex['push'];
  readonly #read: () => void;
  #messages: MessageFrames | undefined;
  /** The bytes read; those from `#at` on are pending. */
  #rest: Buffer = NOTHING;
  #at = 0;
  /** The pending bytes are too few to identify a frame. */
  #isShort = false;
  /** Reading is paused until the pending bytes are handled. */
  #isStopped = false;
  /** The peer has half-closed; the last bytes are in `#rest`. */
  #isEnding = false;
  /** It is scheduled, or running now. */
  #isAdded = false;

  constructor(stream: Duplex, scheduler: WorkScheduler, network: string) {
    this.#stream = stream;
    this.#scheduler = scheduler;
    this.network = network;
    const ends = interceptReading(
      stream,
      (bytes) => this.take(bytes),
      () => !this.#hasWork,
    );
    this.#push = ends.push;
    this.#read = ends.read;
    stream.on('resume', () => this.#add());
  }

  /** From now on complete messages go directly to the listeners of the websocket, bypassing the library. */
  readMessages(socket: WebSocket, bytesMax: number): void {
    this.#messages = new MessageFrames(socket, this.#stream, this.#push, bytesMax);
  }

  /** Null after the last. Returns whether more is wanted. */
  take(bytes: Buffer | null): boolean {
    if (bytes === null) {
      this.#isEnding = true;
      if (!this.#hasWork) this.#end();
      return false;
    }
    this.#rest = this.#isEmpty ? bytes : Buffer.concat([this.#rest.subarray(this.#at), bytes]);
    this.#at = 0;
    this.#isShort = false;
    while (this.#hasWork && !this.#stream.isPaused() && this.#scheduler.hasTime) this.#handOver();
    this.#add();
    this.#isStopped = this.#hasWork;
    return !this.#isStopped;
  }

  work(): boolean {
    if (this.#stream.destroyed) this.#clear();
    // Resumes when the stream does.
    this.#isAdded = this.#hasWork && !this.#stream.isPaused();
    if (this.#isAdded) {
      this.#handOver();
      this.#isAdded = this.#hasWork;
    }
    return this.#isAdded;
  }

  get #isEmpty(): boolean {
    return this.#at === this.#rest.length;
  }

  get #hasWork(): boolean {
    return !this.#isEmpty && !this.#isShort;
  }

  #handOver(): void {
    const from = this.#at;
    const to = Math.min(from + PIECE_BYTES, this.#rest.length);
    this.#at = to;
    if (this.#messages === undefined) this.#push(this.#rest.subarray(from, to));
    else this.#at = this.#messages.take(this.#rest, from, to);
    this.#isShort = this.#at === from;
    if (this.#isEmpty) this.#clear();
    if (this.#hasWork) return;
    if (this.#isEnding) this.#end();
    else if (this.#isStopped) {
      this.#isStopped = false;
      this.#read();
    }
  }

  #clear(): void {
    this.#rest = NOTHING;
    this.#at = 0;
  }

  /** The rest is the beginning of a frame that was never completed. */
  #end(): void {
    if (!this.#isEmpty) this.#push(this.#rest.subarray(this.#at));
    this.#clear();
    this.#push(null);
  }

  #add(): void {
    if (this.#isAdded || !this.#hasWork) return;
    this.#isAdded = true;
    this.#scheduler.add(this);
  }
}

interface Opening {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** Bytes received after the request's headers. */
  readonly head: Buffer;
  readonly network: string;
  /** Text messages of up to this many bytes bypass the library, and their UTF-8 is not validated. */
  readonly textBytesMax?: number;
}

/** Creates the websocket, whose connection is read in pieces from its first byte on. */
export function openSocket(
  server: WebSocketServer,
  { request, socket: stream, head, network, textBytesMax }: Opening,
  scheduler: WorkScheduler,
  onOpen: (socket: WebSocket) => void,
): void {
  if (!usesNodeInternals()) {
    server.handleUpgrade(request, stream, head, onOpen);
    return;
  }
  const reading = new PacedReading(stream, scheduler, network);
  server.handleUpgrade(request, stream, NOTHING, (socket) => {
    if (textBytesMax !== undefined) reading.readMessages(socket, textBytesMax);
    onOpen(socket);
    if (head.length > 0) reading.take(head);
  });
}
