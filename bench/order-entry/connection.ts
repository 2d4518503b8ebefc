/**
 * A minimal signed-in connection that sends prepared frames and counts replies. Its frames have an all-zero mask,
 * which is allowed and costs nothing.
 */

import { createHmac, randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { liesAt } from '../http/connection.ts';
import type { Trader } from '../http/requests.ts';

const FINAL_TEXT = 0x81;
const MASKED = 0x80;
const LENGTH_16 = 126;
const MASK_BYTES = 4;
const SUCCESS = Buffer.from('"code":"200000"');

const hmac = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest('base64');

/** Maximum length of a frame's header and mask. */
export const FRAME_HEAD_BYTES_MAX = 8;

/** Returns the end of the frame. The text is ASCII. */
export function writeFrame(into: Buffer, at: number, text: string): number {
  const head = text.length < LENGTH_16 ? 2 : 4;
  into[at] = FINAL_TEXT;
  into[at + 1] = MASKED | (head === 2 ? text.length : LENGTH_16);
  if (head === 4) into.writeUInt16BE(text.length, at + 2);
  const textAt = at + head + MASK_BYTES;
  into.fill(0, at + head, textAt);
  return textAt + into.write(text, textAt, 'latin1');
}

function oneFrame(text: string): Buffer {
  const bytes = Buffer.alloc(FRAME_HEAD_BYTES_MAX + text.length);
  return bytes.subarray(0, writeFrame(bytes, 0, text));
}

/** Shared by all connections: data is handled or copied before the next read. */
const arrived = Buffer.allocUnsafeSlow(64 << 10);

export class Connection {
  /** Called with the number of new replies. */
  onAnswers: (count: number) => void = () => undefined;
  refused = 0;
  refusal = '';
  /** The exchange's messages before and after the sign-in, for the bare server to repeat. */
  greeting: readonly [challenge: string, welcome: string] = ['', ''];
  /** The first reply to an order. */
  answer = '';
  readonly #socket: Socket;
  /** Consumes complete frames, and returns the position of the first incomplete one. */
  #take = (bytes: Buffer, end: number): number => this.#takeHead(bytes, end);
  #begun: Buffer | null = null;
  #onText: (text: string) => void = () => undefined;
  /** The offset of the code in a reply: usually the same as in the previous one. */
  #successAt = 0;

  private constructor(port: number) {
    const callback = (received: number): boolean => {
      this.#takeAll(received);
      return true;
    };
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer: arrived, callback } });
  }

  static async open(port: number, { apiKey, apiSecret, apiPassphrase }: Trader): Promise<Connection> {
    const timestamp = String(Date.now());
    const sign = hmac(apiSecret, apiKey + timestamp);
    const passphrase = hmac(apiSecret, apiPassphrase);
    const query = new URLSearchParams({ apikey: apiKey, sign, passphrase, timestamp });
    const connection = new Connection(port);
    const challenge = await connection.#upgrade(`/v1/private?${query}`);
    if (challenge.includes('"code"')) throw new Error(challenge);
    const welcome = connection.#nextText();
    connection.send(oneFrame(hmac(apiSecret, challenge)));
    if (!(await welcome).includes('welcome')) throw new Error(`no welcome: ${await welcome}`);
    connection.greeting = [challenge, await welcome];
    connection.#take = (bytes, end) => connection.#takeAnswers(bytes, end);
    return connection;
  }

  send(frames: Buffer): void {
    this.#socket.write(frames);
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Resolves to the first message. */
  #upgrade(path: string): Promise<string> {
    const first = this.#nextText();
    this.#socket.write(
      `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: Upgrade\r\nupgrade: websocket\r\n` +
        `sec-websocket-version: 13\r\nsec-websocket-key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
    );
    return first;
  }

  #nextText(): Promise<string> {
    return new Promise((resolve) => (this.#onText = resolve));
  }

  #takeAll(received: number): void {
    const bytes =
      this.#begun === null ? arrived : Buffer.concat([this.#begun, arrived.subarray(0, received)]);
    const end = this.#begun === null ? received : bytes.length;
    const taken = this.#take(bytes, end);
    this.#begun = taken < end ? Buffer.from(bytes.subarray(taken, end)) : null;
  }

  #takeHead(bytes: Buffer, end: number): number {
    const head = bytes.toString('latin1', 0, end);
    const size = head.indexOf('\r\n\r\n') + 4;
    if (size < 4) return 0;
    if (!head.startsWith('HTTP/1.1 101')) throw new Error(head);
    this.#take = (more, moreEnd) => this.#takeTexts(more, 0, moreEnd);
    return this.#takeTexts(bytes, size, end);
  }

  #takeTexts(bytes: Buffer, from: number, end: number): number {
    return eachFrame(bytes, from, end, (start, frameEnd) =>
      this.#onText(bytes.toString('latin1', start, frameEnd)),
    );
  }

  #takeAnswers(bytes: Buffer, end: number): number {
    let answers = 0;
    const taken = eachFrame(bytes, 0, end, (start, frameEnd) => {
      answers++;
      if (this.answer === '') this.answer = bytes.toString('latin1', start, frameEnd);
      if (!this.#isSuccess(bytes, start, frameEnd)) {
        this.refused++;
        this.refusal ||= bytes.toString('latin1', start, frameEnd);
      }
    });
    if (answers > 0) this.onAnswers(answers);
    return taken;
  }

  #isSuccess(bytes: Buffer, start: number, end: number): boolean {
    const expectedAt = start + this.#successAt;
    if (expectedAt + SUCCESS.length <= end && liesAt(bytes, expectedAt, SUCCESS)) return true;
    const at = bytes.indexOf(SUCCESS, start);
    if (at < 0 || at >= end) return false;
    this.#successAt = at - start;
    return true;
  }
}

/** Calls `take` with the bounds of each complete frame's text; returns the start of the first incomplete frame. */
function eachFrame(
  bytes: Buffer,
  from: number,
  end: number,
  take: (start: number, frameEnd: number) => void,
): number {
  let at = from;
  while (at + 4 <= end) {
    const isShort = bytes[at + 1] < LENGTH_16;
    const start = at + (isShort ? 2 : 4);
    const frameEnd = start + (isShort ? bytes[at + 1] : bytes.readUInt16BE(at + 2));
    if (frameEnd > end) break;
    take(start, frameEnd);
    at = frameEnd;
  }
  return at;
}
