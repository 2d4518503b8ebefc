/**
 * Unread responses. Node buffers them until the client reads them, so a client that only sends would fill the memory.
 * Buffered bytes are counted per connection, per address and in total. A connection that exceeds a limit is closed.
 */

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../../access/ip-addresses.ts';
import { WaitingBytes } from '../../../sockets/outlet.ts';
import type { HttpLimits } from '../limits.ts';

const WAITING = Symbol('waiting');

/** Its buffered bytes, stored on the socket itself, because a map would cost more. */
type CountedSocket = Socket & { [WAITING]?: number };

export class UnreadAnswers {
  /** Number of closed connections. */
  cut = 0;
  readonly #bytesPerConnectionMax: number;
  readonly #bytes: WaitingBytes;
  readonly #onCut: (network: string) => void;

  /** `onCut`: called when a connection of the network was closed. */
  constructor(
    { unreadBytesPerConnectionMax, unreadBytesPerAddressMax, unreadBytesMax }: HttpLimits,
    onCut: (network: string) => void,
  ) {
    this.#onCut = onCut;
    this.#bytesPerConnectionMax = unreadBytesPerConnectionMax;
    this.#bytes = new WaitingBytes(unreadBytesPerAddressMax, unreadBytesMax);
  }

  get waitingBytes(): number {
    return this.#bytes.total;
  }

  /** Call it after writing a response. One that is already sent, as almost all are, costs two comparisons. */
  note(socket: CountedSocket, answer: ServerResponse, bytes: number, ip: string): void {
    // A response queued behind unread ones has no socket yet.
    if (answer.socket !== null && socket.writableLength === 0) return;
    if (socket.destroyed) return;
    const network = networkOf(ip);
    const waiting = this.#waitingOn(socket, network) + bytes;
    socket[WAITING] = waiting;
    this.#bytes.change(network, bytes);
    answer.once('finish', () => {
      // A connection closed in the meantime has already returned its bytes.
      if (socket[WAITING] === 0) return;
      socket[WAITING]! -= bytes;
      this.#bytes.change(network, -bytes);
    });
    // A single response may exceed the limit; only further ones may not.
    if (waiting > bytes && (waiting > this.#bytesPerConnectionMax || !this.#bytes.hasRoom(network, 0))) {
      this.cut++;
      socket.destroy();
      this.#onCut(network);
    }
  }

  #waitingOn(socket: CountedSocket, network: string): number {
    const waiting = socket[WAITING];
    if (waiting !== undefined) return waiting;
    socket.once('close', () => {
      this.#bytes.change(network, -socket[WAITING]!);
      socket[WAITING] = 0;
    });
    return 0;
  }
}
