/** A feed client for tests: keeps every message, in order, until it is requested. */

import assert from 'node:assert/strict';
import { WebSocket } from 'ws';
import { Client } from '@bourse/test-kit/server.ts';

export interface Frame {
  readonly id?: string;
  readonly type: string;
  readonly topic?: string;
  readonly subject?: string;
  readonly code?: number;
  readonly userId?: string;
  readonly channelType?: string;
  readonly tunnelId?: string;
  // Payloads differ by topic; tests inspect them.
  readonly data?: never;
}

/** A frame whose data a test looks into. */
export type Data = Record<string, unknown>;
export const dataOf = (frame: Frame): Data => frame.data as unknown as Data;

const PATIENCE_MS = 20_000;

export interface Bullet {
  readonly token: string;
  readonly instanceServers: readonly { readonly endpoint: string; readonly pingInterval: number }[];
}

/** Without a name: a public token. */
export async function fetchToken(url: string, who?: string): Promise<Bullet> {
  const path = who === undefined ? '/api/v1/bullet-public' : '/api/v1/bullet-private';
  const { status, json, text } = await new Client(url, who).post(path);
  assert.equal(status, 200, text);
  return json.data as Bullet;
}

export class FeedClient {
  readonly frames: Frame[] = [];
  closed: { readonly code: number; readonly reason: string } | undefined;
  readonly socket: WebSocket;
  /** Frames that were not requested yet. */
  #waiting: Frame[] = [];
  #wake: (() => void) | undefined;
  #count = 0;

  constructor(url: string) {
    this.socket = new WebSocket(url, { perMessageDeflate: false });
    this.socket.on('message', (bytes: Buffer) => {
      const frame = JSON.parse(bytes.toString()) as Frame;
      this.frames.push(frame);
      this.#waiting.push(frame);
      this.#wake?.();
    });
    this.socket.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString() };
      this.#wake?.();
    });
    this.socket.on('error', () => undefined);
  }

  /** Connected and welcomed. */
  static async connect(url: string, who?: string, more = ''): Promise<FeedClient> {
    const { token, instanceServers } = await fetchToken(url, who);
    const client = new FeedClient(`${instanceServers[0].endpoint}?token=${token}${more}`);
    assert.equal((await client.next()).type, 'welcome');
    return client;
  }

  /** The next frame that was not requested yet. */
  async next(): Promise<Frame> {
    return this.find(() => true);
  }

  /**
   * The next matching frame. Earlier ones of its topic are skipped; those of other topics stay, because messages of
   * different topics are not ordered.
   */
  async find(isWanted: (frame: Frame) => boolean): Promise<Frame> {
    const indexOf = () => this.#waiting.findIndex(isWanted);
    await this.until(() => indexOf() >= 0 || this.closed !== undefined, 'a frame');
    const at = indexOf();
    const frame = this.#waiting[at];
    if (frame === undefined) throw new Error(`closed: ${JSON.stringify(this.closed)}`);
    this.#waiting = this.#waiting.filter(({ topic }, i) => i > at || topic !== frame.topic);
    return frame;
  }

  async message(topic: string): Promise<Frame> {
    return this.find((frame) => frame.type === 'message' && frame.topic === topic);
  }

  async until(isTrue: () => boolean, what: string): Promise<void> {
    const end = Date.now() + PATIENCE_MS;
    while (!isTrue()) {
      if (Date.now() > end) throw new Error(`waited for ${what} in vain`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 50);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  send(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** Sends it with a new id and returns the reply with that id. */
  async ask(message: Record<string, unknown>): Promise<Frame> {
    const id = `ask-${++this.#count}`;
    this.send({ id, response: true, ...message });
    const isAnswer = (frame: Frame) => frame.id === id && frame.type !== 'message';
    await this.until(() => this.frames.some(isAnswer) || this.closed !== undefined, `the answer to ${id}`);
    const answer = this.frames.find(isAnswer);
    if (answer === undefined) throw new Error(`closed: ${JSON.stringify(this.closed)}`);
    return answer;
  }

  async subscribe(...topics: string[]): Promise<void> {
    for (const topic of topics) {
      const answer = await this.ask({ type: 'subscribe', topic });
      assert.equal(answer.type, 'ack', JSON.stringify(answer));
    }
  }

  async close(): Promise<void> {
    this.socket.close();
    await this.until(() => this.closed !== undefined, 'the end');
  }
}
