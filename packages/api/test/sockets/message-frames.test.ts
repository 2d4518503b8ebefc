/** Our frame parser delivers the same messages as the library: both read the same bytes, over real sockets. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { setImmediate as immediate } from 'node:timers/promises';
import { Random } from '@bourse/test-kit/random.ts';
import { ofSize } from '@bourse/test-kit/run-size.ts';
import { type WebSocket, WebSocketServer } from 'ws';
import { nodeClock } from '../../../engine/src/io/clock.ts';
import { openSocket } from '../../src/sockets/paced-reading.ts';
import { WorkScheduler } from '../../src/sockets/work-scheduler.ts';

const TEXT_BYTES_MAX = 500;
const [CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG] = [0, 1, 2, 8, 9, 10];
const WAIT_MS_MAX = 10_000;

interface Sent {
  readonly opcode: number;
  readonly payload: Buffer;
  readonly isFinal?: boolean;
  readonly isMasked?: boolean;
  readonly reserved?: number;
}

function frame(random: Random, sent: Sent): Buffer {
  const { opcode, payload, isFinal = true, isMasked = true, reserved = 0 } = sent;
  const { length } = payload;
  const mask = Buffer.from([1, 2, 3, 4].map(() => random.below(256)));
  const lengthBytes = length <= 125 ? [length] : [126, length >> 8, length & 255];
  lengthBytes[0] |= isMasked ? 0x80 : 0;
  const head = Buffer.from([(isFinal ? 0x80 : 0) | reserved | opcode, ...lengthBytes]);
  if (!isMasked) return Buffer.concat([head, payload]);
  return Buffer.concat([head, mask, payload.map((byte, at) => byte ^ mask[at % 4])]);
}

const text = (random: Random, length = random.below(TEXT_BYTES_MAX + 1)): Buffer =>
  Buffer.from(Array.from({ length }, () => 32 + random.below(95)));

/** Frames that clients send; the last ones are invalid, and end the connection. */
const KINDS: readonly ((random: Random) => readonly Sent[])[] = [
  (random) => [{ opcode: TEXT, payload: text(random) }],
  (random) => [{ opcode: TEXT, payload: text(random, random.below(8)) }],
  (random) => [{ opcode: TEXT, payload: text(random, 120 + random.below(12)) }],
  (random) => [{ opcode: PING, payload: text(random, random.below(126)) }],
  (random) => [{ opcode: PONG, payload: text(random, random.below(126)) }],
  (random) => [{ opcode: BINARY, payload: text(random) }],
  (random) => [
    { opcode: TEXT, payload: text(random, 9), isFinal: false },
    { opcode: PING, payload: text(random, 3) },
    { opcode: CONTINUATION, payload: text(random, 9) },
  ],
  (random) => [{ opcode: TEXT, payload: text(random, TEXT_BYTES_MAX + 1) }],
  (random) => [{ opcode: TEXT, payload: text(random, 9), isMasked: false }],
  (random) => [{ opcode: TEXT, payload: text(random, 9), reserved: 0x40 }],
  (random) => [{ opcode: PING, payload: text(random, 9), isFinal: false }],
  (random) => [{ opcode: PING, payload: text(random, 126) }],
  (random) => [{ opcode: CONTINUATION, payload: text(random, 9) }],
  () => [{ opcode: CLOSE, payload: Buffer.from([3, 0xe8]) }],
  (random) => [{ opcode: 3, payload: text(random, 9) }],
];
const ORDINARY = 5;
const FIRST_WRONG = 7;

/** Bytes of frames, in the chunks in which they are written. */
function conversation(seed: number, kinds: number): Buffer[] {
  const random = new Random(seed);
  const frames: Buffer[] = [];
  for (let i = 0; i < 60; i++) {
    const kind = random.below(6) > 0 ? random.below(ORDINARY) : random.below(kinds);
    frames.push(...KINDS[kind](random).map((sent) => frame(random, sent)));
  }
  const bytes = Buffer.concat(frames);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = random.below(3) === 0 ? 1 + random.below(9) : 1 + random.below(3000);
    pieces.push(bytes.subarray(at, at + length));
    at += length;
  }
  return pieces;
}

async function until(isReached: () => boolean): Promise<void> {
  const giveUpAt = performance.now() + WAIT_MS_MAX;
  while (!isReached() && performance.now() < giveUpAt) await immediate();
}

