/** The bus over the log servers. */

import type { NatsConnection } from '@nats-io/transport-node';
import type { Bus } from './bus.ts';

export class NatsBus implements Bus {
  readonly #connection: NatsConnection;
  readonly #prefix: string;
  #isConnected = true;

  constructor(connection: NatsConnection, stream: string) {
    this.#connection = connection;
    this.#prefix = `${stream}.node.`;
    void this.#watch();
  }

  get isConnected(): boolean {
    return this.#isConnected && !this.#connection.isClosed();
  }

  /** Without a connection nothing is queued: it would be stale later. */
  publish(topic: string, bytes: Uint8Array): void {
    if (this.isConnected) this.#connection.publish(this.#prefix + topic, bytes);
  }

  subscribe(topic: string, onMessage: (bytes: Uint8Array) => void): () => void {
    const messages = this.#connection.subscribe(this.#prefix + topic, {
      callback: (error, { data }) => {
        if (!error) onMessage(data);
      },
    });
    return () => messages.unsubscribe();
  }

  async #watch(): Promise<void> {
    for await (const { type } of this.#connection.status()) {
      if (type === 'disconnect' || type === 'staleConnection') this.#isConnected = false;
      if (type === 'reconnect') this.#isConnected = true;
    }
  }
}
