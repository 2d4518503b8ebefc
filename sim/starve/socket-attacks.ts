/**
 * Websocket attacks: on order entry and with messages that are expensive to handle, by one key or by
 * strangers from one address, and on the feed with a public token.
 */

import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { setImmediate as immediate, setTimeout as pause } from 'node:timers/promises';
import { Client, credentials } from '@bourse/test-kit/server.ts';
import { WebSocket } from 'ws';
import { type Attack, GROWTH_MIB, type Target, tradeABit, UNREAD_GROWTH_MIB } from './attack.ts';

const ENTRY_SESSIONS = 40;
const ENTRY_ORDERS = 100;
const SUBSCRIBERS = 40;
const CALLS = 12;
const TOPICS_PER_CALL = 100;
const PINGERS = 60;
const PONGERS = 20;
/** How long to wait before writing again to a connection whose kernel buffers are full. */
const FULL_PAUSE_MS = 5;
const PAUSE_MS = 500;
const INTERVALS = ['1min', '5min', '15min', '1hour', '4hour', '1day', '1week'];

const hmac = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest('base64');

/** Sessions of order entry, signed in. */
async function signIn({ url }: Target, name: string, count: number): Promise<WebSocket[]> {
  const { apiKey, apiSecret, apiPassphrase } = credentials(name);
  const timestamp = String(Date.now());
  const query = new URLSearchParams({
    apikey: apiKey,
    sign: hmac(apiSecret, apiKey + timestamp),
    passphrase: hmac(apiSecret, apiPassphrase),
    timestamp,
  });
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/private?${query}`);
      socket.on('error', () => undefined);
      const [challenge] = (await once(socket, 'message')) as [Buffer];
      socket.send(hmac(apiSecret, challenge.toString()));
      await once(socket, 'message');
      return socket;
    }),
  );
}

/** Sends everything on every socket, over and over, without reading. */
async function sendTexts(sockets: readonly WebSocket[], signal: AbortSignal, texts: readonly string[]) {
  for (const socket of sockets) socket.pause();
  while (!signal.aborted) {
    for (const socket of sockets) for (const text of texts) socket.send(text);
    await pause(PAUSE_MS);
  }
  for (const socket of sockets) socket.terminate();
}

/** Topics with the most expensive first message: books of fifty levels, and candles, which come from history. */
async function costlyTopics({ url }: Target): Promise<string[]> {
  const { json } = await new Client(url, undefined, 'family').get('/api/v2/symbols');
  const codes = (json.data as { symbol: string }[]).map(({ symbol }) => symbol);
  const candles = INTERVALS.flatMap((interval) => codes.map((code) => `${code}_${interval}`));
  return [
    `/spotMarket/level2Depth50:${codes.slice(0, TOPICS_PER_CALL).join(',')}`,
    `/market/candles:${candles.slice(0, TOPICS_PER_CALL).join(',')}`,
    `/market/snapshot:${codes.slice(0, TOPICS_PER_CALL).join(',')}`,
  ];
}

export const SOCKET_ATTACKS: readonly Attack[] = [
  {
    name: 'order-entry',
    who: 'one key',
    what: `${ENTRY_ORDERS} orders at once on each of ${ENTRY_SESSIONS} sessions of order entry, answers not read`,
    growthMiBMax: UNREAD_GROWTH_MIB,
    prepare: tradeABit,
    run: async (target, signal) => {
      const sockets = await signIn(target, 'bob', ENTRY_SESSIONS);
      const args = {
        symbol: 'ETH-USDT',
        type: 'limit',
        side: 'buy',
        price: '1',
        size: '1',
        timeInForce: 'IOC',
      };
      const texts = Array.from({ length: ENTRY_ORDERS }, (_, at) =>
        JSON.stringify({ id: String(at), op: 'spot.order', args }),
      );
      await sendTexts(sockets, signal, texts);
    },
  },
  {
    name: 'subscribing',
    who: 'a public token',
    what: `${SUBSCRIBERS} sockets that subscribe to ${TOPICS_PER_CALL} costly topics and leave them, ${CALLS} times at once`,
    growthMiBMax: UNREAD_GROWTH_MIB,
    prepare: tradeABit,
    run: async (target, signal) => {
      const topics = await costlyTopics(target);
      const texts = Array.from({ length: CALLS }, (_, at) => topics[at % topics.length]).flatMap((topic) =>
        ['subscribe', 'unsubscribe'].map((type) => JSON.stringify({ id: 1, type, topic, response: false })),
      );
      await sendTexts(await open(target, SUBSCRIBERS), signal, texts);
    },
  },
  ...Object.entries({
    pings: repeated(0x89),
    'empty-messages': repeated(0x81),
    fragments: Buffer.concat([emptyFrame(0x01), repeated(0x00)]),
  }).map(([name, bytes]) => ({
    name,
    who: 'a public token',
    what: `64 KiB of the smallest frames there are on each of ${PINGERS} sockets at once`,
    growthMiBMax: GROWTH_MIB,
    run: async (target: Target, signal: AbortSignal) => {
      while (!signal.aborted) {
        const sockets = await open(target, PINGERS);
        for (const socket of sockets) {
          const { _socket: stream } = socket as unknown as { _socket: NodeJS.WritableStream };
          stream.write(bytes);
        }
        await pause(PAUSE_MS);
        for (const socket of sockets) socket.terminate();
      }
    },
  })),
  {
    name: 'pongs',
    who: 'a public token',
    what: `pongs without end on each of ${PONGERS} sockets, opened again when they are cut`,
    growthMiBMax: GROWTH_MIB,
    run: async (target, signal) => {
      const bytes = repeated(0x8a);
      while (!signal.aborted) {
        const sockets = await open(target, PONGERS);
        await Promise.all(sockets.map((socket) => sendOn(socket, bytes, signal)));
        await pause(PAUSE_MS);
      }
    },
  },
];

/** Repeats the same bytes until the connection is closed or the attack is over. */
async function sendOn(socket: WebSocket, bytes: Buffer, signal: AbortSignal): Promise<void> {
  const { _socket: stream } = socket as unknown as { _socket: Writable };
  while (!signal.aborted && !stream.destroyed)
    await (stream.write(bytes) ? immediate() : pause(FULL_PAUSE_MS));
  socket.terminate();
}

/** A client frame without a payload; `head` has its opcode and the FIN bit. */
function emptyFrame(head: number): Buffer {
  return Buffer.from([head, 0x80, 0, 0, 0, 0]);
}

/** About one read of Node. */
function repeated(head: number): Buffer {
  const frame = emptyFrame(head);
  return Buffer.alloc(frame.length * 10_000, frame);
}

// Attacks by feed clients with a public token.

const SOCKETS = 100;
const TUNNELS = 5;
const TOPICS = ['/market/level2', '/spotMarket/level2Depth50', '/market/snapshot', '/market/match'];

/** Accepted connections. */
async function open({ url }: Target, count: number): Promise<WebSocket[]> {
  const { json } = await new Client(url).post('/api/v1/bullet-public', {});
  const { token } = json.data as { token: string };
  const sockets = Array.from(
    { length: count },
    () => new WebSocket(`${url.replace('http', 'ws')}/feed?token=${token}`),
  );
  await Promise.all(
    sockets.map((socket) => {
      socket.on('error', () => undefined);
      return Promise.race([once(socket, 'open'), once(socket, 'close')]);
    }),
  );
  return sockets.filter(({ readyState }) => readyState === WebSocket.OPEN);
}

export async function resubscribe(target: Target, signal: AbortSignal): Promise<void> {
  const { json } = await new Client(target.url).get('/api/v1/markets');
  const [market] = json.data as string[];
  const sockets = await open(target, SOCKETS);
  const message = (type: string): string =>
    JSON.stringify({ id: 1, type, topic: `/market/snapshot:${market}`, response: false });
  while (!signal.aborted) {
    for (const socket of sockets) {
      if (socket.readyState !== WebSocket.OPEN) continue;
      socket.send(message('subscribe'));
      socket.send(message('unsubscribe'));
    }
    // Each may send 100 messages in ten seconds.
    await pause(200);
  }
  for (const socket of sockets) socket.terminate();
}

export async function stall(target: Target, signal: AbortSignal): Promise<void> {
  const sockets = await open(target, SOCKETS);
  for (const [at, socket] of sockets.entries()) {
    for (let tunnel = 0; tunnel < TUNNELS; tunnel++) {
      const tunnelId = `t-${at}-${tunnel}`;
      socket.send(JSON.stringify({ id: 1, type: 'openTunnel', newTunnelId: tunnelId }));
      for (const topic of TOPICS) {
        socket.send(JSON.stringify({ id: 1, type: 'subscribe', topic: `${topic}:BTC-USDT`, tunnelId }));
      }
    }
    socket.pause();
  }
  while (!signal.aborted) await pause(100);
  for (const socket of sockets) socket.terminate();
}
