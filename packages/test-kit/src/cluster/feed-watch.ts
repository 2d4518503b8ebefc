/**
 * A feed client that maintains a book as documented: subscribe, fetch the book, apply the changes after it, start over
 * after a lost connection. Counts missing sequences within a connection.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { Client } from '../server.ts';

type Level = readonly [price: string, size: string];

interface Changes {
  readonly sequenceStart: number;
  readonly sequenceEnd: number;
  readonly changes: Readonly<Record<'asks' | 'bids', readonly (readonly [string, string, string])[]>>;
}

interface Book {
  readonly sequence: string;
  readonly bids: readonly Level[];
}

const TOPIC = '/market/level2:BTC-USDT';
const BOOK = '/api/v3/market/orderbook/level2?symbol=BTC-USDT';
const AGAIN_MS = 200;
/** A connection that is silent for this long is considered dead: the load changes the book all the time. */
const SILENT_MS_MAX = 8000;

export class FeedWatch {
  gaps = 0;
  messages = 0;
  /** Connections that reached a synced book. */
  resyncs = 0;
  readonly #url: () => string;
  readonly #done: Promise<void>;
  #isEnding = false;
  #socket: WebSocket | null = null;

  /** `url`: of its node. */
  constructor(url: () => string) {
    this.#url = url;
    this.#done = this.#run();
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    this.#socket?.close();
    await this.#done;
  }

  async #run(): Promise<void> {
    while (!this.#isEnding) {
      await this.#follow().catch(() => undefined);
      if (!this.#isEnding) await wait(AGAIN_MS);
    }
  }

  /** One connection, until it ends. */
  async #follow(): Promise<void> {
    const client = new Client(this.#url(), 'alice');
    const { json } = await client.post('/api/v1/bullet-public');
    const { token, instanceServers } = json.data as {
      token: string;
      instanceServers: readonly { endpoint: string }[];
    };
    const socket = new WebSocket(`${instanceServers[0].endpoint}?token=${token}`);
    this.#socket = socket;
    const copy = new BookCopy();
    let heardAt = Date.now();
    socket.addEventListener('message', ({ data }) => {
      heardAt = Date.now();
      const { type, data: changes } = JSON.parse(String(data)) as { type: string; data: Changes };
      if (type === 'welcome') {
        socket.send(JSON.stringify({ id: '1', type: 'subscribe', topic: TOPIC, response: true }));
      } else if (type === 'ack')
        void fill(copy, client).then(
          () => this.resyncs++,
          () => socket.close(),
        );
      else if (type === 'message') {
        this.messages++;
        if (copy.take(changes)) return;
        this.gaps++;
        socket.close();
      }
    });
    const dead = setInterval(() => {
      if (Date.now() - heardAt > SILENT_MS_MAX) socket.close();
    }, AGAIN_MS);
    await new Promise((resolve) => {
      socket.addEventListener('close', resolve);
      socket.addEventListener('error', resolve);
      // A partitioned peer never answers the closing handshake.
      setInterval(() => socket.readyState >= WebSocket.CLOSING && resolve(null), AGAIN_MS).unref();
    });
    clearInterval(dead);
  }
}

class BookCopy {
  #sequence = -1;
  #early: Changes[] = [];
  readonly #bids = new Map<string, string>();

  get firstEarly(): number {
    return this.#early[0]?.sequenceStart ?? Infinity;
  }

  /** Returns false if a change is missing before it. */
  take(changes: Changes): boolean {
    if (this.#sequence < 0) {
      this.#early.push(changes);
      return true;
    }
    if (changes.sequenceEnd <= this.#sequence) return true;
    if (changes.sequenceStart > this.#sequence + 1) return false;
    for (const [price, size] of changes.changes.bids) this.#bids.set(price, size);
    this.#sequence = changes.sequenceEnd;
    return true;
  }

  fill({ sequence, bids }: Book): void {
    for (const [price, size] of bids) this.#bids.set(price, size);
    this.#sequence = Number(sequence);
    for (const changes of this.#early.splice(0)) {
      if (!this.take(changes)) throw new Error(`the book of ${sequence} is older than the changes before it`);
    }
  }
}

/** A book older than the first received change is not usable: fetch again. */
async function fill(copy: BookCopy, client: Client): Promise<void> {
  for (;;) {
    const { json, status } = await client.get(BOOK);
    const book = json.data as Book;
    if (status !== 200) throw new Error('no book');
    if (copy.firstEarly === Infinity || Number(book.sequence) >= copy.firstEarly - 1) return copy.fill(book);
    await wait(AGAIN_MS);
  }
}
