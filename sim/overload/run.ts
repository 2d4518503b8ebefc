/**
 * npm run sim -- overload [--seconds N] [--connections N]: 0.5, 1, 2 and 5 times the exchange's capacity
 *
 * Promise 16: overload. Measures the capacity, then offers multiples of it at a fixed rate, whether or not
 * responses arrive. Excess requests must be rejected with 429 or 503, every request must get a response, and
 * neither the queue nor the memory may grow with the load.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ExchangeProcess } from '@bourse/test-kit/wire/exchange-process.ts';
import { offer, type OpenLoopReport, Pipe } from '@bourse/test-kit/wire/requests.ts';
import { DEFAULT_HTTP_LIMITS } from '../../packages/api/src/gateway/http/limits.ts';
import { signTrades } from '../crowd/run.ts';

export interface OverloadOptions {
  readonly loads: readonly number[];
  readonly seconds: number;
  readonly connections: number;
  /** Number of requests that measure the capacity. */
  readonly warmUps: number;
}

export interface LoadReport extends OpenLoopReport {
  /** Multiple of the capacity. */
  readonly load: number;
  readonly offered: number;
  /** Maximum number of queued commands, and maximum bytes of memory. */
  readonly queueMost: number;
  readonly memoryMost: number;
  /** The longest response time of a concurrent request for the metrics. */
  readonly otherMsMost: number;
}

export interface OverloadReport {
  /** Orders per second. */
  readonly capacity: number;
  /** The queue cannot exceed the number of requests that all connections may have in flight. */
  readonly queueBound: number;
  readonly loads: readonly LoadReport[];
}

/** In flight per connection while the capacity is measured: enough to keep it busy, within its limit. */
const DEPTH = 8;
const SAMPLE_MS = 50;

export async function runOverload(dir: string, options: OverloadOptions): Promise<OverloadReport> {
  const { connections, seconds } = options;
  const exchange = await ExchangeProcess.start(dir);
  try {
    // Warm up: the first round runs uncompiled code.
    await measureCapacity(exchange.port, options);
    const capacity = await measureCapacity(exchange.port, options);
    const loads: LoadReport[] = [];
    for (const load of options.loads) {
      const rate = capacity * load;
      const requests = signTrades(Math.ceil(rate * seconds), connections);
      const sampling = new Sampling(exchange);
      const done = await offer({ port: exchange.port, rate, connections, requests });
      const most = await sampling.stop();
      loads.push({ load, offered: requests.length, ...done, ...most });
    }
    return { capacity, queueBound: connections * DEFAULT_HTTP_LIMITS.pipelinedRequestsMax, loads };
  } finally {
    await exchange.stop();
  }
}

/** Closed loop: sends as fast as responses arrive. */
async function measureCapacity(port: number, { connections, warmUps }: OverloadOptions): Promise<number> {
  const requests = signTrades(warmUps, connections);
  const pipes = await Promise.all(Array.from({ length: connections }, () => Pipe.open(port)));
  const startedAt = performance.now();
  let next = 0;
  await Promise.all(
    pipes.flatMap((pipe) =>
      Array.from({ length: DEPTH }, async () => {
        while (next < requests.length) {
          const answer = await pipe.ask(requests[next++]!);
          if (answer?.status !== 200)
            throw new Error(`an order was answered ${answer?.status}: ${answer?.body}`);
        }
      }),
    ),
  );
  for (const pipe of pipes) pipe.cut();
  return requests.length / ((performance.now() - startedAt) / 1000);
}

/** Samples the process while a load runs. */
class Sampling {
  readonly #exchange: ExchangeProcess;
  readonly #most = { queueMost: 0, memoryMost: 0, otherMsMost: 0 };
  readonly #ended: Promise<void>;
  #isOver = false;

  constructor(exchange: ExchangeProcess) {
    this.#exchange = exchange;
    this.#ended = this.#run();
  }

  async stop(): Promise<{ queueMost: number; memoryMost: number; otherMsMost: number }> {
    this.#isOver = true;
    await this.#ended;
    return this.#most;
  }

  async #run(): Promise<void> {
    const most = this.#most;
    const pipe = await Pipe.open(this.#exchange.port);
    while (!this.#isOver) {
      const askedAt = performance.now();
      const answer = await pipe.ask(Buffer.from('GET /metrics HTTP/1.1\r\nhost: localhost\r\n\r\n'));
      most.otherMsMost = Math.max(most.otherMsMost, performance.now() - askedAt);
      const waiting = Number(/^bourse_queue_commands (\d+)/m.exec(answer?.body ?? '')?.[1] ?? Number.NaN);
      most.queueMost = Math.max(most.queueMost, waiting);
      most.memoryMost = Math.max(most.memoryMost, await this.#exchange.memory());
      await pause(SAMPLE_MS);
    }
    pipe.cut();
  }
}

const PROMISED = ['200', '429', '503'];

/** Violations of an overload run: unexpected responses, a queue beyond its limit, no rejections. */
export function faultsOf({ loads, queueBound }: OverloadReport): string[] {
  return loads.flatMap(({ load, statuses, offered, queueMost, refused }) => {
    const others = Object.entries(statuses).filter(([status]) => !PROMISED.includes(status));
    const answers = Object.values(statuses).reduce((sum, count) => sum + count, 0);
    return [
      ...others.map(([status, count]) => `load ${load}: ${count} times ${status}`),
      ...(answers === offered ? [] : [`load ${load}: ${answers} answers to ${offered} requests`]),
      ...(queueMost <= queueBound ? [] : [`load ${load}: ${queueMost} commands waited, bound ${queueBound}`]),
      ...(load < 5 || refused.count > 0 ? [] : [`load ${load}: nothing was refused`]),
    ];
  });
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { seconds: { type: 'string', default: '5' }, connections: { type: 'string', default: '32' } },
  });
  const dir = mkdtempSync(join(tmpdir(), 'bourse-overload-'));
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  try {
    const report = await runOverload(dir, {
      loads: [0.5, 1, 2, 5],
      seconds: Number(values.seconds),
      connections: Number(values.connections),
      warmUps: 20_000,
    });
    console.log(`capacity ${Math.round(report.capacity)} orders/s; at most ${report.queueBound} may wait`);
    for (const { load, offered, answered, refused, ...more } of report.loads) {
      console.log(
        `load ${load}: ${offered} offered, ${answered.count} answered (p99 ${ms(answered.p99Ms)}), `,
      );
      console.log(`  ${refused.count} refused (p50 ${ms(refused.p50Ms)}, p99 ${ms(refused.p99Ms)})`);
      console.log(`  ${more.queueMost} waited at most, ${Math.round(more.memoryMost / 2 ** 20)} MiB at most`);
      console.log(
        `  ${ms(more.otherMsMost)} for others at most, ${ms(more.behindMsMost)} behind the timetable at most`,
      );
      console.log(`  statuses ${JSON.stringify(more.statuses)}`);
    }
    const faults = faultsOf(report);
    for (const fault of faults) console.error(fault);
    if (faults.length > 0) process.exitCode = 1;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
