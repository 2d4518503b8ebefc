/**
 * The exchange's figures over time, for the console: every two seconds for five minutes, and every minute for a day. The
 * day is saved to a file, so it survives a restart. The time while the process was down is a gap without samples.
 */

import { type Clock, readText, writePrivateText } from '@bourse/engine';
import { BUCKETS_MS, type Metrics } from '../http/metrics.ts';

export const FIGURES = [
  'time',
  'orders',
  'p50',
  'p99',
  'records',
  'historyLag',
  'queue',
  'connections',
  'feedConnections',
  'diskFree',
  'memory',
  'heap',
  'processor',
] as const;

/**
 * `time` in milliseconds since 1970; rates per second, durations in milliseconds, sizes in bytes, `processor` as a
 * fraction of one core. Null if there was nothing to measure, such as response times without orders.
 */
export type FigureSample = Readonly<Record<(typeof FIGURES)[number], number | null>>;

export type FigureRange = 'recent' | 'day';

export interface FigureRangeTerms {
  readonly everyMs: number;
  readonly kept: number;
}

export const FIGURE_RANGES: Readonly<Record<FigureRange, FigureRangeTerms>> = {
  recent: { everyMs: 2_000, kept: 150 },
  day: { everyMs: 60_000, kept: 1_440 },
};

/** Samples in the moving average of `recent`'s rates and durations: a single one is too noisy. */
const WINDOW = 5;
/** A killed process loses up to this many minutes of the day. */
const SAVED_EVERY = 5;
const ORDER_ROUTE = /place/;

interface Reading {
  readonly time: number;
  readonly orders: number;
  readonly orderTimes: readonly number[];
  readonly records: number;
  readonly processorSeconds: number;
}

export interface FigureHistoryOptions {
  readonly metrics: Metrics;
  readonly clock: Clock;
  /** Absent: the day is kept in memory only. */
  readonly path?: string;
  /** Logs that the file could not be written. */
  readonly warn: (message: string) => void;
}

export class FigureHistory {
  /** Resolves when the previous process's file has been read. */
  readonly loaded: Promise<void>;
  readonly #options: FigureHistoryOptions;
  #recent: readonly FigureSample[] = [];
  #day: readonly FigureSample[] = [];
  /** The latest readings, oldest first. */
  #readings: readonly Reading[] = [];
  #minute: Reading;
  #unsaved = 0;
  #hasWarned = false;
  #saving = Promise.resolve();
  #stop: () => void = () => undefined;
  #isClosed = false;

  constructor(options: FigureHistoryOptions) {
    this.#options = options;
    this.#minute = this.#read();
    this.#readings = [this.#minute];
    this.loaded = this.#load();
    this.#next();
  }

