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

import { ByteSink, ByteSource, type Clock, Malformed } from '@bourse/engine';
import { type Forgeries, Mac, MAC_BYTES } from '../authentication.ts';
import { type Bus, SUBJECTS } from './bus.ts';

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
    const numbers = this.#peers.get(from) ?? (isDirect ? this.#meet(from, number) : null);
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
  #meet(from: string, number: number): Float64Array {
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
