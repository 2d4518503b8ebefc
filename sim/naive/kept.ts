/** Data that is only stored: imported candles and notes. */

import type { ImportCandles, ImportedCandle, SetNote } from '../../packages/core/src/commands/commands.ts';
import type { Outcome } from '../../packages/core/src/commands/outcomes.ts';
import { accepted, checkOneOf, checkSymbol, checkText, refuse, refused, valueInvalid } from './refusal.ts';
import type { State } from './state.ts';

const MINUTE = 60_000;
const PRICE_END = 2 ** 50;
const VOLUME_END = 2n ** 80n;
const LENGTHS: Readonly<Record<string, number>> = {
  '1min': MINUTE,
  '3min': 3 * MINUTE,
  '5min': 5 * MINUTE,
  '15min': 15 * MINUTE,
  '30min': 30 * MINUTE,
  '1hour': 60 * MINUTE,
  '2hour': 120 * MINUTE,
  '4hour': 240 * MINUTE,
  '6hour': 360 * MINUTE,
  '8hour': 480 * MINUTE,
  '12hour': 720 * MINUTE,
  '1day': 1440 * MINUTE,
};

export function importCandles(state: State, command: ImportCandles): Outcome {
  const { symbol, interval, candles } = command;
  const wrong =
    checkSymbol(state, symbol) ??
    checkOneOf('interval', interval, [...Object.keys(LENGTHS), '1week', '1month']) ??
    (candles.length >= 1 && candles.length <= 2000
      ? null
      : valueInvalid('candles', candles.length, 'from 1 to 2000 candles'));
  if (wrong !== null) return refused(wrong);
  for (const [at, candle] of candles.entries()) {
    const field = wrongField(candle, candles[at - 1], interval, state.time);
    if (field !== null) return refused(valueInvalid(`candles[${at}].${field}`, candle[field], 'another'));
  }
  if (state.instruments[symbol]!.trades > 0) {
    return refuse('field-not-allowed', { field: 'candles', because: 'the symbol has already traded here' });
  }
  state.events.push({ kind: 'candles-imported', symbol, interval, candles: candles.map(inOrder) });
  return accepted;
}

function inOrder({ start, open, close, high, low, volume, turnover }: ImportedCandle): ImportedCandle {
  return { start, open, close, high, low, volume, turnover };
}

function wrongField(
  { start, open, close, high, low, volume, turnover }: ImportedCandle,
  before: ImportedCandle | undefined,
  interval: string,
  now: number,
): keyof ImportedCandle | null {
  const isPrice = (price: number): boolean => Number.isInteger(price) && price >= 1 && price < PRICE_END;
  const isWithin = (price: number): boolean => isPrice(price) && price >= low && price <= high;
  if (start > now || start < 0 || (before && start <= before.start) || !isStart(interval, start))
    return 'start';
  if (!isPrice(low)) return 'low';
  if (!isPrice(high) || high < low) return 'high';
  if (!isWithin(open)) return 'open';
  if (!isWithin(close)) return 'close';
  if (volume < 1n || volume >= VOLUME_END) return 'volume';
  return turnover < volume * BigInt(low) || turnover > volume * BigInt(high) ? 'turnover' : null;
}

/** The start of the interval, by the calendar. */
function isStart(interval: string, start: number): boolean {
  if (!Number.isSafeInteger(start)) return false;
  const date = new Date(start);
  const isMidnight = start % (1440 * MINUTE) === 0;
  if (interval === '1month') return isMidnight && date.getUTCDate() === 1;
  if (interval === '1week') return isMidnight && date.getUTCDay() === 1;
  return start % (LENGTHS[interval] as number) === 0;
}

export function setNote(state: State, { name, text }: SetNote): Outcome {
  const wrong = checkText('name', name, 1, 64, 'printable') ?? checkText('text', text, 0, 4096, 'printable');
  if (wrong !== null) return refused(wrong);
  if (text !== '' && !state.notes.has(name) && state.notes.size >= 1000) {
    return refused(valueInvalid('name', name, 'the name of one of the 1000 existing notes'));
  }
  if (text === '') state.notes.delete(name);
  else state.notes.add(name);
  return accepted;
}
