/**
 * What is sent to one reader. A reader that does not keep up costs memory, but never more than the bound, including the
 * close frame that ends the connection. One exception: when nothing waits, the messages of one turn are sent even if
 * they alone are larger than the bound.
 * What waits for all readers of an address, and for all there are, is bounded as well.
 */

import type { Duplex } from 'node:stream';
import type { WaitingBytes } from './waiting-bytes.ts';

/** A close frame: two bytes of head, and at most 125 of code and reason. */
const CLOSE_BYTES_MAX = 127;
/** Of a pong, which has the bytes of its ping behind it. */
export const PONG_HEAD_BYTES = 2;

/** The sums of waiting bytes that this reader counts towards. */
export interface SharedWaiting {
  readonly bytes: WaitingBytes;
  readonly network: string;
}

export class Outlet {
  /** The most that has ever waited. */
  waitingBytesMost = 0;
  /** Under the WebSocket: frames that many readers share are written to it as they are. */
  private readonly stream: Duplex;
  private readonly bytesMax: number;
  private readonly onFull: (waitingBytes: number) => void;
  private readonly shared: SharedWaiting;
  /** How much of what waits here has been added to the sums of the address and of all. */
  private counted = 0;

  constructor(
    stream: Duplex,
    bytesMax: number,
    onFull: (waitingBytes: number) => void,
    shared: SharedWaiting,
  ) {
    this.stream = stream;
    this.bytesMax = bytesMax;
    this.onFull = onFull;
    this.shared = shared;
    stream.on('drain', () => this.count(stream.writableLength));
    stream.once('close', () => this.count(0));
  }

  /** Written and not yet taken by the other side's machine. */
  get waitingBytes(): number {
    return this.stream.writableLength;
  }

  /** Whether so many bytes more may be written; where not, `onFull` was called. */
  hasRoom(bytes: number): boolean {
    const { waitingBytes, shared } = this;
    if (waitingBytes === 0) return true;
    const isWithinOwn = waitingBytes + bytes + CLOSE_BYTES_MAX <= this.bytesMax;
    if (isWithinOwn && shared.bytes.hasRoom(shared.network, bytes)) return true;
    this.onFull(waitingBytes);
    return false;
  }

  /** All of it or nothing, in one write to the system. */
  write(frames: Buffer, further: readonly Buffer[] = []): void {
    let bytes = frames.length;
    for (const each of further) bytes += each.length;
    if (!this.hasRoom(bytes)) return;
    const { stream } = this;
    if (further.length === 0) stream.write(frames);
    else {
      stream.cork();
      stream.write(frames);
      for (const each of further) stream.write(each);
      stream.uncork();
    }
    this.note();
  }

  /** To be called when the WebSocket has written something by itself. */
  note(): void {
    const { waitingBytes } = this;
    if (waitingBytes > this.waitingBytesMost) this.waitingBytesMost = waitingBytes;
    if (waitingBytes !== this.counted && !this.stream.destroyed) this.count(waitingBytes);
  }

  private count(waitingBytes: number): void {
    this.shared.bytes.change(this.shared.network, waitingBytes - this.counted);
    this.counted = waitingBytes;
  }
}
