/** npm run feed-check -- [--messages N] [--seed N]: promise 11 with as many messages as wanted. */

import { parseArgs } from 'node:util';
import { checkFeed } from '../../packages/server/test/feed/feed-check.ts';

const { values } = parseArgs({
  options: { messages: { type: 'string', default: '1000000' }, seed: { type: 'string', default: '1' } },
});
const started = performance.now();
const done = await checkFeed(Number(values.seed), Number(values.messages));
const seconds = (performance.now() - started) / 1000;
console.log(
  `seed ${values.seed}: ${done.messages.toLocaleString('en')} messages of books, ` +
    `${done.compared.toLocaleString('en')} compared and equal, ${done.resyncs} resyncs, ` +
    `${done.trades.toLocaleString('en')} trades without a gap, ` +
    `${done.orders.toLocaleString('en')} messages of orders in order, ${seconds.toFixed(0)} s`,
);
