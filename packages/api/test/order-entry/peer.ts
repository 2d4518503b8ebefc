/** A raw order-entry client: tests see every frame unchanged. */

import { createHmac } from 'node:crypto';
import { WebSocket } from 'ws';
import type { OrderEntryLimits } from '../../src/order-entry/limits.ts';
import {
  type Credentials,
  credentials,
  type ServerOptions,
  startServer,
  type TestServer,
} from '@bourse/test-kit/server.ts';

const WAIT_MS_MAX = 30_000;

export interface Frame {
  readonly id?: string;
  readonly op?: string;
  readonly code?: string;
  readonly msg?: string;
  readonly detail?: string;
  readonly data?: Record<string, unknown>;
  readonly [name: string]: unknown;
}

export const hmac = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest('base64');

export async function startEntry(
  limits: Partial<OrderEntryLimits> = {},
  options: ServerOptions = {},
): Promise<TestServer> {
  return startServer({
    quotas: { spot: 1_000_000, manage: 1_000_000, public: 1_000_000 },
    ...options,
    settings: limits,
  });
}

/** The query that opens a session; valid unless a field is overridden. */
export function sessionQuery(who: Credentials, changes: Record<string, string> = {}): string {
  const timestamp = changes['timestamp'] ?? String(Date.now());
  return new URLSearchParams({
    apikey: who.apiKey,
    sign: hmac(who.apiSecret, who.apiKey + timestamp),
    passphrase: hmac(who.apiSecret, who.apiPassphrase),
    timestamp,
    ...changes,
  }).toString();
}

export class Peer {
  readonly ws: WebSocket;
  readonly frames: string[] = [];
  closed: { readonly code: number; readonly reason: string } | undefined;
  #wake: () => void = () => undefined;
  #serial = 0;

  constructor(url: string) {
    this.ws = new WebSocket(url.replace(/^http/, 'ws'));
    this.ws.on('message', (data: Buffer) => {
      this.frames.push(data.toString());
      this.#wake();
    });
    this.ws.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString() };
      this.#wake();
    });
    this.ws.on('error', () => undefined);
  }

  /** Signed in, as the sandbox's user of that name. */
  static async open(server: TestServer, name: string, mount = ''): Promise<Peer> {
    const who = credentials(name);
    const peer = new Peer(`${server.url}${mount}/v1/private?${sessionQuery(who)}`);
    peer.ws.send(hmac(who.apiSecret, await peer.nextText()));
    const { data, sessionId } = await peer.next();
    if ((data as unknown) !== 'welcome' || typeof sessionId !== 'string') throw new Error('no welcome');
    return peer;
  }

  async nextText(): Promise<string> {
    await this.#until(() => this.frames.length > 0);
    return this.frames.shift()!;
  }

  async next(): Promise<Frame> {
    return JSON.parse(await this.nextText()) as Frame;
  }

  /** One request and its answer. */
  ask(op: string, args: unknown, id = `m${++this.#serial}`): Promise<Frame> {
    this.ws.send(JSON.stringify({ id, op, args }));
    return this.next();
  }

  async ended(): Promise<{ readonly code: number; readonly reason: string }> {
    await this.#until(() => this.closed !== undefined, false);
    return this.closed!;
  }

  close(): void {
    this.ws.terminate();
  }

  async #until(isMet: () => boolean, failsWhenClosed = true): Promise<void> {
    const deadline = Date.now() + WAIT_MS_MAX;
    while (!isMet()) {
      if (failsWhenClosed && this.closed) throw new Error(`closed: ${JSON.stringify(this.closed)}`);
      if (Date.now() > deadline) throw new Error('nothing came in time');
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 1000);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }
}
