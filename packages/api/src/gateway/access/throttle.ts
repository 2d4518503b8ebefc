/**
 * Rate limits: weights from pools, and bytes of the log. A pool belongs to one sender: a user, a token or, without
 * authentication, a client address (in IPv6 its network). It is refilled when its window ends; a window starts with the
 * first request after the previous one ended. A request that costs more than is left is rejected and costs nothing.
 */

import type { Command } from '@bourse/core';
import {
  type Clock,
  type ExchangePort,
  ForwardingPort,
  OPERATOR,
  type Sender,
  type Waiter,
} from '@bourse/engine';
import type { Catalogue } from '../../views/catalogue.ts';
import { Refusal } from '../errors/refusal.ts';
import type { Pool, SenderPool } from '../route.ts';

export interface Quotas {
  readonly windowMs: number;
  /** Weight per window. */
  readonly spot: number;
  readonly manage: number;
  readonly public: number;
  /** Paths outside the interface: documentation, metrics, unknown paths; the pages have a second pool of this size. */
  readonly service: number;
  readonly operator: number;
  readonly questionnairesPerSecondMax: number;
  /** By a user's tier; omitted values are as above. */
  readonly tiers: Readonly<Record<number, { readonly spot?: number; readonly manage?: number }>>;
}

export const DEFAULT_QUOTAS: Quotas = {
  windowMs: 30_000,
  spot: 4000,
  manage: 2000,
  public: 2000,
  service: 2000,
  operator: 20_000,
  questionnairesPerSecondMax: 10,
  tiers: {
    1: { spot: 6000 },
    2: { spot: 8000, manage: 4000 },
    3: { spot: 10_000, manage: 5000 },
    4: { spot: 13_000, manage: 6000 },
    5: { spot: 16_000, manage: 7000 },
    6: { spot: 20_000, manage: 8000 },
    7: { spot: 23_000, manage: 10_000 },
    8: { spot: 26_000, manage: 12_000 },
    9: { spot: 30_000, manage: 14_000 },
    10: { spot: 33_000, manage: 16_000 },
    11: { spot: 36_000, manage: 18_000 },
    12: { spot: 40_000, manage: 20_000 },
  },
};

/**
 * Bytes of the log for each unit of trading weight. The largest request of weight 1, a batch of 20 orders with the
 * longest texts, takes 2,976. A single user reaches the documented rate limit first; a master with many sub-accounts
 * is bounded by this: 12 MB in 30 s at the lowest tier, 35 GB a day.
 */
export const DEFAULT_LOG_BYTES_PER_WEIGHT = 3072;

const SECOND_MS = 1000;
/** A sweep visits every window, so it runs only when there are twice as many as after the last one. */
const SWEEP_COUNT_MIN = 1024;

interface Window {
  /** In monotonic time. */
  end: number;
  used: number;
}

/** The values of the response headers; `allowed` false: over the limit. */
export interface RateUsage {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Milliseconds until the pool is full again. */
  resetMs: number;
}

/** Current windows in exchange time, by pool. */
export type ThrottleState = Readonly<
  Record<
    Exclude<Pool, 'service' | 'pages' | 'operator'>,
    readonly (readonly [owner: string | number, end: number, used: number])[]
  >
>;

/** Called for every request that spends weight; `used` is the window's total, this request included. */
type SpentListener = (
  pool: string,
  owner: string | number,
  weight: number,
  limit: number,
  used: number,
) => void;

/** The weight that each owner has spent in its window. */
class Pools<Owner extends string | number> {
  readonly windows = new Map<Owner, Window>();
  onSpent: ((owner: Owner, weight: number, limit: number, used: number) => void) | undefined;
  readonly #windowMs: number;
  readonly #clock: Clock;
  #sweepAt = SWEEP_COUNT_MIN;

  constructor(windowMs: number, clock: Clock) {
    this.#windowMs = windowMs;
    this.#clock = clock;
  }

