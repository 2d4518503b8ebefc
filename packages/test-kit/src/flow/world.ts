/**
 * A world: the currencies, symbols, users, fees and limits derived from a seed. Every world is small, so that orders
 * match and limits are hit, and every world is different: one has whole coins only, the next 18 decimals and prices
 * near the maximum.
 */

import type { AddCurrency, AddSymbol, Chain, Command } from '@bourse/core';
import { Random } from '../random.ts';

// Decimals of reference data, between text and whole units of 10^-decimals.

/** 1250n with 3 decimals is `1.25`; trailing zeros are dropped. */
export function toText(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** The opposite of `toText`, for text that is known to fit. */
export function toUnits(text: string, decimals: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
}

/** The price range and sizes of a symbol's random orders, in the symbol's units. */
export interface MarketPlan {
  readonly center: number;
  /** Prices lie a few of these from the center; a multiple of the first priceIncrement. */
  readonly step: number;
  /** How many steps away orders rest. */
  readonly depth: number;
  /** Probability that an order that may rest is priced to; the higher, the fuller the book. */
  readonly patience: number;
  readonly lot: number;
}

export interface World {
  readonly seed: number;
  readonly random: Random;
  readonly commandsMax: number;
  /** The number of commands from the time of the first rules. */
  readonly oldCommands: number;
  /** Probability that a command is broken on purpose. */
  readonly breakage: number;
  /** Reference data and users, before the first deposit. */
  readonly opening: readonly Command[];
  readonly plans: Map<string, MarketPlan>;
}

const PRICE_MAX = 2 ** 50 - 1;
const SIZE_MAX = 2 ** 50 - 1;
const PART_MAX = 2n ** 90n;

export function drawWorld(seed: number): World {
  const random = new Random(seed);
  const plans = new Map<string, MarketPlan>();
  const currencies = Array.from({ length: random.range(2, 5) }, (_, index) =>
    drawCurrency(random, `C${index}`),
  );
  const symbols = Array.from({ length: random.range(1, 3) }, (_, index) => {
    const [base, quote] = random.shuffle([...currencies.keys()]) as [number, number];
    const drawn = drawSymbol(random, `S${index}`, base, quote, currencies);
    plans.set(drawn.command.code, drawn.plan);
    return drawn.command;
  });
  const opening: Command[] = [...currencies, ...symbols, ...drawUsers(random), drawLimits(random)];
  if (random.chance(0.8)) opening.push(drawFees(random));
  for (let symbol = 0; symbol < symbols.length; symbol += 1) {
    if (random.chance(0.4)) opening.push({ ...drawFees(random), symbol });
  }
  const commandsMax = random.range(2000, 5000);
  return {
    seed,
    random,
    commandsMax,
    oldCommands: random.chance(0.25) ? random.below(commandsMax) : 0,
    breakage: random.pick([0.04, 0.08, 0.15]),
    opening,
    plans,
  };
}

export function drawCurrency(random: Random, code: string): AddCurrency {
  const scale = random.pick([0, 2, 6, 8, 8, 9, 18, 18, random.range(0, 18)]);
  const precision = Math.max(0, scale - random.pick([0, 0, 0, 1, 2, 8, random.range(0, 18)]));
  return {
    kind: 'add-currency',
    code,
    name: code,
    fullName: `Currency ${code}`,
    precision,
    scale,
    confirms: random.pick([null, 0, 12]),
    contractAddress: random.pick([null, '', '0xabc']),
    isMarginEnabled: random.chance(0.5),
    isDebitEnabled: random.chance(0.5),
    chains: Array.from({ length: random.range(1, 2) }, (_, index) =>
      drawChain(random, `chain${index}`, precision, scale),
    ),
  };
}

export function drawChain(random: Random, chainId: string, precision: number, scale: number): Chain {
  const coarse = (count: number): string => toText(BigInt(random.range(0, count)), precision);
  const fine = (count: number): string => toText(BigInt(random.range(0, count)), scale);
  return {
    chainId,
    chainName: chainId.toUpperCase(),
    depositMinSize: random.pick([null, '0', coarse(5)]),
    depositFeeRate: random.pick(['', '0', '0.001']),
    withdrawalMinSize: random.pick(['0', coarse(5)]),
    withdrawalMinFee: random.pick(['0', fine(20), coarse(3)]),
    withdrawFeeRate: random.pick(['', '0', '0.001', '0.33333333', '0.00000001']),
    withdrawMaxFee: random.pick(['', '', fine(1000), coarse(5)]),
    isWithdrawEnabled: random.chance(0.85),
    isDepositEnabled: random.chance(0.85),
    confirms: random.range(0, 60),
    preConfirms: random.range(0, 60),
    contractAddress: '',
  };
}

/** A symbol whose every amount stays far below the largest, so that several users can own many lots of it. */
export function drawSymbol(
  random: Random,
  code: string,
  base: number,
  quote: number,
  currencies: readonly { readonly scale: number }[],
): { command: AddSymbol; plan: MarketPlan } {
  const baseScale = (currencies[base] as AddCurrency).scale;
  const quoteScale = (currencies[quote] as AddCurrency).scale;
  const sizeDecimals = random.range(0, Math.min(baseScale, quoteScale, random.pick([2, 4, 18])));
  const priceDecimals = quoteScale - sizeDecimals;
  const increment = random.pick(sizeDecimals === 0 ? [1, 1, 2, 5, 10, 100] : [1, 1, 1, 5, 2, 25]);
  const sizeFactor = 10n ** BigInt(baseScale - sizeDecimals);

  const tick =
    random.pick([1, 1, 5, 25, 10]) * 10 ** random.range(0, Math.min(priceDecimals, random.pick([0, 2, 10])));
  const ticksMax = Math.floor((PRICE_MAX * 0.9) / tick);
  const ticks = Math.min(
    ticksMax,
    random.pick([
      random.range(2, 12),
      random.range(50, 400),
      random.range(50, 400),
      random.range(1, ticksMax),
    ]),
  );
  const step = ticks > 1000 ? Math.floor(ticks / 150) : random.range(1, ticks > 40 ? 3 : 1);
  const center = ticks * tick;
  const lot = drawLot(random, increment, center, sizeFactor);

  const worth = BigInt(center) * BigInt(lot);
  const quoteStep = quoteStepBelow(random, worth);
  const price = (units: number): string => toText(BigInt(units), priceDecimals);
  const size = (units: number): string => toText(BigInt(units), sizeDecimals);
  const money = (units: bigint): string => toText(units, quoteScale);
  const rate = drawPriceLimitRate(random, (step * tick) / center);
  const baseIncrement = size(increment);
  const command: AddSymbol = {
    kind: 'add-symbol',
    code,
    base,
    quote,
    // Trailing zeros must not count as decimals.
    baseIncrement: baseIncrement.includes('.') && random.chance(0.2) ? `${baseIncrement}0` : baseIncrement,
    name: code,
    market: random.pick(['ALPHA', 'BETA']),
    baseMinSize: size(increment * random.pick([1, 1, 2, 3])),
    baseMaxSize: size(Math.min(lot * random.range(12, 60), SIZE_MAX - (SIZE_MAX % increment))),
    quoteMinSize: money(quoteStep * BigInt(random.pick([0, 1, 2]))),
    quoteMaxSize: money(worth * BigInt(random.range(10, 40))),
    quoteIncrement: money(quoteStep),
    priceIncrement: price(tick),
    priceLimitRate: rate,
    minFunds: money(random.pick([0n, worth / 10n, BigInt(center) * BigInt(increment), worth / 2n])),
    isMarginEnabled: random.chance(0.5),
    enableTrading: true,
  };
  return {
    command,
    plan: {
      center,
      step: step * tick,
      depth: random.range(1, 4),
      patience: random.pick([0.7, 0.9, 0.97]),
      lot,
    },
  };
}

function drawLot(random: Random, increment: number, center: number, sizeFactor: bigint): number {
  const bound = PART_MAX / (BigInt(center) > sizeFactor ? BigInt(center) : sizeFactor);
  const unitsMax = Math.min(2 ** 47, Number(bound));
  const lotsMax = Math.max(1, Math.floor(unitsMax / increment));
  // The largest are for full books: no side may reach 2^53.
  const most = random.chance(0.3) ? lotsMax : random.range(1, lotsMax);
  const lots = random.pick([1, random.range(1, 5), random.range(10, 1000), random.range(10, 1000), most]);
  return Math.min(lots, lotsMax) * increment;
}

/** Funds of market orders are multiples of this; coarse enough to be off the grid now and then. */
function quoteStepBelow(random: Random, worth: bigint): bigint {
  let step = 1n;
  while (step * 200n < worth && random.chance(0.7)) step *= 10n;
  return step * random.pick([1n, 1n, 5n]);
}

/** From the best price only, over a few price steps, to practically no bound. */
export function drawPriceLimitRate(random: Random, stepRate: number): string {
  const steps = Math.round(stepRate * random.range(1, 6) * 1e6);
  const tight = toText(BigInt(Math.min(steps, 999_000_000)), 6);
  return random.pick([tight, tight, tight, '0.5', '10', '1000', random.pick(['0', '0.000001'])]);
}

export function drawFees(random: Random): { kind: 'set-fees'; maker: string; taker: string } {
  // Large rates are rare: they drain the users' money, and with it the books.
  const large = random.chance(0.12) ? ['0.12345678', '0.5', '1'] : [];
  const rates = ['0', '0.00000001', '0.0007', '0.001', '0.00333333', '0.01', ...large];
  const taker = random.below(rates.length);
  return { kind: 'set-fees', maker: rates[random.below(taker + 1)] as string, taker: rates[taker] as string };
}

export function drawLimits(random: Random): Command {
  const roomy = random.chance(0.35);
  return {
    kind: 'set-limits',
    lookupWindowMs: random.pick([0, 1000, 60_000, 3_600_000, 259_200_000]),
    activeOrdersPerSymbolMax: roomy ? 25 : random.range(3, 8),
    activeOrdersPerUserMax: roomy ? 40 : random.range(5, 16),
    stopOrdersPerSymbolMax: random.range(2, 6),
    stepsPerRecordMax: random.pick([1, 1, 2, 4, 1000]),
    clientIdsPerUserMax: random.chance(0.15) ? random.range(5, 30) : 1_000_000,
    clientIdsMax: random.chance(0.1) ? random.range(20, 80) : 5_000_000,
    movementWindowMs: random.pick([0, 60_000, 3_600_000, 2_592_000_000]),
    movementsPerUserMax: random.chance(0.3) ? random.pick([1, 2, 4, 12]) : 50_000,
    movementsMax: random.chance(0.2) ? random.range(30, 60) : 1_000_000,
  };
}

function drawUsers(random: Random): Command[] {
  const masters = random.range(2, 5);
  const users: Command[] = [];
  for (let user = 0; user < masters; user += 1) users.push({ kind: 'add-user', name: `user${user}` });
  const subs = random.range(1, 3);
  for (let sub = 0; sub < subs; sub += 1) {
    users.push({ kind: 'add-user', name: `sub${sub}`, parent: random.below(masters) });
  }
  users.push({
    kind: 'add-key',
    user: 0,
    key: 'key0',
    version: 2,
    permissions: ['general', 'spot'],
    ipAllowList: [],
    secret: 'secret',
  });
  return users;
}
