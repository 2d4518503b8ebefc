/** One topic of the feed: its subscribers, and how far its subscription has got on the current connection. */

export interface FeedMessage<T = unknown> {
  readonly topic: string;
  readonly subject: string;
  readonly data: T;
}

export interface Subscriber {
  readonly take: (message: FeedMessage<never>) => void;
  /** Called with false when the connection is lost, with true when the topic is subscribed again. */
  readonly onConnection: ((isConnected: boolean) => void) | undefined;
  /** Whether `onConnection` was last called with false. */
  isLost: boolean;
}

export class Topic {
  readonly name: string;
  readonly subscribers = new Set<Subscriber>();
  /** `unsent` and `rejected`: to be requested, at once or later. */
  state: 'unsent' | 'sent' | 'acknowledged' | 'rejected' = 'unsent';
  #acknowledged!: Promise<void>;
  #resolve!: () => void;
  #reject!: (error: Error) => void;

  constructor(name: string) {
    this.name = name;
    this.#renew();
  }

  /** Settled by the server's reply; every new subscriber waits for it, whoever caused the request. */
  get acknowledged(): Promise<void> {
    return this.#acknowledged;
  }

  acknowledge(): void {
    this.state = 'acknowledged';
    this.#resolve();
  }

  /** Rejects for subscribers that wait for the reply. Others have been subscribed before, and stay. */
  fail(state: 'unsent' | 'rejected', error: Error): void {
    this.state = state;
    this.#reject(error);
    this.#renew();
  }

  publish(isConnected: boolean): void {
    for (const subscriber of this.subscribers) {
      if (subscriber.isLost === !isConnected) continue;
      subscriber.isLost = !isConnected;
      subscriber.onConnection?.(isConnected);
    }
  }

  #renew(): void {
    this.#acknowledged = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // There may be nobody who waits.
    this.#acknowledged.catch(() => undefined);
  }
}

/** The server's limit for one message. */
const TOPICS_PER_MESSAGE = 100;

/** Groups topics that fit into one message: those that differ only after the colon. */
export function batchesOf<T extends { readonly name: string }>(topics: Iterable<T>): T[][] {
  const batches: T[][] = [];
  const growing = new Map<string, T[]>();
  for (const topic of topics) {
    const [kind, argument] = partsOf(topic.name);
    let batch = growing.get(kind);
    if (batch === undefined || argument === undefined || batch.length === TOPICS_PER_MESSAGE) {
      batch = [];
      batches.push(batch);
      growing.set(kind, batch);
    }
    batch.push(topic);
  }
  return batches;
}

/** `/market/ticker:A` and `/market/ticker:B` are `/market/ticker:A,B`. */
export function joinNames(topics: readonly { readonly name: string }[]): string {
  const [first, ...others] = topics.map(({ name }) => name);
  return [first, ...others.map((name) => partsOf(name)[1])].join(',');
}

function partsOf(name: string): [kind: string, argument: string | undefined] {
  const colon = name.indexOf(':');
  return colon < 0 ? [name, undefined] : [name.slice(0, colon), name.slice(colon + 1)];
}
