/**
 * A program like that of a user of the vendor's Node SDK: it subscribes and prints each message as a JSON line. It runs
 * in a separate process, because the SDK's connections cannot be closed: they reopen for as long as the process lives.
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
