/** How connections of order entry end, seen byte by byte: a client's library would put some of it right. */

import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { credentials, type TestServer } from '@bourse/test-kit/server.ts';
import { hmac, sessionQuery, startEntry } from './peer.ts';

const WAIT_MS_MAX = 10_000;
/** Well below the two seconds after which a connection is destroyed if its peer does not close it. */
const SOON_MS = 1500;
const [TEXT, CLOSE] = [1, 8];
const CLOSE_NORMALLY = Buffer.from([0x03, 0xe8]);
const LIMIT = { symbol: 'BTC-USDT', type: 'limit', side: 'buy', price: '20000', size: '0.001' };
const ORDER = JSON.stringify({ id: 'an-order', op: 'spot.order', args: LIMIT });

interface Heard {
  readonly opcode: number;
  readonly payload: Buffer;
}

/** As a client sends it, with a mask of zeros. */
function frame(opcode: number, payload: string | Buffer): Buffer {
  const bytes = Buffer.from(payload);
  const length = bytes.length < 126 ? [0x80 | bytes.length] : [0xfe, bytes.length >> 8, bytes.length & 255];
  return Buffer.concat([Buffer.from([0x80 | opcode, ...length, 0, 0, 0, 0]), bytes]);
}

/** The frames that a server has sent, after the headers of its response. */
function framesOf(received: Buffer): Heard[] {
  const frames: Heard[] = [];
  const headers = received.indexOf('\r\n\r\n');
  let at = headers < 0 ? received.length : headers + 4;
  while (received.length - at >= 4) {
    const isLong = received[at + 1] === 126;
    const start = at + (isLong ? 4 : 2);
    const end = start + (isLong ? received.readUInt16BE(at + 2) : received[at + 1]);
    if (end > received.length) break;
    frames.push({ opcode: received[at] & 15, payload: received.subarray(start, end) });
    at = end;
  }
  return frames;
}

class RawPeer {
  readonly socket: Socket;
  isEnded = false;
  #received: Buffer = Buffer.alloc(0);

  constructor(server: TestServer) {
    this.socket = connect(server.port, '127.0.0.1');
    this.socket.on('data', (bytes: Buffer) => (this.#received = Buffer.concat([this.#received, bytes])));
    this.socket.on('end', () => (this.isEnded = true));
    this.socket.on('error', () => undefined);
    this.socket.write(
      `GET /v1/private?${sessionQuery(credentials('alice'))} HTTP/1.1\r\nhost: localhost\r\n` +
        'upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\n' +
        'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    );
  }

  static async signedIn(server: TestServer): Promise<RawPeer> {
    const peer = new RawPeer(server);
    await peer.until(() => peer.frames.length === 1);
    peer.socket.write(frame(TEXT, hmac(credentials('alice').apiSecret, peer.frames[0].payload.toString())));
    await peer.until(() => peer.frames.length === 2);
    return peer;
  }

  get frames(): Heard[] {
    return framesOf(this.#received);
  }

  get closeCode(): number | undefined {
    return this.frames.find(({ opcode }) => opcode === CLOSE)?.payload.readUInt16BE(0);
  }

  async until(isMet: () => boolean, ms = WAIT_MS_MAX): Promise<void> {
    const giveUpAt = performance.now() + ms;
    while (!isMet()) {
      if (performance.now() > giveUpAt) throw new Error('it did not happen in time');
      await pause(1);
    }
  }
}

describe('an order-entry connection', () => {
  let server: TestServer;
  before(async () => {
    server = await startEntry();
  });
  after(() => server.close());

  const WRONG: Record<string, readonly number[]> = {
    'a message without a mask': [0x81, 0],
    'a ping without a mask': [0x89, 0],
    'a closing without a mask': [0x88, 0],
    'a message that says it is compressed': [0xc1, 0x80],
    'a ping that is too long': [0x89, 0xfe],
    'a frame of a kind that there is not': [0x83, 0x80],
  };
  for (const [name, bytes] of Object.entries(WRONG)) {
    test(`${name} is rejected by its first two bytes`, async () => {
      const peer = await RawPeer.signedIn(server);
      peer.socket.write(Buffer.from(bytes));
      await peer.until(() => peer.closeCode !== undefined);
      assert.equal(peer.closeCode, 1002);
      peer.socket.destroy();
    });
  }

  const CLOSINGS: Record<string, readonly [code: number, bytes: Buffer]> = {
    'by the client': [1000, frame(CLOSE, CLOSE_NORMALLY)],
    'for a frame that is wrong': [1002, Buffer.from([0x81, 0])],
  };
  for (const [how, [code, closing]] of Object.entries(CLOSINGS)) {
    test(`that is closed ${how} sends nothing after its close frame, and is not reset`, async () => {
      for (const message of ['no message', ORDER]) {
        const peer = await RawPeer.signedIn(server);
        let isReset = false;
        peer.socket.on('error', () => (isReset = true));
        // Closing a connection with unread data resets it.
        peer.socket.write(Buffer.concat([frame(TEXT, message), closing, frame(TEXT, ORDER)]));
        await peer.until(() => peer.isEnded || isReset);
        assert.equal(peer.closeCode, code, message);
        assert.equal(peer.frames.at(-1)!.opcode, CLOSE, message);
        assert.equal(isReset, false, message);
        peer.socket.destroy();
      }
    });
  }

  test('that is already closing is closed by its peer when the server stops', async () => {
    const ending = await startEntry();
    const peer = new RawPeer(ending);
    await peer.until(() => peer.frames.length === 1);
    peer.socket.write(frame(TEXT, 'a wrong signature'));
    await peer.until(() => peer.closeCode !== undefined);
    const closing = ending.close();
    await pause(20);
    peer.socket.write(frame(CLOSE, CLOSE_NORMALLY));
    await peer.until(() => peer.isEnded, SOON_MS);
    peer.socket.destroy();
    await closing;
  });
});
