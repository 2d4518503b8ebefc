/**
 * The network of a world: a stream that accepts one append after each message, and a bus. Messages are delayed, lost
 * and duplicated; servers stall and run full; the server that responds to a read may be stale.
 */

import type { Random } from '@bourse/test-kit/random.ts';
import type { Bus } from '../../packages/cluster/src/messages/bus.ts';
import type {
  AppendResult,
  MessageKind,
  RecordStream,
  StreamBounds,
  StreamMessage,
} from '../../packages/cluster/src/stream/record-stream.ts';
import type { SimProcess, Timeline } from './timeline.ts';

const ANSWER_MS_MAX = 2000;
const READ_MAX = 64;
const MESSAGE_BYTES_MAX = 1 << 20;
const RECORDED_MAX = 200;

export class Network {
  readonly messages: StreamMessage[] = [];
  /** When each message was accepted. */
  readonly appendedAt: number[] = [];
  /** When its sender sent it; stalled servers may have delayed it. */
  readonly sentAt: number[] = [];
  /** The log servers do nothing until then. */
  stalledUntil = 0;
  isFull = false;
  /** Fault probabilities per message; 0 in the healthy phase. */
  lost = 0;
  doubled = 0;
  behind = 0;
  /** Maximum delay of a message in milliseconds. */
  delayMs = 4;
  /** Messages between nodes, for replay attacks. */
  readonly recorded: { readonly topic: string; readonly bytes: Uint8Array }[] = [];
  /** Names of partitioned nodes. */
  readonly cut = new Set<string>();
  readonly timeline: Timeline;
  readonly random: Random;
  readonly #subscribers = new Map<
    string,
    Set<{ readonly name: string; readonly deliver: (bytes: Uint8Array) => void }>
  >();

  constructor(timeline: Timeline, random: Random) {
    this.timeline = timeline;
    this.random = random;
  }

  /** Carries a message one way; if it is lost, the action never runs. */
  carry(name: string, action: () => void): void {
    const { random, timeline } = this;
    if (this.cut.has(name) || random.fraction() < this.lost) return;
    // Occasionally a message takes longer than any timeout.
    const lateMs = random.fraction() < this.lost / 4 ? random.below(2 * ANSWER_MS_MAX) : 0;
    timeline.after(random.range(1, this.delayMs) + lateMs, action);
  }

  publish(name: string, topic: string, bytes: Uint8Array): void {
    if (this.recorded.length < RECORDED_MAX) this.recorded.push({ topic, bytes });
    else this.recorded[this.random.below(RECORDED_MAX)] = { topic, bytes };
    for (const { name: to, deliver } of this.#subscribers.get(topic) ?? []) {
      const copies = this.random.fraction() < this.doubled ? 2 : 1;
      for (let i = 0; i < copies; i++) {
        this.carry(name, () => {
          if (!this.cut.has(to)) deliver(bytes);
        });
      }
    }
  }

  subscribe(
    topic: string,
    subscriber: { readonly name: string; readonly deliver: (bytes: Uint8Array) => void },
  ): () => void {
    const all = this.#subscribers.get(topic) ?? new Set();
    this.#subscribers.set(topic, all.add(subscriber));
    return () => void all.delete(subscriber);
  }

  /** Runs the action once the log servers no longer stall. */
  serve(action: () => void): void {
    this.timeline.after(Math.max(0, this.stalledUntil - this.timeline.now), action);
  }

  append(kind: MessageKind, bytes: Uint8Array, after: number, sentAt = this.timeline.now): AppendResult {
    if (after >= 0 && after !== this.messages.length) return 'refused';
    if (this.isFull) return 'full';
    this.messages.push({ at: this.messages.length + 1, kind, bytes });
    this.appendedAt.push(this.timeline.now);
    this.sentAt.push(sentAt);
    return 'appended';
  }
}

/** The stream and the bus as one process sees them. */
export class Connection implements RecordStream, Bus {
  readonly messageBytesMax = MESSAGE_BYTES_MAX;
  readonly isConnected = true;
  readonly #network: Network;
  readonly #process: SimProcess;
  readonly #name: string;

  constructor(network: Network, process: SimProcess, name: string) {
    this.#network = network;
    this.#process = process;
    this.#name = name;
  }

  publish(topic: string, bytes: Uint8Array): void {
    this.#network.publish(this.#name, topic, Uint8Array.from(bytes));
  }

  subscribe(topic: string, onMessage: (bytes: Uint8Array) => void): () => void {
    const deliver = (bytes: Uint8Array): void => this.#process.do(() => onMessage(bytes));
    return this.#network.subscribe(topic, { name: this.#name, deliver });
  }

  append(kind: MessageKind, bytes: Uint8Array, after: number): Promise<AppendResult> {
    const copy = Uint8Array.from(bytes);
    const sentAt = this.#network.timeline.now;
    return this.#ask(() => this.#network.append(kind, copy, after, sentAt), 'unknown');
  }

  async read(from: number): Promise<readonly StreamMessage[]> {
    const { random } = this.#network;
    const found = await this.#ask<readonly StreamMessage[] | null>(() => {
      const { messages, behind } = this.#network;
      const missing = random.fraction() < behind ? random.range(1, 3) : 0;
      return messages.slice(from - 1, Math.min(from - 1 + READ_MAX, Math.max(0, messages.length - missing)));
    }, null);
    if (found === null) throw new Error('nobody answers');
    return found;
  }

  async bounds(): Promise<StreamBounds> {
    for (;;) {
      const found = await this.#ask<StreamBounds | null>(
        () => ({ first: 1, last: this.#network.messages.length }),
        null,
      );
      if (found) return found;
    }
  }

  end(): Promise<number | null> {
    return this.#ask<number | null>(() => this.#network.messages.length, null);
  }

  async find(kind: MessageKind, from: number): Promise<StreamMessage | null> {
    return this.#network.messages.find((message) => message.kind === kind && message.at >= from) ?? null;
  }

  async removeBelow(): Promise<void> {}

  leaveServer(): void {}

  async close(): Promise<void> {}

  /** A round trip; returns `otherwise` on timeout. */
  #ask<T>(serve: () => T, otherwise: T): Promise<T> {
    const network = this.#network;
    return new Promise((resolve) => {
      network.carry(this.#name, () =>
        network.serve(() => {
          const answer = serve();
          network.carry(this.#name, () => this.#process.do(() => resolve(answer)));
        }),
      );
      this.#process.after(ANSWER_MS_MAX, () => resolve(otherwise));
    });
  }
}
