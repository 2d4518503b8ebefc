/**
 * npm run sim -- storm [--requests N] [--seed N]: a kill every 50,000 requests
 *
 * Promise 9: a storm of duplicates. Users send each request several times concurrently, over several
 * connections and transports, with the same signed bytes and signed again; connections break at any moment,
 * and unanswered requests are sent again. In the middle the process is killed. Afterwards every intent must
 * have had exactly one effect.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Random } from '@bourse/test-kit/random.ts';
import { ExchangeProcess } from '@bourse/test-kit/wire/exchange-process.ts';
import { Pipe } from '@bourse/test-kit/wire/requests.ts';
import { auditStorm, type StormAudit } from './audit.ts';
import { bid, EntryLine, type Intent, makeIntent, sign, type Verdict, verdictOf } from './intents.ts';

const LINES = 16;
const WORKERS = 48;
/** A signature is valid until 15 s after its timestamp; older requests would be rejected for that alone. */
const FRESH_MS = 10_000;
/** Answered requests from before the kill that are replayed after it. */
const ECHOES = 500;
const CUT = 0.03;
const ATTEMPTS_MAX = 1000;
const SETTLING: readonly Verdict[] = ['done', 'client-id-used', 'repeated'];

export interface StormReport extends StormAudit {
  readonly seed: number;
  readonly intents: number;
  readonly sent: number;
  /** Connections closed by the client, and requests that this or the kill left unanswered. */
  readonly cut: number;
  readonly unanswered: number;
  readonly done: number;
  readonly clientIdUsed: number;
  readonly repeated: number;
  /** Rejected because the signature had expired. */
  readonly stale: number;
  /** Rejected as replays of requests answered before the kill. */
  readonly echoesRefused: number;
  /** Intents with two successful responses. */
  readonly toldTwice: readonly string[];
  readonly unexpected: readonly string[];
  /** Never answered while the signature was valid: no effect or one. */
  readonly uncertain: number;
}

class Storm {
  readonly intents: Intent[] = [];
  readonly counts: Record<Verdict, number> = {
    done: 0,
    'client-id-used': 0,
    repeated: 0,
    stale: 0,
    unanswered: 0,
    unexpected: 0,
  };
  sent = 0;
  cut = 0;
  uncertain = 0;
  echoesRefused = 0;
  readonly unexpected: string[] = [];
  readonly #random: Random;
  readonly #lines: (Pipe | undefined)[] = Array.from({ length: LINES }, () => undefined);
  readonly #entries = new Map<string, EntryLine[]>();
  #port: Promise<number>;
  #serial = 0;

  constructor(random: Random, port: number) {
    this.#random = random;
    this.#port = Promise.resolve(port);
  }

  /** Redirects new connections to this port. */
  moveTo(port: Promise<number>): void {
    this.#port = port;
  }

  async run(requests: number): Promise<void> {
    await Promise.all(
      Array.from({ length: WORKERS }, async () => {
        while (this.sent < requests) {
          const intent = makeIntent(++this.#serial, this.#random);
          this.intents.push(intent);
          await this.#pursue(intent);
        }
      }),
    );
  }

  /** Replays answered requests byte for byte: they must be rejected. */
  async echo(intents: readonly Intent[]): Promise<void> {
    for (const intent of intents) {
      const verdict = await this.#sendIntent(intent);
      if (verdict === 'repeated' || verdict === 'client-id-used') this.echoesRefused++;
    }
  }

  async #pursue(intent: Intent): Promise<void> {
    const random = this.#random;
    for (let attempt = 0; attempt < ATTEMPTS_MAX && !intent.isSettled; attempt++) {
      const isOld = Date.now() - intent.signedAt > FRESH_MS;
      if (isOld && !intent.maySignAgain) {
        this.uncertain++;
        return;
      }
      if (isOld || (attempt > 0 && intent.maySignAgain && random.chance(0.5))) sign(intent, attempt * 5);
      const copies = [this.#sendIntent(intent)];
      while (random.chance(0.5) && copies.length < 5) {
        if (intent.maySignAgain && random.chance(0.5)) sign(intent, attempt * 5 + copies.length);
        copies.push(this.#sendIntent(intent));
      }
      if (random.chance(CUT)) void this.#cutSomewhere(intent);
      const verdicts = await Promise.all(copies);
      intent.isSettled = verdicts.some((verdict) => SETTLING.includes(verdict));
      if (verdicts.includes('unexpected')) return;
    }
    if (!intent.isSettled)
      this.unexpected.push(`${intent.kind} ${intent.name}: ${ATTEMPTS_MAX} attempts in vain`);
  }

  /** Sends one copy of the intent over any open connection. */
  async #sendIntent(intent: Intent): Promise<Verdict> {
    const { bytes } = intent;
    let text: string | null;
    try {
      if (intent.kind === 'entry') text = await this.#enter(intent);
      else {
        const pipe = await this.#line(this.#random.below(LINES));
        this.sent++;
        text = (await pipe.ask(bytes))?.body ?? null;
      }
    } catch {
      // No process is listening at the moment: the next attempt waits for the next process.
      await pause(20);
      return 'unanswered';
    }
    const verdict = verdictOf(text);
    this.counts[verdict]++;
    // A repeated transfer gets the response of the original.
    if (verdict === 'done' && intent.kind !== 'transfer') intent.done++;
    if (verdict === 'unexpected') this.unexpected.push(`${intent.kind} ${intent.name}: ${text}`);
    return verdict;
  }

  async #enter({ who, user, order, name }: Intent): Promise<string | null> {
    const lines = this.#entries.get(user) ?? [];
    this.#entries.set(user, lines);
    const at = this.#random.below(2);
    let line = lines[at];
    if (line === undefined || line.isClosed) {
      const opened = await EntryLine.open(await this.#port, who);
      line = lines[at] === undefined || lines[at].isClosed ? opened : lines[at];
      if (line !== opened) opened.cut();
      lines[at] = line;
    }
    this.sent++;
    // The same id again on one session is the same request; on another session the clientOid identifies it.
    return this.#random.chance(0.7) ? line.ask(order, name) : line.ask(order);
  }

  async #line(at: number): Promise<Pipe> {
    const known = this.#lines[at];
    if (known && !known.isClosed) return known;
    const opened = await Pipe.open(await this.#port);
    const other = this.#lines[at];
    if (other && !other.isClosed) {
      opened.cut();
      return other;
    }
    this.#lines[at] = opened;
    return opened;
  }

  /** Before sending, in the middle of a request, while it is handled, or while the response is in flight. */
  async #cutSomewhere({ kind, user, bytes }: Intent): Promise<void> {
    const random = this.#random;
    const entry = kind === 'entry' ? this.#entries.get(user)?.[random.below(2)] : undefined;
    const pipe = this.#lines[random.below(LINES)];
    const moment = random.below(4);
    if (moment === 1) await nextTurn();
    if (moment === 2) await pause(random.below(4));
    if (moment === 3 && bytes.length > 0) pipe?.write(bytes.subarray(0, random.below(bytes.length)));
    const target = entry ?? pipe;
    if (!target || target.isClosed) return;
    target.cut();
    this.cut++;
  }

