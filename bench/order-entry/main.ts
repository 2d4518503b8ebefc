/**
 * npm run bench:order-entry [-- --json] [-- --turns N] [-- --users N] [-- --connections N] [-- --window N] [-- --orders N]
 *
 * Durable orders per second over order entry, one connection for each user, against a server with `ws` alone that
 * answers the same messages with the same bytes, and against the same orders over HTTP on as many connections, alternating
 * within one run. Over HTTP a connection has one order in flight, over order entry a window of them. With that many
 * in flight, a reply takes at least their number divided by the orders per second, however fast each is: so latency
 * is also measured open-loop at half that rate, over all orders and over those due
 * while the CPU was not throttled (see ../http/cpu.ts). And the cost of an order on each thread of the exchange.
 * `--users 0 --connections 16 --window 128` is a few market makers instead of a thousand users.
 */

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { runLoad, startServer } from '../http/child.ts';
import { USERS_DEFAULT } from '../http/requests.ts';
import type { Job, Result } from './load.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    turns: { type: 'string', default: '5' },
    users: { type: 'string', default: String(USERS_DEFAULT) },
    connections: { type: 'string' },
    window: { type: 'string' },
    orders: { type: 'string', default: '160000' },
  },
});
const turns = Number(values.turns);
const users = Number(values.users);
const CONNECTIONS = Number(values.connections ?? (users || 16));
const IN_FLIGHT = 2048;
const window = Number(values.window ?? Math.max(1, Math.round(IN_FLIGHT / CONNECTIONS)));

type Figures = Pick<Result, 'perSecond' | 'p99Ms'>;
type PacedFigures = Figures & Pick<Result, 'steadyP99Ms' | 'setAside'>;

const ORDERS = Number(values.orders);
const HTTP_ORDERS = ORDERS / 10;
const BAR = 8;
const P99_MS_BAR = 20;
const LOAD_MS_MAX = 300_000;
const OUTPUT_BYTES_MAX = 1 << 20;
const SETTLE_LOOKS_MAX = 600;
/** Rounds in which a larger share was set aside are discarded. */
const SET_ASIDE_MAX = 0.5;

const show = (name: string, text: string) => console.log(`${name.padEnd(34)} ${text}`);
const whole = (value: number): string => Math.round(value).toLocaleString('en');
const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[list.length >> 1];
const mean = (list: readonly number[]): number => list.reduce((sum, each) => sum + each, 0) / list.length;

async function enterOrders(port: number, orders: number, most: number, rate = 0): Promise<Result> {
  const job: Job = { port, connections: CONNECTIONS, users, orders, window: most, rate };
  const file = fileURLToPath(new URL('./load.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [file, JSON.stringify(job)], {
    timeout: LOAD_MS_MAX,
    maxBuffer: OUTPUT_BYTES_MAX,
  });
  return JSON.parse(stdout) as Result;
}

const placeOrders = (port: number, requests: number) =>
  runLoad({ port, kind: 'place', connections: CONNECTIONS, requests, rate: 0, users });

