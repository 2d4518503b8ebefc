/**
 * Subscriptions. A channel is one topic of one symbol or one user. Its messages are collected until the end of the
 * event loop iteration and framed once, and each subscriber gets them in one write. If that exceeds the iteration's
 * time slice, the remaining subscribers get theirs in the next iterations. After a flush that took long, the next one
 * waits half as long again: orders keep a third of the thread, and more messages share each write.
 */

import type { Clock } from '@bourse/engine';
import { userId } from '../gateway/ids.ts';
import type { FeedFaults, FeedSocket } from '../gateway/faults.ts';
import type { WorkScheduler } from '../sockets/work-scheduler.ts';
import type { ChannelAddress } from './resolve.ts';
import { TOPICS, type TopicName } from './topics/topics.ts';
import { textFrames } from '../sockets/outlet.ts';

/** A flush of at most this long is followed by the next one without a pause. */
const SHORT_FLUSH_MS = 1;
/**
 * From the start of a flush to the start of the next, as a multiple of its duration. With 2 or 3, 1,000 readers get fewer
 * messages, because the readers of a machine with two processors are idle during the pause.
 */
const FLUSH_INTERVAL = 1.5;
/** Reading from sockets counts as well: however much others send, a flush is due after this long. */
const FLUSH_INTERVAL_MS_MAX = 30;

/** A reader: one connection. */
export interface Reader extends FeedSocket {
  /** Enqueues the batch; everything enqueued until the socket is scheduled is sent together. */
  enqueue(subscription: Subscription, batch: Batch): void;
}

export interface Subscription {
  readonly reader: Reader;
  readonly channel: Channel;
  /** '' for none. */
  readonly tunnel: string;
}

export class Channel {
  readonly address: ChannelAddress;
  readonly subscriptions = new Set<Subscription>();
  readonly #head: string;
  readonly #onDirty: (channel: Channel) => void;
  #waiting: string[] = [];

  constructor(address: ChannelAddress, onDirty: (channel: Channel) => void) {
    this.address = address;
    this.#onDirty = onDirty;
    const owner =
      TOPICS[address.name].access === 'private'
        ? `"userId":"${userId(address.key as number)}","channelType":"private",`
        : '';
    this.#head = `{"type":"message","topic":${JSON.stringify(address.text)},${owner}`;
  }

  /** `data` is JSON; `more` are further members, each followed by a comma. */
  push(data: string, subject: string = TOPICS[this.address.name].subject, more = ''): void {
    if (this.#waiting.length === 0) this.#onDirty(this);
    this.#waiting.push(this.message(data, subject, more));
  }

  message(data: string, subject: string = TOPICS[this.address.name].subject, more = ''): string {
    return `${this.#head}${more}"subject":"${subject}","data":${data}}`;
  }

  /** Removes and returns the collected messages. */
  take(): readonly string[] {
    const texts = this.#waiting;
    this.#waiting = [];
    return texts;
  }
}

export class Channels {
  readonly #clock: Clock;
  readonly #scheduler: WorkScheduler;
  readonly #faults: FeedFaults | undefined;
  readonly #byName = new Map<TopicName, Map<number | string, Channel>>();
  #dirty: Channel[] = [];
  #isFlushDue = false;
  #flushedAt = 0;
  /** `workedMs` at the last flush. */
  #workedMs = 0;
  #listening = 0;

  constructor(clock: Clock, scheduler: WorkScheduler, faults?: FeedFaults) {
    this.#clock = clock;
    this.#scheduler = scheduler;
    this.#faults = faults;
  }

  /** Undefined without subscribers. */
  find(name: TopicName, key: number | string): Channel | undefined {
    return this.#byName.get(name)?.get(key);
  }

  /** Whether the topic has any subscriber. */
  has(name: TopicName): boolean {
    return this.#byName.has(name);
  }

  /** Number of subscriptions, each to one topic. */
  get subscriptions(): number {
    return this.#listening;
  }