type Reading = { readonly textBytesMax?: number };
const BY_LIBRARY: Reading = {};
const WITHOUT: Reading = { textBytesMax: TEXT_BYTES_MAX };

/** Every event of a server until the conversation ends; sometimes it pauses within a message. */
async function heard(pieces: readonly Buffer[], reading: Reading, mustPause = false): Promise<string[]> {
  const events: string[] = [];
  const server = new WebSocketServer({ noServer: true, autoPong: false, maxPayload: TEXT_BYTES_MAX });
  const http = createServer();
  const turns = new WorkScheduler(nodeClock);
  let isOver = false;
  let isPaused = false;
  const listen = (socket: WebSocket): void => {
    socket.on('message', (data: Buffer, isBinary) => {
      events.push(`${isBinary ? 'binary' : 'text'} ${data.toString('latin1')}`);
      if (isPaused && mustPause) events.push('heard while paused');
      if (data.length % 7 !== 0 || isPaused) return;
      isPaused = true;
      socket.pause();
      setImmediate(() => {
        isPaused = false;
        socket.resume();
      });
    });
    socket.on('ping', (data: Buffer) => events.push(`ping ${data.toString('latin1')}`));
    socket.on('pong', (data: Buffer) => events.push(`pong ${data.toString('latin1')}`));
    socket.on('error', (error) => events.push(`error ${error.message}`));
    socket.on('close', (code) => {
      events.push(`close ${code}`);
      isOver = true;
    });
  };
  let stream: Socket | undefined;
  http.on('upgrade', (request, socket, head) => {
    stream = socket as Socket;
    openSocket(server, { request, socket, head, network: 'a', ...reading }, turns, listen);
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const client = connect((http.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => undefined);
  client.setNoDelay(true);
  client.write(
    'GET / HTTP/1.1\r\nhost: a\r\nupgrade: websocket\r\nconnection: upgrade\r\n' +
      'sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  );
  await once(client, 'data');
  client.resume();
  let sent = stream!.bytesRead;
  for (const piece of pieces) {
    client.write(piece);
    sent += piece.length;
    // Each is read in a separate chunk.
    await until(() => stream!.bytesRead >= sent || stream!.destroyed);
  }
  client.end();
  await until(() => isOver);
  client.destroy();
  http.close();
  return events;
}

describe('messages parsed without the library', () => {
  test('equal those that the library parses, and none is delivered while the reader is paused', async () => {
    for (let seed = 1; seed <= ofSize(20, 400); seed++) {
      const pieces = conversation(seed, ORDINARY);
      const expected = await heard(pieces, BY_LIBRARY);
      assert.ok(expected.length > 50);
      assert.deepEqual(await heard(pieces, WITHOUT, true), expected, `seed ${seed}`);
    }
  });

  test('equal those that the library parses, among frames of every kind', async () => {
    for (let seed = 1; seed <= ofSize(20, 400); seed++) {
      const pieces = conversation(seed, KINDS.length);
      assert.deepEqual(await heard(pieces, WITHOUT), await heard(pieces, BY_LIBRARY), `seed ${seed}`);
    }
  });

  test('may be split at any byte', async () => {
    const random = new Random(1);
    for (const length of [0, 1, 130]) {
      const bytes = frame(random, { opcode: TEXT, payload: text(random, length) });
      const expected = await heard([bytes, bytes], BY_LIBRARY);
      for (let cut = 1; cut < Math.min(bytes.length, 12); cut++) {
        const pieces = [bytes.subarray(0, cut), Buffer.concat([bytes.subarray(cut), bytes])];
        assert.deepEqual(await heard(pieces, WITHOUT), expected, `${length} bytes, cut behind ${cut}`);
      }
    }
  });

  test('are not read after an invalid frame or a close frame', async () => {
    const random = new Random(1);
    const order = frame(random, { opcode: TEXT, payload: Buffer.from('an order') });
    for (const kind of KINDS.slice(FIRST_WRONG)) {
      const wrong = kind(random).map((sent) => frame(random, sent));
      const events = await heard([Buffer.concat([order, ...wrong, order])], WITHOUT);
      assert.deepEqual(
        events.filter((event) => event.startsWith('text')),
        ['text an order'],
      );
    }
  });
});