  close(): void {
    for (const pipe of this.#lines) pipe?.cut();
    for (const lines of this.#entries.values()) for (const line of lines) line?.cut();
  }
}

/** The bid and the memory limit the number of requests; for more, run several storms. */
export async function runStorm(dir: string, requests: number, seed: number): Promise<StormReport> {
  const start = () => ExchangeProcess.start(dir, [], 'unlimited', { limits: { snapshotRecords: 500 } });
  let exchange = await start();
  try {
    const first = await Pipe.open(exchange.port);
    if ((await first.ask(bid()))?.status !== 200) throw new Error('the bid was refused');
    first.cut();
    const storm = new Storm(new Random(seed), exchange.port);
    const running = storm.run(requests);
    while (storm.sent < requests / 2) await pause(1);
    const { promise, resolve } = Promise.withResolvers<number>();
    const isEcho = ({ kind, isSettled }: Intent) => isSettled && kind !== 'transfer' && kind !== 'entry';
    const echoes = storm.intents.filter(isEcho).slice(-ECHOES);
    storm.moveTo(promise);
    await exchange.kill();
    exchange = await start();
    resolve(exchange.port);
    await storm.echo(echoes);
    await running;
    storm.close();
    await exchange.stop();
    return { ...reportOf(storm, seed), ...(await auditStorm(dir, storm.intents)) };
  } finally {
    await exchange.kill();
  }
}

function reportOf(storm: Storm, seed: number): Omit<StormReport, keyof StormAudit> {
  const { intents, counts, sent, cut, uncertain, unexpected, echoesRefused } = storm;
  return {
    seed,
    intents: intents.length,
    sent,
    cut,
    unanswered: counts.unanswered,
    done: counts.done,
    clientIdUsed: counts['client-id-used'],
    repeated: counts.repeated,
    stale: counts.stale,
    echoesRefused,
    toldTwice: intents.filter(({ done }) => done > 1).map(({ name }) => name),
    unexpected: unexpected.slice(0, 5),
    uncertain,
  };
}

/** Violations of a storm: broken promises, and expected events that did not occur. */
export function faultsOf(report: StormReport): string[] {
  const none = { doubled: report.doubled, lost: report.lost, wrongBalances: report.wrongBalances };
  const lists = { ...none, toldTwice: report.toldTwice, unexpected: report.unexpected };
  const broken = Object.entries(lists).flatMap(([name, list]) =>
    list.length === 0 ? [] : [`${name}: ${list.slice(0, 5).join(', ')}`],
  );
  const { cut, unanswered, done, clientIdUsed, repeated, echoesRefused, orders, fills, transfers } = report;
  const counts = { cut, unanswered, done, clientIdUsed, repeated, echoesRefused, orders, fills, transfers };
  const idle = Object.entries(counts).flatMap(([name, count]) => (count > 0 ? [] : [`${name}: none`]));
  // One is the bid, which sells nothing.
  const odd = orders === fills + 1 ? [] : [`${orders} orders and ${fills} fills`];
  return [...broken, ...idle, ...odd];
}

if (import.meta.main) {
  const ROUND = 50_000;
  const { values } = parseArgs({
    options: { requests: { type: 'string', default: String(ROUND) }, seed: { type: 'string', default: '1' } },
  });
  const requests = Number(values.requests);
  for (let done = 0, seed = Number(values.seed); done < requests; seed++) {
    const dir = mkdtempSync(join(tmpdir(), 'bourse-storm-'));
    try {
      const startedAt = performance.now();
      const report = await runStorm(dir, Math.min(ROUND, requests - done), seed);
      const seconds = Math.round((performance.now() - startedAt) / 1000);
      console.log(JSON.stringify({ ...report, seconds }));
      done += report.sent;
      const faults = faultsOf(report);
      if (faults.length > 0) {
        console.error(`seed ${seed}: ${faults.join('; ')}`);
        process.exitCode = 1;
        break;
      }
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  }
}
