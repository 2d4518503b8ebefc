/** One feed connection: its inbound messages and its subscriptions. */

import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import type { Clock } from '@bourse/engine';
import type { TokenOwner } from '../gateway/access/feed-tokens.ts';
import type { SessionKeys } from '../gateway/access/keys.ts';
import type { Catalogue } from '../views/catalogue.ts';
import { Batch, type Channel, type Channels, type Reader, type Subscription } from './channels.ts';
import { type ChannelAddress, resolveTopic } from './resolve.ts';
import type { FeedFaults } from '../gateway/faults.ts';
import { FrameError } from './frame-errors.ts';
import { Inbox } from '../sockets/inbox.ts';
import type { FeedLimits } from './limits.ts';
import { closeSocket, Outlet, PONG_HEAD_BYTES, type SharedWaiting, textFrame } from '../sockets/outlet.ts';
import type { WorkScheduler } from '../sockets/work-scheduler.ts';
import { SendQueue } from './send-queue.ts';

const UPLINK_WINDOW_MS = 10_000;
/** This many new topics cost as much as one message. */
const TOPICS_PER_MESSAGE = 4;
/** A client that sends this many times its limit of messages is closed instead of being warned again. */
const FLOOD_FACTOR = 2;

export const CLOSE = { normal: 1000, policy: 1008, restart: 1012, tryLater: 1013 } as const;

/** Shared by all connections. */
export interface SessionParts {
  readonly channels: Channels;
  readonly scheduler: WorkScheduler;
  readonly catalogue: Catalogue;
  readonly sessionKeys: Pick<SessionKeys, 'hasEnded'>;
  readonly clock: Clock;
  readonly limits: FeedLimits;
  /** Undefined on a venue. */
  readonly faults: FeedFaults | undefined;
  /** On a cluster node: the reason if its feed would be stale, otherwise undefined. */
  readonly staleness: () => string | undefined;
  /** The first messages for a new subscriber of the channel. */
  readonly firstMessages: (channel: Channel) => readonly string[] | Promise<readonly string[]>;
}

/** The owner of a connection, and the limits it shares with the owner's other connections. */
export interface SessionOwner {
  readonly id: string;
  readonly owner: TokenOwner;
  /** The client's address. */
  readonly address: string;
  readonly onCut: () => void;
  readonly waiting: SharedWaiting;
  /** The message rate limit over all connections of the same user or address. */
  readonly isWithinRate: (weight: number) => boolean;
}

/** A client's message, parsed but not checked. */
interface Incoming {
  readonly id?: unknown;
  readonly type?: unknown;
  readonly topic?: unknown;
  readonly response?: unknown;
  readonly tunnelId?: unknown;
  readonly newTunnelId?: unknown;
}

export class FeedSession implements Reader {
  readonly id: string;
  readonly owner: TokenOwner;
  readonly address: string;
  readonly openedAt: number;
  receivedAt: number;
  readonly outlet: Outlet;
  readonly #parts: SessionParts;
  readonly #onCut: () => void;
  readonly #isWithinRate: SessionOwner['isWithinRate'];
  readonly #socket: WebSocket;
  readonly #stream: Duplex;
  readonly #subscriptions = new Map<string, Subscription>();
  readonly #tunnels = new Set<string>();
  readonly #inbox: Inbox;
  readonly #sendQueue: SendQueue;
  #windowAt = 0;
  #windowCount = 0;

