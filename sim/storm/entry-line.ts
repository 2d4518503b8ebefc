/** An order entry session that sends without waiting, matches replies by id, and can be disconnected. */

import { randomUUID } from 'node:crypto';
import { WebSocket } from 'ws';
import { hmac, type Signer } from '@bourse/test-kit/wire/requests.ts';

export class EntryLine {
  isClosed = false;
  readonly #ws: WebSocket;
  /** Pending requests by id, oldest first. */
  readonly #waiting = new Map<string, ((frame: string | null) => void)[]>();

  private constructor(ws: WebSocket) {
    this.#ws = ws;
    ws.on('message', (data: Buffer) => this.#take(data.toString()));
    ws.on('close', () => this.#end());
  }

  /** Signs in. Rejects if the server is not reachable. */
  static open(port: number, who: Signer): Promise<EntryLine> {
    const time = String(Date.now());
    const query = new URLSearchParams({
      apikey: who.apiKey,
      sign: hmac(who.apiSecret, who.apiKey + time),
      passphrase: hmac(who.apiSecret, who.apiPassphrase),
      timestamp: time,
    });
    const ws = new WebSocket(`ws://127.0.0.1:${port}/v1/private?${query}`, { perMessageDeflate: false });
    return new Promise((resolve, reject) => {
      ws.on('error', reject);
      ws.once('close', () => reject(new Error('closed before the welcome')));
      ws.once('message', (challenge: Buffer) => {
        ws.send(hmac(who.apiSecret, challenge));
        ws.once('message', () => resolve(new EntryLine(ws)));
      });
    });
  }

  /** Null: the session ended first. */
  ask(args: object, id: string = randomUUID()): Promise<string | null> {
    if (this.isClosed) return Promise.resolve(null);
    return new Promise((resolve) => {
      const others = this.#waiting.get(id);
      if (others) others.push(resolve);
      else this.#waiting.set(id, [resolve]);
      this.#ws.send(JSON.stringify({ id, op: 'spot.order', args }));
    });
  }

  cut(): void {
    this.#ws.terminate();
    this.#end();
  }

  #take(frame: string): void {
    const { id } = JSON.parse(frame) as { id: string };
    const resolve = this.#waiting.get(id)?.shift();
    if (this.#waiting.get(id)?.length === 0) this.#waiting.delete(id);
    resolve?.(frame);
  }

  #end(): void {
    this.isClosed = true;
    for (const resolves of this.#waiting.values()) for (const resolve of resolves) resolve(null);
    this.#waiting.clear();
  }
}
