/**
 * One signed-in connection that sends frames made beforehand and counts answers: no more than a load needs. Its frames
 * are masked with zeros, as a client may choose, so that masking costs the load nothing.
 */

import { createHmac, randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import type { SandboxKey } from '../../packages/server/src/sandbox/users.ts';

const FINAL_TEXT = 0x81;
const MASKED = 0x80;
const LENGTH_16 = 126;
const MASK_BYTES = 4;
const SUCCESS = '"code":"200000"';

const hmac = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest('base64');

export function clientFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const head = length < LENGTH_16 ? 2 : 4;
  const frame = Buffer.alloc(head + MASK_BYTES + length);
  frame[0] = FINAL_TEXT;
  frame[1] = MASKED | (head === 2 ? length : LENGTH_16);
  if (head === 4) frame.writeUInt16BE(length, 2);
  frame.write(text, head + MASK_BYTES);
  return frame;
}

export class Connection {
  /** Called with how many answers have come, each time some have. */
  onAnswers: (count: number) => void = () => undefined;
  refused = 0;
  refusal = '';
  private readonly socket: Socket;
  private rest: Buffer = Buffer.alloc(0);
  private onText: ((text: string) => void) | undefined;

  private constructor(socket: Socket) {
    this.socket = socket;
  }

  static async open(port: number, { apiKey, apiSecret, apiPassphrase }: SandboxKey): Promise<Connection> {
    const timestamp = String(Date.now());
    const sign = hmac(apiSecret, apiKey + timestamp);
    const passphrase = hmac(apiSecret, apiPassphrase);
    const query = new URLSearchParams({ apikey: apiKey, sign, passphrase, timestamp });
    const socket = connect(port, '127.0.0.1');
    socket.setNoDelay(true);
    const connection = new Connection(socket);
    const challenge = await connection.upgrade(`/v1/private?${query}`);
    if (challenge.includes('"code"')) throw new Error(challenge);
    const welcome = connection.nextText();
    socket.write(clientFrame(hmac(apiSecret, challenge)));
    if (!(await welcome).includes('welcome')) throw new Error(`no welcome: ${await welcome}`);
    connection.onText = undefined;
    return connection;
  }

  send(frames: Buffer): void {
    this.socket.write(frames);
  }

  close(): void {
    this.socket.destroy();
  }

  /** Resolves to the first frame. */
  private upgrade(path: string): Promise<string> {
    const first = this.nextText();
    let head = '';
    const take = (chunk: Buffer): void => {
      head += chunk.toString('latin1');
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      this.socket.off('data', take);
      this.socket.on('data', (more: Buffer) => this.take(more));
      if (!head.startsWith('HTTP/1.1 101')) throw new Error(head);
      this.take(Buffer.from(head.slice(end + 4), 'latin1'));
    };
    this.socket.on('data', take);
    this.socket.write(
      `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: Upgrade\r\nupgrade: websocket\r\n` +
        `sec-websocket-version: 13\r\nsec-websocket-key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
    );
    return first;
  }

  private nextText(): Promise<string> {
    return new Promise((resolve) => (this.onText = resolve));
  }

  private take(chunk: Buffer): void {
    const bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    let at = 0;
    let answers = 0;
    while (at + 4 <= bytes.length) {
      const isShort = bytes[at + 1] < LENGTH_16;
      const start = at + (isShort ? 2 : 4);
      const end = start + (isShort ? bytes[at + 1] : bytes.readUInt16BE(at + 2));
      if (end > bytes.length) break;
      this.read(bytes.toString('latin1', start, end));
      answers++;
      at = end;
    }
    this.rest = bytes.subarray(at);
    if (answers > 0) this.onAnswers(answers);
  }

  private read(text: string): void {
    if (this.onText !== undefined) this.onText(text);
    else if (!text.includes(SUCCESS)) {
      this.refused++;
      this.refusal ||= text;
    }
  }
}
