/** The load, in its own process: `node load.ts '<job as JSON>'` prints its result as JSON. */

import { Spells } from '../http/cpu.ts';
import { traderOf } from '../http/requests.ts';
import { Connection, FRAME_HEAD_BYTES_MAX, writeFrame } from './connection.ts';

export interface Job {
  readonly port: number;
  /** Each connection has its own user, if there are enough. */
  readonly connections: number;
  readonly users: number;
  /** Total number of orders. */
  readonly orders: number;
  /** Orders in flight per connection, if `rate` is 0. */
  readonly window: number;
  /** Orders per second on all connections together, independent of replies (open loop); 0: as fast as the window allows. */
  readonly rate: number;
}

export interface Result {
  readonly orders: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** With a rate: over the orders due while the CPU was not throttled, 0 if there were none. Otherwise over all. */
  readonly steadyP99Ms: number;
  /** Share of orders that were due in a throttled period or while its backlog drained. */
  readonly setAside: number;
  /** The messages to one connection, for the bare server to repeat: challenge, welcome, the first reply. */
  readonly told: readonly string[];
}

const RUN = Date.now().toString(36);
const TICK_MS = 1;
/** Of the text of one order. */
const ORDER_BYTES_MAX = 200;

/** Alternates buys and sells at one price, so they trade and the book stays small, as over HTTP. */
function orderText(connection: number, turn: number): string {
  const args = {
    clientOid: `bench-${RUN}-${connection}-${turn}`,
    symbol: 'BTC-USDT',
    type: 'limit',
    side: turn % 2 === 0 ? 'buy' : 'sell',
    price: '50000',
    size: '0.00001',
  };
  return JSON.stringify({ id: String(turn), op: 'spot.order', args });
}

/** All orders of one connection as contiguous frames, so that any number is sent in one write. */
class OrderFrames {
  readonly count: number;
  readonly #bytes: Buffer;
  readonly #ends: Float64Array;

  constructor(connection: number, count: number) {
    this.count = count;
    this.#bytes = Buffer.alloc(count * (FRAME_HEAD_BYTES_MAX + ORDER_BYTES_MAX));
    this.#ends = new Float64Array(count);
    let end = 0;
    for (let turn = 0; turn < count; turn++) {
      end = writeFrame(this.#bytes, end, orderText(connection, turn));
      this.#ends[turn] = end;
    }
  }

  /** The bytes of the orders from index `from` to before `to`. */
  slice(from: number, to: number): Buffer {
    return this.#bytes.subarray(from === 0 ? 0 : this.#ends[from - 1], this.#ends[to - 1]);
  }
}

/** Of all orders that are answered. */
class Latencies {
  readonly #ms: Float64Array;
  readonly #dueAt: Float64Array;
  count = 0;

  constructor(orders: number) {
    this.#ms = new Float64Array(orders);
    this.#dueAt = new Float64Array(orders);
  }

  note(dueAt: number, ms: number): void {
    this.#dueAt[this.count] = dueAt;
    this.#ms[this.count++] = ms;
  }

  sorted(): Float64Array {
    return this.#ms.toSorted();
  }

  sortedSteady(spells: Spells): Float64Array {
    const steady = spells.steady(this.#dueAt);
    return this.#ms.filter((_, i) => steady[i]).toSorted();
  }
}

/** Sends all orders of one connection; replies arrive in order. */
class Driver {
  /** Resolves when the last order is acknowledged. */
  readonly done: Promise<void>;
  readonly #connection: Connection;
  readonly #frames: OrderFrames;
  /** When each sent order was due. */
  readonly #dueAt: Float64Array;
  #sent = 0;
  #answered = 0;

  /** `window`: number of orders in flight, refilled on each reply; 0: only `sendDue` sends. */
  constructor(connection: Connection, frames: OrderFrames, window: number, latencies: Latencies) {
    this.#connection = connection;
    this.#frames = frames;
    this.#dueAt = new Float64Array(frames.count);
    this.done = new Promise((resolve) => {
      connection.onAnswers = (count) => {
        const now = performance.now();
        for (let i = 0; i < count; i++) {
          const dueAt = this.#dueAt[this.#answered++];
          latencies.note(dueAt, now - dueAt);
        }
        if (this.#answered === frames.count) resolve();
        else if (window > 0) this.#send(count, now, 0);
      };
    });
    this.#send(window, performance.now(), 0);
  }

  /** Sends due orders, one every `stepMs` from `firstAt`. The latency of a late order counts from when it was due. */
  sendDue(now: number, firstAt: number, stepMs: number): void {
    const due = Math.floor((now - firstAt) / stepMs) + 1 - this.#sent;
    if (due > 0) this.#send(due, firstAt + this.#sent * stepMs, stepMs);
  }

  /** The first was due at `dueAt`, the others every `stepMs` after it. */
  #send(count: number, dueAt: number, stepMs: number): void {
    const from = this.#sent;
    this.#sent = Math.min(from + count, this.#frames.count);
    if (this.#sent === from) return;
    for (let at = from; at < this.#sent; at++) this.#dueAt[at] = dueAt + (at - from) * stepMs;
    this.#connection.send(this.#frames.slice(from, this.#sent));
  }
}

export async function run(job: Job): Promise<Result> {
  const connections = await Promise.all(
    Array.from({ length: job.connections }, (_, i) => Connection.open(job.port, traderOf(i, job.users))),
  );
  // An even number, so that every buy has a sell.
  const each = 2 * Math.max(1, Math.floor(job.orders / job.connections / 2));
  const queues = connections.map((_, i) => new OrderFrames(i, each));
  const latencies = new Latencies(each * job.connections);
  const spells = new Spells();
  const startedAt = performance.now();
  const window = job.rate === 0 ? job.window : 0;
  const drivers = connections.map((connection, i) => new Driver(connection, queues[i], window, latencies));
  // The schedules of the connections are shifted against each other.
  const stepMs = (1000 * job.connections) / job.rate;
  const tick = (): void => {
    const now = performance.now();
    for (const [i, driver] of drivers.entries()) {
      driver.sendDue(now, startedAt + (stepMs * i) / job.connections, stepMs);
    }
    spells.look();
  };
  const ticking = job.rate === 0 ? undefined : setInterval(tick, TICK_MS);
  await Promise.all(drivers.map(({ done }) => done));
  clearInterval(ticking);
  const seconds = (performance.now() - startedAt) / 1000;
  for (const connection of connections) connection.close();
  const refused = connections.find((connection) => connection.refused > 0);
  if (refused !== undefined)
    throw new Error(`${refused.refused} orders were refused, first: ${refused.refusal}`);
  const { count } = latencies;
  const sorted = latencies.sorted();
  const steady = job.rate === 0 ? sorted : latencies.sortedSteady(spells);
  return {
    orders: count,
    perSecond: count / seconds,
    p50Ms: sorted[Math.floor(count * 0.5)],
    p99Ms: sorted[Math.floor(count * 0.99)],
    steadyP99Ms: steady[Math.floor(steady.length * 0.99)] ?? 0,
    setAside: 1 - steady.length / count,
    told: [...connections[0].greeting, connections[0].answer],
  };
}

if (process.argv[1] === import.meta.filename) {
  console.log(JSON.stringify(await run(JSON.parse(process.argv[2]) as Job)));
}
