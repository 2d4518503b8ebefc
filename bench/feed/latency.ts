/** The delay from the response to an order to its first feed message, on another connection of the same client. */

import { createHmac } from 'node:crypto';
import { Agent, request } from 'node:http';
import { WebSocket } from 'ws';
import { KEYS } from '../../packages/sandbox/src/users.ts';
import type { Latency } from './messages.ts';

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

let count = 0;

/** Every signature must differ: a signed request takes effect once, and two may be signed in the same millisecond. */
const order = (side: string, size: string): string =>
  JSON.stringify({
    symbol: 'BTC-USDT',
    type: 'limit',
    side,
    price: '1000',
    size,
    remark: `${Date.now()}-${++count}`,
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