  /** Weight 0 only queries. Returns a new object, because the request keeps it until its response. */
  spend(owner: Owner, weight: number, limit: number): RateUsage {
    const now = this.#clock.elapsed();
    let window = this.windows.get(owner);
    if (window === undefined || window.end <= now) {
      if (weight === 0) return { allowed: true, limit, remaining: limit, resetMs: this.#windowMs };
      window = this.#begin(owner, now, window);
    }
    const allowed = window.used + weight <= limit;
    if (allowed) {
      window.used += weight;
      if (weight > 0) this.onSpent?.(owner, weight, limit, window.used);
    }
    return {
      allowed,
      limit,
      remaining: Math.max(0, limit - window.used),
      // Adding and subtracting fractions may leave a rounding error.
      resetMs: Math.min(this.#windowMs, Math.ceil(window.end - now)),
    };
  }

  /** Weight spent elsewhere, counted even beyond the limit. */
  note(owner: Owner, weight: number): void {
    const now = this.#clock.elapsed();
    const known = this.windows.get(owner);
    const window = known === undefined || known.end <= now ? this.#begin(owner, now, known) : known;
    window.used += weight;
  }

  #begin(owner: Owner, now: number, known: Window | undefined): Window {
    let window = known;
    if (window === undefined) {
      if (this.windows.size >= this.#sweepAt) this.#sweep(now);
      window = { end: 0, used: 0 };
      this.windows.set(owner, window);
    }
    window.end = now + this.#windowMs;
    window.used = 0;
    return window;
  }

  get state(): [Owner, number, number][] {
    const now = this.#clock.elapsed();
    const open = [...this.windows].filter(([, { end }]) => end > now);
    return open.map(([owner, { end, used }]) => [owner, end, used]);
  }

  restore(state: readonly (readonly [string | number, number, number])[]): void {
    for (const [owner, end, used] of state) this.windows.set(owner as Owner, { end, used });
  }

  #sweep(now: number): void {
    for (const [owner, window] of this.windows) if (window.end <= now) this.windows.delete(owner);
    this.#sweepAt = Math.max(SWEEP_COUNT_MIN, this.windows.size * 2);
  }
}

export class Throttle {
  #quotas: Quotas;
  readonly #spot: Pools<number>;
  readonly #manage: Pools<number>;
  readonly #questionnaire: Pools<number>;
  readonly #bySender: Readonly<Record<SenderPool, Pools<string>>>;

  constructor(quotas: Quotas, clock: Clock) {
    this.#quotas = quotas;
    this.#spot = new Pools(quotas.windowMs, clock);
    this.#manage = new Pools(quotas.windowMs, clock);
    this.#questionnaire = new Pools(SECOND_MS, clock);
    const pools = (by: Clock) => new Pools<string>(quotas.windowMs, by);
    const { machine } = clock;
    // Pools of operators, of the control API and of the pages use the machine's time: while a sandbox's clock stands
    // still, they would never be refilled.
    this.#bySender = {
      public: pools(clock),
      service: pools(machine),
      pages: pools(machine),
      operator: pools(machine),
    };
  }

  /** Takes effect at once; current windows continue with their length. */
  setQuotas(quotas: Quotas): void {
    this.#quotas = quotas;
  }

  spendAsUser(pool: Exclude<Pool, SenderPool>, user: number, tier: number, weight: number): RateUsage {
    const quotas = this.#quotas;
    switch (pool) {
      case 'spot':
        return this.#spot.spend(user, weight, quotas.tiers[tier]?.spot ?? quotas.spot);
      case 'manage':
        return this.#manage.spend(user, weight, quotas.tiers[tier]?.manage ?? quotas.manage);
      case 'questionnaire':
        return this.#questionnaire.spend(user, weight, quotas.questionnairesPerSecondMax);
    }
  }

  /** `sender`: see `senderOf`. */
  spendAsSender(pool: SenderPool, sender: string, weight: number): RateUsage {
    return this.#bySender[pool].spend(sender, weight, this.#quotas[pool === 'pages' ? 'service' : pool]);
  }

