/**
 * Promise 13 on the wire: whatever clients send, the exchange keeps running. It is a child process with a thread that
 * watches its event loop (`watchdog.ts`), because a stuck loop cannot report itself. If it stops, the connections that
 * were open are replayed one by one until one of them stops another exchange; that one is reported.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@bourse/test-kit/server.ts';
import { type Ending, ExchangeProcess } from '@bourse/test-kit/wire/exchange-process.ts';
import { fetchToken } from '../../../packages/api/test/feed/feed-client.ts';
import { type Passes, play, type Played, type Script, scriptOf } from './script.ts';

const AT_ONCE = 128;
const FAILURES_MAX = 20;
const SHOWN_MAX = 6000;
const SUSPECTS_MAX = 1000;
/** Memory growth since the first tenth of the connections: a run's orders in the log's cache. */
const GROWTH_BYTES_MAX = 256 * 1024 * 1024;
const QUIET_MS_MAX = 60_000;
const TOO_LATE = 408;
/** Time from the first refused connection to the end of the process. */
const ENDING_MS_MAX = 30_000;
const HUGE = 1_000_000;
const TOKEN = 'the-token-of-the-operators-of-a-venue';
const LIMITS = {
  connectionsPerAddressMax: HUGE,
  feedConnectsPerUserMax: HUGE,
  feedConnectsPerAddressMax: HUGE,
  feedMessagesMax: HUGE,
  feedMessagesPerAddressMax: HUGE,
  orderEntryErrorsMax: HUGE,
  // Short, because the run waits for requests that never end.
  headersTimeoutMs: 1000,
  requestTimeoutMs: 2000,
};

export interface WireOptions {
  readonly seed: number;
  readonly connections: number;
  readonly plant?: string;
  /** A venue: every second connection uses the operators' listener. */
  readonly venue?: boolean;
  /** CPU time without a heartbeat that counts as a stall. */
  readonly cpuSecondsMax?: number;
}

export interface WireReport {
  readonly seed: number;
  readonly connections: number;
  readonly seconds: number;
  /** Connections by kind and end, responses by status, and other counts. */
  readonly counts: Readonly<Record<string, number>>;
  readonly stalls: number;
  readonly failures: readonly string[];
}

export async function runWire(options: WireOptions): Promise<WireReport> {
  const run = new WireRun(options);
  const startedAt = performance.now();
  await run.run();
  const { counts, failures, stalls } = run;
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const { seed } = options;
  return { seed, connections: run.played, seconds, counts: Object.fromEntries(counts), stalls, failures };
}

class WireRun {
  readonly counts = new Map<string, number>();
  readonly failures: string[] = [];
  stalls = 0;
  played = 0;
  readonly #options: WireOptions;
  /** Open connections and the most recent ones. */
  readonly #suspects = new Map<number, Script>();
  #ending: Ending | undefined;

  constructor(options: WireOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    await this.#withExchange(async (exchange) => {
      const passes = await passesOf(exchange);
      const { url, operatorUrl, operatorToken } = exchange;
      const canary = new Canary(
        this.#options.venue ? operatorWatch(operatorUrl, operatorToken) : orderPlacer(url),
      );
      await this.#playAll(exchange, passes);
      await canary.stop();
      this.#count('orders of the canary', canary.orders);
      if (this.#ending !== undefined) return;
      if (canary.failure !== undefined) this.#fail(`the canary: ${canary.failure}`);
      await this.#checkQuiet(exchange);
    });
    if (this.#ending === undefined) return;
    const { code, signal, errors } = this.#ending;
    if (errors.includes('STALL')) this.stalls++;
    const culprit = await this.#findCulprit();
    this.#fail(`the exchange ended with ${code ?? signal}: ${errors.slice(-SHOWN_MAX)}\n${culprit}`);
  }

