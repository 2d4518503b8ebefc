/**
 * The load, in its own process: `node load.ts '<job as JSON>'` prints its result as JSON. Either as fast as the
 * connections allow, or at a given rate. In the latter case, latency counts from the time a request was due, even if
 * its connection was still busy, so waiting for a slow server counts. The load's own sleep of one millisecond, which
 * leaves the CPUs to the server, does not count.
 */

import { Connection, isSuccess } from './connection.ts';
import { type Kind, signKnownOrder, signRequests } from './requests.ts';
import { Spells } from './cpu.ts';

const TICK_MS = 1;
const REFUSAL_BYTES_MAX = 500;

export interface Job {
  readonly port: number;
  readonly kind: Kind;
  readonly connections: number;
  /** Total number of requests. */
  readonly requests: number;
  /** Per second; 0: as fast as possible. */
  readonly rate: number;
  /** Number of additional users that send them; default: the sandbox's users. */
  readonly users?: number;
  /**
   * Requests before this time are sent but not counted, because other processes of the measurement are still
   * starting.
   */
  readonly runInMs?: number;
}

export interface Result {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly p999Ms: number;
  /** With a rate: over the requests due while the CPU was not throttled, 0 if there were none. Otherwise over all. */
  readonly steadyP99Ms: number;
  /** Share of requests that were due in a throttled period or while its backlog drained. */
  readonly setAside: number;
  /** CPU time of the load itself, which the server lacks on a small machine. */
  readonly cpuUsPerRequest: number;
  /** The complete first response, for the bare server to repeat. */
  readonly answer: string;
  /** Responses with an error. */
  readonly refused: number;
  readonly refusal: string;
}

/** Totals over all connections. */
class Tally {
  count = 0;
  refused = 0;
  refusal = '';
  answer = '';
  readonly #latencies: Float64Array;
  readonly #dueAt: Float64Array;
  readonly #countsFrom: number;

  constructor(requests: number, countsFrom: number) {
    this.#latencies = new Float64Array(requests);
    this.#dueAt = new Float64Array(requests);
    this.#countsFrom = countsFrom;
  }

  note(dueAt: number, latencyMs: number, bytes: Buffer, size: number): void {
    if (dueAt >= this.#countsFrom) {
      this.#dueAt[this.count] = dueAt;
      this.#latencies[this.count++] = latencyMs;
    }
    if (this.answer === '') this.answer = bytes.toString('latin1', 0, size);
    if (isSuccess(bytes, size)) return;
    this.refused++;
    if (this.refusal !== '') return;
    const body = bytes.indexOf('\r\n\r\n') + 4;
    this.refusal = bytes.toString('latin1', body, Math.min(size, body + REFUSAL_BYTES_MAX));
  }

  sorted(): Float64Array {
    return this.#latencies.subarray(0, this.count).toSorted();
  }

  sortedSteady(spells: Spells): Float64Array {
    const steady = spells.steady(this.#dueAt.subarray(0, this.count));
    return this.#latencies
      .subarray(0, this.count)
      .filter((_, i) => steady[i])
      .toSorted();
  }
}

/** Sends the requests of one connection one at a time, without promises. */
class Driver {
  readonly done: Promise<void>;
  readonly #connection: Connection;
  readonly #queue: readonly Buffer[];
  readonly #firstAt: number;
  /** Interval between requests; 0: the next is due when the previous one is acknowledged. */
  readonly #stepMs: number;
  readonly #tally: Tally;
  #turn = 0;
  #dueAt: number;
  #sinceMs = 0;
  #waiting = true;
  #finish: () => void = () => undefined;

  constructor(
    connection: Connection,
    queue: readonly Buffer[],
    firstAt: number,
    stepMs: number,
    tally: Tally,
  ) {
    this.#connection = connection;
    this.#queue = queue;
    this.#firstAt = firstAt;
    this.#stepMs = stepMs;
    this.#tally = tally;
    this.#dueAt = firstAt;
    this.done = new Promise((resolve, reject) => {
      this.#finish = resolve;
      connection.onFailure = reject;
    });
    connection.onAnswer = (bytes, size) => this.#take(bytes, size);
  }