  /** Pools shared by all nodes of a cluster. */
  get #shared(): ReadonlyMap<string, Pools<number> | Pools<string>> {
    const spot = this.#spot,
      manage = this.#manage,
      questionnaire = this.#questionnaire,
      bySender = this.#bySender;
    return new Map<string, Pools<number> | Pools<string>>([
      ['spot', spot],
      ['manage', manage],
      ['questionnaire', questionnaire],
      ['public', bySender.public],
    ]);
  }

  onSpent(listener: SpentListener): void {
    for (const [name, pools] of this.#shared) {
      pools.onSpent = (owner: string | number, weight: number, limit: number, used: number) =>
        listener(name, owner, weight, limit, used);
    }
  }

  /** Weight spent at another node. */
  noteSpent(pool: string, owner: string | number, weight: number): void {
    this.#shared.get(pool)?.note(owner as never, weight);
  }

  /** The current windows. A restored sandbox, whose clock continues, takes them over. */
  get state(): ThrottleState {
    const spot = this.#spot,
      manage = this.#manage,
      questionnaire = this.#questionnaire,
      bySender = this.#bySender;
    return {
      spot: spot.state,
      manage: manage.state,
      questionnaire: questionnaire.state,
      public: bySender.public.state,
    };
  }

  restore(state: ThrottleState): void {
    this.#spot.restore(state.spot);
    this.#manage.restore(state.manage);
    this.#questionnaire.restore(state.questionnaire);
    this.#bySender.public.restore(state.public);
  }

  /** Windows in memory, for the metrics. */
  get sizes(): Readonly<Record<Pool, number>> {
    return {
      spot: this.#spot.windows.size,
      manage: this.#manage.windows.size,
      questionnaire: this.#questionnaire.windows.size,
      public: this.#bySender.public.windows.size,
      service: this.#bySender.service.windows.size,
      pages: this.#bySender.pages.windows.size,
      operator: this.#bySender.operator.windows.size,
    };
  }
}

/** In addition to the command itself: the request id, and its share of the record. */
const ENVELOPE_BYTES = 32;

const ENDS: ReadonlySet<Command['kind']> = new Set<Command['kind']>([
  'cancel-order',
  'cancel-orders',
  'cancel-stop-order',
  'cancel-oco-order',
  'cancel-withdrawal',
  'reduce-order',
  'set-switch',
]);

export type LogQuotas = Pick<Quotas, 'windowMs' | 'spot' | 'tiers'> & {
  readonly logBytesPerWeight: number;
  /** The approximate size of a command in the log. */
  readonly bytesOf: (command: Command) => number;
};

/**
 * Bounds the bytes that one master with all its sub-accounts writes into the log per rate limit window: a number of
 * bytes for each unit of trading weight in the master's tier. Rate limits count requests, but a batch with long texts
 * costs a hundred times the bytes of a cancellation, and each sub-account has its own rate limit.
 *
 * Cancellations have a separate budget of the same size, so a user who has used up the first one can still cancel.
 */
export class LogBudget extends ForwardingPort {
  readonly #catalogue: Pick<Catalogue, 'user'>;
  readonly #quotas: LogQuotas;
  readonly #begun: Pools<number>;
  readonly #ended: Pools<number>;

  constructor(port: ExchangePort, catalogue: Pick<Catalogue, 'user'>, quotas: LogQuotas, clock: Clock) {
    super(port);
    this.#catalogue = catalogue;
    this.#quotas = quotas;
    // Uses the machine's time, because the disk fills in real time and a sandbox's clock may stand still.
    this.#begun = new Pools(quotas.windowMs, clock.machine);
    this.#ended = new Pools(quotas.windowMs, clock.machine);
  }

  override send(command: Command, waiter: Waiter, sender: Sender): void {
    if (sender !== OPERATOR) this.#spend(command, sender);
    super.send(command, waiter, sender);
  }

  #spend(command: Command, sender: number): void {
    const parent = this.#catalogue.user(sender)?.parent ?? OPERATOR;
    const master = parent === OPERATOR ? sender : parent;
    const { spot, tiers, logBytesPerWeight, bytesOf } = this.#quotas;
    const weight = tiers[this.#catalogue.user(master)?.tier ?? 0]?.spot ?? spot;
    const pools = ENDS.has(command.kind) ? this.#ended : this.#begun;
    const bytes = ENVELOPE_BYTES + bytesOf(command);
    const { allowed, limit, remaining, resetMs } = pools.spend(master, bytes, weight * logBytesPerWeight);
    if (allowed) return;
    throw new Refusal(
      'too-many-requests',
      `This takes ${bytes} bytes of the log; you and your sub-accounts have ${remaining} of ${limit} left, and the ` +
        `budget is full again in ${resetMs} ms. Orders can still be cancelled.`,
    );
  }
}
