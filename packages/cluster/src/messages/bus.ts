/** Messages between nodes besides the log. A message is delivered at most once, without acknowledgement. */

import { ByteSink, ByteSource, type Clock, Malformed } from '@bourse/engine';
import type { NatsConnection } from '@nats-io/transport-node';
import { type Forgeries, Mac, MAC_BYTES } from '../authentication.ts';

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

/** Messages may overtake each other by up to this many. */
const WINDOW = 512;
const PEERS_MAX = 1024;
/** Between two hellos to the same process. */
const HELLO_MS = 100;
const [ASKS, ANSWERS] = [Uint8Array.of(1), Uint8Array.of(0)];

export interface AuthenticatedBusOptions {
  readonly bus: Bus;
  readonly key: Uint8Array;
  /** Of this process. */
  readonly run: string;
  readonly clock: Clock;
  readonly forgeries: Forgeries;
}

interface Envelope {
  readonly from: string;
  readonly number: number;
  readonly body: Uint8Array;
}

/**
 * A bus that delivers only messages of this cluster's nodes, each once. Every message has its sender's process, an
 * increasing number, and a MAC over both, the topic and the body.
 *
 * A message of an unknown process could be a recorded old one: it is dropped, and its sender gets a hello. Topics for one
 * process contain its id, which is random and new at each start; so a sender to such a topic is alive now, and from that
 * message's number on it is trusted on all topics.
 *
 *   sender's process | number f64 | body | MAC
 */
export class AuthenticatedBus implements Bus {
  readonly #options: AuthenticatedBusOptions;
  readonly #mac: Mac;
  readonly #sink = new ByteSink();
  /** Known processes: the numbers of their messages, the newest of each slot. */
  readonly #peers = new Map<string, Float64Array>();
  /** When a hello was sent to each unknown process. */
  readonly #helloSentAt = new Map<string, number>();
  #number = 0;

  constructor(options: AuthenticatedBusOptions) {
    this.#options = options;
    this.#mac = new Mac(options.key);
    const topic = SUBJECTS.hello(options.run);
    options.bus.subscribe(topic, (signed) => {
      const message = this.#open(topic, signed);
      if (message?.body[0] === ASKS[0]) this.publish(SUBJECTS.hello(message.from), ANSWERS);
    });
  }

  get isConnected(): boolean {
    return this.#options.bus.isConnected;
  }

  publish(topic: string, bytes: Uint8Array): void {
    const sink = this.#sink;
    sink.at = 0;
    sink.text(this.#options.run);
    sink.float64(++this.#number);
    sink.reserve(bytes.length);
    sink.bytes.set(bytes, sink.at);
    sink.at += bytes.length;
    this.#options.bus.publish(topic, this.#mac.sign(contextOf(topic), sink.bytes.subarray(0, sink.at)));
  }

  subscribe(topic: string, onMessage: (bytes: Uint8Array) => void): () => void {
    return this.#options.bus.subscribe(topic, (signed) => {
      const message = this.#open(topic, signed);
      if (message) onMessage(message.body);
    });
  }

  /** null: dropped. */
  #open(topic: string, signed: Uint8Array): Envelope | null {
    const { run, forgeries } = this.#options;
    const envelope = readEnvelope(signed);
    // The servers send a node its own messages, too.
    if (envelope?.from === run) return null;
    if (envelope === null || this.#mac.open(contextOf(topic), signed) === null) {
      forgeries.message(topic, 'forged');
      return null;
    }
    const { from, number } = envelope;
    const isDirect = topic === SUBJECTS.to(run) || topic === SUBJECTS.hello(run);
    const numbers = this.#peers.get(from) ?? (isDirect ? this.#trust(from, number) : null);
    if (numbers === null) {
      this.#sendHello(from);
      return null;
    }
    const slot = number % WINDOW;
    if (!(numbers[slot] < number)) {
      forgeries.message(topic, 'replayed');
      return null;
    }
    numbers[slot] = number;
    return envelope;
  }

  /** Earlier messages are not accepted any more. */
  #trust(from: string, number: number): Float64Array {
    const numbers = new Float64Array(WINDOW).fill(number - 1);
    if (this.#peers.size >= PEERS_MAX) this.#peers.delete(this.#peers.keys().next().value!);
    this.#peers.set(from, numbers);
    this.#helloSentAt.delete(from);
    return numbers;
  }

  #sendHello(from: string): void {
    const now = this.#options.clock.machine.elapsed();
    if (now - (this.#helloSentAt.get(from) ?? -Infinity) < HELLO_MS) return;
    if (this.#helloSentAt.size >= PEERS_MAX) this.#helloSentAt.clear();
    this.#helloSentAt.set(from, now);
    this.publish(SUBJECTS.hello(from), ASKS);
  }
}

const contextOf = (topic: string): string => `${topic}\0`;

/** Not authenticated yet. */
function readEnvelope(signed: Uint8Array): Envelope | null {
  const source = new ByteSource(signed);
  try {
    const [from, number] = [source.text(), source.float64()];
    const isWhole = Number.isSafeInteger(number) && source.left >= MAC_BYTES;
    return isWhole ? { from, number, body: signed.subarray(-source.left, -MAC_BYTES) } : null;
  } catch (error) {
    if (error instanceof Malformed) return null;
    throw error;
  }
}