  /** Sends a due request if the connection is idle. */
  look(now: number): void {
    if (this.#waiting && this.#dueAt <= now) this.#send(now);
  }

  #send(sinceMs: number): void {
    this.#waiting = false;
    this.#sinceMs = sinceMs;
    this.#connection.send(this.#queue[this.#turn++]);
  }

  #take(bytes: Buffer, size: number): void {
    const now = performance.now();
    this.#tally.note(this.#dueAt, now - this.#sinceMs, bytes, size);
    if (this.#turn === this.#queue.length) {
      this.#finish();
      return;
    }
    this.#dueAt = this.#stepMs === 0 ? now : this.#firstAt + this.#turn * this.#stepMs;
    if (this.#dueAt <= now) this.#send(this.#dueAt);
    else this.#waiting = true;
  }
}

export async function run(job: Job): Promise<Result> {
  const connections = await Promise.all(
    Array.from({ length: job.connections }, () => Connection.open(job.port)),
  );
  const known = job.kind === 'order' ? await placeKnownOrder(connections[0]) : '';
  // An even number, so that every buy has a sell and no order rests at the end.
  const each = 2 * Math.max(1, Math.floor(job.requests / job.connections / 2));
  const queues = connections.map((_, i) => signRequests(job.kind, i, each, known, job.users ?? 0));
  const spells = new Spells();

  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const { runInMs = 0 } = job;
  const tally = new Tally(each * job.connections, startedAt + runInMs);
  // Each connection has its own schedule, shifted against the others.
  const stepMs = job.rate === 0 ? 0 : (1000 * job.connections) / job.rate;
  const drivers = connections.map((connection, i) => {
    const firstAt = startedAt + (stepMs * i) / job.connections;
    return new Driver(connection, queues[i], firstAt, stepMs, tally);
  });
  const tick = (): void => {
    const now = performance.now();
    for (const driver of drivers) driver.look(now);
    spells.look();
  };
  tick();
  const ticking = job.rate === 0 ? undefined : setInterval(tick, TICK_MS);
  await Promise.all(drivers.map((driver) => driver.done));
  clearInterval(ticking);
  const seconds = (performance.now() - startedAt - runInMs) / 1000;
  const cpu = process.cpuUsage(cpuBefore);
  for (const connection of connections) connection.close();

  const { count, answer, refused, refusal } = tally;
  const sorted = tally.sorted();
  const steady = job.rate === 0 ? sorted : tally.sortedSteady(spells);
  return {
    requests: count,
    perSecond: count / seconds,
    p50Ms: sorted[Math.floor(count * 0.5)],
    p99Ms: sorted[Math.floor(count * 0.99)],
    p999Ms: sorted[Math.floor(count * 0.999)],
    steadyP99Ms: steady[Math.floor(steady.length * 0.99)] ?? 0,
    setAside: 1 - steady.length / count,
    cpuUsPerRequest: (cpu.user + cpu.system) / (each * job.connections),
    answer,
    refused,
    refusal,
  };
}

async function placeKnownOrder(connection: Connection): Promise<string> {
  const answer = await new Promise<string>((resolve, reject) => {
    connection.onAnswer = (bytes, size) => resolve(bytes.toString('latin1', 0, size));
    connection.onFailure = reject;
    connection.send(signKnownOrder());
  });
  const id = /"orderId":"(\w+)"/.exec(answer)?.[1];
  if (id === undefined) throw new Error(`no order to look up: ${answer}`);
  return id;
}

if (process.argv[1] === import.meta.filename) {
  console.log(JSON.stringify(await run(JSON.parse(process.argv[2]) as Job)));
}