  samples(range: FigureRange): readonly FigureSample[] {
    return range === 'recent' ? this.#recent : this.#day;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stop();
    if (this.#unsaved > 0) this.#save();
    await this.#saving;
  }

  #next(): void {
    this.#stop = this.#options.clock.after(FIGURE_RANGES.recent.everyMs, () => {
      this.#sample();
      this.#next();
    });
  }

  #sample(): void {
    const last = this.#read();
    const { recent, day } = FIGURE_RANGES;
    this.#readings = [...this.#readings, last].slice(-WINDOW - 1);
    this.#recent = added(this.#recent, this.#sampleOf(this.#readings[0]!, last), recent.kept);
    const isJump = last.time < this.#minute.time;
    if (!isJump && last.time - this.#minute.time < day.everyMs) return;
    if (!isJump) this.#day = added(this.#day, this.#sampleOf(this.#minute, last), day.kept);
    this.#minute = last;
    if (++this.#unsaved >= SAVED_EVERY) this.#save();
  }

  #read(): Reading {
    const { metrics, clock } = this.#options;
    const { count, buckets } = metrics.sumOf((route) => ORDER_ROUTE.test(route));
    const { user, system } = process.cpuUsage();
    return {
      time: clock.now(),
      orders: count,
      orderTimes: buckets,
      records: metrics.read('bourse_log_seq'),
      processorSeconds: (user + system) / 1e6,
    };
  }

  #sampleOf(first: Reading, last: Reading): FigureSample {
    const { metrics } = this.#options;
    const seconds = (last.time - first.time) / 1000;
    const rate = (grown: number): number | null => (seconds > 0 ? Math.max(0, grown) / seconds : null);
    const times = last.orderTimes.map((count, at) => count - (first.orderTimes[at] ?? 0));
    const { rss, heapUsed } = process.memoryUsage();
    return {
      time: last.time,
      orders: rate(last.orders - first.orders),
      p50: quantileMs(times, 0.5),
      p99: quantileMs(times, 0.99),
      records: rate(last.records - first.records),
      historyLag: metrics.read('bourse_history_lag_records'),
      queue: metrics.read('bourse_queue_commands'),
      connections: metrics.read('bourse_http_connections'),
      feedConnections: metrics.read('bourse_feed_connections'),
      diskFree: metrics.read('bourse_disk_free_bytes'),
      memory: rss,
      heap: heapUsed,
      processor: rate(last.processorSeconds - first.processorSeconds),
    };
  }

  async #load(): Promise<void> {
    const { path, clock } = this.#options;
    if (path === undefined) return;
    const text = await readText(path).catch(() => '[]');
    const stored = samplesOf(text, clock.now() - FIGURE_RANGES.day.everyMs * FIGURE_RANGES.day.kept);
    this.#day = [...stored, ...this.#day].slice(-FIGURE_RANGES.day.kept);
  }

  #save(): void {
    const { path, warn } = this.#options;
    this.#unsaved = 0;
    if (path === undefined) return;
    const text = JSON.stringify(this.#day);
    this.#saving = this.#saving
      .then(() => writePrivateText(path, text))
      .catch((error: Error) => {
        if (this.#hasWarned || this.#isClosed) return;
        this.#hasWarned = true;
        warn(`The figures of the last day could not be saved: ${error.message}`);
      });
  }
}

/** Drops samples from the future, as after the clock was set back. */
function added(
  samples: readonly FigureSample[],
  sample: FigureSample,
  kept: number,
): readonly FigureSample[] {
  const earlier = samples.at(-1)?.time ?? 0;
  const others =
    earlier < sample.time! ? samples : samples.filter(({ time }) => time !== null && time < sample.time!);
  return [...others, sample].slice(-kept);
}

/** Parses the usable samples of the file, which may be damaged or from another version. */
function samplesOf(text: string, since: number): readonly FigureSample[] {
  let stored: unknown;
  try {
    stored = JSON.parse(text);
  } catch {
    return [];
  }
  if (!Array.isArray(stored)) return [];
  const isFigure = (value: unknown): boolean => value === null || typeof value === 'number';
  return (stored as (FigureSample | null)[]).filter(
    (sample) =>
      sample !== null &&
      typeof sample === 'object' &&
      typeof sample.time === 'number' &&
      sample.time >= since &&
      FIGURES.every((figure) => isFigure(sample[figure])),
  ) as FigureSample[];
}

/**
 * A quantile of a histogram with the buckets of Metrics. `counts` are not cumulative. Returns null if nothing was counted.
 * Interpolates linearly within a bucket, like Prometheus; beyond the last bound it returns that bound.
 */
export function quantileMs(counts: readonly number[], part: number): number | null {
  const all = counts.reduce((sum, count) => sum + count, 0);
  if (all === 0) return null;
  let below = 0;
  for (const [at, count] of counts.entries()) {
    if (below + count >= part * all && count > 0) {
      const lower = at === 0 ? 0 : BUCKETS_MS[at - 1]!;
      const upper = BUCKETS_MS[at];
      return upper === undefined ? lower : lower + (upper - lower) * ((part * all - below) / count);
    }
    below += count;
  }
  return BUCKETS_MS.at(-1)!;
}
