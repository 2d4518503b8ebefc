/** The effect of a fault on a request, for both transports. */

import { STATUS_CODES } from 'node:http';
import { Readable } from 'node:stream';
import type { AnswerSender, Call, RenderedAnswer, Route } from '@bourse/api';
import type { Clock } from '@bourse/engine';

/** A response that the exchange did not make. */
export interface Instead {
  readonly status: number;
  readonly type: 'json' | 'html';
  readonly text: string;
}

/** Thrown if the fault responds instead of the exchange. */
export class FaultAnswers extends Error {
  readonly instead: Instead | 'cut';

  constructor(instead: Instead | 'cut') {
    super('a fault answers');
    this.instead = instead;
  }
}

export interface RequestFault {
  /** Names the rule. */
  readonly id: string;
  /** The delay before the request is handled, in machine time. */
  readonly waitMs: number;
  /** The request is not executed: this response is sent, or the connection is closed. */
  readonly instead: Instead | 'cut' | undefined;
  /** Replaces the route's own handler. */
  readonly handle: ((call: Call, route: Pick<Route, 'id'>) => unknown) | undefined;
  readonly deliver: ((reply: FaultyReply) => void) | undefined;
}

/** Interval between chunks of a slow body. */
const STEP_MS = 50;
const TYPES: Readonly<Record<Instead['type'], string>> = { json: 'application/json', html: 'text/html' };

/** A finished response, and the ways it can be sent. */
export class FaultyReply {
  readonly #answer: RenderedAnswer;
  readonly #type: Instead['type'];
  readonly #sender: AnswerSender;
  readonly #clock: Clock;

  /** `clock`: the machine's. */
  constructor(answer: RenderedAnswer, type: Instead['type'], sender: AnswerSender, clock: Clock) {
    this.#answer = answer;
    this.#type = type;
    this.#sender = sender;
    this.#clock = clock;
  }

  /** Sends it unchanged; over a websocket an HTML page ends the connection instead. */
  send(): void {
    if (this.#type === 'json') this.#sender.send(this.#answer);
    else this.#sendRaw([this.#head, Buffer.from(this.#answer.text)]);
  }

  cut(): void {
    this.#sender.cut();
  }

  /** Sends this many bytes of the body, then closes the connection. */
  sendPart(bytes: number): void {
    this.#sendRaw([this.#head, Buffer.from(this.#answer.text).subarray(0, bytes)]);
  }

  /** A websocket delivers complete messages, so the message is sent when its last byte would have been. */
  sendSlowly(bytesPerSecond: number): void {
    const body = Buffer.from(this.#answer.text);
    if (this.#sender.sendRaw(this.#trickle(body, bytesPerSecond))) return;
    this.#clock.after((body.length * 1000) / bytesPerSecond, () => this.#sender.send(this.#answer));
  }

  #sendRaw(chunks: readonly Buffer[]): void {
    if (!this.#sender.sendRaw(Readable.from(chunks))) this.#sender.cut();
  }

  async *#trickle(body: Buffer, bytesPerSecond: number): AsyncGenerator<Buffer> {
    yield this.#head;
    const startedAt = this.#clock.elapsed();
    for (let sent = 0; sent < body.length; ) {
      await new Promise<void>((resolve) => void this.#clock.after(STEP_MS, resolve));
      const due = Math.floor(((this.#clock.elapsed() - startedAt) * bytesPerSecond) / 1000);
      if (due <= sent) continue;
      yield body.subarray(sent, due);
      sent = Math.min(due, body.length);
    }
  }

  get #head(): Buffer {
    const { status, text } = this.#answer;
    const length = Buffer.byteLength(text);
    return Buffer.from(
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nContent-Type: ${TYPES[this.#type]}\r\n` +
        `Content-Length: ${length}\r\nConnection: close\r\n\r\n`,
    );
  }
}
