/** One attack of the list with its allowed cost, its target, and its means: warm-up and repeated requests. */

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, credentials, sign } from '@bourse/test-kit/server.ts';

/** The attacked exchange. */
export interface Target {
  readonly url: string;
  readonly port: number;
}

/** Uncollected garbage: the live thread's young generation grew by 90 MiB, and the follower has one too. */
const GARBAGE_MIB = 128;
/** Kept by a sandbox for inspection: 64 MiB of requests with their responses, 50 MiB of events. */
const KEPT_MIB = 114;

export const GROWTH_MIB = GARBAGE_MIB + KEPT_MIB;
/** Unread responses or frames may be buffered up to their bounds; as much again is in flight or garbage. */
export const UNREAD_GROWTH_MIB = 320;

export interface Attack {
  readonly name: string;
  readonly who: string;
  readonly what: string;
  /** The allowed growth of the process's resident memory, in MiB. */
  readonly growthMiBMax: number;
  /** The attack cannot be repeated: each round has its own exchange, and the longest latency counts. */
  readonly isBurst?: boolean;
  /** Fills the data directory before an exchange is started on it. */
  seed?(dir: string): Promise<void>;
  prepare?(target: Target): Promise<void>;
  /** Runs until the signal; a burst ends by itself. */
  run(target: Target, signal: AbortSignal): Promise<unknown>;
}

// Warms up an exchange: in a new process every line of code is slow at first, for any client.

const TRADE_ROUNDS = 150;
const CANCEL_ROUNDS = 30;
const BATCHES = 5;
const BATCH = 20;
const MULTI = '/api/v1/hf/orders/multi/sync';

export async function tradeABit({ url }: Target): Promise<void> {
  const [alice, bob] = ['alice', 'bob'].map((name) => new Client(url, name));
  const order = { symbol: 'LTC-USDT', type: 'limit', price: '50' };
  const orderList = Array.from({ length: BATCH }, () => ({ ...order, side: 'sell', size: '0.01' }));
  for (let round = 0; round < TRADE_ROUNDS; round++) {
    await alice.post(MULTI, { orderList });
    await bob.post('/api/v1/hf/orders', { ...order, side: 'buy', size: '0.2' });
  }
}

export async function cancelABit({ url }: Target): Promise<void> {
  const bob = new Client(url, 'bob');
  const order = { symbol: 'LTC-USDT', type: 'limit', side: 'sell', price: '500', size: '0.01' };
  const orderList = Array.from({ length: BATCH }, () => order);
  for (let round = 0; round < CANCEL_ROUNDS; round++) {
    for (let batch = 0; batch < BATCHES; batch++) await bob.post(MULTI, { orderList });
    await bob.delete('/api/v1/hf/orders/cancelAll');
  }
}

// Repeated requests: raw bytes pipelined on many connections, whose responses are read or not; or signed
// requests.

export interface FloodOptions {
  readonly connections: number;
  readonly requests: readonly string[];
  /** How often the requests are sent on each connection before it pauses. */
  readonly repeat: number;
  readonly reads?: boolean;
}

const PAUSE_MS = 100;

export const get = (path: string, headers = ''): string =>
  `GET ${path} HTTP/1.1\r\nhost: localhost\r\n${headers}\r\n`;

/** Valid except for the signature. */
export function signedRequest(method: string, path: string, body: string): string {
  const headers = { ...sign(credentials('alice'), method, path, 'something else'), host: 'localhost' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

export async function flood(
  { port }: Target,
  signal: AbortSignal,
  { connections, requests, repeat, reads = false }: FloodOptions,
): Promise<void> {
  const bytes = Buffer.from(requests.join('').repeat(repeat));
  const lane = async (): Promise<void> => {
    while (!signal.aborted) {
      const socket = connect({ port, host: '127.0.0.1' });
      socket.on('error', () => undefined);
      if (reads) socket.resume();
      else socket.pause();
      const gone = once(socket, 'close').catch(() => undefined);
      while (!signal.aborted && !socket.destroyed) {
        socket.write(bytes);
        await Promise.race([gone, pause(PAUSE_MS)]);
        // Without reading, sending eventually blocks: further data is buffered here, and says nothing about the
        // server.
        if (socket.writableLength > bytes.length) break;
      }
      if (!reads && !signal.aborted && !socket.destroyed) await pause(PAUSE_MS);
      socket.destroy();
      await gone;
    }
  };
  await Promise.all(Array.from({ length: connections }, lane));
}

/** All connections send, and after a moment all are reset together. */
export async function resetAgain(
  target: Target,
  signal: AbortSignal,
  { connections, requests, repeat }: FloodOptions,
): Promise<void> {
  const bytes = Buffer.from(requests.join('').repeat(repeat));
  while (!signal.aborted) {
    const sockets = await open(target, connections);
    for (const socket of sockets) socket.write(bytes);
    await pause(PAUSE_MS);
    for (const socket of sockets) socket.resetAndDestroy();
  }
}

export async function connectAgain(target: Target, signal: AbortSignal, connections: number): Promise<void> {
  while (!signal.aborted) {
    for (const socket of await open(target, connections)) socket.destroy();
    await pause(PAUSE_MS);
  }
}

/** Accepted connections that are never read. */
async function open({ port }: Target, count: number): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => connect({ port, host: '127.0.0.1' }).pause());
  await Promise.all(
    sockets.map((socket) => {
      socket.on('error', () => undefined);
      return Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => undefined);
    }),
  );
  return sockets.filter((socket) => !socket.destroyed);
}

const WARM_UP_ROUNDS = 40;
const WARM_UP_DEPTH = 20;
/**
 * An address other than the attacker's, if the system has one, so that the attacker starts with full rate limit
 * pools.
 */
const WARM_UP_ADDRESS = process.platform === 'linux' ? '127.0.0.3' : '127.0.0.1';

/** Warms up the exchange: in a new process all code is slow at first. */
export async function askABit({ port }: Target, requests: readonly string[]): Promise<void> {
  const bytes = Buffer.from(requests.join('').repeat(Math.ceil(WARM_UP_DEPTH / requests.length)));
  const socket = connect({ port, host: '127.0.0.1', localAddress: WARM_UP_ADDRESS }).resume();
  socket.on('error', () => undefined);
  for (let round = 0; round < WARM_UP_ROUNDS && !socket.destroyed; round++) {
    socket.write(bytes);
    await pause(PAUSE_MS / 2);
  }
  socket.destroy();
}

/** Sequential requests on several connections, each with a new signature. */
export async function sendAgain(
  signal: AbortSignal,
  lanes: number,
  send: () => Promise<unknown>,
): Promise<void> {
  const lane = async (): Promise<void> => {
    while (!signal.aborted) await send().catch(() => undefined);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
