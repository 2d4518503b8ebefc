/** Started by a test in a separate process: uses everything once, stops, and prints what is left. */

import { startExchange } from '@bourse/testing';

const resources = (): string[] => process.getActiveResourcesInfo().filter((name) => !isOfProcess(name));
/** Output of the process itself. */
const isOfProcess = (name: string): boolean => /^(PipeWrap|TTYWrap|FSReqCallback)$/.test(name);
const order = { symbol: 'BTC-USDT', type: 'limit', side: 'buy', price: '20000', size: '0.1' } as const;

const isDying = process.argv[2] === 'die';
const listeners = process.listenerCount('exit');
const exchange = await startExchange({ market: 'calm' });
if (!isDying) {
  // Loaded only for the final check, because loading takes seconds.
  const { default: ccxt } = await import('ccxt');
  await new ccxt.kucoin({ ...exchange.ccxt('bob') }).fetchOrderBook('BTC/USDT');
}
await exchange.client('alice').placeOrder(order);
const snapshot = await exchange.snapshots.take();
const fork = await exchange.fork();
await fork.client('alice').placeOrder(order);
await exchange.snapshots.restore(snapshot);
if (isDying) process.exit(3);
// Not awaited, and pending for longer than the test: stopping completes or disconnects it.
const waiting = exchange.expect({ kind: 'fill', where: { user: 'alice' } }, { withinMs: 3_600_000 });
waiting.catch(() => undefined);
await exchange.overview();
await exchange.stop();
await exchange.stop();
await waiting.catch(() => undefined);
await fork.stop();
console.log(JSON.stringify({ resources: resources(), listeners: process.listenerCount('exit') - listeners }));
