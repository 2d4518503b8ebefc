/**
 * Prometheus metrics. Requests are counted in plain numbers and formatted here: a labelled metric of the library
 * would cost every request more than its parsing.
 */

import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import type { Clock, EngineHealth } from '@bourse/engine';
import type { Throttle } from '../access/throttle.ts';
import type { UnreadResponses } from './connections.ts';

export const BUCKETS_MS = [0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000];
const STATES: readonly EngineHealth['state'][] = [
  'starting',
  'open',
  'full',
  'clock',
  'no-leader',
  'stopped',
];

const MADE_MS_MAX = 1000;

/** One route in one dialect, wherever it is mounted. */
export class Meter {
  readonly route: string;
  readonly dialect: string;
  readonly byStatus = new Map<number, number>();
  /** Not cumulative; the last bucket is unbounded. */
  readonly buckets = new Float64Array(BUCKETS_MS.length + 1);
  totalMs = 0;

  constructor(route: string, dialect: string) {
    this.route = route;
    this.dialect = dialect;
  }

  count(status: number, ms: number): void {
    this.byStatus.set(status, (this.byStatus.get(status) ?? 0) + 1);
    this.totalMs += ms;
    let bucket = 0;
    while (bucket < BUCKETS_MS.length && ms > BUCKETS_MS[bucket]) bucket++;
    this.buckets[bucket]++;
  }
}

export interface Watched {
  readonly health: () => EngineHealth;
  readonly throttle: Throttle;
  readonly connections: () => number;
  readonly unread: UnreadResponses;
}

/** Counts of operators' requests. */
export interface OperatorFigures {
  /** Requests by error code, or `ok`. */
  readonly counts: Iterable<readonly [outcome: string, count: number]>;
  readonly isGuessed: boolean;
}

/** Free addresses in loaded lists. */
export interface AddressFigures {
  readonly refused: number;
  look(): Promise<ReadonlyMap<string, number>>;
}

