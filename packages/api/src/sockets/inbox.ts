/**
 * The inbound queue of one client. A message is handled at once while the event loop iteration has time for it;
 * others are queued here, and meanwhile the connection is not read, so the queue holds at most one read's worth.
 */

import type { WebSocket } from 'ws';
import type { Worker, WorkScheduler } from './work-scheduler.ts';

export class Inbox implements Worker {
  readonly network: string;
  readonly #socket: WebSocket;
  readonly #scheduler: WorkScheduler;
  readonly #handle: (bytes: Buffer, isBinary: boolean) => void;
  #waiting: { readonly bytes: Buffer; readonly isBinary: boolean }[] = [];
  #isHeld = false;
  /** It is scheduled, or running now. */
  #isAdded = false;

  constructor(
    socket: WebSocket,
    scheduler: WorkScheduler,
    network: string,
    handle: (bytes: Buffer, isBinary: boolean) => void,
  ) {
    this.#socket = socket;
    this.#scheduler = scheduler;
    this.network = network;
    this.#handle = handle;
    socket.on('message', (data, isBinary) => this.#take(data as Buffer, isBinary));
  }

  /** Nothing more is handled until `goOn`. */
  hold(): void {
    this.#isHeld = true;
    this.#socket.pause();
  }

  goOn(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    if (this.#waiting.length > 0) this.#add();
    else this.#socket.resume();
  }

  /** Drops the queue: the connection is being closed, and the close reply must be read. */
  end(): void {
    this.#waiting = [];
    this.#isHeld = false;
    this.#socket.resume();
  }

  work(): boolean {
    const next = this.#waiting.shift();
    if (next !== undefined) this.#handle(next.bytes, next.isBinary);
    if (!this.#isHeld && this.#waiting.length === 0) this.#socket.resume();
    this.#isAdded = !this.#isHeld && this.#waiting.length > 0;
    return this.#isAdded;
  }

  #take(bytes: Buffer, isBinary: boolean): void {
    if (this.#waiting.length === 0 && !this.#isHeld && this.#scheduler.hasTime) {
      this.#handle(bytes, isBinary);
      return;
    }
    this.#waiting.push({ bytes, isBinary });
    this.#socket.pause();
    if (!this.#isHeld) this.#add();
  }

  #add(): void {
    if (this.#isAdded) return;
    this.#isAdded = true;
    this.#scheduler.add(this);
  }
}
