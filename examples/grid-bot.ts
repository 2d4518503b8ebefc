// A grid bot on simulated time: `npx node examples/grid-bot.ts calm 2` holds orders at fixed distances around the first
// price for two hours, and answers each fill with the opposite order one step away. It earns while the price
// oscillates, and loses when it leaves the grid.

import { startExchange } from '@bourse/testing';

const [market = 'calm', hours = '1', seed = '1'] = process.argv.slice(2);
const symbol = 'BTC-USDT';
const [levels, stepShare, size] = [5, 0.0015, '0.05'];

const exchange = await startExchange({ market: market as 'calm', clock: 'manual', seed: Number(seed) });
const alice = exchange.client('alice');
const { time: from } = await exchange.clock.read();
const { bestBid, bestAsk } = await alice.ticker(symbol);
const middle = (Number(bestBid) + Number(bestAsk)) / 2;
/** Level 0 is the first price; one order per level, named by it. */
const priceOf = (level: number) => (middle * (1 + level * stepShare)).toFixed(1);
/** Levels by `clientOid` of the orders that rest. */
const resting = new Map<string, { readonly side: 'buy' | 'sell'; readonly level: number }>();
let placed = 0;

async function place(side: 'buy' | 'sell', level: number) {
  const clientOid = `grid-${(placed += 1)}`;
  await alice.placeOrder({ symbol, type: 'limit', side, price: priceOf(level), size, clientOid });
  resting.set(clientOid, { side, level });
}

for (let level = 1; level <= levels; level++) {
  await place('buy', -level);
  await place('sell', level);
}
for (let time = from; time < from + Number(hours) * 3_600_000; ) {
  ({ time } = await exchange.clock.advance(10_000));
  const open = new Set((await alice.openOrders(symbol)).map(({ clientOid }) => clientOid));
  for (const [clientOid, { side, level }] of [...resting].filter(([name]) => !open.has(name))) {
    resting.delete(clientOid);
    await (side === 'buy' ? place('sell', level + 1) : place('buy', level - 1));
  }
}
await alice.cancelOrders(symbol);
const { fills, pnl } = await exchange.report('alice', { from });
console.log(
  `${fills.count} fills, fees ${Number(pnl.fees).toFixed(2)} USDT, earned ${Number(pnl.trading).toFixed(2)} USDT`,
);
await exchange.stop();
