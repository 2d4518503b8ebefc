/**
 * npm run sim -- replay [--requests N] [--seed N]: a million requests by default
 *
 * Signed requests under a clock that jumps. An attacker records every request and replays any of them at any
 * time; the wall clock is set forward and back, even by days, and the exchange is restarted from snapshots
 * with the clock set again. No request may take effect twice. The checks are the real ones: authentication,
 * admission's memory, the core.
 */

import { parseArgs } from 'node:util';
import { Exchange, type Key } from '@bourse/core';
import { ManualClock } from '@bourse/test-kit/manual-clock.ts';
import { Random } from '@bourse/test-kit/random.ts';
import { Authentication, HmacKey } from '../../packages/api/src/gateway/access/authenticate.ts';
import { digestPassphrase, SecretBox } from '../../packages/api/src/gateway/access/secrets.ts';
import {
  OnceIssuer,
  REMEMBERED_MS,
  signedProof,
  WallSigned,
} from '../../packages/api/src/gateway/admission.ts';
import { DIALECTS } from '../../packages/api/src/gateway/route.ts';
import { Refusal } from '../../packages/api/src/gateway/errors/refusal.ts';
import { LogTime } from '../../packages/engine/src/log-time.ts';

export interface ReplayReport {
  readonly sent: number;
  readonly repeated: number;
  readonly acted: number;
  readonly jumps: number;
  readonly restarts: number;
  /** Number of rejections per reason. */
  readonly refused: Readonly<Record<string, number>>;
  /** Requests that took effect more than once. */
  readonly twice: number;
}

const SKEW_MS = 5000;
const SECRET = 'a-secret';
const PASSPHRASE = 'a-passphrase';
const PATH = '/api/v1/hf/orders/cancelAll';
const DAY_MS = 86_400_000;
/** How many of the latest recorded requests are replayed more often than the others. */
const LATEST = 50;

interface Sent {
  readonly sign: string;
  readonly timestamp: string;
  acted: number;
}

class World {
  readonly clock = new ManualClock();
  readonly sent: Sent[] = [];
  readonly refused = new Map<string, number>();
  readonly counts = { repeated: 0, acted: 0, jumps: 0, restarts: 0, twice: 0 };
  readonly #random: Random;
  readonly #box = new SecretBox(Buffer.alloc(32, 7));
  readonly #signing = new HmacKey(SECRET);
  #exchange = new Exchange();
  #time: LogTime;

  constructor(seed: number) {
    this.#random = new Random(seed);
    this.#time = new LogTime(this.clock, 0);
    const refused = this.#apply({ kind: 'add-user', name: 'somebody', by: 'sim', why: 'sim' } as never);
    if (refused !== null) throw new Error(refused);
  }

  /** Sends one request, new or kept, after random events. */
  step(): void {
    const random = this.#random;
    this.#pass(random.below(4) === 0 ? random.below(20_000) : random.below(200));
    if (random.below(100) === 0) this.#jump();
    if (random.below(500) === 0) this.#restart();
    if (this.sent.length > 0 && random.below(2) === 0) {
      this.counts.repeated++;
      this.#send(this.#kept());
    } else this.#send(this.#signNew());
  }

