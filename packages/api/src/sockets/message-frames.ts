/**
 * A second path, about a tenth of an order over order entry (docs/internals/speed.md): messages that arrive complete
 * in one frame, as nearly all do. The library creates eight views of the buffer per frame; here it is one. Pings,
 * pongs and frames split by the end of a read go to the library, and so does everything from the first frame of any
 * other kind on: the library implements the complete protocol with its errors.
 */

import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';

const FINAL_TEXT = 0x81;
const FINAL_PING = 0x89;
const FINAL_PONG = 0x8a;
const IS_MASKED = 0x80;
const CONTROL_MAX = 125;
/** Placeholder for a length in the two bytes that follow. */
const LENGTH_16 = 126;
/** A frame's opcode and length; a longer length follows in two more bytes. */
const HEAD_BYTES = 2;
const LONG_HEAD_BYTES = 4;
const MASK_BYTES = 4;

export class MessageFrames {
  readonly #socket: WebSocket;
  readonly #stream: Duplex;
  readonly #pass: (bytes: Buffer) => void;
  readonly #bytesMax: number;
  /** Missing bytes of a frame whose beginning the library already has. */
  #left = 0;
  /** A frame arrived that only the library can handle; it gets that one and everything after it. */
  #isLibrarys = false;

  /** Passes messages of up to `bytesMax` bytes to the listeners of the socket, and all else to `pass`, in order. */
  constructor(socket: WebSocket, stream: Duplex, pass: (bytes: Buffer) => void, bytesMax: number) {
    this.#socket = socket;
    this.#stream = stream;
    this.#pass = pass;
    this.#bytesMax = bytesMax;
  }

  /**
   * Handles the bytes from `from` to about `to` (at most one frame beyond) until the stream is paused. Returns where
   * it stopped: `from` if too little of the frame has arrived to know its length.
   */
  take(bytes: Buffer, from: number, to: number): number {
    let at = from;
    while (at < to) {
      const next = this.#takeOne(bytes, at, to);
      if (next === at) break;
      at = next;
      if (this.#stream.isPaused()) break;
    }
    return at;
  }

  #takeOne(bytes: Buffer, at: number, to: number): number {
    if (this.#left === 0 && !this.#isLibrarys) {
      const has = bytes.length - at;
      if (has < HEAD_BYTES) return at;
      const kind = bytes[at];
      const lengthByte = bytes[at + 1] - IS_MASKED;
      if (this.#isKnown(kind, lengthByte)) {
        const isLong = lengthByte === LENGTH_16;
        if (isLong && has < LONG_HEAD_BYTES) return at;
        const start = at + (isLong ? LONG_HEAD_BYTES : HEAD_BYTES) + MASK_BYTES;
        const end = start + (isLong ? bytes.readUInt16BE(at + HEAD_BYTES) : lengthByte);
        if (end - start > this.#bytesMax) this.#isLibrarys = true;
        else if (kind === FINAL_TEXT && end <= bytes.length && this.#stream.readableLength === 0) {
          unmask(bytes, start, end);
          this.#socket.emit('message', bytes.subarray(start, end), false);
          return end;
        } else this.#left = end - at;
      } else this.#isLibrarys = true;
    }
    const end = this.#isLibrarys ? to : Math.min(to, at + this.#left);
    this.#left -= this.#isLibrarys ? 0 : end - at;
    this.#pass(bytes.subarray(at, end));
    return end;
  }

  /** `lengthByte` without the mask bit; negative if that bit is not set. */
  #isKnown(kind: number, lengthByte: number): boolean {
    if (lengthByte < 0 || lengthByte > LENGTH_16 || this.#socket.readyState !== WebSocket.OPEN) return false;
    return kind === FINAL_TEXT || ((kind === FINAL_PING || kind === FINAL_PONG) && lengthByte <= CONTROL_MAX);
  }
}

/** In place: the mask is the four bytes before `start`. */
function unmask(bytes: Buffer, start: number, end: number): void {
  const first = bytes[start - 4];
  const second = bytes[start - 3];
  const third = bytes[start - 2];
  const fourth = bytes[start - 1];
  let at = start;
  for (; at + 3 < end; at += MASK_BYTES) {
    bytes[at] ^= first;
    bytes[at + 1] ^= second;
    bytes[at + 2] ^= third;
    bytes[at + 3] ^= fourth;
  }
  if (at < end) bytes[at] ^= first;
  if (at + 1 < end) bytes[at + 1] ^= second;
  if (at + 2 < end) bytes[at + 2] ^= third;
}
