/**
 * Commands about markets: closing and opening them, auctions, the pause of the exchange; and data that is
 * only stored, imported candles and notes.
 */

import { type Command, type ImportedCandle, INTERVAL_NAMES, startOf } from '@bourse/core';
import type { Random } from '../random.ts';
import { badDecimal, badId, badNumber, badText, badWord } from './breakage.ts';
import type { KnownMarket } from './model.ts';
import type { Fields } from './order-fields.ts';
import { setFees } from './reference-commands.ts';
import type { Draw, Scene } from './scene.ts';

const THEN = ['open', 'open', 'open', 'post-only', 'cancel-only', 'halted'];

export const setMarketState: Draw = (scene, broken) => {
  const { random, model } = scene;
  const market = random.pick(model.listedMarkets);
  let state: string = random.pick(['cancel-only', 'halted', 'open', 'post-only', 'post-only', 'delisted']);
  let { symbol } = market;
  if (broken && random.chance(0.5)) state = random.pick([badWord(random), 'auction']);
  else if (broken) symbol = badId(random);
  return { kind: 'set-market-state', symbol, state } as unknown as Command;
};

export const beginAuction: Draw = ({ random, model }, broken) => {
  const fields = auctionIn(random, random.pick(model.listedMarkets));
  if (broken) {
    const [field, value] = random.pick<[string, unknown]>([
      ['symbol', badId(random)],
      ['endsInMs', random.pick([0, -1, 0.5, Number.NaN, 604_800_001])],
      ['referencePrice', random.pick([0, -1, 0.5, 2 ** 50])],
      ['band', random.pick([badDecimal(random), '1000.000001', '0.0000001'])],
      ['thenState', random.pick(['auction', 'delisted', badWord(random)])],
    ]);
    fields[field] = value;
  }
  return fields as unknown as Command;
};

function auctionIn(random: Random, { symbol, plan, tick }: KnownMarket): Fields {
  const fields: Fields = {
    kind: 'begin-auction',
    symbol,
    endsInMs: random.pick([1, 20, 1000, 5000, 60_000]),
    thenState: random.pick(THEN),
  };
  if (random.chance(0.3)) {
    const away = random.range(-5, 5) * plan.step;
    fields['referencePrice'] = Math.max(1, Math.floor((plan.center + away) / tick)) * tick;
  }
  if (random.chance(0.4)) fields['band'] = random.pick(['0', '0.001', '0.01', '0.05', '0.2', '1000']);
  return fields;
}

/** Usually the market of a running auction. */
export const cancelAuction: Draw = ({ random, model }, broken) => {
  const running = model.listedMarkets.filter(({ state }) => state === 'auction');
  const market = running.length > 0 ? random.pick(running) : random.pick(model.listedMarkets);
  return { kind: 'cancel-auction', symbol: broken ? badId(random) : market.symbol };
};

export const pauseExchange: Draw = () => ({ kind: 'pause-exchange' });
export const resumeExchange: Draw = () => ({ kind: 'resume-exchange' });

/** Usually soon, so that the time is reached. */
export const scheduleCall: Draw = (scene, broken) => {
  const { random, model } = scene;
  const draws = [setMarketState, beginAuction, beginAuction, cancelAuction, resumeExchange, setFees];
  const command = random.pick(draws)(scene, broken && random.chance(0.3));
  const fields: Fields = {
    kind: 'schedule-call',
    at: model.time + random.pick([1, 50, 2000, 30_000, 3_600_000]),
    scheduled: 'some-call',
    command,
  };
  if (broken) {
    const [field, value] = random.pick<[string, unknown]>([
      ['at', random.pick([model.time, model.time - 1, 0.5, 2 ** 53])],
      ['scheduled', ''],
      ['command', { kind: 'add-user', name: 'x' }],
      ['command', command],
    ]);
    fields[field] = value;
  }
  return fields as unknown as Command;
};

export const unscheduleCall: Draw = ({ random, model }, broken) => ({
  kind: 'unschedule-call',
  entry: broken || model.scheduled.length === 0 ? badId(random) : random.pick(model.scheduled),
});

/** Markets close at random but must reopen, or the flow would consist of rejections. */
export function reopen({ random, model }: Scene): Command | undefined {
  if (model.isPaused) return { kind: random.chance(0.1) ? 'pause-exchange' : 'resume-exchange' };
  const market = random.pick(model.listedMarkets);
  if (!market.terms.enableTrading)
    return { kind: 'change-symbol', symbol: market.symbol, enableTrading: true };
  if (market.state === 'open' || market.state === 'auction') return undefined;
  // A crossed book opens only by an auction.
  if (market.state !== 'delisted' && random.chance(0.4)) {
    return { ...auctionIn(random, market), thenState: 'open' } as unknown as Command;
  }
  return { kind: 'set-market-state', symbol: market.symbol, state: 'open' };
}

const NAMES = ['market', 'note-1', 'note-2'];
const NAME_LENGTH_MAX = 64;
const TEXT_LENGTH_MAX = 4096;
const CANDLES_MAX = 2000;

export const importCandles: Draw = ({ random, model }, broken) => {
  // Only a symbol that has not traded accepts them.
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