  #pass(ms: number): void {
    this.clock.wall += ms;
    this.clock.monotonic += ms;
  }

  #jump(): void {
    const random = this.#random;
    this.counts.jumps++;
    // Every other time the clock is corrected, or set to a time believed to be correct.
    if (random.below(2) === 0) {
      this.clock.wall = this.#exchange.time + random.below(2000);
      return;
    }
    const size = [10_000, 60_000, 300_000, 3_600_000, 3 * DAY_MS][random.below(5)];
    this.clock.jump((random.below(2) === 0 ? -1 : 1) * random.below(size));
    // Sometimes exactly to the time of a recorded request: the worst case.
    if (this.sent.length > 0 && random.below(3) === 0) this.clock.wall = Number(this.#kept().timestamp);
  }

  #restart(): void {
    this.counts.restarts++;
    if (this.#random.below(2) === 0) this.#jump();
    this.#exchange = Exchange.restore(this.#exchange.snapshot());
    this.#time = new LogTime(this.clock, this.#exchange.time);
  }

  #kept(): Sent {
    const { sent } = this,
      random = this.#random;
    const from = random.below(2) === 0 ? Math.max(0, sent.length - LATEST) : 0;
    return sent[from + random.below(sent.length - from)];
  }

  #signNew(): Sent {
    const timestamp = String(Math.floor(this.clock.wall) + this.#random.below(2 * SKEW_MS) - SKEW_MS);
    const made = { timestamp, sign: this.#signing.sign(`${timestamp}DELETE${PATH}`, undefined), acted: 0 };
    this.sent.push(made);
    return made;
  }

  #send(request: Sent): void {
    try {
      const { signature, timestamp } = this.#authentication().authenticate(this.#signed(request), 'spot');
      const once = this.#issuer().issue(signedProof(signature, timestamp));
      const rejected = this.#apply({ kind: 'cancel-orders', user: 0, ...(once && { once }) } as never);
      if (rejected !== null) this.#count(rejected);
      else {
        this.counts.acted++;
        if (++request.acted === 2) this.counts.twice++;
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#count(error.error);
    }
  }

  #count(reason: string): void {
    this.refused.set(reason, (this.refused.get(reason) ?? 0) + 1);
  }

  #authentication(): Authentication {
    const secret = this.#box.seal(SECRET, PASSPHRASE);
    const key = {
      key: 'k',
      user: 0,
      version: 2,
      secret,
      permissions: ['spot'],
      ipAllowList: [],
    } as unknown as Key;
    return new Authentication({
      keys: { key: () => key },
      secrets: this.#box,
      skewMsMax: SKEW_MS,
      isSandbox: false,
      isClockOff: () => false,
    });
  }

  #issuer(): OnceIssuer {
    const aheadMs = Math.max(0, this.#time.now() - this.clock.now());
    return new OnceIssuer({ aheadMs }, this.clock, SKEW_MS, new WallSigned(this.clock, REMEMBERED_MS));
  }

  #signed({ sign, timestamp }: Sent) {
    return {
      dialect: DIALECTS[0],
      method: 'DELETE',
      url: PATH,
      headers: {
        'svc-api-key': 'k',
        'svc-api-sign': sign,
        'svc-api-timestamp': timestamp,
        'svc-api-passphrase': digestPassphrase(SECRET, PASSPHRASE),
        'svc-api-key-version': '2',
      },
      body: undefined,
      ip: '127.0.0.1',
      time: this.clock.now(),
      wallTime: this.clock.now(),
    };
  }

  /** The code of the rejection, or null. */
  #apply(command: never): string | null {
    const record = { seq: this.#exchange.seq + 1, time: this.#time.now(), commands: [command] };
    const [outcome] = this.#exchange.apply(record as never).outcomes.decode();
    return outcome.kind === 'rejected' ? outcome.rejection.code : null;
  }
}

export function runReplay(requests: number, seed: number): ReplayReport {
  const world = new World(seed);
  for (let i = 0; i < requests; i++) world.step();
  return { sent: requests, ...world.counts, refused: Object.fromEntries(world.refused) };
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { requests: { type: 'string', default: '1000000' }, seed: { type: 'string', default: '1' } },
  });
  /** A world keeps every request, so a long run consists of many worlds. */
  const WORLD = 20_000;
  let twice = 0;
  for (let done = 0, seed = Number(values.seed); done < Number(values.requests); done += WORLD, seed++) {
    const report = runReplay(WORLD, seed);
    twice += report.twice;
    console.log(`seed ${seed}: ${JSON.stringify(report)}`);
  }
  console.log(`${twice} requests acted twice`);
  if (twice > 0) process.exitCode = 1;
}
