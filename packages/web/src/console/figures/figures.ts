/**
 * The exchange's metrics over time, as recorded by the server, and their display. Amounts of money never pass through
 * here: they stay the text that was sent.
 */

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

const plain = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const precise = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
const STEP = 1024;
const BITS_MAX = 50;
const DIGITS_MAX = 12;

/** Grid steps that are round in the units of bytes. */
export const BYTE_STEPS = Array.from({ length: BITS_MAX }, (_, bits) => 2 ** bits);

/** Grid steps for counts, none below one, and for percentages. */
export const COUNT_STEPS = Array.from({ length: DIGITS_MAX }, (_, power) =>
  [1, 2, 5].map((digit) => digit * 10 ** power),
).flat();
export const PERCENT_STEPS = COUNT_STEPS.map((step) => step / 100);

export const count = (value: number): string => plain.format(value);
export const perSecond = (value: number): string => `${precise.format(value)}/s`;
export const percent = (value: number): string => `${plain.format(value * 100)} %`;
export const milliseconds = (value: number): string => `${precise.format(value)} ms`;

export function bytes(value: number): string {
  let unit = 0;
  let shown = value;
  while (shown >= STEP && unit < UNITS.length - 1) {
    shown /= STEP;
    unit++;
  }
  return `${precise.format(shown)} ${UNITS[unit]}`;
}
