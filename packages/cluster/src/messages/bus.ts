/** Messages between nodes besides the log. A message is delivered at most once, without acknowledgement. */

import type { NatsConnection } from '@nats-io/transport-node';

export interface Bus {
  publish(topic: string, bytes: Uint8Array): void;
  /** The returned function ends the subscription. */
  subscribe(topic: string, onMessage: (bytes: Uint8Array) => void): () => void;
  readonly isConnected: boolean;
}

export const SUBJECTS = {
  /** Durable records, broadcast by their writer. */
  tail: 'tail',
  /** Each node’s report of its state. */
  nodes: 'nodes',
  /** Weight that users have spent. */
  limits: 'limits',
  /** Traffic about people: see shared-traffic.ts. */
  people: 'people',
  /** Digests of states, if two nodes differ. */
  digests: 'digests',
  /** For one process. */
  to: (run: string): string => `to.${run}`,
  /** To one process: another one asks whether it is alive, or replies that it is. */
  hello: (run: string): string => `hello.${run}`,
} as const;

/**
 * Parses JSON sent by another process over the bus; null if it does not have the expected form. Other versions may
 * send unknown messages, and an exception in a message handler would end the subscription of the whole connection.
 */
export function parseMessage<T extends object>(
  bytes: Uint8Array,
  isExpected: (fields: Readonly<Record<keyof T, unknown>>) => boolean,
): T | null {
  let message: unknown;
  try {
    message = JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return null;
  }
  return typeof message === 'object' && message !== null && isExpected(message as Record<keyof T, unknown>)
    ? (message as T)
    : null;
}

export const isText = (value: unknown): value is string => typeof value === 'string';
export const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;

/** The bus over the log servers. */
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
