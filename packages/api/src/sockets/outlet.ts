/**
 * Everything written to a websocket: frames, the queue of one reader, and the close of its connection.
 *
 * A slow reader costs memory, but never more than the limit, including the close frame that ends the connection. One
 * exception: if the queue is empty, the messages of one event loop iteration are sent even if they alone exceed the
 * limit. The queues of all readers of an address, and of all readers, are limited as well.
 */

import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';

/** Queued bytes per network and in total, with their bounds. */
export class WaitingBytes {
  total = 0;
  readonly #byNetwork = new Map<string, number>();
  readonly #networkMax: number;
  readonly #totalMax: number;

  constructor(networkMax: number, totalMax: number) {
    this.#networkMax = networkMax;
    this.#totalMax = totalMax;
  }

  change(network: string, bytes: number): void {
    this.total += bytes;
    const sum = (this.#byNetwork.get(network) ?? 0) + bytes;
    if (sum > 0) this.#byNetwork.set(network, sum);
    else this.#byNetwork.delete(network);
  }

  /** Whether this many more bytes may be queued. */
  hasRoom(network: string, bytes: number): boolean {
    return (
      this.total + bytes <= this.#totalMax && (this.#byNetwork.get(network) ?? 0) + bytes <= this.#networkMax
    );
  }
}

/** A close frame: two bytes of head, and at most 125 of code and reason. */
const CLOSE_BYTES_MAX = 127;
/** The head of a pong, which is followed by the bytes of its ping. */
export const PONG_HEAD_BYTES = 2;

/** The sums of queued bytes that include this reader. */
export interface SharedWaiting {
  readonly bytes: WaitingBytes;
  readonly network: string;
}

export class Outlet {
  /** The most bytes ever queued. */
  waitingBytesMost = 0;
  /** The stream under the WebSocket: shared frames are written to it directly. */
  readonly #stream: Duplex;
  readonly #bytesMax: number;
  readonly #onFull: (waitingBytes: number) => void;
  readonly #shared: SharedWaiting;
  /** The queued bytes already included in the sums per address and in total. */
  #counted = 0;
  /** Bytes to be written in a later event loop iteration. */
  #held = 0;

  constructor(
    stream: Duplex,
    bytesMax: number,
    onFull: (waitingBytes: number) => void,
    shared: SharedWaiting,
  ) {
    this.#stream = stream;
    this.#bytesMax = bytesMax;
    this.#onFull = onFull;
    this.#shared = shared;
    stream.on('drain', () => this.#count(this.waitingBytes));
    stream.once('close', () => this.#count(0));
  }

  /** Bytes written but not yet accepted by the kernel, and bytes held back. */
  get waitingBytes(): number {
    return this.#stream.writableLength + this.#held;
  }

  /**
   * This many more bytes will be written in a later iteration. Returns whether they may be queued; if not, they are
   * not counted, because the caller drops them.
   */
  hold(bytes: number): boolean {
    const shared = this.#shared;
    const waitingBytes = this.#stream.writableLength + bytes;
    const mayWait =
      waitingBytes + CLOSE_BYTES_MAX <= this.#bytesMax &&
      shared.bytes.hasRoom(shared.network, waitingBytes - this.#counted);
    this.#held = mayWait ? bytes : 0;
    this.note();
    return mayWait;
  }

  /** Disconnects the reader. */
  cut(): void {
    this.#onFull(this.waitingBytes);
  }

  /** Whether this many more bytes may be written; if not, `onFull` was called. */
  hasRoom(bytes: number): boolean {
    const { waitingBytes } = this,
      shared = this.#shared;
    if (waitingBytes === 0) return true;
    const isWithinOwn = waitingBytes + bytes + CLOSE_BYTES_MAX <= this.#bytesMax;
    if (isWithinOwn && shared.bytes.hasRoom(shared.network, bytes)) return true;
    this.cut();
    return false;
  }

  /** All or nothing, in one write. */
  write(frames: readonly Buffer[]): void {
    let bytes = 0;
    for (const each of frames) bytes += each.length;
    if (!this.hasRoom(bytes)) return;
    const stream = this.#stream;
    if (frames.length === 1) stream.write(frames[0]);
    else {
      stream.cork();
      for (const each of frames) stream.write(each);
      stream.uncork();
    }
    this.note();
  }

  /** Call it after the WebSocket itself has written something. */
  note(): void {
    const { waitingBytes } = this;
    if (waitingBytes > this.waitingBytesMost) this.waitingBytesMost = waitingBytes;
    if (waitingBytes !== this.#counted && !this.#stream.destroyed) this.#count(waitingBytes);
  }

  #count(waitingBytes: number): void {
    this.#shared.bytes.change(this.#shared.network, waitingBytes - this.#counted);
    this.#counted = waitingBytes;
  }
}

// Outbound frames (RFC 6455): text frames, complete and unmasked. They are built here, once for all readers of a message,
// instead of once for each.

const FINAL_TEXT = 0x81;
const LENGTH_16 = 126;
const LENGTH_64 = 127;
/** Lengths up to the first fit into the frame's second byte, up to the second into two more bytes. */
const SMALL_MAX = 125;
const MEDIUM_MAX = 0xffff;

const headerBytes = (length: number): number => (length <= SMALL_MAX ? 2 : length <= MEDIUM_MAX ? 4 : 10);

export function textFrame(text: string): Buffer {
  return textFrames([text]);
}

/** One frame per text, concatenated: everything that a reader gets in one write. */
export function textFrames(texts: readonly string[]): Buffer {
  const lengths: number[] = [];
  let bytes = 0;
  for (let i = 0; i < texts.length; i++) {
    const length = Buffer.byteLength(texts[i]);
    lengths.push(length);
    bytes += headerBytes(length) + length;
  }
  const frames = Buffer.allocUnsafe(bytes);
  let at = 0;
  for (let i = 0; i < texts.length; i++) at = writeFrame(frames, at, texts[i], lengths[i]);
  return frames;
}

function writeFrame(frames: Buffer, start: number, text: string, length: number): number {
  frames[start] = FINAL_TEXT;
  if (length <= SMALL_MAX) frames[start + 1] = length;
  else if (length <= MEDIUM_MAX) {
    frames[start + 1] = LENGTH_16;
    frames.writeUInt16BE(length, start + 2);
  } else {
    frames[start + 1] = LENGTH_64;
    frames.writeUInt32BE(0, start + 2);
    frames.writeUInt32BE(length, start + 6);
  }
  const at = start + headerBytes(length);
  // As many bytes as characters means ASCII, which is copied unchanged.
  if (length === text.length) frames.write(text, at, 'latin1');
  else frames.write(text, at);
  return at + length;
}

/** Data in flight from a client that has sent many orders without waiting. */
const REST_BYTES_MAX = 256 * 1024;
/** Data in flight from a client that was never admitted. */
export const REFUSED_BYTES_MAX = 16 * 1024;

/**
 * Closes a websocket. It waits for the peer's close frame and discards data before that; but reading costs time too, so
 * a peer that keeps sending is disconnected.
 */
export function closeSocket(
  socket: WebSocket,
  stream: Duplex,
  code: number,
  reason = '',
  restBytesMax = REST_BYTES_MAX,
): void {
  if (socket.readyState !== WebSocket.OPEN) return;
  socket.close(code, reason);
  let bytes = 0;
  stream.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > restBytesMax) stream.destroy();
  });
}
