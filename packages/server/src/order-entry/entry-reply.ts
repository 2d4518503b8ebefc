/** An answer of order entry, and the ways it may go wrong on its way out. */

import type { Socket } from 'node:net';
import type { Reply } from '../gateway/request-edge.ts';
import type { Clock } from '../io/clock.ts';
import { textFrame } from '../sockets/frames.ts';

export class EntryReply implements Reply {
  private readonly socket: Socket;
  private readonly text: string;
  private readonly clock: Clock;
  private readonly push: (text: string) => void;

  /** `clock`: the machine's; `push` sends a text as ever. */
  constructor(socket: Socket, text: string, clock: Clock, push: (text: string) => void) {
    this.socket = socket;
    this.text = text;
    this.clock = clock;
    this.push = push;
  }

  send(): void {
    this.push(this.text);
  }

  cut(): void {
    this.socket.destroy();
  }

  sendPart(bytes: number): void {
    this.socket.write(textFrame(this.text).subarray(0, bytes), () => this.socket.destroySoon());
  }

  /** A client sees a message when all of it is there: so it comes when its last byte would. */
  sendSlowly(bytesPerSecond: number): void {
    const ms = (textFrame(this.text).length * 1000) / bytesPerSecond;
    this.clock.after(ms, () => this.push(this.text));
  }
}
