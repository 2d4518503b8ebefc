/** Figures of the exchange with their past, as the server keeps it. */

/** Rates in units a second, times in milliseconds, sizes in bytes; null where nothing was measured. */
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
  /** A part of one core. */
  readonly processor: number | null;
}

export interface Figures {
  readonly everyMs: number;
  readonly samples: readonly Sample[];
}

export type FigureRange = 'recent' | 'day';

/** Samples that are further apart than this many steps have a gap between them: the exchange did not run. */
const GAP_STEPS = 2.5;

/** A sample without figures where some are missing, so that no line is drawn across. */
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
