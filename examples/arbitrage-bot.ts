// Arbitrage over three pairs on simulated time: `npx node examples/arbitrage-bot.ts wild 1`. USDT buys ETH, ETH buys
// BTC and BTC buys USDT, or the other way round, whenever the three prices yield more than the fees.

import { startExchange } from '@bourse/testing';

const [market = 'wild', hours = '1', seed = '1'] = process.argv.slice(2);
const everyMs = 2000;
/** Maximum ETH per round. */
const sizeMax = 1;
const sizeMin = 0.01;

const exchange = await startExchange({ market: market as 'wild', clock: 'manual', seed: Number(seed) });
// At the published fee of 0.1 % per leg there is no profit; a market maker's tier pays less.
for (const symbol of ['BTC-USDT', 'ETH-USDT', 'ETH-BTC'])
  await exchange.fees.set({ user: 'alice', symbol, maker: '0', taker: '0.0001' });
const fee = 0.0001;
const alice = exchange.client('alice');
const { time: from } = await exchange.clock.read();

async function best(symbol: string) {
  const { bestBid, bestBidSize, bestAsk, bestAskSize } = await alice.ticker(symbol);
  return [bestBid, bestBidSize, bestAsk, bestAskSize].map(Number) as [number, number, number, number];
}
/** Returns the amount paid or received, in the quote currency. */
async function take(symbol: string, side: 'buy' | 'sell', amount: number) {
  const { orderId } = await alice.placeOrderSync({ symbol, type: 'market', side, size: amount.toFixed(5) });
  return Number((await alice.order({ symbol, orderId })).dealFunds);
}

let rounds = 0;
for (let time = from; time < from + Number(hours) * 3_600_000; ) {
  const [btcBid, btcBidSize, btcAsk, btcAskSize] = await best('BTC-USDT');
  const [ethBid, ethBidSize, ethAsk, ethAskSize] = await best('ETH-USDT');
  const [crossBid, crossBidSize, crossAsk, crossAskSize] = await best('ETH-BTC');
  const kept = (1 - fee) ** 3;
  // At most the size at the best prices: beyond them there is no profit.
  const cheap = Math.min(sizeMax, ethAskSize, crossBidSize, btcBidSize / crossBid);
  const dear = Math.min(sizeMax, ethBidSize, crossAskSize, btcAskSize / crossAsk);
  if ((crossBid * btcBid * kept) / ethAsk > 1 && cheap > sizeMin) {
    // ETH is cheap in USDT: buy it there, sell it for BTC, sell the BTC.
    await take('ETH-USDT', 'buy', cheap);
    await take('BTC-USDT', 'sell', await take('ETH-BTC', 'sell', cheap));
    rounds += 1;
  } else if ((ethBid * kept) / (crossAsk * btcAsk) > 1 && dear > sizeMin) {
    // ETH is expensive in USDT: buy it for BTC, sell it for USDT, buy the BTC back.
    const paid = await take('ETH-BTC', 'buy', dear);
    await take('ETH-USDT', 'sell', dear);
    await take('BTC-USDT', 'buy', paid);
    rounds += 1;
  }
  ({ time } = await exchange.clock.advance(everyMs));
}
const { fills, pnl } = await exchange.report('alice', { from });
console.log(
  `${rounds} rounds, ${fills.count} fills, fees ${Number(pnl.fees).toFixed(2)} USDT, earned ${Number(pnl.trading).toFixed(2)} USDT`,
);
await exchange.stop();
