// A market maker on simulated time: `npx node examples/maker-bot.ts calm 2` plays two hours of a calm market as alice,
// and prints what the bot did. In `calm` it ends a day with a gain, after two hours of `crash` with a loss.

import { startExchange } from '@bourse/testing';

const SYMBOL = 'BTC-USDT';
const TICK = 0.1;
/** It looks every two seconds, quotes this many coins on each side, and holds at most ten times as many. */
export const EVERY_MS = 2000;
const SIZE = 0.2;
const HELD_MAX = 1;

interface Quote {
  readonly side: 'buy' | 'sell';
  readonly price: string;
  readonly size: string;
}

/** Quotes wide, as the market moves, to be paid by large orders; and sells what it has, or buys it back, closer. */
export class Maker {
  #middle = 0;
  /** Squares of what the middle moves between two looks, over minutes and over seconds. */
  #slow = 1e-8;
  #fast = 1e-8;

  quotes(bid: number, ask: number, held: number): Quote[] {
    const middle = (bid + ask) / 2;
    const moved = this.#middle === 0 ? 0 : (middle / this.#middle - 1) ** 2;
    this.#middle = middle;
    this.#slow += 0.02 * (moved - this.#slow);
    this.#fast += 0.2 * (moved - this.#fast);
    const away = Math.max(0.00025, 4.5 * Math.sqrt(Math.max(this.#slow, this.#fast)));
    const quote = (side: Quote['side'], distance: number, size: number): Quote => {
      const price = middle * (side === 'buy' ? 1 - distance : 1 + distance);
      const ticks = side === 'buy' ? Math.floor(price / TICK) : Math.ceil(price / TICK);
      return { side, price: (ticks * TICK).toFixed(1), size: size.toFixed(5) };
    };
    return [
      ...(held < HELD_MAX ? [quote('buy', away, SIZE)] : []),
      ...(held > -HELD_MAX ? [quote('sell', away, SIZE)] : []),
      ...(held > SIZE / 10 ? [quote('sell', 0.6 * away, held)] : []),
      ...(held < -SIZE / 10 ? [quote('buy', 0.6 * away, -held)] : []),
    ];
  }
}

if (import.meta.main) {
  const [market = 'calm', hours = '24', seed = '1'] = process.argv.slice(2);
  const exchange = await startExchange({ market: market as 'calm', clock: 'manual', seed: Number(seed) });
  const { http } = exchange.client('alice');
  const coins = async (): Promise<number> => {
    const path = '/api/v1/accounts?currency=BTC&type=trade';
    const [account] = await http.call<{ balance: string }[]>('GET', path);
    return Number(account!.balance);
  };
  const { time: from } = await exchange.clock.read();
  const [maker, before] = [new Maker(), await coins()];
  for (let { time } = await exchange.clock.read(); time < from + Number(hours) * 3_600_000; ) {
    const path = `/api/v1/market/orderbook/level1?symbol=${SYMBOL}`;
    const { bestBid, bestAsk } = await http.call<{ bestBid: string; bestAsk: string }>('GET', path);
    await http.call('DELETE', `/api/v1/hf/orders?symbol=${SYMBOL}`);
    const quotes = maker.quotes(Number(bestBid), Number(bestAsk), (await coins()) - before);
    const orders = quotes.map((quote) => ({ symbol: SYMBOL, type: 'limit', postOnly: true, ...quote }));
    await http.call('POST', '/api/v1/hf/orders/multi', { body: { orderList: orders } });
    ({ time } = await exchange.clock.advance(EVERY_MS));
  }
  const { orders, fills, pnl, slippage, requests } = await exchange.report('alice', { from });
  console.log(JSON.stringify({ orders, fills, pnl, slippage, requests }, null, 2));
  await exchange.stop();
}
