/**
 * Imported candles as bytes, delta-encoded: tens of thousands arrive together, and most differ little from the previous one.
 * Starts are minutes since the previous start, prices relative to the last close. Anything else has the general layout.
 */

import type { ImportCandles, ImportedCandle, Interval, Once } from '@bourse/core';
import { isSmall } from './any-command.ts';
import type { ByteSink } from '../../bytes/byte-sink.ts';
import type { ByteSource } from '../../bytes/byte-source.ts';
import { hasFields } from './order-layout.ts';

const MINUTE_MS = 60_000;

/** Returns false if something does not fit. */
export function writeImport(sink: ByteSink, command: ImportCandles & { once?: Once }): boolean {
  const { symbol, interval, candles, by, why, once } = command;
  const fields = 4 + [by, why, once].filter((each) => each !== undefined).length;
  if (!isSmall(symbol) || typeof interval !== 'string' || !Array.isArray(candles)) return false;
  if (!isOptionalText(by) || !isOptionalText(why) || !hasFields(command, fields)) return false;
  sink.varint(symbol);
  sink.text(interval);
  writeOptional(sink, by);
  writeOptional(sink, why);
  sink.varint(candles.length);
  let before = { start: 0, close: 0 };
  for (const candle of candles as readonly ImportedCandle[]) {
    if (!writeCandle(sink, candle, before)) return false;
    before = candle;
  }
  return true;
}

const isOptionalText = (value: unknown): value is string | undefined =>
  value === undefined || typeof value === 'string';

function writeOptional(sink: ByteSink, text: string | undefined): void {
  sink.byte(text === undefined ? 0 : 1);
  if (text !== undefined) sink.text(text);
}

/** The core uses only seven fields of a candle; no others are encoded. */
type Before = Pick<ImportedCandle, 'start' | 'close'>;

function writeCandle(sink: ByteSink, candle: ImportedCandle, before: Before): boolean {
  if (typeof candle !== 'object' || candle === null) return false;
  const { start, open, close, high, low, volume, turnover } = candle;
  if (typeof volume !== 'bigint' || typeof turnover !== 'bigint') return false;
  const minutes = (start - before.start) / MINUTE_MS;
  const gap = folded(open - before.close);
  const move = folded(close - open);
  const above = high - open;
  const below = open - low;
  // A field that is not a number gives NaN, which is not small.
  if (!isSmall(minutes) || !isSmall(gap) || !isSmall(move) || !isSmall(above) || !isSmall(below))
    return false;
  // Above 0, because -0 does not survive the round trip. The decoded value must equal the original bit for bit.
  if (!(start > 0 && close > 0 && low > 0) || before.start + minutes * MINUTE_MS !== start) return false;
  if (before.close + unfolded(gap) !== open || open + unfolded(move) !== close) return false;
  if (open + above !== high || open - below !== low) return false;
  sink.varint(minutes);
  sink.varint(gap);
  sink.varint(move);
  sink.varint(above);
  sink.varint(below);
  sink.bigint(volume);
  sink.bigint(turnover);
  return true;
}

/** Zigzag encoding: 0, -1, 1, -2, 2 become 0, 1, 2, 3, 4. */
const folded = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);
const unfolded = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2);

export function readImport(source: ByteSource, once: Once | undefined): ImportCandles & { once?: Once } {
  const symbol = source.varint();
  const interval = source.text() as Interval;
  const by = readOptional(source);
  const why = readOptional(source);
  const candles: ImportedCandle[] = [];
  let before: Before = { start: 0, close: 0 };
  for (let left = source.count(); left > 0; left--) {
    const candle = readCandle(source, before);
    candles.push(candle);
    before = candle;
  }
  return {
    kind: 'import-candles',
    symbol,
    interval,
    candles,
    ...(by !== undefined && { by }),
    ...(why !== undefined && { why }),
    ...(once && { once }),
  };
}

function readOptional(source: ByteSource): string | undefined {
  return source.byte() === 0 ? undefined : source.text();
}

function readCandle(source: ByteSource, before: Before): ImportedCandle {
  const start = before.start + source.varint() * MINUTE_MS;
  const open = before.close + unfolded(source.varint());
  const close = open + unfolded(source.varint());
  const high = open + source.varint();
  const low = open - source.varint();
  return { start, open, close, high, low, volume: source.bigint(), turnover: source.bigint() };
}
