/** Commands about reference data: rare in life, and each changes what all others may do. */

import type { Command } from '@bourse/core';
import { badDecimal, badId, badText, badWord } from './breakage.ts';
import {
  drawChain,
  drawCurrency,
  drawFees,
  drawLimits,
  drawPriceLimitRate,
  drawSymbol,
  toText,
} from './world.ts';
import type { KnownMarket } from './model.ts';
import type { Fields } from './order-fields.ts';
import type { Random } from '../random.ts';
import { type Draw, pickCurrency, pickUser } from './scene.ts';

/** A world stays small: above these numbers, new objects are rejected because of a taken name. */
const CURRENCIES_MAX = 7;
const MARKETS_MAX = 4;
/** Includes removed ones. */
const NUMBERS_MAX = 24;

export const addCurrency: Draw = (scene, broken) => {
  const { random, model } = scene;
  const { currencies, listedCurrencies } = model;
  const isFull = listedCurrencies.length >= CURRENCIES_MAX || currencies.length >= NUMBERS_MAX;
  const code = isFull ? random.pick(listedCurrencies).code : `C${random.bits().toString(36)}`;
  const fields: Fields = { ...drawCurrency(random, code) };
  if (broken) breakCurrency(random, fields);
  // A broken one might have become a new one; in a full world it must not.
  if (isFull && broken) fields['precision'] = 19;
  return fields as unknown as Command;
};

export const changeCurrency: Draw = (scene, broken) => {
  const { random } = scene;
  const { currency, precision, scale } = pickCurrency(scene);
  const fields: Fields = { kind: 'change-currency', currency };
  if (random.chance(0.5)) fields['name'] = `N${random.below(100)}`;
  if (random.chance(0.3)) fields['confirms'] = random.pick([null, 3]);
  if (random.chance(0.3)) fields['isDebitEnabled'] = random.chance(0.5);
  if (random.chance(0.5)) {
    fields['chains'] = [0, 1].map((index) => drawChain(random, `chain${index}`, precision, scale));
  }
  if (broken && random.chance(0.3)) fields['currency'] = badId(random);
  else if (broken) breakCurrency(random, fields);
  return fields as unknown as Command;
};

function breakCurrency(random: Random, fields: Fields): void {
  const isNew = fields['kind'] === 'add-currency';
  const field = random.pick(['code', 'name', 'fullName', 'precision', 'scale', 'chains', 'chains']);
  if (field === 'chains') {
    const name = random.pick([
      'depositMinSize',
      'depositFeeRate',
      'withdrawalMinSize',
      'withdrawalMinFee',
      'withdrawFeeRate',
      'withdrawMaxFee',
    ]);
    fields['chains'] = [{ ...drawChain(random, 'chain0', 0, 0), [name]: badDecimal(random) }];
  } else if (field === 'precision' || field === 'scale') {
    if (isNew) fields[field] = random.pick([-1, 19, 0.5, Number.NaN, 0, 18]);
  } else if (isNew || field !== 'code') fields[field] = badText(random, field === 'code' ? 20 : 64);
}

export const addSymbol: Draw = (scene, broken) => {
  const { random, model, plans } = scene;
  const { markets, listedMarkets } = model;
  const isFull = listedMarkets.length >= MARKETS_MAX || markets.length >= NUMBERS_MAX;
  const code = isFull ? random.pick(listedMarkets).code : `S${random.bits().toString(36)}`;
  const [base, quote] = random.shuffle(model.listedCurrencies.map((known) => known.currency)) as [
    number,
    number,
  ];
  const { command, plan } = drawSymbol(random, code, base, quote, model.currencies);
  if (!isFull) plans.set(code, plan);
  const fields: Fields = { ...command };
  if (random.chance(0.6)) fields['state'] = random.pick(['halted', 'halted', 'cancel-only', 'open']);
  if (broken) breakSymbol(random, fields);
  if (isFull && broken) fields['name'] = '';
  return fields as unknown as Command;
};

const SYMBOL_DECIMALS = [
  'baseIncrement',
  'baseMinSize',
  'baseMaxSize',
  'quoteMinSize',
  'quoteMaxSize',
  'quoteIncrement',
  'priceIncrement',
  'priceLimitRate',
  'minFunds',
] as const;

