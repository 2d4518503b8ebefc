/**
 * npm run sim -- crowd [--connections N] [--turns N] [--rate N] [--seconds N]
 *
 * Promise 14: the effect of idle and slow connections on the latency of traders. Rounds with and without
 * them alternate, and the median counts, so that a slow moment of the machine does not matter.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ExchangeProcess } from '@bourse/test-kit/wire/exchange-process.ts';
import { offer, type OpenLoopReport } from '@bourse/test-kit/wire/requests.ts';
import { signRequests } from '../../bench/http/requests.ts';

export interface CrowdOptions {
  readonly connections: number;
  readonly turns: number;
  /** Traders' orders per second, and the duration of each half of a round. */
  readonly rate: number;
  readonly seconds: number;
}

export interface CrowdReport {
  /** Connections of the crowd that were lost before a load began, each with the reason; empty if none. */
  readonly lostAtFirst: readonly string[];
  /** Connections open when a load ended, the minimum of all rounds. */
  readonly heldLeast: number;
  /** Slow senders, and how many of them the server has disconnected at the end. */
  readonly slow: number;
  readonly slowCut: number;
  readonly sent: number;
  readonly answered: number;
  /** The ratio of the medians, and the figures of each round without and with the crowd. */
  readonly ratio: number;
  readonly p99Ms: readonly (readonly [without: number, within: number])[];
}

const TRADERS = 8;
const OPEN_AT_ONCE = 200;
const DRIP_MS = 1000;
const CUT_MS_MAX = 60_000;
/** Longer than any machine needs to open the crowd, so that none is closed while others still connect. */
const HEADERS_MS = 20_000;
/** The incomplete request of a slow sender; the rest of the crowd sends nothing. */
const HALF = 'POST /api/v1/hf/orders HTTP/1.1\r\nhost: localhost\r\nx-slow: ';

const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[list.length >> 1] ?? 0;

export async function runCrowd(dir: string, options: CrowdOptions): Promise<CrowdReport> {
  const most = options.connections + 1000;
  const limits = { connectionsMax: most, connectionsPerAddressMax: most, headersTimeoutMs: HEADERS_MS };
  const exchange = await ExchangeProcess.start(dir, [], 'unlimited', { limits });
  try {
    const load = (): Promise<OpenLoopReport> => trade(exchange.port, options);
    await load();
    const turns: OpenLoopReport[][] = [];
    const lostAtFirst: string[] = [];
    let [heldLeast, slow, slowCut] = [options.connections, 0, 0];
    for (let turn = 0; turn < options.turns; turn++) {
      const without = await load();
      const crowd = await Crowd.gather(exchange.port, options.connections);
      lostAtFirst.push(...crowd.lost);
      const within = await load();
      turns.push([without, within]);
      heldLeast = Math.min(heldLeast, crowd.held);
      if (turn === options.turns - 1) {
        const deadline = Date.now() + CUT_MS_MAX;
        while (crowd.slowCut < crowd.slow && Date.now() < deadline) await pause(20);
        ({ slow, slowCut } = crowd);
      }
      crowd.leave();
      await pause(100);
    }
    const p99Ms = turns.map(
      ([without, within]) => [without!.answered.p99Ms, within!.answered.p99Ms] as const,
    );
    const done = turns.flat();
    return {
      lostAtFirst,
      heldLeast,
      slow,
      slowCut,
      sent: done.length * Math.ceil(options.rate * options.seconds),
      answered: done.reduce((sum, { statuses }) => sum + (statuses[200] ?? 0), 0),
      ratio: median(p99Ms.map(([, within]) => within)) / median(p99Ms.map(([without]) => without)),
      p99Ms,
    };
  } finally {
    await exchange.stop();
  }
}

function trade(port: number, { rate, seconds }: CrowdOptions): Promise<OpenLoopReport> {
  const requests = signTrades(Math.ceil(rate * seconds), TRADERS);
  return offer({ port, rate, connections: TRADERS, requests });
}

/** Orders of several users that trade with each other, in the order in which the connections send. */
export function signTrades(count: number, connections: number): Buffer[] {
  const each = Array.from({ length: connections }, (_, at) =>
    signRequests('place', at, Math.ceil(count / connections), ''),
  );
  return Array.from({ length: count }, (_, at) => each[at % connections]![Math.floor(at / connections)]!);
}

class Crowd {
  readonly slow: number;
  slowCut = 0;
  held = 0;
  readonly lost: string[] = [];
  readonly #startedAt = Date.now();
  readonly #sockets: Socket[] = [];
  readonly #timer: NodeJS.Timeout;

  private constructor(count: number) {
    this.slow = count >> 1;
    this.#timer = setInterval(() => this.#drip(), DRIP_MS);
  }

  static async gather(port: number, count: number): Promise<Crowd> {
    const crowd = new Crowd(count);
    for (let from = 0; from < count; from += OPEN_AT_ONCE) {
      const many = Math.min(OPEN_AT_ONCE, count - from);
      await Promise.all(Array.from({ length: many }, (_, i) => crowd.#join(port, (from + i) % 2 === 1)));
    }
    return crowd;
  }

  #join(port: number, isSlow: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => {
        this.held++;
        if (isSlow) {
          this.#sockets.push(socket);
          socket.write(HALF);
        } else this.#sockets.unshift(socket);
        resolve();
      });
      let last = 'nothing was said';
      socket.on('error', (error) => {
        last = error.message;
        reject(error);
      });
      socket.on('data', (bytes) => (last = `${bytes}`));
      socket.on('close', () => {
        this.held--;
        if (isSlow) this.slowCut++;
        this.lost.push(`a ${isSlow ? 'slow' : 'idle'} one ${Date.now() - this.#startedAt} ms later: ${last}`);
      });
    });
  }

  /** Adds one byte to a header that never ends. */
  #drip(): void {
    for (const socket of this.#sockets.slice(-this.slow)) if (socket.writable) socket.write('x');
  }

  leave(): void {
    clearInterval(this.#timer);
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      connections: { type: 'string', default: '1000' },
      turns: { type: 'string', default: '7' },
      rate: { type: 'string', default: '500' },
      seconds: { type: 'string', default: '4' },
    },
  });
  const dir = mkdtempSync(join(tmpdir(), 'bourse-crowd-'));
  try {
    const report = await runCrowd(dir, {
      connections: Number(values.connections),
      turns: Number(values.turns),
      rate: Number(values.rate),
      seconds: Number(values.seconds),
    });
    const each = report.p99Ms
      .map(([without, within]) => `${without.toFixed(2)} ${within.toFixed(2)}`)
      .join(', ');
    console.log(
      `${values.connections} connections, of which ${report.slow} slow; at least ${report.heldLeast} held`,
    );
    console.log(`orders at ${values.rate}/s: ${report.answered} of ${report.sent} answered`);
    console.log(
      `p99 without and with them, ms: ${each}; ratio of the medians ${report.ratio.toFixed(2)}, bar 2`,
    );
    console.log(`slow senders cut: ${report.slowCut}`);
    if (report.answered < report.sent || report.slowCut < report.slow || report.ratio > 2)
      process.exitCode = 1;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