export class Metrics {
  readonly #registry = new Registry();
  readonly #meters: Meter[] = [];
  readonly #gauges = new Map<string, () => number>();
  readonly #clock: Clock;
  #operators: OperatorFigures | undefined;
  #made: Promise<string> | undefined;
  #madeAt = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    collectDefaultMetrics({ register: this.#registry });
  }

  meter(route: string, dialect: string): Meter {
    const shared = this.#meters.find((each) => each.route === route && each.dialect === dialect);
    if (shared) return shared;
    const meter = new Meter(route, dialect);
    this.#meters.push(meter);
    return meter;
  }

  watch({ health, throttle, connections, unread }: Watched): void {
    this.gauge('bourse_queue_commands', 'Commands that are not in a record yet.', () => health().waiting);
    this.gauge('bourse_log_seq', 'Sequence of the last durable record.', () => health().seq);
    this.gauge('bourse_snapshot_seq', 'Sequence of the newest snapshot.', () => health().snapshotSeq);
    this.gauge(
      'bourse_history_lag_records',
      'Records that history does not have yet.',
      () => health().historyLag,
    );
    this.gauge(
      'bourse_degraded',
      '1 if a part of the cluster is missing or differs; /readyz names it.',
      () => (health().degraded === undefined ? 0 : 1),
    );
    this.gauge('bourse_http_connections', 'Open connections.', connections);
    this.gauge(
      'bourse_http_unread_bytes',
      'Bytes of responses that clients have not read.',
      () => unread.waitingBytes,
    );
    this.gauge(
      'bourse_http_unread_cut',
      'Connections closed because their responses were not read.',
      () => unread.cut,
    );
    const state: Gauge = new Gauge({
      name: 'bourse_engine_state',
      help: '1 for the current state of the engine, 0 for the others.',
      labelNames: ['state'],
      registers: [this.#registry],
      collect: () => {
        for (const each of STATES) state.set({ state: each }, health().state === each ? 1 : 0);
      },
    });
    const windows: Gauge = new Gauge({
      name: 'bourse_throttle_windows',
      help: 'Owners with a current window, by pool.',
      labelNames: ['pool'],
      registers: [this.#registry],
      collect: () => {
        for (const [pool, size] of Object.entries(throttle.sizes)) windows.set({ pool }, size);
      },
    });
  }

  watchOperators(traffic: OperatorFigures): void {
    this.#operators = traffic;
    this.gauge('bourse_operator_guessing', '1 after several wrong operator tokens within a minute.', () =>
      traffic.isGuessed ? 1 : 0,
    );
  }

  watchAddresses(stock: AddressFigures): void {
    const free: Gauge = new Gauge({
      name: 'bourse_addresses_free',
      help: 'Loaded deposit addresses that are not assigned, by chain. At 0, requests for an address are refused.',
      labelNames: ['chain'],
      registers: [this.#registry],
      collect: async () => {
        free.reset();
        for (const [chain, count] of await stock.look()) free.set({ chain }, count);
      },
    });
    const refused: Counter = new Counter({
      name: 'bourse_address_refusals_total',
      help: 'Requests for a deposit address that were refused because none was left.',
      registers: [this.#registry],
      collect: () => {
        refused.reset();
        refused.inc(stock.refused);
      },
    });
  }

  /** The current value of a gauge; 0 if there is none with that name. */
  read(name: string): number {
    return this.#gauges.get(name)?.() ?? 0;
  }

  /** Sums the counts and durations of completed requests over the matching routes. */
  sumOf(isWanted: (route: string) => boolean): {
    readonly count: number;
    readonly buckets: readonly number[];
  } {
    const buckets = Array.from({ length: BUCKETS_MS.length + 1 }, () => 0);
    for (const meter of this.#meters) {
      if (!isWanted(meter.route)) continue;
      for (const [at, count] of meter.buckets.entries()) buckets[at]! += count;
    }
    return { count: buckets.reduce((sum, count) => sum + count, 0), buckets };
  }

  /** A gauge that is read when the metrics are requested. */
  gauge(name: string, help: string, read: () => number): void {
    this.#gauges.set(name, read);
    const made: Gauge = new Gauge({
      name,
      help,
      registers: [this.#registry],
      collect: () => made.set(read()),
    });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** Up to MADE_MS_MAX old: generating it takes milliseconds, and anybody may request it. */
  text(): Promise<string> {
    const now = this.#clock.elapsed();
    if (this.#made === undefined || now - this.#madeAt >= MADE_MS_MAX) {
      this.#madeAt = now;
      this.#made = this.#make();
    }
    return this.#made;
  }

  async #make(): Promise<string> {
    return `${await this.#registry.metrics()}\n${this.#requestCounts()}${this.#requestTimes()}${this.#operatorCounts()}`;
  }

  #operatorCounts(): string {
    const name = 'bourse_operator_requests_total';
    const lines = [`# HELP ${name} Completed operator requests, by error code.`, `# TYPE ${name} counter`];
    for (const [outcome, count] of this.#operators?.counts ?? []) {
      lines.push(`${name}{outcome="${outcome}"} ${count}`);
    }
    return `${lines.join('\n')}\n`;
  }

  #requestCounts(): string {
    const lines = [
      '# HELP bourse_http_requests_total Completed requests.',
      '# TYPE bourse_http_requests_total counter',
    ];
    for (const meter of this.#meters) {
      for (const [status, count] of meter.byStatus) {
        lines.push(`bourse_http_requests_total{${labels(meter)},status="${status}"} ${count}`);
      }
    }
    return `${lines.join('\n')}\n`;
  }

  #requestTimes(): string {
    const name = 'bourse_http_request_seconds';
    const lines = [
      `# HELP ${name} From reading the headers to sending the response.`,
      `# TYPE ${name} histogram`,
    ];
    for (const meter of this.#meters) {
      if (meter.byStatus.size === 0) continue;
      let below = 0;
      for (const [i, count] of meter.buckets.entries()) {
        below += count;
        const le = i < BUCKETS_MS.length ? String(BUCKETS_MS[i] / 1000) : '+Inf';
        lines.push(`${name}_bucket{${labels(meter)},le="${le}"} ${below}`);
      }
      lines.push(
        `${name}_sum{${labels(meter)}} ${meter.totalMs / 1000}`,
        `${name}_count{${labels(meter)}} ${below}`,
      );
    }
    return `${lines.join('\n')}\n`;
  }
}

const labels = ({ route, dialect }: Meter): string => `route="${route}",dialect="${dialect}"`;