/** Waits for history, which has its own thread: a round must not pay for the previous one. */
async function settle(port: number): Promise<void> {
  for (let i = 0; i < SETTLE_LOOKS_MAX; i++) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
    if (((await answer.json()) as { readonly historyLag: number }).historyLag === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('history does not catch up');
}

const dir = mkdtempSync(join(tmpdir(), 'bourse-bench-'));
const data = join(dir, 'data');
const exchange = await startServer(
  new URL('../http/exchange.ts', import.meta.url),
  data,
  'venue',
  String(users),
);
try {
  const { port } = exchange;
  await placeOrders(port, HTTP_ORDERS);
  const { told } = await enterOrders(port, ORDERS / 4, window);
  const bare = await startServer(new URL('./bare.ts', import.meta.url), ...told);
  await enterOrders(bare.port, ORDERS / 4, window);
  const http: Figures[] = [];
  const entry: Figures[] = [];
  const echo: Figures[] = [];
  const paced: PacedFigures[] = [];
  const single: Figures[] = [];
  for (let turn = 0; turn < turns; turn++) {
    await settle(port);
    http.push(await placeOrders(port, HTTP_ORDERS));
    await settle(port);
    entry.push(await enterOrders(port, ORDERS, window));
    echo.push(await enterOrders(bare.port, ORDERS, window));
    await settle(port);
    paced.push(await enterOrders(port, ORDERS / 2, 0, entry[turn].perSecond / 2));
    await settle(port);
    single.push(await enterOrders(port, HTTP_ORDERS, 1));
  }
  await bare.stop();
  const { threadsUs, allocatedBytes } = await exchange.cost(async () => {
    await enterOrders(port, ORDERS, window);
    await settle(port);
  });
  const cost = {
    mainUs: (threadsUs['MainThread'] ?? 0) / ORDERS,
    followerUs: (threadsUs['follower'] ?? 0) / ORDERS,
    allocatedBytes: allocatedBytes / ORDERS,
  };
  const steady = paced.filter(({ setAside }) => setAside <= SET_ASIDE_MAX);
  /** Null if every round was throttled too much. */
  const steadyP99Ms = steady.length === 0 ? null : median(steady.map((each) => each.steadyP99Ms));
  const ratios = entry.map(({ perSecond }, i) => perSecond / http[i].perSecond);
  const ratio = median(ratios);
  const echoRatios = entry.map(({ perSecond }, i) => perSecond / echo[i].perSecond);
  const rate = (runs: readonly Figures[]) => median(runs.map(({ perSecond }) => perSecond));
  const p99 = (runs: readonly Figures[]) => median(runs.map(({ p99Ms }) => p99Ms));
  const line = (runs: readonly Figures[]) => `${whole(rate(runs))}/s, p99 ${p99(runs).toFixed(2)} ms`;
  show(`HTTP, ${CONNECTIONS} connections`, line(http));
  show(`order entry, ${window} in flight each`, line(entry));
  show('bare ws', line(echo));
  show(
    '  order entry against it',
    `${median(echoRatios).toFixed(2)} (${echoRatios.map((one) => one.toFixed(2)).join(' ')})`,
  );
  const onTheirWay = CONNECTIONS * window;
  const leastMs = (1000 * onTheirWay) / rate(entry);
  show('', `with ${whole(onTheirWay)} in flight an answer takes ${leastMs.toFixed(1)} ms on average`);
  show('order entry at half that load', `${line(paced)}; bar ${P99_MS_BAR} ms`);
  show(
    '  while the processor was steady',
    steadyP99Ms === null
      ? 'it never was'
      : `p99 ${steadyP99Ms.toFixed(2)} ms; ${Math.round(100 * mean(paced.map(({ setAside }) => setAside)))} % set aside`,
  );
  show('order entry, 1 on its way each', line(single));
  show(
    'an order costs',
    `main thread ${cost.mainUs.toFixed(1)} µs, follower ${cost.followerUs.toFixed(1)} µs, ${whole(cost.allocatedBytes)} bytes`,
  );
  show('ratio', `${ratio.toFixed(2)} (${ratios.map((one) => one.toFixed(2)).join(' ')}); bar ${BAR}`);
  if (values.json) {
    console.log(
      JSON.stringify({
        users,
        ratio,
        ratios,
        echoRatio: median(echoRatios),
        echoRatios,
        echoPerSecond: rate(echo),
        ordersPerSecond: rate(entry),
        httpOrdersPerSecond: rate(http),
        singleOrdersPerSecond: rate(single),
        p99Ms: p99(entry),
        leastMs,
        halfLoadPerSecond: rate(paced),
        halfLoadP99Ms: p99(paced),
        halfLoadSteadyP99Ms: steadyP99Ms,
        cost,
        httpP99Ms: p99(http),
        singleP99Ms: p99(single),
      }),
    );
  }
} finally {
  await exchange.stop();
  rmSync(dir, { recursive: true, force: true });
}
