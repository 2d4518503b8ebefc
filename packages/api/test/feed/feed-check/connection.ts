/** A connection of the check, with a check for each topic by name. */

import { WebSocket } from 'ws';
import type { TopicName } from '../../../src/feed/topics/topics.ts';
import type { TestServer } from '@bourse/test-kit/server.ts';
import { type Data, fetchToken, type Frame } from '../feed-client.ts';
import type { Check } from './check.ts';

/** Replaces a message in flight: by itself, a changed one, none, or several. */
export type Between = (frame: Frame) => readonly Frame[];

export class CheckedConnection {
  readonly counts = new Map<TopicName, number>();
  failure: unknown;
  readonly #checks: Map<string, Check>;
  readonly #tunnel: string;
  readonly #between: Between | undefined;
  readonly #socket: WebSocket;
  #answered: ((frame: Frame) => void) | undefined;

  private constructor(url: string, checks: readonly Check[], tunnel: string, between: Between | undefined) {
    this.#checks = new Map(checks.map((check) => [check.topic, check]));
    this.#tunnel = tunnel;
    this.#between = between;
    this.#socket = new WebSocket(url, { perMessageDeflate: false, skipUTF8Validation: true });
    this.#socket.on('error', (error) => (this.failure ??= error));
    this.#socket.on('close', (code, reason) => {
      this.failure ??= new Error(`closed: ${code} ${reason.toString()}`);
      this.#answered?.({ type: 'closed' });
    });
    this.#socket.on('message', (bytes: Buffer) => this.#hear(JSON.parse(bytes.toString('latin1')) as Frame));
  }

  /** Connected, and subscribed to the topics of all the checks; a name means private topics too. */
  static async open(
    server: TestServer,
    checks: readonly Check[],
    { who, tunnel = '', between }: { who?: string; tunnel?: string; between?: Between | undefined } = {},
  ): Promise<CheckedConnection> {
    const { token, instanceServers } = await fetchToken(server.url, who);
    const url = `${instanceServers[0].endpoint}?token=${token}`;
    const connection = new CheckedConnection(url, checks, tunnel, between);
    await connection.#answer('welcome');
    if (tunnel !== '') await connection.#tell({ type: 'openTunnel', newTunnelId: tunnel });
    const via = tunnel === '' ? {} : { tunnelId: tunnel };
    for (const { topic } of checks) await connection.#tell({ type: 'subscribe', topic, ...via });
    return connection;
  }

  async #tell(message: Data): Promise<void> {
    const answer = this.#answer('ack');
    this.#socket.send(JSON.stringify({ id: 'x', response: true, ...message }));
    await answer;
  }

  #answer(type: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#answered = (frame) => {
        this.#answered = undefined;
        if (frame.type === type) resolve();
        else reject(this.failure ?? new Error(JSON.stringify(frame)));
      };
    });
  }

  #hear(frame: Frame): void {
    if (frame.type !== 'message') this.#answered?.(frame);
    else if (this.failure === undefined) {
      try {
        if (this.#between === undefined) this.#take(frame);
        else for (const each of this.#between(frame)) this.#take(each);
      } catch (error) {
        this.failure = error;
      }
    }
  }

  #take(frame: Frame): void {
    const check = this.#checks.get(frame.topic ?? '');
    if (check === undefined || (frame.tunnelId ?? '') !== this.#tunnel)
      throw new Error(`nobody asked for ${JSON.stringify(frame)}`);
    check.take(frame.data as unknown as Data);
    this.counts.set(check.name, (this.counts.get(check.name) ?? 0) + 1);
  }
}
