/**
 * Requests at a given rate (open loop), over keep-alive connections: responses
 * are counted, and latency is measured from when a request was due. Requests are signed in advance.
 */

import { performance } from 'node:perf_hooks';
import { Pipe } from './pipe.ts';

export interface Offer {
  readonly port: number;
  /** A second. */
  readonly rate: number;
  readonly connections: number;
  readonly requests: readonly Buffer[];
}

export interface Times {
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly mostMs: number;
}

export interface OpenLoopReport {
  readonly seconds: number;
  /** By HTTP status; 0 stands for a connection that ended first. */
  readonly statuses: Readonly<Record<number, number>>;
  readonly answered: Times;
  /** 429 and 503. */
  readonly refused: Times;
  /** The sender's largest delay: above a few ms the rate was not reached. */
  readonly behindMsMost: number;
}

const REFUSALS: readonly number[] = [429, 503];

export async function offer({ port, rate, connections, requests }: Offer): Promise<OpenLoopReport> {
  const pipes = await Promise.all(Array.from({ length: connections }, () => Pipe.open(port)));
  const statuses: Record<number, number> = {};
  const times: { answered: number[]; refused: number[] } = { answered: [], refused: [] };
  const startedAt = performance.now();
  const waiting: Promise<void>[] = [];
  let [next, behindMsMost] = [0, 0];
  const send = (request: Buffer, at: number): void => {
    const dueAt = startedAt + (at * 1000) / rate;
    behindMsMost = Math.max(behindMsMost, performance.now() - dueAt);
    const asked = pipes[at % connections]!.ask(request).then((answer) => {
      const status = answer?.status ?? 0;
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status !== 0)
        times[REFUSALS.includes(status) ? 'refused' : 'answered'].push(performance.now() - dueAt);
    });
    waiting.push(asked);
  };
  while (next < requests.length) {
    const due = Math.min(requests.length, Math.ceil(((performance.now() - startedAt) * rate) / 1000));
    while (next < due) send(requests[next]!, next++);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(waiting);
  const seconds = (performance.now() - startedAt) / 1000;
  for (const pipe of pipes) pipe.cut();
  return {
    seconds,
    statuses,
    answered: summarise(times.answered),
    refused: summarise(times.refused),
    behindMsMost,
  };
}

function summarise(list: readonly number[]): Times {
  const sorted = list.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
  return { count: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99), mostMs: sorted.at(-1) ?? 0 };
}