  constructor(parts: SessionParts, socket: WebSocket, stream: Duplex, who: SessionOwner) {
    this.#parts = parts;
    this.#socket = socket;
    this.#stream = stream;
    this.outlet = new Outlet(stream, parts.limits.feedBufferedBytesMax, this.#cut, who.waiting);
    this.#sendQueue = new SendQueue(parts.scheduler, this.outlet, who.waiting.network, () => this.#isOpen());
    this.id = who.id;
    this.owner = who.owner;
    this.#onCut = who.onCut;
    this.address = who.address;
    this.#isWithinRate = who.isWithinRate;
    this.openedAt = parts.clock.machine.elapsed();
    this.receivedAt = this.openedAt;
    this.#inbox = new Inbox(socket, parts.scheduler, who.waiting.network, (bytes, isBinary) =>
      this.#receive(isBinary ? '' : bytes.toString()),
    );
    socket.on('ping', (bytes: Buffer) => this.#receivePing(bytes));
    // Unsolicited frames that cost as much to read as a message.
    socket.on('pong', () => this.#isOpen() && this.#admit());
    this.#send(`{"id":${JSON.stringify(this.id)},"type":"welcome"}`);
  }

  enqueue(subscription: Subscription, batch: Batch): void {
    this.#sendQueue.enqueue(subscription, batch);
  }

  close(code: number, reason: string): void {
    this.leave();
    this.#inbox.end();
    closeSocket(this.#socket, this.#stream, code, reason);
    this.outlet.note();
  }

  refuse(error: FrameError, code: number): void {
    this.#send(error.toFrame(this.id));
    this.close(code, error.text);
  }

  /** Removes all subscriptions. */
  leave(): void {
    for (const subscription of this.#subscriptions.values()) this.#parts.channels.remove(subscription);
    this.#subscriptions.clear();
  }

  get addresses(): ChannelAddress[] {
    return [...this.#subscriptions.values()].map(({ channel }) => channel.address);
  }

  #isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  readonly #cut = (waitingBytes: number): void => {
    this.#onCut();
    this.close(CLOSE.tryLater, `too slow: ${waitingBytes} bytes were waiting`);
  };

  #send(text: string): void {
    if (this.#isOpen()) this.outlet.write([textFrame(text)]);
  }

  /** A protocol ping counts as a message, and its pong is queued like one. */
  #receivePing(bytes: Buffer): void {
    if (!this.#isOpen()) return;
    this.#admit();
    if (this.#parts.faults?.answersPing(this) === false) return;
    if (!this.#isOpen() || !this.outlet.hasRoom(PONG_HEAD_BYTES + bytes.length)) return;
    this.#socket.pong(bytes);
    this.outlet.note();
  }

  /** Applies the rate limit to a message. */
  #admit(): boolean {
    const now = this.#parts.clock.machine.elapsed();
    this.receivedAt = now;
    if (now - this.#windowAt >= UPLINK_WINDOW_MS) {
      this.#windowAt = now;
      this.#windowCount = 0;
    }
    this.#windowCount++;
    const { feedMessagesMax } = this.#parts.limits;
    if (this.#windowCount > feedMessagesMax * FLOOD_FACTOR) {
      this.close(CLOSE.policy, 'too many messages');
      // Stop reading, even a close frame: the connection is destroyed after the close timeout.
      this.#socket.pause();
    }
    return this.#isWithinRate(1) && this.#windowCount <= feedMessagesMax;
  }

  #receive(text: string): void {
    // One read may contain ten thousand more messages after the first excess one.
    if (!this.#isOpen()) return;
    const isAdmitted = this.#admit();
    if (!this.#isOpen()) return;
    const message = parse(text);
    const id = message === null ? '' : idText(message.id);
    if (!isAdmitted) this.#send(new FrameError('messages-many').toFrame(id));
    else if (message === null) this.#send(new FrameError('type-unknown').toFrame(id));
    else this.#answer(message, id);
  }

  #answer(message: Incoming, id: string): void {
    if (message.type === 'ping') {
      if (this.#parts.faults?.answersPing(this) === false) return;
      this.#send(`{"id":${JSON.stringify(id)},"type":"pong"}`);
      return;
    }
    const done = this.#execute(message);
    if (done instanceof FrameError) {
      this.#send(done.toFrame(id));
      return;
    }
    if (message.response === true || message.response === 'true')
      this.#send(`{"id":${JSON.stringify(id)},"type":"ack"}`);
    for (const subscription of done) void this.#sendFirst(subscription);
    if (done.length > 0) this.#parts.faults?.subscribed(this);
  }

  /** Executes the message; returns its new subscriptions or an error. */
  #execute(message: Incoming): readonly Subscription[] | FrameError {
    switch (message.type) {
      case 'subscribe':
        return this.#subscribe(message);
      case 'unsubscribe':
        return this.#unsubscribe(message);
      case 'openTunnel':
        return this.#openTunnel(message.newTunnelId);
      case 'closeTunnel':
        return this.#closeTunnel(message.tunnelId);
      default:
        return new FrameError('type-unknown');
    }
  }

  #subscribe(message: Incoming): readonly Subscription[] | FrameError {
    const { channels, limits } = this.#parts;
    const tunnel = this.#tunnelOf(message.tunnelId);
    if (tunnel instanceof FrameError) return tunnel;
    const addresses = this.#resolve(message.topic);
    if (addresses instanceof FrameError) return addresses;
    const fresh = addresses.filter(({ text }) => !this.#subscriptions.has(keyOf(tunnel, text)));
    // The initial state sent for each new topic is the costly part.
    if (!this.#isWithinRate(fresh.length / TOPICS_PER_MESSAGE)) return new FrameError('messages-many');
    if (this.#subscriptions.size + fresh.length > limits.feedTopicsMax) {
      return new FrameError('topics-many', { max: limits.feedTopicsMax });
    }
    return fresh.map((address) => {
      const subscription = channels.add(address, this, tunnel);
      this.#subscriptions.set(keyOf(tunnel, address.text), subscription);
      return subscription;
    });
  }

  #unsubscribe(message: Incoming): readonly [] | FrameError {
    const tunnel = this.#tunnelOf(message.tunnelId);
    if (tunnel instanceof FrameError) return tunnel;
    const addresses = this.#resolve(message.topic);
    if (addresses instanceof FrameError) return addresses;
    for (const { text } of addresses) this.#drop(keyOf(tunnel, text));
    return [];
  }

  #drop(key: string): void {
    const subscription = this.#subscriptions.get(key);
    if (subscription === undefined) return;
    this.#subscriptions.delete(key);
    this.#parts.channels.remove(subscription);
  }

  #resolve(topic: unknown) {
    const { catalogue, limits } = this.#parts;
    const asker = { user: this.owner.user, topicsPerCallMax: limits.feedTopicsPerCallMax };
    return resolveTopic(topic, catalogue, asker);
  }

  #openTunnel(name: unknown): readonly [] | FrameError {
    const { feedTunnelsMax } = this.#parts.limits;
    const tunnel = idText(name);
    if (!/^[\w-]{1,64}$/.test(tunnel)) return new FrameError('tunnel-invalid');
    if (!this.#tunnels.has(tunnel) && this.#tunnels.size >= feedTunnelsMax) {
      return new FrameError('tunnels-many', { max: feedTunnelsMax });
    }
    this.#tunnels.add(tunnel);
    return [];
  }

  #closeTunnel(name: unknown): readonly [] | FrameError {
    const tunnel = this.#tunnelOf(name ?? '-');
    if (tunnel instanceof FrameError) return tunnel;
    this.#tunnels.delete(tunnel);
    for (const key of this.#subscriptions.keys()) if (key.startsWith(keyOf(tunnel, ''))) this.#drop(key);
    return [];
  }

  /** '' if the message has no id. */
  #tunnelOf(name: unknown): string | FrameError {
    if (name === undefined || name === null || name === '') return '';
    const tunnel = idText(name);
    if (this.#tunnels.has(tunnel)) return tunnel;
    return /^[\w-]{1,64}$/.test(tunnel)
      ? new FrameError('tunnel-unknown', { tunnel })
      : new FrameError('tunnel-invalid');
  }

  async #sendFirst(subscription: Subscription): Promise<void> {
    const first = this.#parts.firstMessages(subscription.channel);
    const texts = first instanceof Promise ? await first : first;
    if (texts.length === 0 || !this.#isOpen()) return;
    if (this.#parts.faults?.isActive) this.#parts.channels.publish(subscription, texts);
    else this.enqueue(subscription, batchOf(texts));
  }
}

/** Caches the batch of initial messages for further subscribers. */
const batches = new WeakMap<readonly string[], Batch>();

function batchOf(texts: readonly string[]): Batch {
  let batch = batches.get(texts);
  if (batch === undefined) batches.set(texts, (batch = new Batch(texts)));
  return batch;
}

/** Tunnel names contain no spaces. */
const keyOf = (tunnel: string, topic: string): string => `${tunnel} ${topic}`;

/** Null if it is not a JSON object. */
function parse(text: string): Incoming | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** Ids arrive as strings or numbers and are returned as strings. */
function idText(id: unknown): string {
  return typeof id === 'string' ? id : typeof id === 'number' ? String(id) : '';
}
