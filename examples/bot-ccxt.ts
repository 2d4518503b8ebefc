// The same bot with ccxt: only its addresses are changed. `npm start`, then `npx node examples/bot-ccxt.ts`.
// In ADA/USDT no agent of the sandbox trades, so the book is the bot's alone.

import ccxt from 'ccxt';

const url = `${process.env['BOURSE_URL'] ?? 'http://127.0.0.1:8080'}/compat`;
const addresses = Object.keys(new ccxt.kucoin().urls['api'] as object).map((part) => [part, url]);
const open = async (apiKey: string, secret: string, password: string) => {
  const exchange = new ccxt.kucoin({
    apiKey,
    secret,
    password,
    urls: { api: Object.fromEntries(addresses) },
  });
  // ccxt refuses plain http unless it is told that this is wanted.
  await exchange.loadHttpProxyAgent();
  return exchange;
};
const maker = await open('65a0b0c0d0e0f00000a11ce1', 'a11ce000-5a4d-4b0c-8e11-000000000001', 'alice-sandbox');
const bob = await open('65a0b0c0d0e0f000000b0b01', 'b0b00000-5a4d-4b0c-8e11-000000000002', 'bob-sandbox');
const pair = 'ADA/USDT';
const quotes = { buy: 0.499, sell: 0.501 };
const size = 100;
const startedAt = await maker.fetchTime();

const quote = (side: 'buy' | 'sell') =>
  maker.createOrder(pair, 'limit', side, size, quotes[side], { postOnly: true });

await quote('buy');
await quote('sell');
const { bids, asks } = await maker.fetchOrderBook(pair);
console.log(`quoting: ${bids[0]!.join(' x ')} / ${asks[0]!.join(' x ')}`);

for (const side of ['buy', 'sell', 'buy'] as const) {
  await bob.createOrder(pair, 'market', side, size);
  const [trade] = (await maker.fetchMyTrades(pair, startedAt)).slice(-1);
  console.log(
    `bob: market ${side}; filled: ${trade!.side} ${trade!.amount} at ${trade!.price}, quoting again`,
  );
  await quote(side === 'buy' ? 'sell' : 'buy');
}
const trades = await maker.fetchMyTrades(pair, startedAt);
console.log(`${trades.length} fills, fees ${trades.map(({ fee }) => fee!.cost).join(' + ')} USDT`);
await maker.cancelAllOrders(pair);
console.log(`open orders: ${(await maker.fetchOpenOrders(pair)).length}`);
