// A market maker with our own client, on a sandbox without agents, so that the bot has the book to itself:
// `npm start -- --market quiet`, then `npx node examples/bot-client.ts`. It quotes both sides, learns of its fills from
// the feed and quotes again; bob takes its quotes.

import { BourseClient, Feed, type Side } from '@bourse/client';

const url = process.env['BOURSE_URL'] ?? 'http://127.0.0.1:8080';
const open = (apiKey: string, apiSecret: string, apiPassphrase: string) =>
  new BourseClient({ url, credentials: { apiKey, apiSecret, apiPassphrase } });
const maker = open('65a0b0c0d0e0f00000a11ce1', 'a11ce000-5a4d-4b0c-8e11-000000000001', 'alice-sandbox');
const bob = open('65a0b0c0d0e0f000000b0b01', 'b0b00000-5a4d-4b0c-8e11-000000000002', 'bob-sandbox');
const symbol = 'XRP-USDT';
const quotes = { buy: '0.499', sell: '0.501' };
const size = '100';
const startedAt = await maker.serverTime();

const quote = (side: Side) =>
  maker.placeOrder({ symbol, type: 'limit', side, price: quotes[side], size, postOnly: true });

const feed = new Feed(maker);
const filled: { side: Side; filledSize: string; price: string }[] = [];
await feed.subscribe<(typeof filled)[number] & { type: string }>('/spotMarket/tradeOrders', ({ data }) => {
  if (data.type === 'filled') filled.push(data);
});
const book = await feed.book(symbol);
if (book.best('buy') !== undefined || book.best('sell') !== undefined) {
  console.error(`Others trade in ${symbol}. Start the sandbox without agents: npm start -- --market quiet`);
  process.exit(1);
}
await quote('buy');
await quote('sell');
await until(() => book.best('buy') !== undefined && book.best('sell') !== undefined);
console.log(`quoting: ${book.best('buy')!.join(' x ')} / ${book.best('sell')!.join(' x ')}`);

for (const side of ['buy', 'sell', 'buy'] as const) {
  await bob.placeOrder({ symbol, type: 'market', side, size });
  await until(() => filled.length > 0);
  const order = filled.shift()!;
  console.log(
    `bob: market ${side}; filled: ${order.side} ${order.filledSize} at ${order.price}, quoting again`,
  );
  await quote(order.side);
}
const { items } = await maker.fills(symbol, { startAt: startedAt });
console.log(`${items.length} fills, fees ${items.map(({ fee }) => fee).join(' + ')} USDT`);
await maker.cancelOrders(symbol);
await until(() => book.best('buy') === undefined && book.best('sell') === undefined);
console.log('all cancelled, the book is empty');
feed.close();

async function until(isMet: () => boolean): Promise<void> {
  while (!isMet()) await new Promise((resolve) => setTimeout(resolve, 10));
}
