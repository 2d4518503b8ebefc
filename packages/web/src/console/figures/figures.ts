/** The exchange's figures over time, as recorded by the server. */

/** Rates per second, durations in milliseconds, sizes in bytes; null if nothing was measured. */
export interface Sample {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly orders: number | null;
  readonly p50: number | null;
  readonly p99: number | null;
  readonly records: number | null;
  readonly historyLag: number | null;
  readonly queue: number | null;
  readonly connections: number | null;
  readonly feedConnections: number | null;
  readonly diskFree: number | null;
  readonly memory: number | null;
  readonly heap: number | null;
  /** Fraction of one core. */
  readonly processor: number | null;
}

export interface Figures {
  readonly everyMs: number;
  readonly samples: readonly Sample[];
}

export type FigureRange = 'recent' | 'day';

/** If two samples are more than this many steps apart, the exchange was not running in between. */
const GAP_STEPS = 2.5;

/** Inserts an empty sample into each gap, so that no line is drawn across it. */
export function withGaps({ everyMs, samples }: Figures): readonly Sample[] {
  return samples.flatMap((sample, at) => {
    const before = samples[at - 1];
    const isGap = before !== undefined && sample.time - before.time > GAP_STEPS * everyMs;
    return isGap ? [nothingAt(before.time + everyMs), sample] : [sample];
  });
}

const nothingAt = (time: number): Sample => ({
  time,
  orders: null,
  p50: null,
  p99: null,
  records: null,
  historyLag: null,
  queue: null,
  connections: null,
  feedConnections: null,
  diskFree: null,
  memory: null,
  heap: null,
  processor: null,
});
