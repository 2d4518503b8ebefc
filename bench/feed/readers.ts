/** Many bare sockets that read. All get the same bytes, so only the first parses messages. */

import { createHmac, randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { WebSocket } from 'ws';
import { KEYS } from '../../packages/sandbox/src/users.ts';
import { type Latency, onTask, report } from './messages.ts';

const TOPIC = '/market/match:BTC-USDT';
const TEXTS_KEPT = 2000;

let readers: Reader[] = [];

class Reader {
  bytes = 0;
  isTalking = true;
  readonly socket: Socket;
  #head = '';

  constructor(url: URL, onReady: () => void) {
    this.socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
    this.socket.on('data', (bytes: Buffer) => {
      if (!this.isTalking) {
        this.take(bytes);
        return;
      }
      this.#head += bytes.toString('latin1');
      if (this.#head.includes('"ack"')) {
        this.isTalking = false;
        onReady();
      } else if (this.#head.includes('"welcome"') && !this.#head.includes('sent')) {
        this.#head = 'sent';
        this.socket.write(
          masked(JSON.stringify({ id: 's', type: 'subscribe', topic: TOPIC, response: true })),
        );
      }
    });
    this.socket.write(
      `GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\nUpgrade: websocket\r\n` +
        `Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
    );
  }

  take(bytes: Buffer): void {
    this.bytes += bytes.length;
  }
}

/** Finds message boundaries. */
class FirstReader extends Reader {
  /** The end of each message, in bytes from the beginning. */
  readonly ends: number[] = [];
  readonly texts: string[] = [];
  #rest: Buffer = Buffer.alloc(0);

  override take(bytes: Buffer): void {
    super.take(bytes);
    const all = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    let at = 0;
    while (all.length - at >= 4) {
      const short = all[at + 1];
      const head = short < 126 ? 2 : 4;
      const length = short < 126 ? short : all.readUInt16BE(at + 2);
      if (all.length - at < head + length) break;
      if (this.texts.length < TEXTS_KEPT)
        this.texts.push(all.toString('utf8', at + head, at + head + length));
      at += head + length;
      this.ends.push((this.ends.at(-1) ?? 0) + head + length);
    }
    this.#rest = all.subarray(at);
  }
}

/** A short masked text frame. */
function masked(text: string): Buffer {
  const mask = randomBytes(4);
  const body = Buffer.from(text).map((byte, i) => byte ^ mask[i % 4]);
  return Buffer.concat([Buffer.from([0x81, 0x80 | body.length]), mask, body]);
}

async function open(url: string, readerCount: number): Promise<void> {
  for (const { socket } of readers) socket.destroy();
  readers = [];
  for (let i = 0; i < readerCount; i++) {
    await new Promise<void>((resolve) => {
      readers.push(new (i === 0 ? FirstReader : Reader)(new URL(url), resolve));
    });
  }
}

/** Counts until every reader has received this many more messages. */
function count(messages: number): void {
  const first = readers[0] as FirstReader;
  const start = first.ends.length;
  const startBytes = first.bytes;
  const started = performance.now();
  const timer = setInterval(() => {
    const slowest = readers.reduce((least, { bytes }) => Math.min(least, bytes), Infinity);
    let have = first.ends.length;
    while (have > start && first.ends[have - 1] > slowest) have--;
    report({ kind: 'progress', messages: have - start });
    if (have - start < messages) return;
    clearInterval(timer);
    const seconds = (performance.now() - started) / 1000;
    report({ kind: 'done', seconds, bytes: first.bytes - startBytes, texts: first.texts });
  }, 2);
}

onTask((task) => {
  if (task.kind === 'open') void open(task.url, task.readers).then(() => report({ kind: 'done' }));
  else if (task.kind === 'count') count(task.messages);
  else if (task.kind === 'latency')
    void measureLatency(task).then((each) => report({ kind: 'done', ...each }));
  else if (task.kind === 'close') process.exit(0);
});
report({ kind: 'ready' });

// The delay from the response to an order to its first feed message, on another connection of the same
// client.

const bob = KEYS.find(({ name }) => name === 'bob')!;
const alice = KEYS.find(({ name }) => name === 'alice')!;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const WARM = 200;

interface Called {
  readonly data: { readonly orderId: string; readonly token: string };
  readonly at: number;
}

function call(url: string, who: typeof bob, path: string, body: string): Promise<Called> {
  const hmac = (text: string) => createHmac('sha256', who.apiSecret).update(text).digest('base64');
  const time = String(Date.now());
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': String(body.length),
      'SVC-API-KEY': who.apiKey,
      'SVC-API-SIGN': hmac(`${time}POST${path}${body}`),
      'SVC-API-TIMESTAMP': time,
      'SVC-API-PASSPHRASE': hmac(who.apiPassphrase),
      'SVC-API-KEY-VERSION': '3',
    };
    const sent = request(url + path, { method: 'POST', agent, headers }, (response) => {
      let text = '';
      response.on('data', (bytes: Buffer) => (text += bytes.toString()));
      response.on('end', () => {
        const at = performance.now();
        if (response.statusCode === 200) resolve({ data: JSON.parse(text).data, at });
        else reject(new Error(text));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

let orderCount = 0;

/** Every signature must differ: a signed request takes effect once, and two may be signed in the same millisecond. */
const order = (side: string, size: string): string =>
  JSON.stringify({
    symbol: 'BTC-USDT',
    type: 'limit',
    side,
    price: '1000',
    size,
    remark: `${Date.now()}-${++orderCount}`,
  });

export async function measureLatency({
  url,
  feedUrl,
  orders,
}: Latency): Promise<{ p50Ms: number; p99Ms: number }> {
  const { data } = await call(url, bob, '/api/v1/bullet-private', '');
  const socket = new WebSocket(`${feedUrl}?token=${data.token}`, { perMessageDeflate: false });
  const heard = new Map<string, number>();
  await new Promise<void>((resolve) => {
    socket.on('message', (bytes: Buffer) => {
      const at = performance.now();
      const message = JSON.parse(bytes.toString()) as {
        type: string;
        data: { type: string; orderId: string };
      };
      if (message.type === 'welcome') {
        socket.send(
          JSON.stringify({ id: 1, type: 'subscribe', topic: '/spotMarket/tradeOrdersV2', response: true }),
        );
      } else if (message.type === 'ack') resolve();
      else if (message.data.type === 'received') heard.set(message.data.orderId, at);
    });
  });
  await call(url, alice, '/api/v1/hf/orders', order('sell', '10'));
  const waits: number[] = [];
  for (let i = 0; i < WARM + orders; i++) {
    const { data: answer, at } = await call(url, bob, '/api/v1/hf/orders', order('buy', '0.001'));
    while (!heard.has(answer.orderId)) await new Promise((resolve) => setImmediate(resolve));
    if (i >= WARM) waits.push(Math.max(0, heard.get(answer.orderId)! - at));
    heard.delete(answer.orderId);
  }
  socket.close();
  const sorted = waits.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)];
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}
