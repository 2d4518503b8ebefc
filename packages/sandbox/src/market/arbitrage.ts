/**
 * The arbitrageur: makes round trips through the three pairs of BTC, ETH and USDT if they gain more than they cost.
 */

import { TRIANGLE } from './agents.ts';
import { type LivingBook, STAY_UNITS } from './living-book.ts';
import type { Scene } from './takers.ts';

/** The fees of three trades and the minimum worthwhile gain, as a fraction of the price. */
const COST = 0.0004;
const NAME = 'agent-arbitrage-1';

export function arbitrage(scene: Scene, books: readonly LivingBook[]): void {
  const of = (code: string) => books.find(({ symbol }) => symbol.code === code);
  const [bitcoin, ether, cross] = TRIANGLE.map(of);
  if (!bitcoin || !ether || !cross) return;
  if ([bitcoin, ether, cross].some(({ bid, ask }) => bid === 0 || ask === 0)) return;
  // The cost of one ETH through BTC relative to its direct cost, as fractions of the latent prices.
  const buyAround = (cross.ask / cross.value) * (bitcoin.ask / bitcoin.value);
  const sellAround = (cross.bid / cross.value) * (bitcoin.bid / bitcoin.value);
  // Ignore gaps that the makers of a tight book will close themselves.
  const staying = [bitcoin, ether, cross].reduce(
    (sum, { profile, unit }) => sum + (profile.isTight ? STAY_UNITS * unit : 0),
    0,
  );
  const cost = COST + staying;
  if (ether.bid / ether.value > buyAround * (1 + cost)) goAround(scene, bitcoin, ether, cross, 'buy');
  else if (sellAround > (ether.ask / ether.value) * (1 + cost))
    goAround(scene, bitcoin, ether, cross, 'sell');
}

/** Trades the size of the smallest of the three best orders. */
function goAround(
  { surroundings, orders }: Scene,
  bitcoin: LivingBook,
  ether: LivingBook,
  cross: LivingBook,
  around: 'buy' | 'sell',
): void {
  const [here, there] = around === 'buy' ? (['buy', 'sell'] as const) : (['sell', 'buy'] as const);
  const opposite = { buy: 'sell', sell: 'buy' } as const;
  const worth = (book: LivingBook, side: 'buy' | 'sell') => {
    const [level] = surroundings.exchange.depth(book.symbol.number, opposite[side], 1);
    return level ? (level.size / book.symbol.sizeOf(1)) * book.baseWorth : 0;
  };
  const least = Math.min(worth(cross, here), worth(bitcoin, here), worth(ether, there));
  const user = surroundings.user(NAME);
  const order = (book: LivingBook, side: 'buy' | 'sell') => {
    const { symbol, bid, ask, baseWorth } = book;
    orders.limit(
      user,
      symbol,
      side,
      side === 'buy' ? ask : bid,
      symbol.sizeOf(least / baseWorth),
      'immediate',
    );
  };
  order(cross, here);
  order(bitcoin, here);
  order(ether, there);
}