function breakSymbol(random: Random, fields: Fields): void {
  const isNew = fields['kind'] === 'add-symbol';
  switch (random.below(isNew ? 9 : 5)) {
    case 0:
      fields['name'] = badText(random, 64);
      break;
    case 1:
      fields['market'] = badText(random, 32);
      break;
    case 2:
    case 3: {
      const name = random.pick(isNew ? SYMBOL_DECIMALS : SYMBOL_DECIMALS.slice(1));
      const fine = '0.0000000000000000001';
      fields[name] = random.pick([
        badDecimal(random),
        fine,
        '1001',
        '0.0000001',
        '1'.padEnd(32, '0'),
        '7',
        '0',
      ]);
      break;
    }
    case 4:
      fields[isNew && random.chance(0.5) ? 'baseIncrement' : 'priceIncrement'] = '0.0000000000000000001';
      break;
    case 5:
      fields['code'] = badText(random, 41);
      break;
    case 6:
      fields[random.pick(['base', 'quote'])] = badId(random);
      break;
    case 7:
      fields['quote'] = fields['base'];
      break;
    case 8:
      fields['state'] = badWord(random);
      break;
  }
}

export const changeSymbol: Draw = (scene, broken) => {
  const { random, model } = scene;
  const market = random.pick(model.listedMarkets);
  const fields: Fields = { kind: 'change-symbol', symbol: market.symbol };
  const changes = random.range(1, 2);
  for (let change = 0; change < changes; change += 1) changeTerm(random, market, fields);
  if (broken && random.chance(0.3)) fields['symbol'] = badId(random);
  else if (broken) breakSymbol(random, fields);
  return fields as unknown as Command;
};

/** Half of them announce a change of increments, some of which are no longer possible when their time comes. */
export const publishNotice: Draw = ({ random, model }, broken) => {
  const at = model.time + random.range(0, 20_000);
  const { symbol, priceDecimals, quoteScale } = random.pick(model.listedMarkets);
  const change = {
    symbol,
    at,
    ...(random.chance(0.7) && { priceIncrement: toText(BigInt(random.pick([1, 5, 10])), priceDecimals) }),
    ...(random.chance(0.5) && { quoteIncrement: toText(BigInt(random.pick([1, 10, 100])), quoteScale) }),
  };
  const isChange = random.chance(0.6);
  if (isChange) model.instants.push(at);
  const fields: Fields = {
    kind: 'publish-notice',
    title: `notice ${random.below(1000)}`,
    text: '',
    url: '',
    types: [random.pick(['maintenance-updates', 'product-updates'])],
    language: 'en_US',
    publishAt: model.time,
    ...(isChange && { change }),
  };
  if (broken) breakNotice(random, fields, change);
  return fields as unknown as Command;
};

function breakNotice(random: Random, fields: Fields, change: object): void {
  switch (random.below(7)) {
    case 0:
      fields['title'] = '';
      break;
    case 1:
      fields['types'] = random.pick([[], Array.from({ length: 10 }, () => 'x'), ['']]);
      break;
    case 2:
      fields['publishAt'] = random.pick([-1, 0.5, Infinity]);
      break;
    case 3:
      fields['change'] = { ...change, symbol: badId(random) };
      break;
    case 4:
      fields['change'] = { ...change, at: random.pick([-1, 0, 0.5]) };
      break;
    case 5:
      fields['change'] = { ...change, priceIncrement: random.pick(['0', '', 'x', '1e3']) };
      break;
    case 6:
      fields['language'] = badText(random, 16);
  }
}

export const removeNotice: Draw = ({ random }, broken) => ({
  kind: 'remove-notice',
  notice: broken ? badId(random) : random.range(1, 20),
});

