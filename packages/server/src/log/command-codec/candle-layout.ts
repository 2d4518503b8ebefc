/**
 * Imported candles as bytes: tens of thousands come at once, and mostly differ little from the one before. A start is
 * counted in minutes from the one before, prices from the last close; what does not fit has the layout of any command.
 */

import type { ImportCandles, ImportedCandle, Interval, Once } from '@bourse/core';
import { isSmall } from './any-command.ts';
import type { ByteSink } from './byte-sink.ts';
import type { ByteSource } from './byte-source.ts';
import { hasFields } from './order-layout.ts';

const MINUTE_MS = 60_000;
const WHOLE_END = 2 ** 53;

/** False when something of it does not fit. */
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

/** Of a candle only these seven fields mean anything to the core; others, which nobody sends, are not kept. */
type Before = Pick<ImportedCandle, 'start' | 'close'>;

function writeCandle(sink: ByteSink, candle: ImportedCandle, before: Before): boolean {
  if (typeof candle !== 'object' || candle === null) return false;
  const { start, open, close, high, low, volume, turnover } = candle;
  if (typeof volume !== 'bigint' || typeof turnover !== 'bigint') return false;
  const isExact = isWhole(start) && isWhole(open) && isWhole(close) && isWhole(high) && isWhole(low);
  return (
    isExact &&
    writeSmall(sink, (start - before.start) / MINUTE_MS) &&
    writeSmall(sink, folded(open - before.close)) &&
    writeSmall(sink, folded(close - open)) &&
    writeSmall(sink, high - open) &&
    writeSmall(sink, open - low) &&
    writeAmounts(sink, volume, turnover)
  );
}

function writeSmall(sink: ByteSink, value: number): boolean {
  if (!isSmall(value)) return false;
  sink.varint(value);
  return true;
}

function writeAmounts(sink: ByteSink, volume: bigint, turnover: bigint): boolean {
  sink.bigint(volume);
  sink.bigint(turnover);
  return true;
}

/** Whole and exact, also as a difference; -0 would not come back. */
const isWhole = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < WHOLE_END && !Object.is(value, -0);

/** Small numbers of either sign as small ones without: 0, -1, 1, -2, 2 are 0 to 4. */
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
