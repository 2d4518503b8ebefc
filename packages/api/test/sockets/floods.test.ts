/** Clients that send endless frames: each is disconnected soon, whatever the frames are. */

import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setImmediate as immediate, setTimeout as pause } from 'node:timers/promises';
import { credentials, type TestServer } from '@bourse/test-kit/server.ts';
import { hmac, sessionQuery, startEntry } from '../order-entry/peer.ts';

/** A connection that is no longer read is destroyed when the time for its close frame is over. */
const ENDED_MS_MAX = 10_000;
const PIECE_BYTES = 60_000;
const PAUSE_MS = 20;

/** As a client sends it, with a mask of zeros. */
function frame(opcode: number, payload = Buffer.alloc(0), isLast = true): Buffer {
  return Buffer.concat([
    Buffer.from([(isLast ? 0x80 : 0) | opcode, 0x80 | payload.length, 0, 0, 0, 0]),
    payload,
  ]);
}

const [TEXT, PING, PONG] = [1, 9, 10];
const many = (bytes: Buffer): Buffer =>
  Buffer.alloc(bytes.length * Math.ceil(PIECE_BYTES / bytes.length), bytes);

const FLOODS: Record<string, Buffer> = {
  pings: many(frame(PING)),
  pongs: many(frame(PONG)),
  'empty messages': many(frame(TEXT)),
  'messages in pieces': many(
    Buffer.concat([frame(TEXT, Buffer.from('{'), false), frame(0, Buffer.from('}'))]),
  ),
  'pings between the pieces of a message': Buffer.concat([
    frame(TEXT, Buffer.from('{'), false),
    many(frame(PING)),
  ]),
  'a message in pieces without end': many(frame(0, Buffer.alloc(0), false)),
};

function upgrade(server: TestServer, path: string): Socket {
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    `GET ${path} HTTP/1.1\r\nhost: localhost\r\nupgrade: websocket\r\nconnection: upgrade\r\n` +
      'sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  );
  return socket;
}

/** Reads until the text has arrived. */
function heard(socket: Socket, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let all = '';
    socket.on('data', (piece: Buffer) => {
      all += piece.toString('latin1');
      if (all.includes(text)) resolve(all);
    });
    socket.once('close', () => reject(new Error(`ended after ${all.slice(-200)}`)));
  });
}

/** Sends until the connection is ended; false if that does not happen. */
async function flood(socket: Socket, bytes: Buffer): Promise<boolean> {
  const until = Date.now() + ENDED_MS_MAX;
  socket.resume();
  while (Date.now() < until && !socket.closed && !socket.destroyed) {
    // Bytes that the kernel does not accept are not resent at once.
    await (socket.write(bytes) ? immediate() : pause(PAUSE_MS));
  }
  const isEnded = socket.closed || socket.destroyed;
  socket.destroy();
  return isEnded;
}

describe('an endless stream of frames', { concurrency: 3 }, () => {
  let server: TestServer;
  before(async () => {
    server = await startEntry();
  });
  after(() => server.close());

  for (const [name, bytes] of Object.entries(FLOODS)) {
    test(`${name}, on the feed`, async () => {
      const token = server.tokens.issue({ user: -1, key: '' });
      const socket = upgrade(server, `/feed?token=${token}`);
      await heard(socket, 'welcome');
      assert.ok(await flood(socket, bytes), 'the connection is still there');
    });

    test(`${name}, in order entry`, async () => {
      const who = credentials('carol');
      const socket = upgrade(server, `/v1/private?${sessionQuery(who)}`);
      const said = await heard(socket, '"timestamp":');
      const challenge = /\{"sessionId".*?\}/.exec(said)![0];
      socket.write(frame(TEXT, Buffer.from(hmac(who.apiSecret, challenge))));
      await heard(socket, 'welcome');
      assert.ok(await flood(socket, bytes), 'the connection is still there');
    });

    test(`${name}, from a client that was not authenticated`, async () => {
      for (const path of ['/feed?token=none', '/v1/private?apikey=none'])
        assert.ok(await flood(upgrade(server, path), bytes), `${path}: the connection is still there`);
    });
  }
});
