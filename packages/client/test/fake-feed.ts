/** The server's side of the feed, with its limits, for a client under test. Its time is that of `Date`. */

import type { BourseClient, OpenSocket } from '../src/index.ts';
import { type FakeSocket, fakeSockets } from './fake-socket.ts';

const MESSAGES_MAX = 100;
const WINDOW_MS = 10_000;
const TOPICS_PER_MESSAGE = 100;
const TOPICS_MAX = 400;

interface Message {
  readonly id: string;
  readonly type: string;
  readonly topic?: string;
}

export class FakeFeed {
  readonly openSocket: OpenSocket;
  readonly sockets: FakeSocket[];
  readonly client = {
    feedToken: async () => ({
      token: 't',
      instanceServers: [{ endpoint: 'ws://exchange', pingInterval: 18_000, pingTimeout: 10_000 }],
    }),
  } as unknown as BourseClient;
  /** Of the newest connection. */
  topics = new Set<string>();
  readonly unknown = new Set<string>();
  /** Messages for which it returns true are not answered. */
  ignores: (message: Message) => boolean = () => false;
  /** Types and topics of all messages except pings. */
  readonly received: string[] = [];
  rejections = 0;
  #windowAt = 0;
  #count = 0;

  constructor() {
    const { sockets, openSocket } = fakeSockets((socket) => this.#accept(socket));
    this.sockets = sockets;
    this.openSocket = openSocket;
  }

  get socket(): FakeSocket {
    return this.sockets.at(-1)!;
  }

  #accept(socket: FakeSocket): void {
    this.topics = new Set();
    this.#windowAt = Number.NEGATIVE_INFINITY;
    socket.onSend = (text) => this.#take(socket, JSON.parse(text) as Message);
    queueMicrotask(() => socket.receive({ id: 'c', type: 'welcome' }));
  }

  #take(socket: FakeSocket, message: Message): void {
    if (message.type !== 'ping') this.received.push(`${message.type} ${message.topic}`);
    if (Date.now() - this.#windowAt >= WINDOW_MS) {
      this.#windowAt = Date.now();
      this.#count = 0;
    }
    if (++this.#count > 2 * MESSAGES_MAX) queueMicrotask(() => socket.isClosed || socket.lose(1008));
    if (this.ignores(message)) return;
    const error = this.#count > MESSAGES_MAX ? [509, 'exceed max permits'] : this.#execute(message);
    if (error !== undefined) this.rejections++;
    const type = message.type === 'ping' ? 'pong' : 'ack';
    const reply = error === undefined ? { type } : { type: 'error', code: error[0], data: error[1] };
    queueMicrotask(() => socket.isClosed || socket.receive({ id: message.id, ...reply }));
  }

  /** Returns the code and text of an error. */
  #execute({ type, topic = '' }: Message): [code: number, data: string] | undefined {
    if (type === 'ping') return undefined;
    const [kind, symbols] = topic.split(':');
    const topics = symbols === undefined ? [topic] : symbols.split(',').map((symbol) => `${kind}:${symbol}`);
    if (topics.length > TOPICS_PER_MESSAGE) return [509, 'too many in one message'];
    const unknown = topics.find((each) => this.unknown.has(each));
    if (unknown !== undefined) return [404, `topic ${unknown} is not found`];
    if (type === 'unsubscribe') for (const each of topics) this.topics.delete(each);
    else if (new Set([...this.topics, ...topics]).size > TOPICS_MAX) return [509, 'too many'];
    else for (const each of topics) this.topics.add(each);
    return undefined;
  }
}
