/**
 * The load, in a process of its own: `node load.ts '<job as JSON>'` prints its result as JSON. Either as fast as the
 * connections allow, or at a given rate. Then a request that was due while its connection still waited for an answer
 * counts from when it was due, so that waiting for a slow server counts as well; that the load itself sleeps a
 * millisecond at a time, to leave the processors to the server, does not.
 */

import { Connection } from './connection.ts';
import { type Kind, signKnownOrder, signRequests } from './requests.ts';

const TICK_MS = 1;

export interface Job {
  readonly port: number;
  readonly kind: Kind;
  readonly connections: number;
  /** Requests all together. */
  readonly requests: number;
  /** A second; 0: as fast as possible. */
  readonly rate: number;
}

export interface Result {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The first answer whole, for the bare server to repeat. */
  readonly answer: string;
  /** Answers that were no success. */
  readonly refused: number;
  readonly refusal: string;
}

export async function run(job: Job): Promise<Result> {
  const connections = await Promise.all(
    Array.from({ length: job.connections }, () => Connection.open(job.port)),
  );
  const known = job.kind === 'order' ? await placeKnownOrder(connections[0]) : '';
  // An even number, so that every buy meets its sell and nothing rests when the load is over.
  const each = 2 * Math.floor(job.requests / job.connections / 2);
  const queues = connections.map((_, i) => signRequests(job.kind, i, each, known));
  const latencies = new Float64Array(each * job.connections);
  let count = 0;
  let refused = 0;
  let refusal = '';
  let answer = '';

  const send = async (connection: Connection, request: Buffer, sinceMs: number): Promise<void> => {
    const given = await connection.ask(request);
    latencies[count++] = performance.now() - sinceMs;
    if (answer === '') answer = given;
    if (!given.startsWith('HTTP/1.1 200') || given.includes('"success":false')) {
      refused++;
      refusal ||= given.slice(given.indexOf('\r\n\r\n') + 4).slice(0, 500);
    }
  };

  const startedAt = performance.now();
  if (job.rate === 0) {
    const drive = async (connection: Connection, queue: readonly Buffer[]): Promise<void> => {
      for (const request of queue) await send(connection, request, performance.now());
    };
    await Promise.all(connections.map((connection, i) => drive(connection, queues[i])));
  } else {
    // Each connection has its own timetable, shifted against the others.
    const stepMs = (1000 * job.connections) / job.rate;
    const drive = async (connection: Connection, queue: readonly Buffer[], shift: number): Promise<void> => {
      for (const [turn, request] of queue.entries()) {
        const sinceMs = await reach(startedAt + shift + turn * stepMs);
        await send(connection, request, sinceMs);
      }
    };
    const shift = (i: number) => (stepMs * i) / job.connections;
    await Promise.all(connections.map((connection, i) => drive(connection, queues[i], shift(i))));
  }
  const seconds = (performance.now() - startedAt) / 1000;
  for (const connection of connections) connection.close();
  const sorted = latencies.subarray(0, count).toSorted();
  return {
    requests: count,
    perSecond: count / seconds,
    p50Ms: sorted[Math.floor(count * 0.5)],
    p99Ms: sorted[Math.floor(count * 0.99)],
    answer,
    refused,
    refusal,
  };
}

async function placeKnownOrder(connection: Connection): Promise<string> {
  const answer = await connection.ask(signKnownOrder());
  const id = /"orderId":"(\w+)"/.exec(answer)?.[1];
  if (id === undefined) throw new Error(`no order to look up: ${answer}`);
  return id;
}

const waiting: { dueAt: number; go: (now: number) => void }[] = [];

/** Resolves when it is time, to that time; to the time itself when it is past already. */
function reach(dueAt: number): number | Promise<number> {
  if (performance.now() >= dueAt) return dueAt;
  return new Promise((go) => {
    waiting.push({ dueAt, go });
    if (waiting.length === 1) setTimeout(tick, TICK_MS);
  });
}

function tick(): void {
  const now = performance.now();
  for (let i = waiting.length - 1; i >= 0; i--) {
    if (waiting[i].dueAt > now) continue;
    const [{ go }] = waiting.splice(i, 1);
    go(now);
  }
  if (waiting.length > 0) setTimeout(tick, TICK_MS);
}

if (process.argv[1] === import.meta.filename) {
  console.log(JSON.stringify(await run(JSON.parse(process.argv[2]) as Job)));
}
