/**
 * Many readers of one topic, some of which stop reading: those are disconnected with a reason, the others miss nothing,
 * and the memory for the stalled ones stays within the bound.
 */

import { connect, type Socket } from 'node:net';
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { startServer, type TestServer } from '@bourse/test-kit/server.ts';
import { fetchToken } from './feed-client.ts';
import { submit } from '@bourse/test-kit/submit.ts';

export interface StalledRun {
  readonly readers: number;
  readonly stalled: number;
  readonly bufferedBytesMax: number;
}

export interface StalledReport {
  /** Stalled readers that the server has disconnected. */
  readonly cut: number;
  /** Active readers that were disconnected nevertheless. */
  readonly lost: number;
  readonly bytesEach: number;
  readonly isEqual: boolean;
  /** From the metrics: the most bytes ever queued for one reader and for all readers, and the bytes left after the cuts. */
  readonly waitingBytesMost: number;
  readonly waitingBytesAllMost: number;
  readonly waitingBytesAfter: number;
  /** Connections cut, from the metrics. */
  readonly slowReaders: number;
  /** Bytes of buffers outside the heap: before the run, at most during it, and after the cuts. */
  readonly memoryBefore: number;
  readonly memoryMost: number;
  readonly memoryAfter: number;
  readonly closeCode: number;
  readonly closeReason: string;
}

const TOPIC = '/market/match:BTC-USDT';
const ROUNDS_MAX = 4000;

export async function stallReaders({
  readers,
  stalled,
  bufferedBytesMax,
}: StalledRun): Promise<StalledReport> {
  const huge = 1e9;
  const server = await startServer({
    quotas: { spot: huge, manage: huge, public: huge },
    feed: {
      feedBufferedBytesMax: bufferedBytesMax,
      feedConnectionsPerAddressMax: readers + 1,
      feedConnectsPerAddressMax: readers + 1,
    },
  });
  try {
    const { token } = await fetchToken(server.url);
    const sockets: Reader[] = [];
    for (let i = 0; i < readers; i++) sockets.push(await Reader.open(server.port, token, i < stalled));
    const lazy = sockets.slice(0, stalled);
    const keen = sockets.slice(stalled);
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const memory = () => {
      collect();
      return process.memoryUsage().arrayBuffers;
    };
    const memoryBefore = memory();
    let memoryMost = memoryBefore;
    let waitingBytesAllMost = 0;
    for (let round = 0; round < ROUNDS_MAX && server.feed.subscriptions > keen.length; round++) {
      await trade(server);
      await pause(1);
      waitingBytesAllMost = Math.max(waitingBytesAllMost, server.feed.waitingBytes);
      if (round % 20 === 0) {
        // All active readers have read everything, so the measured bytes are queued for the stalled ones.
        await until(() => keen.every((each) => each.bytes === keen[0].bytes));
        memoryMost = Math.max(memoryMost, memory());
      }
    }
    const cut = readers - server.feed.subscriptions;
    for (const each of lazy) each.resume();
    await until(() => keen.every((each) => each.bytes === keen[0].bytes));
    await until(() => lazy.every((each) => each.isClosed));
    await until(() => server.feed.connections === keen.length);
    await pause(METRICS_KEPT_MS);
    return {
      cut,
      lost: keen.filter((each) => each.isClosed).length,
      bytesEach: keen[0].bytes,
      isEqual: keen.every((each) => each.bytes === keen[0].bytes),
      memoryBefore,
      memoryMost,
      memoryAfter: memory(),
      waitingBytesMost: await metric(server, 'waiting_bytes_most'),
      waitingBytesAllMost,
      waitingBytesAfter: await metric(server, 'waiting_bytes'),
      slowReaders: await metric(server, 'slow_readers'),
      ...closingOf(lazy),
    };
  } finally {
    await server.close();
  }
}

/**
 * The close reason that a disconnected reader received. Readers are disconnected at different moments, and one that
 * resumes too late finds its connection reset without a reason, so the first reason received counts.
 */
function closingOf(readers: readonly Reader[]): { closeCode: number; closeReason: string } {
  const closings = readers.map((each) => each.closing());
  return closings.find(({ closeCode }) => closeCode === TRY_LATER) ?? closings[0];
}

const TRY_LATER = 1013;

/** The page of figures is made at most once a second. */
const METRICS_KEPT_MS = 1100;

/** A figure of the feed as an operator reads it. */
async function metric({ url }: TestServer, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const found = new RegExp(`^bourse_feed_${name} (\\d+)$`, 'm').exec(text);
  if (found === null) throw new Error(`no figure ${name}`);
  return Number(found[1]);
}

/** A few hundred trades in one record. */
async function trade({ services }: TestServer): Promise<void> {
  const { catalogue, port } = services;
  const { symbol, priceDecimals, sizeDecimals } = catalogue.symbol('BTC-USDT')!;
  const [alice, bob] = ['alice', 'bob'].map(
    (name) => catalogue.users().find((user) => user.name === name)!.number,
  );
  const order = {
    symbol,
    type: 'limit',
    price: 1000 * 10 ** priceDecimals,
    size: 10 ** (sizeDecimals - 4),
  } as const;
  const pairs = Array.from({ length: 200 }, () => [
    submit(port, { kind: 'place-order', user: alice, side: 'sell', ...order }),
    submit(port, { kind: 'place-order', user: bob, side: 'buy', ...order }),
  ]);
  await Promise.all(pairs.flat());
}

async function until(isTrue: () => boolean): Promise<void> {
  const end = Date.now() + 60_000;
  while (!isTrue()) {
    if (Date.now() > end) throw new Error('waited in vain');
    await pause(2);
  }
}

/** A bare socket that counts received bytes and can stop reading permanently. */
class Reader {
  bytes = 0;
  isClosed = false;
  readonly #socket: Socket;
  #tail = Buffer.alloc(0);

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (bytes: Buffer) => {
      this.bytes += bytes.length;
      // A copy: a slice would keep the complete buffer alive, and the test measures memory.
      this.#tail = Buffer.from(Buffer.concat([this.#tail, bytes]).subarray(-512));
    });
    socket.on('close', () => (this.isClosed = true));
    socket.on('error', () => undefined);
  }

  static async open(port: number, token: string, isStalled: boolean): Promise<Reader> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const reader = new Reader(socket);
    socket.write(
      `GET /feed?token=${token} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
    );
    await until(() => reader.#tail.includes('welcome'));
    socket.write(masked(JSON.stringify({ id: 's', type: 'subscribe', topic: TOPIC, response: true })));
    await until(() => reader.#tail.includes('"ack"'));
    reader.bytes = 0;
    if (isStalled) socket.pause();
    return reader;
  }

  resume(): void {
    this.#socket.resume();
  }

  /** The close frame is at the end. */
  closing(): { closeCode: number; closeReason: string } {
    const at = this.#tail.lastIndexOf(0x88);
    const length = this.#tail[at + 1];
    return {
      closeCode: this.#tail.readUInt16BE(at + 2),
      closeReason: this.#tail.toString('utf8', at + 4, at + 2 + length),
    };
  }
}

/** A client's short text frame. */
function masked(text: string): Buffer {
  const mask = randomBytes(4);
  const body = Buffer.from(text).map((byte, i) => byte ^ mask[i % 4]);
  return Buffer.concat([Buffer.from([0x81, 0x80 | body.length]), mask, body]);
}
