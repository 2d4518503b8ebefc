/**
 * Candles from before the exchange started: of a venue that moves here, or for a sandbox with a history. They are
 * validated and passed on to history; nothing else uses them. A symbol that has traded rejects them, so imported candles
 * never overlap with candles of trades.
 */

import type { ImportCandles, ImportedCandle } from './commands/commands.ts';
import { INTERVAL_NAMES, type Interval, isInterval, startOf } from './values/intervals.ts';
import { UNITS_END } from './values/amount.ts';
import { type Rejection, reject } from './commands/rejections.ts';
import type { State } from './state.ts';
import { invalidValue } from './values/checks.ts';

/** Per command, to keep records small. */
export const IMPORTED_CANDLES_MAX = 2000;
const VOLUME_END = 2n ** 80n;

export function importCandles(state: State, { symbol, interval, candles }: ImportCandles): Rejection | null {
  const refused =
    state.instruments.unknown(symbol) ??
    (isInterval(interval) ? null : invalidValue('interval', interval, INTERVAL_NAMES.join(', '))) ??
    checkCandles(interval, candles, state.time);
  if (refused) return refused;
  if (state.instruments.all[symbol].book.trades > 0) {
    return reject('field-not-allowed', { field: 'candles', because: 'the symbol has already traded here' });
  }
  state.events.rare({ kind: 'candles-imported', symbol, interval, candles });
  return null;
}

function checkCandles(
  interval: Interval,
  candles: readonly ImportedCandle[],
  time: number,
): Rejection | null {
  if (candles.length < 1 || candles.length > IMPORTED_CANDLES_MAX) {
    return invalidValue('candles', candles.length, `from 1 to ${IMPORTED_CANDLES_MAX} candles`);
  }
  let after = -1;
  for (let at = 0; at < candles.length; at++) {
    const candle = candles[at];
    if (!isSound(interval, candle, after, time)) return describeFault(interval, candle, at, after, time);
    after = candle.start;
  }
  return null;
}

/** Fast check: tens of thousands arrive at once and almost all are valid. The error is determined afterwards. */
function isSound(
  interval: Interval,
  { start, open, close, high, low, volume, turnover }: ImportedCandle,
  after: number,
  time: number,
): boolean {
  return (
    Number.isInteger(start) &&
    start > after &&
    start <= time &&
    startOf(interval, start) === start &&
    isPrice(low) &&
    isPrice(high) &&
    isPrice(open) &&
    isPrice(close) &&
    open >= low &&
    open <= high &&
    close >= low &&
    close <= high &&
    isVolume(volume) &&
    typeof turnover === 'bigint' &&
    isBetween(turnover, volume, low, high)
  );
}

/** Relative tolerance, larger than any rounding error. */
const ROUNDING = 1e-12;

/** Whether the turnover fits this volume at prices from `low` to `high`. Uses bigint only close to a bound. */
function isBetween(turnover: bigint, volume: bigint, low: number, high: number): boolean {
  const price = Number(turnover) / Number(volume);
  if (price > low * (1 + ROUNDING) && price < high * (1 - ROUNDING)) return true;
  return turnover >= volume * BigInt(low) && turnover <= volume * BigInt(high);
}

function describeFault(
  interval: Interval,
  { start, open, close, high, low, volume, turnover }: ImportedCandle,
  at: number,
  after: number,
  time: number,
): Rejection {
  const wrong = (field: string, value: unknown, expected: string) =>
    invalidValue(`candles[${at}].${field}`, value, expected);
  if (!Number.isInteger(start) || start <= after || start > time || startOf(interval, start) !== start) {
    return wrong(
      'start',
      start,
      `the start of an interval of ${interval}, after the previous candle, at most ${time}`,
    );
  }
  if (!isPrice(low)) return wrong('low', low, 'a price above 0, below 2^50 units');
  if (!isPrice(high) || high < low)
    return wrong('high', high, `a price of at least ${low}, below 2^50 units`);
  const within = `a price from ${low} to ${high}`;
  if (!isPrice(open) || open < low || open > high) return wrong('open', open, within);
  if (!isPrice(close) || close < low || close > high) return wrong('close', close, within);
  if (!isVolume(volume)) return wrong('volume', volume, 'above 0, below 2^80 units of size');
  const [least, most] = [volume * BigInt(low), volume * BigInt(high)];
  return wrong('turnover', turnover, `from ${least} (volume x low) to ${most} (volume x high)`);
}

const isVolume = (volume: bigint): boolean =>
  typeof volume === 'bigint' && volume > 0n && volume < VOLUME_END;

function isPrice(price: number): boolean {
  return Number.isInteger(price) && price > 0 && price < UNITS_END;
}
