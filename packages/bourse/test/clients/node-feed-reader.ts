/**
 * A program as a user of the vendor's Node SDK writes it: it listens and prints what it hears, a JSON line each. It is
 * a process of its own because the SDK's connections cannot be closed: they open again for as long as it lives.
 *
 *     node node-feed-reader.ts <url> <user>
 */

import { PAIR, sdk, signAs } from './node-client.ts';

const [url, user] = process.argv.slice(2) as [string, string];
signAs(url, user);
const print = (line: unknown): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

const open = new sdk.websocket.Datafeed();
await open.connectSocket();
for (const topic of ['ticker', 'match', 'snapshot']) open.subscribe(`/market/${topic}:${PAIR}`, print);
open.subscribe(`/market/candles:${PAIR}_1hour`, print);
open.subscribe(`/spotMarket/level2Depth5:${PAIR}`, print);

const own = new sdk.websocket.Datafeed(true);
await own.connectSocket();
for (const topic of ['/spotMarket/tradeOrders', '/account/balance']) own.subscribe(topic, print, true);

sdk.websocket.Level2.setLogger(() => undefined);
const book = new sdk.websocket.Level2(PAIR, new sdk.websocket.Datafeed());
book.listen();
setInterval(() => print({ topic: 'book', data: book.getOrderBook(50) }), 200);
process.stdin.resume().on('end', () => process.exit(0));