function changeTerm(random: Random, market: KnownMarket, fields: Fields): void {
  const { plan, increment, priceDecimals, sizeDecimals, quoteScale } = market;
  const worth = BigInt(plan.center) * BigInt(plan.lot);
  const money = (units: bigint): string => toText(units, quoteScale);
  const size = (units: number): string => toText(BigInt(units), sizeDecimals);
  switch (random.below(9)) {
    case 0:
      fields['name'] = `N${random.below(100)}`;
      break;
    case 1:
      fields['priceIncrement'] = toText(BigInt(drawTick(random, market)), priceDecimals);
      break;
    case 2:
      fields['priceLimitRate'] = drawPriceLimitRate(random, plan.step / plan.center);
      break;
    case 3:
      fields['minFunds'] = money(random.pick([0n, worth / 20n, worth / 4n, worth]));
      break;
    case 4:
      fields['baseMinSize'] = size(increment * random.range(1, 3));
      break;
    case 5:
      fields['baseMaxSize'] = size(
        Math.min(plan.lot * random.range(8, 60), plan.lot * Math.floor(2 ** 49 / plan.lot)),
      );
      break;
    case 6:
      fields['quoteMaxSize'] = money(worth * BigInt(random.range(4, 40)));
      break;
    case 7:
      fields['quoteMinSize'] = money(worth / BigInt(random.range(1, 40)));
      break;
    case 8:
      if (random.chance(0.3)) fields['enableTrading'] = false;
      else fields['quoteIncrement'] = money(random.pick([1n, 5n, 10n, worth / 100n + 1n]));
      break;
  }
}

/** Finer or coarser: resting orders keep prices that are no longer on the grid. */
function drawTick(random: Random, market: KnownMarket): number {
  const { step } = market.plan;
  return Math.max(
    1,
    Math.floor(random.pick([market.tick * 2, market.tick * 5, market.tick / 5, step, step / 2])),
  );
}

export const setFees: Draw = (scene, broken) => {
  const { random, model } = scene;
  const fields: Fields = { ...drawFees(random) };
  const masters = model.users.filter((known) => known.parent < 0);
  if (random.chance(0.6)) fields['user'] = random.pick(masters).user;
  if (random.chance(0.6)) fields['symbol'] = random.pick(model.listedMarkets).symbol;
  if (!broken) return fields as unknown as Command;
  const [field, value] = random.pick<[string, unknown]>([
    ['user', badId(random)],
    ['user', pickUser(scene)],
    ['symbol', badId(random)],
    ['maker', random.pick([badDecimal(random), '1', '0.999'])],
    ['taker', random.pick([badDecimal(random), '0', '1.00000001', '0.000000001'])],
  ]);
  fields[field] = value;
  return fields as unknown as Command;
};

export const removeFees: Draw = (scene, broken) => {
  const { random, model } = scene;
  const fields: Fields = { kind: 'remove-fees' };
  if (random.chance(0.6)) fields['user'] = broken && random.chance(0.3) ? badId(random) : pickUser(scene);
  if (random.chance(0.6)) {
    fields['symbol'] = broken && random.chance(0.3) ? badId(random) : random.pick(model.listedMarkets).symbol;
  }
  return fields as unknown as Command;
};

/** The newest was used least; a broken one may be gone already, or never have been there. */
export const removeCurrency: Draw = ({ random, model }, broken) => {
  const currency = broken
    ? random.pick([badId(random), random.pick(model.currencies).currency])
    : (model.listedCurrencies.at(-1)?.currency ?? 0);
  return { kind: 'remove-currency', currency };
};

/** Never the first that is listed: a world without markets would be one long refusal. */
export const removeSymbol: Draw = ({ random, model }, broken) => {
  const [first, ...others] = model.listedMarkets;
  const removed = model.markets.filter((market) => market !== first && !others.includes(market));
  const wrong = [badId(random), ...removed.map(({ symbol }) => symbol)];
  const symbol = broken ? random.pick(wrong) : (others.at(-1)?.symbol ?? badId(random));
  return { kind: 'remove-symbol', symbol };
};

export const setLimits: Draw = (scene, broken) => {
  const { random } = scene;
  const fields: Fields = { ...drawLimits(random) };
  for (const name of Object.keys(fields)) if (name !== 'kind' && random.chance(0.3)) delete fields[name];
  if (broken) {
    const name = random.pick([
      'lookupWindowMs',
      'activeOrdersPerSymbolMax',
      'activeOrdersPerUserMax',
      'stopOrdersPerSymbolMax',
      'stepsPerRecordMax',
      'clientIdsPerUserMax',
      'clientIdsMax',
      'movementWindowMs',
      'movementsPerUserMax',
      'movementsMax',
    ]);
    fields[name] = random.pick([-1, 0.5, Number.NaN, 1e12 + 1, 0]);
  }
  return fields as unknown as Command;
};
