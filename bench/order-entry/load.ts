/** The load, in a process of its own: `node load.ts '<job as JSON>'` prints its result as JSON. */

import { KEYS } from '../../packages/server/src/sandbox/users.ts';
import { clientFrame, Connection } from './connection.ts';

export interface Job {
  readonly port: number;
  readonly connections: number;
  /** Orders all together. */
  readonly orders: number;
  /** Orders of one connection on their way at once. */
  readonly window: number;
}

export interface Result {
  readonly orders: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const TRADERS = KEYS.filter(({ permissions, name }) => permissions.includes('spot') && name !== 'alice-sub');
const RUN = Date.now().toString(36);

/** A buy and a sell in turns, all at one price, so that they trade and the book stays small: as over HTTP. */
function orderFrame(connection: number, turn: number): Buffer {
  const args = {
    clientOid: `bench-${RUN}-${connection}-${turn}`,
    symbol: 'BTC-USDT',
    type: 'limit',
    side: turn % 2 === 0 ? 'buy' : 'sell',
    price: '50000',
    size: '0.00001',
  };
  return clientFrame(JSON.stringify({ id: String(turn), op: 'spot.order', args }));
}

/** All orders of one connection: resolves when the last is answered. Answers of one connection come in order. */
function drive(
  connection: Connection,
  frames: readonly Buffer[],
  window: number,
  latencies: number[],
): Promise<void> {
  return new Promise((resolve) => {
    const sentAt: number[] = [];
    let answered = 0;
    const send = (count: number): void => {
      const batch = frames.slice(sentAt.length, sentAt.length + count);
      const now = performance.now();
      for (let i = 0; i < batch.length; i++) sentAt.push(now);
      if (batch.length > 0) connection.send(Buffer.concat(batch));
    };
    connection.onAnswers = (count) => {
      const now = performance.now();
      for (let i = 0; i < count; i++) latencies.push(now - sentAt[answered++]);
      if (answered === frames.length) resolve();
      else send(count);
    };
    send(window);
  });
}

export async function run(job: Job): Promise<Result> {
  const connections = await Promise.all(
    Array.from({ length: job.connections }, (_, i) => Connection.open(job.port, TRADERS[i % TRADERS.length])),
  );
  const each = Math.floor(job.orders / job.connections);
  const queues = connections.map((_, i) =>
    Array.from({ length: each }, (_unused, turn) => orderFrame(i, turn)),
  );
  const latencies: number[] = [];
  const startedAt = performance.now();
  await Promise.all(connections.map((connection, i) => drive(connection, queues[i], job.window, latencies)));
  const seconds = (performance.now() - startedAt) / 1000;
  for (const connection of connections) connection.close();
  const refused = connections.find((connection) => connection.refused > 0);
  if (refused !== undefined)
    throw new Error(`${refused.refused} orders were refused, first: ${refused.refusal}`);
  const sorted = latencies.toSorted((a, b) => a - b);
  const count = latencies.length;
  return {
    orders: count,
    perSecond: count / seconds,
    p50Ms: sorted[Math.floor(count * 0.5)],
    p99Ms: sorted[Math.floor(count * 0.99)],
  };
}

if (process.argv[1] === import.meta.filename) {
  console.log(JSON.stringify(await run(JSON.parse(process.argv[2]) as Job)));
}
