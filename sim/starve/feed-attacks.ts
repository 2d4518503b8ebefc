/** Attacks by feed clients with a public token. */

import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { Client } from '@bourse/test-kit/server.ts';
import type { Target } from './target.ts';

const SOCKETS = 100;
const TUNNELS = 5;
const TOPICS = ['/market/level2', '/spotMarket/level2Depth50', '/market/snapshot', '/market/match'];

/** Accepted connections. */
export async function open({ url }: Target, count: number): Promise<WebSocket[]> {
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