  async #withExchange(use: (exchange: ExchangeProcess) => Promise<void>): Promise<void> {
    const dir = mkdtempSync(join(tmpdir(), 'bourse-fuzz-'));
    const { plant = '', cpuSecondsMax = 10, venue } = this.#options;
    const flags = venue ? ['--venue'] : [];
    const exchange = await ExchangeProcess.start(join(dir, 'data'), flags, 'unlimited', {
      nodeFlags: ['--import', new URL('./watched.ts', import.meta.url).href],
      limits: LIMITS,
      env: {
        FUZZ_PLANT: plant,
        FUZZ_CPU_SECONDS: String(cpuSecondsMax),
        ...(venue && { BOURSE_SECRET_KEY: 'ab'.repeat(32), BOURSE_OPERATOR_TOKEN: TOKEN }),
      },
    });
    let isOver = false;
    void exchange.ended.then((ending) => {
      if (!isOver) this.#ending = ending;
    });
    try {
      await use(exchange);
    } finally {
      isOver = true;
      const { code, signal, errors } = await exchange.stop();
      rmSync(dir, { recursive: true, force: true });
      if (this.#ending === undefined && code !== 0)
        this.#fail(`after SIGTERM it ended with ${code ?? signal}: ${errors}`);
    }
  }

  async #playAll(exchange: ExchangeProcess, passes: Passes): Promise<void> {
    const { seed, connections } = this.#options;
    let next = 0;
    let warm = 0;
    const lane = async (): Promise<void> => {
      while (next < connections && this.#ending === undefined) {
        const at = next++;
        if (at === Math.floor(connections / 10)) warm = await this.#memory(exchange);
        await this.#play(scriptOf(seed, at, passes), exchange, at);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    if (this.#ending !== undefined) return;
    const growth = (await this.#memory(exchange)) - warm;
    if (this.#ending !== undefined) return;
    this.#count('MB grown', Math.round(growth / 1024 / 1024));
    if (growth > GROWTH_BYTES_MAX) this.#fail(`its memory has grown by ${growth} bytes`);
  }

  /** 0 if the exchange has just died. */
  async #memory(exchange: ExchangeProcess): Promise<number> {
    try {
      return await exchange.memory();
    } catch (error) {
      await settled(exchange);
      if (this.#ending === undefined) throw error;
      return 0;
    }
  }

  async #play(script: Script, exchange: ExchangeProcess, at: number): Promise<void> {
    this.#suspects.set(at, script);
    const { venue } = this.#options;
    const { how, statuses, bytes, isLoggedIn } = await play(script, portFor(exchange, at), at);
    // Nobody on the venue has a key, so no order is accepted.
    const complaint = complaintOf(venue ? { ...script, status: undefined } : script, how, statuses);
    // When the exchange dies, a disconnected client is often the first to notice.
    if (complaint !== undefined) await settled(exchange);
    if (this.#ending !== undefined) return;
    if (complaint !== undefined) this.#fail(`${complaint}: ${show(script)}`);
    this.played++;
    this.#count(`${script.kind}, ${script.end}`);
    const isWebsocket = script.kind === 'feed' || script.kind === 'order entry';
    this.#count(isWebsocket ? 'websocket messages' : 'requests', script.parts);
    if (isWebsocket) this.#count('requests');
    if (isLoggedIn) this.#count(`welcomed by ${script.kind}`);
    this.#count(
      'bytes sent',
      script.pieces.reduce((sum, { length }) => sum + length, 0),
    );
    this.#count('bytes received', bytes);
    for (const status of statuses) this.#count(`status ${status}`);
    if (statuses.length === 0) this.#count('without an answer');
    if (this.#suspects.size > SUSPECTS_MAX) this.#forgetSuspects();
  }

  /** The oldest half. */
  #forgetSuspects(): void {
    for (const at of [...this.#suspects.keys()].slice(0, SUSPECTS_MAX / 2)) this.#suspects.delete(at);
  }

  /** Checks that the exchange releases all connections. */
  async #checkQuiet({ operatorUrl }: ExchangeProcess): Promise<void> {
    const until = performance.now() + QUIET_MS_MAX;
    for (;;) {
      const text = await (await fetch(new URL('/metrics', operatorUrl))).text();
      const open = Number(/^bourse_http_connections (\d+)/m.exec(text)?.[1]);
      const readers = Number(/^bourse_feed_connections (\d+)/m.exec(text)?.[1]);
      // The canary's own connections, which fetch keeps open.
      if (open <= 2 && readers === 0) return;
      if (performance.now() > until) return this.#fail(`${open} connections and ${readers} readers are left`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** Finds and shrinks the culprit: replays suspects on another exchange, newest first. */
  async #findCulprit(): Promise<string> {
    let found = 'None of the last connections does it alone.';
    const suspects = [...this.#suspects].toReversed();
    this.#ending = undefined;
    await this.#withExchange(async (exchange) => {
      const passes = await passesOf(exchange);
      for (const [at] of suspects) {
        const script = scriptOf(this.#options.seed, at, passes);
        await play(script, portFor(exchange, at), at);
        await settled(exchange);
        if (this.#ending === undefined) continue;
        found = show(script);
        return;
      }
    });
    return found;
  }

  #count(what: string, by = 1): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + by);
  }

  #fail(what: string): void {
    if (this.failures.length < FAILURES_MAX) this.failures.push(what);
  }
}

/** On a sandbox both are the same port. */
const portFor = ({ port, operatorUrl }: ExchangeProcess, at: number): number =>
  at % 2 === 0 ? port : Number(new URL(operatorUrl).port);

function complaintOf(
  { status }: { readonly status?: number | undefined },
  how: Played['how'],
  statuses: readonly number[],
): string | undefined {
  if (how !== 'closed') return how;
  if (statuses.some((each) => each >= 500)) return `answered ${statuses.join(' ')}`;
  // On a busy machine the pieces of a request may exceed the exchange's timeout.
  const isAsKnown = status === undefined || statuses[0] === status || statuses[0] === TOO_LATE;
  if (!isAsKnown) return `its order was answered ${statuses.join(' ')}`;
  return undefined;
}

/** Resolves once everything sent before has been handled, or the exchange has ended. */
async function settled({ url, ended }: ExchangeProcess): Promise<void> {
  const patience = new Promise((resolve) => setTimeout(resolve, ENDING_MS_MAX).unref());
  // Data of other connections may still be in kernel buffers during the first ones.
  for (let asked = 0; asked < 3; asked++) {
    const isAnswered = await fetch(`${url}/healthz`).then(
      (response) => response.text(),
      () => undefined,
    );
    if (isAnswered === undefined) return void (await Promise.race([ended, patience]));
  }
}

async function passesOf({ url, operatorToken }: ExchangeProcess): Promise<Passes> {
  return { feedToken: (await fetchToken(url)).token, operatorToken };
}

function show({ name, kind, end, pieces }: Script): string {
  const bytes = pieces.map((piece) => JSON.stringify(piece.toString('latin1'))).join(' + ');
  const shown = bytes.replaceAll(/(.)\1{20,}/g, (run, one: string) => `${one}{${run.length}}`);
  return `${name} (${kind}, ${end}): ${shown.slice(0, SHOWN_MAX)}`;
}

// A well-behaved client beside the others: each of its orders must be placed and cancelled. On a venue,
// where nobody has a key yet, it is an operator that reads.

const PAUSE_MS = 50;
const ORDER = { symbol: 'BTC-USDT', type: 'limit', side: 'buy', price: '20000', size: '0.001' };

class Canary {
  orders = 0;
  failure: string | undefined;
  readonly #running: Promise<void>;
  #isStopped = false;

  constructor(step: () => Promise<string | undefined>) {
    this.#running = this.#run(step).catch((error: unknown) => {
      this.failure ??= String(error instanceof Error ? (error.cause ?? error) : error);
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #run(step: () => Promise<string | undefined>): Promise<void> {
    while (!this.#isStopped && this.failure === undefined) {
      this.failure = await step();
      this.orders++;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}

/** Returns what is wrong, or undefined. */
function orderPlacer(url: string): () => Promise<string | undefined> {
  const client = new Client(url, 'alice');
  return async () => {
    const placed = await client.post('/api/v1/hf/orders', ORDER);
    const { orderId } = (placed.json.data ?? {}) as { readonly orderId?: string };
    const cancelled = await client.delete(`/api/v1/hf/orders/${orderId}?symbol=BTC-USDT`);
    const wrong = [placed, cancelled].find(
      ({ status, text }) => status !== 200 || !text.includes('"200000"'),
    );
    return wrong && `${wrong.status} ${wrong.text}`;
  };
}

function operatorWatch(operatorUrl: string, token: string): () => Promise<string | undefined> {
  return async () => {
    const response = await fetch(`${operatorUrl}/v1/status`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const text = await response.text();
    return response.status === 200 && text.includes('open') ? undefined : `${response.status} ${text}`;
  };
}
