/** An answer over HTTP, and the ways it may go wrong on its way out. */

import type { ServerResponse } from 'node:http';
import type { Clock } from '../../io/clock.ts';
import type { Spent } from '../access/throttle.ts';
import type { Reply } from '../request-edge.ts';
import { writeAnswer } from './answer.ts';

export type AnswerType = 'json' | 'html';

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  readonly type: AnswerType;
  readonly spent: Spent;
  readonly requestId: string;
}

/** How often a slow body goes on. */
const STEP_MS = 50;

export class HttpReply implements Reply {
  private readonly outgoing: ServerResponse;
  private readonly answer: HttpAnswer;
  private readonly clock: Clock;

  /** `clock`: the machine's. */
  constructor(outgoing: ServerResponse, answer: HttpAnswer, clock: Clock) {
    this.outgoing = outgoing;
    this.answer = answer;
    this.clock = clock;
  }

  send(): void {
    const { status, text, type, spent, requestId } = this.answer;
    if (type === 'json') writeAnswer(this.outgoing, status, text, spent, requestId);
    else this.outgoing.writeHead(status, headersOf(this.answer)).end(text);
  }

  cut(): void {
    this.outgoing.socket?.destroy();
  }

  sendPart(bytes: number): void {
    const { status, text } = this.answer;
    const { outgoing } = this;
    outgoing.writeHead(status, headersOf(this.answer));
    outgoing.flushHeaders();
    // Only what has left this process is seen by the other side before the end.
    outgoing.write(Buffer.from(text).subarray(0, bytes), () => outgoing.socket?.destroySoon());
  }

  sendSlowly(bytesPerSecond: number): void {
    const { status, text } = this.answer;
    const { outgoing, clock } = this;
    const body = Buffer.from(text);
    const startedAt = clock.elapsed();
    let sent = 0;
    outgoing.writeHead(status, headersOf(this.answer));
    outgoing.flushHeaders();
    const goOn = (): void => {
      if (outgoing.destroyed) return;
      const due = Math.min(body.length, Math.floor(((clock.elapsed() - startedAt) * bytesPerSecond) / 1000));
      if (due > sent) outgoing.write(body.subarray(sent, due));
      sent = due;
      if (sent === body.length) outgoing.end();
      else clock.after(STEP_MS, goOn);
    };
    goOn();
  }
}

const TYPES: Readonly<Record<AnswerType, string>> = { json: 'application/json', html: 'text/html' };

const headersOf = ({ text, type, requestId }: HttpAnswer): Record<string, string> => ({
  'content-type': TYPES[type],
  'content-length': String(Buffer.byteLength(text)),
  'x-request-id': requestId,
});
