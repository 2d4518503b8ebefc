/** The load of an ordinary day: some orders, more reads, and feed readers; measures order latency. */

import { Child } from '../feed/messages.ts';
import { runLoad, type Server } from './child.ts';
import type { Result } from './load.ts';

const ORDERS_PER_SECOND = 500;
const READS_PER_SECOND = 2000;
const FEED_READERS = 100;
/** Orders are signed in advance, and a signature is valid for eight seconds. */
const SECONDS = 7;
/** Start-up time of both loads, whose processes need the CPUs until then. */
const RUN_IN_MS = 1500;
const CONNECTIONS = 16;

export const EVERYDAY = `${ORDERS_PER_SECOND} orders/s, ${READS_PER_SECOND} reads/s, ${FEED_READERS} feed readers`;

export async function measureEveryday(server: Server, users: number): Promise<Result> {
  const url = `http://127.0.0.1:${server.port}`;
  const readers = new Child(new URL('../feed/readers.ts', import.meta.url));
  await readers.next('ready');
  await readers.ask({
    kind: 'open',
    url: `${url}/feed?token=${await feedToken(url)}`,
    readers: FEED_READERS,
  });
  const load = (kind: 'place' | 'ticker', rate: number) =>
    runLoad({
      port: server.port,
      kind,
      connections: CONNECTIONS,
      requests: rate * SECONDS,
      rate,
      runInMs: RUN_IN_MS,
      users,
    });
  const [orders] = await Promise.all([load('place', ORDERS_PER_SECOND), load('ticker', READS_PER_SECOND)]);
  await readers.end();
  return orders;
}

async function feedToken(url: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/bullet-public`, { method: 'POST' });
  const { data } = (await response.json()) as { data: { token: string } };
  return data.token;
}