  add(address: ChannelAddress, reader: Reader, tunnel: string): Subscription {
    const { name, key } = address;
    let channels = this.#byName.get(name);
    if (channels === undefined) this.#byName.set(name, (channels = new Map()));
    let channel = channels.get(key);
    if (channel === undefined) {
      channel = new Channel(address, this.#noteDirty);
      channels.set(key, channel);
    }
    // What was published before a reader subscribes is older than its first messages.
    this.#deliver(channel);
    const subscription = { reader, channel, tunnel };
    channel.subscriptions.add(subscription);
    this.#listening++;
    return subscription;
  }

  remove(subscription: Subscription): void {
    const { subscriptions, address } = subscription.channel;
    if (!subscriptions.delete(subscription)) return;
    this.#listening--;
    if (subscriptions.size > 0) return;
    const channels = this.#byName.get(address.name);
    channels?.delete(address.key);
    if (channels?.size === 0) this.#byName.delete(address.name);
  }

  /** Flushes after the record's responses have been written, with everything pushed until then. */
  readonly #noteDirty = (channel: Channel): void => {
    this.#dirty.push(channel);
    if (this.#isFlushDue) return;
    this.#isFlushDue = true;
    this.#schedule();
  };

  #schedule(): void {
    const pauseMs = this.#pauseMs();
    if (pauseMs > 0) this.#clock.machine.after(pauseMs, () => this.#schedule());
    else this.#clock.soon(this.#flush);
  }

  /** The rest of the pause after the last flush. */
  #pauseMs(): number {
    if (this.#clock.isDeterministic) return 0;
    const tookMs = this.#scheduler.workedMs - this.#workedMs;
    if (tookMs <= SHORT_FLUSH_MS) return 0;
    const intervalMs = Math.min(FLUSH_INTERVAL * tookMs, FLUSH_INTERVAL_MS_MAX);
    return this.#flushedAt + intervalMs - this.#clock.machine.elapsed();
  }

  readonly #flush = (): void => {
    this.#isFlushDue = false;
    this.#flushedAt = this.#clock.machine.elapsed();
    this.#workedMs = this.#scheduler.workedMs;
    const dirty = this.#dirty;
    this.#dirty = [];
    for (const channel of dirty) this.#deliver(channel);
    this.#scheduler.run();
  };

  /** Delivers the collected messages to all subscribers. */
  #deliver(channel: Channel): void {
    const texts = channel.take();
    if (texts.length === 0) return;
    if (this.#faults?.isActive) {
      for (const subscription of channel.subscriptions) this.publish(subscription, texts);
      return;
    }
    const batch = new Batch(texts);
    for (const subscription of channel.subscriptions) subscription.reader.enqueue(subscription, batch);
  }

  /** Sends to a single listener, through the sandbox's faults if there are any. */
  publish(subscription: Subscription, texts: readonly string[]): void {
    const { reader, channel } = subscription;
    const enqueue = (some: readonly string[]): void => reader.enqueue(subscription, new Batch(some));
    if (this.#faults?.isActive) this.#faults.deliver(reader, channel.address, texts, enqueue);
    else enqueue(texts);
  }
}

/**
 * The messages of one channel from one event loop iteration, and their frames, which are built once for all readers
 * that get the same bytes.
 */
export class Batch {
  readonly bytes: number;
  readonly #texts: readonly string[];
  #plain: Buffer | undefined;
  #tunnelled: Map<string, Buffer> | undefined;

  constructor(texts: readonly string[]) {
    this.#texts = texts;
    let bytes = 0;
    for (const text of texts) bytes += Buffer.byteLength(text);
    this.bytes = bytes;
  }

  /** '' for no tunnel. */
  framesIn(tunnel: string): Buffer {
    if (tunnel === '') return (this.#plain ??= textFrames(this.#texts));
    this.#tunnelled ??= new Map();
    let frames = this.#tunnelled.get(tunnel);
    if (frames === undefined) {
      frames = textFrames(this.#texts.map((text) => inTunnel(text, tunnel)));
      this.#tunnelled.set(tunnel, frames);
    }
    return frames;
  }
}

/** A message as sent through a tunnel; tunnel names need no escaping. */
function inTunnel(text: string, tunnel: string): string {
  return `{"tunnelId":"${tunnel}",${text.slice(1)}`;
}
