// A market maker over ccxt.pro: it quotes at the best prices, trades with the agents of the sandbox, and prints its
// profit. Only ccxt's addresses are changed. `npm start`, then in a second terminal:
//
//   node examples/bot-ccxt.mjs [seconds]        any Node from 20.19 on; BOURSE_URL names another exchange

import ccxt from 'ccxt';

const url = `${process.env.BOURSE_URL ?? 'http://127.0.0.1:8080'}/compat`;
const seconds = Number(process.argv[2] ?? 60);
const symbol = 'BTC/USDT';
const size = 0.01;
/** Beyond this position, long or short, it quotes only the side that reduces it. */
const inventoryMax = 0.05;
const pauseMs = 500;

const maker = new ccxt.pro.kucoin({
  apiKey: '65a0b0c0d0e0f00000a11ce1',
  secret: 'a11ce000-5a4d-4b0c-8e11-000000000001',
  password: 'alice-sandbox',
});
for (const part of Object.keys(maker.urls.api)) maker.urls.api[part] = url;
// ccxt needs this for plain http.
await maker.loadHttpProxyAgent();
await maker.loadMarkets();
/** All fills are maker fills, because the orders are post-only. */
const { maker: feeRate } = await maker.fetchTradingFee(symbol);

const startedAt = await maker.fetchTime();
const end = Date.now() + 1000 * seconds;
/** Its own quotes: order id and price by side. */
const quotes = { buy: undefined, sell: undefined };
let position = 0;
let cash = 0;
let fees = 0;
let fills = 0;
let middle = 0;

/** Tracks position and profit from fills. */
async function countFills() {
  for (;;) {
    for (const { side, amount, price } of await maker.watchMyTrades(symbol, startedAt)) {
      position += side === 'buy' ? amount : -amount;
      cash += side === 'buy' ? -amount * price : amount * price;
      fees += feeRate * amount * price;
      fills += 1;
      console.log(`filled: ${side} ${amount} at ${price}; position ${position.toFixed(4)} BTC`);
    }
  }
}

/** Moves a quote to the best price. */
async function quote(side, price) {
  const isWanted = side === 'buy' ? position < inventoryMax : position > -inventoryMax;
  const old = quotes[side];
  if (isWanted && old?.price === price) return;
  quotes[side] = undefined;
  try {
    if (old) await maker.cancelOrder(old.id, symbol);
    if (!isWanted) return;
    const { id } = await maker.createOrder(symbol, 'limit', side, size, price, { postOnly: true });
    quotes[side] = { id, price };
  } catch (error) {
    // Already filled, or the price has moved: the next round quotes again.
    if (!(error instanceof ccxt.ExchangeError)) throw error;
  }
}

/** A missing order was filled, so quote that side again. */
async function dropFilled() {
  const open = new Set((await maker.fetchOpenOrders(symbol)).map(({ id }) => id));
  for (const side of ['buy', 'sell'])
    if (quotes[side] && !open.has(quotes[side].id)) quotes[side] = undefined;
}

const counting = countFills().catch((error) => {
  if (Date.now() < end) throw error;
});
console.log(`quoting ${symbol} for ${seconds} s`);
while (Date.now() < end) {
  const { bids, asks } = await maker.watchOrderBook(symbol);
  if (bids.length > 0 && asks.length > 0) {
    const [bid, ask] = [bids[0][0], asks[0][0]];
    middle = (bid + ask) / 2;
    await dropFilled();
    await Promise.all([quote('buy', bid), quote('sell', ask)]);
  }
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
}
await maker.cancelAllOrders(symbol);
const earned = cash + position * middle - fees;
console.log(
  `${fills} fills; position ${position.toFixed(4)} BTC at ${middle}; fees ${fees.toFixed(2)} USDT; earned ${earned.toFixed(2)} USDT`,
);
await maker.close();
await counting;
