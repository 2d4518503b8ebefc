// A market maker on simulated time: `npx node examples/maker-bot.ts calm 2` trades two hours of a calm market as alice
// and prints a report. It ends a day of `calm` with a gain, and a day of `crash` with a loss.

import { startExchange } from '@bourse/testing';

const SYMBOL = 'BTC-USDT';
const TICK = 0.1;
/** Every two seconds it quotes SIZE coins on each side; its inventory is at most HELD_MAX. */
export const EVERY_MS = 2000;
const SIZE = 0.2;
const HELD_MAX = 1;

/** Quotes a spread that follows volatility, so that large orders pay it, and unwinds its inventory closer to the mid price. */
export class Maker {
  #middle = 0;
  /** Variance of the mid price between two rounds, averaged over minutes and over seconds. */
  #slow = 1e-8;
  #fast = 1e-8;

  quotes(bid: number, ask: number, held: number) {
    const middle = (bid + ask) / 2;
    const moved = this.#middle === 0 ? 0 : (middle / this.#middle - 1) ** 2;
    this.#middle = middle;
    this.#slow += 0.02 * (moved - this.#slow);
    this.#fast += 0.2 * (moved - this.#fast);
    const away = Math.max(0.00025, 4.5 * Math.sqrt(Math.max(this.#slow, this.#fast)));
    const quote = (side: 'buy' | 'sell', distance: number, size: number) => {
      const price = side === 'buy' ? middle * (1 - distance) : middle * (1 + distance);
      const ticks = side === 'buy' ? Math.floor(price / TICK) : Math.ceil(price / TICK);
      return { side, price: (ticks * TICK).toFixed(1), size: size.toFixed(5) } as const;
    };
    const quotes = [];
    if (held < HELD_MAX) quotes.push(quote('buy', away, SIZE));
    if (held > -HELD_MAX) quotes.push(quote('sell', away, SIZE));
    if (Math.abs(held) > SIZE / 10) quotes.push(quote(held > 0 ? 'sell' : 'buy', 0.6 * away, Math.abs(held)));
    return quotes;
  }
}

if (import.meta.main) {
  const [market = 'calm', hours = '24', seed = '1'] = process.argv.slice(2);
  const exchange = await startExchange({ market: market as 'calm', clock: 'manual', seed: Number(seed) });
  const alice = exchange.client('alice');
  const coins = async () => Number((await alice.accounts({ currency: 'BTC', type: 'trade' }))[0]!.balance);
  const { time: from } = await exchange.clock.read();
  const [maker, before] = [new Maker(), await coins()];
  for (let time = from; time < from + Number(hours) * 3_600_000; ) {
    const { bestBid, bestAsk } = await alice.ticker(SYMBOL);
    await alice.cancelOrders(SYMBOL);
    const quotes = maker.quotes(Number(bestBid), Number(bestAsk), (await coins()) - before);
    await alice.placeOrders(
      quotes.map((quote) => ({ symbol: SYMBOL, type: 'limit', postOnly: true, ...quote })),
    );
    ({ time } = await exchange.clock.advance(EVERY_MS));
  }
  const { orders, fills, pnl, slippage, requests } = await exchange.report('alice', { from });
  console.log(JSON.stringify({ orders, fills, pnl, slippage, requests }, null, 2));
  const [fees, earned] = [pnl.fees, pnl.trading].map((each) => Number(each).toFixed(2));
  console.log(`${fills.count} fills, fees ${fees} USDT, earned ${earned} USDT`);
  await exchange.stop();
}
