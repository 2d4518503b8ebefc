/**
 * npm run bench:http [-- --json] [-- --turns N] [-- --orders N]
 *
 * Signed, durable placements against a bare node:http server that reads the same bodies and answers the same bytes, in
 * turns within one run; latency of both at half of that load; batches, reads and memory.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runLoad, type Server, startServer } from './child.ts';
import { type Kind, ORDERS_PER_MULTI } from './requests.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    turns: { type: 'string', default: '5' },
    orders: { type: 'string', default: '1000000' },
  },
});
const turns = Number(values.turns);
const ordersWanted = Number(values.orders);

const CONNECTIONS = 64;
/** Small enough that a slow machine is through before the signatures are too old. */
const REQUESTS = 24_000;
const BATCHES = 4000;
const WARM_UPS = 4;
const BAR = 0.55;
const LATENCY_BAR = 2.5;

const show = (name: string, text: string) => console.log(`${name.padEnd(34)} ${text}`);
const whole = (value: number): string => Math.round(value).toLocaleString('en');

const load = (server: Server, kind: Kind, requests: number, rate = 0) =>
  runLoad({ port: server.port, kind, connections: CONNECTIONS, requests, rate });

const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[list.length >> 1];

/** Until the hot code of both is compiled for good; the first loads run at half the speed of the later ones. */
async function warmUp(server: Server): Promise<string> {
  let answer = '';
  for (let i = 0; i < WARM_UPS; i++) ({ answer } = await load(server, 'place', REQUESTS));
  return answer;
}

async function compare(exchange: Server, bare: Server) {
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    ours.push((await load(exchange, 'place', REQUESTS)).perSecond);
    theirs.push((await load(bare, 'place', REQUESTS)).perSecond);
  }
  const ratios = ours.map((each, i) => each / theirs[i]);
  return { perSecond: median(ours), bare: median(theirs), ratio: median(ratios), ratios };
}

async function compareLatency(exchange: Server, bare: Server, rate: number) {
  const ours: number[] = [];
  const theirs: number[] = [];
  const requests = Math.min(REQUESTS, Math.ceil(rate * 4));
  for (let turn = 0; turn < turns; turn++) {
    ours.push((await load(exchange, 'place', requests, rate)).p99Ms);
    theirs.push((await load(bare, 'place', requests, rate)).p99Ms);
  }
  const ratios = ours.map((each, i) => each / theirs[i]);
  return { rate, p99Ms: median(ours), bareP99Ms: median(theirs), ratio: median(ratios), ratios };
}

const dir = mkdtempSync(join(tmpdir(), 'bourse-bench-'));
const exchange = await startServer(new URL('./exchange.ts', import.meta.url), join(dir, 'data'));
try {
  const answer = await warmUp(exchange);
  const bare = await startServer(new URL('./bare.ts', import.meta.url), answer);
  await warmUp(bare);

  const place = await compare(exchange, bare);
  const each = place.ratios.map((one) => one.toFixed(2)).join(' ');
  show('single orders, signed, durable', `${whole(place.perSecond)}/s, bare ${whole(place.bare)}/s`);
  show('ratio', `${place.ratio.toFixed(2)} (${each}); bar ${BAR}`);

  const latency = await compareLatency(exchange, bare, place.perSecond / 2);
  const bareMs = latency.bareP99Ms.toFixed(2);
  show(`p99 at ${whole(latency.rate)}/s`, `${latency.p99Ms.toFixed(2)} ms, bare ${bareMs} ms`);
  show('ratio', `${latency.ratio.toFixed(2)}; bar ${LATENCY_BAR}`);
  await bare.stop();

  const reads: Record<string, number> = {};
  for (const kind of ['order', 'ticker', 'symbols'] as const) {
    reads[kind] = (await load(exchange, kind, kind === 'symbols' ? BATCHES : REQUESTS)).perSecond;
    show(`reads: ${kind}`, `${whole(reads[kind])}/s`);
  }

  const batches: number[] = [];
  let orders = (2 * turns + 1) * REQUESTS;
  do {
    batches.push((await load(exchange, 'multi', BATCHES)).perSecond * ORDERS_PER_MULTI);
    orders += BATCHES * ORDERS_PER_MULTI;
  } while (orders < ordersWanted);
  const ordersPerSecond = median(batches);
  show(`batches of ${ORDERS_PER_MULTI}, sync`, `${whole(ordersPerSecond)} orders/s`);
  const memoryBytes = await exchange.memory();
  show(`memory after ${whole(orders)} orders`, `${(memoryBytes / 2 ** 20).toFixed(0)} MiB`);

  if (values.json) {
    console.log(
      JSON.stringify({ ratio: place.ratio, place, latency, reads, ordersPerSecond, orders, memoryBytes }),
    );
  }
} finally {
  await exchange.stop();
  rmSync(dir, { recursive: true, force: true });
}
