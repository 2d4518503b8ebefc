/** The example maker bot in a simulated market, without a server: its trading profit in USDT. */

import type { Command } from '@bourse/core';
import { EVERY_MS, Maker } from '../../examples/maker-bot.ts';
import type { PresetName } from '../../packages/sandbox/src/market/presets.ts';
import { SimulatedMarket, START_MS } from '@bourse/test-kit/simulated-market.ts';

const HOUR_MS = 3_600_000;
const ALICE = 0;

export interface BotDay {
  readonly earned: number;
  /** The minimum during the day. */
  readonly least: number;
  readonly fills: number;
  /** Price change as a fraction. */
  readonly change: number;
}

export function runBot(preset: PresetName, seed: number, hours: number): BotDay {
  const market = new SimulatedMarket(preset, seed);
  const { exchange } = market;
  const symbol = exchange.reference.symbolNumber('BTC-USDT');
  const { base, quote, priceDecimals, sizeDecimals } = exchange.reference.symbol(symbol);
  const [priceUnit, sizeUnit] = [10 ** priceDecimals, 10 ** sizeDecimals];
  const balance = (currency: number): number => {
    const { available, hold } = exchange.balance(ALICE, 'trade', currency);
    return Number(available + hold) / 10 ** (exchange.reference.currencies[currency]?.scale as number);
  };
  const [coins, money] = [balance(base), balance(quote)];
  const best = () =>
    (['buy', 'sell'] as const).map((side) => exchange.bestPrice(symbol, side) / priceUnit) as [
      number,
      number,
    ];
  const earned = (): number => {
    const [bid, ask] = best();
    return balance(quote) - money + ((balance(base) - coins) * (bid + ask)) / 2;
  };
  const middle = (): number => (best()[0] + best()[1]) / 2;
  const maker = new Maker();
  let [fills, least, nextAt, first] = [0, 0, 0, 0];
  while (market.time < START_MS + hours * HOUR_MS) {
    for (const event of market.step().applied.events.decode()) {
      if (event.kind === 'trade' && (event.resting.user === ALICE || event.incoming.user === ALICE))
        fills += 1;
    }
    const [bid, ask] = best();
    if (market.time < nextAt || bid === 0 || ask === 0) continue;
    nextAt = market.time + EVERY_MS;
    if (first === 0) first = middle();
    const orders = maker.quotes(bid, ask, balance(base) - coins).map(
      ({ side, price, size }): Command => ({
        kind: 'place-order',
        user: ALICE,
        symbol,
        type: 'limit',
        side,
        price: Math.round(Number(price) * priceUnit),
        size: Math.round(Number(size) * sizeUnit),
        postOnly: true,
      }),
    );
    market.apply([{ kind: 'cancel-orders', user: ALICE, symbol }, ...orders]);
    least = Math.min(least, earned());
  }
  return { earned: earned(), least, fills, change: middle() / first - 1 };
}
