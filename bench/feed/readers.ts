/** Many bare sockets that read. All get the same bytes, so only the first parses messages. */

import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { measureLatency } from './latency.ts';
import { onTask, report } from './messages.ts';

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
