/** Commands about data that is only stored: imported candles and notes. */

import { type Command, INTERVAL_NAMES, type ImportedCandle, startOf } from '@bourse/core';
import { badId, badNumber, badText } from './breakage.ts';
import type { Fields } from './order-fields.ts';
import type { Random } from '../random.ts';
import type { Draw } from './scene.ts';

const NAMES = ['market', 'note-1', 'note-2'];
const NAME_LENGTH_MAX = 64;
const TEXT_LENGTH_MAX = 4096;
const CANDLES_MAX = 2000;

export const importCandles: Draw = ({ random, model }, broken) => {
  // Only one that has not traded takes them.
  const fresh = model.markets.filter(({ last }) => last === 0);
  const { symbol, plan } = random.pick(fresh.length > 0 ? fresh : model.markets);
  const interval = random.pick(INTERVAL_NAMES);
  const candles: ImportedCandle[] = [];
  let start = startOf(interval, model.time);
  for (let left = random.range(1, 6); left > 0; left--) {
    candles.unshift(drawCandle(random, start, plan.center));
    start = startOf(interval, start - 1);
  }
  const fields: Fields = { kind: 'import-candles', symbol, interval, candles };
  if (broken) breakImport(random, fields, candles);
  return fields as unknown as Command;
};

function drawCandle(random: Random, start: number, center: number): ImportedCandle {
  const [low, , , high] = [0, 1, 2, 3].map(() => random.range(1, 2 * center)).toSorted((a, b) => a - b) as [
    number,
    number,
    number,
    number,
  ];
  const volume = BigInt(random.range(1, 1000));
  const mean = BigInt(random.range(low, high));
  const [open, close] = [random.range(low, high), random.range(low, high)];
  return { start, open, close, high, low, volume, turnover: volume * mean };
}

function breakImport(random: Random, fields: Fields, candles: ImportedCandle[]): void {
  const at = random.below(candles.length);
  const candle = candles[at] as ImportedCandle;
  const broken = random.pick(['symbol', 'interval', 'none', 'many', 'order', 'prices', 'start', 'amounts']);
  if (broken === 'symbol') fields['symbol'] = badId(random);
  else if (broken === 'interval') fields['interval'] = random.pick(['', '2min', '__proto__', 'toString']);
  else if (broken === 'none') fields['candles'] = [];
  else if (broken === 'many') fields['candles'] = Array.from({ length: CANDLES_MAX + 1 }, () => candle);
  else if (broken === 'order') candles.push(candle);
  else if (broken === 'prices') {
    const field = random.pick(['open', 'close', 'high', 'low'] as const);
    candles[at] = { ...candle, [field]: badNumber(random, candle[field], 1) };
  } else if (broken === 'start') candles[at] = { ...candle, start: badNumber(random, candle.start, 1) };
  else {
    const field = random.pick(['volume', 'turnover'] as const);
    candles[at] = { ...candle, [field]: random.pick([0n, -1n, 2n ** 80n, candle.turnover * 3n]) };
  }
}

export const setNote: Draw = ({ random }, broken) => {
  const fields: Fields = {
    kind: 'set-note',
    name: random.pick(NAMES),
    text: random.chance(0.2) ? '' : `text ${random.below(1000)}`,
  };
  if (broken && random.chance(0.5)) fields['name'] = badText(random, NAME_LENGTH_MAX);
  else if (broken) fields['text'] = badText(random, TEXT_LENGTH_MAX);
  return fields as unknown as Command;
};
