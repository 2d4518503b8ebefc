/**
 * The sandbox to be measured, in its own process: `node exchange.ts '{"market":"calm","clock":"real"}' DIR`. It
 * prints its connection, and for each line of its input one line: `use` reports its resources, `orders N` places N
 * resting orders. It ends with its input.
 */

import { createInterface } from 'node:readline';
import { startExchange } from '../../packages/bourse/src/startup/start.ts';
import { submit } from '@bourse/test-kit/submit.ts';
import { settingsOf } from '@bourse/test-kit/limits.ts';

const WEIGHT = 1e9;
const TOGETHER = 500;
/** Open-order limit of one user: more than any part of the bench places. */
const OPEN_MAX = 200_000;
/** Far below the market, in increments of the symbol; and the number of prices. */
const PRICE = 100_000;
const PRICES = 5000;

const [words = '{}', data = ''] = process.argv.slice(2);
const settings = settingsOf({
  data,
  port: '0',
  logLevel: 'warn',
  quotas: JSON.stringify({ spot: WEIGHT, manage: WEIGHT, public: WEIGHT }),
  // Requests are signed in advance and must stay valid on a slow machine.
  skewMsMax: '15000',
  ...(JSON.parse(words) as Record<string, string>),
});
const running = await startExchange(settings);
// In an active market the load's bids rest far below it, and only its offers trade.
await submit(running.engine, {
  kind: 'set-limits',
  activeOrdersPerSymbolMax: OPEN_MAX,
  activeOrdersPerUserMax: OPEN_MAX,
});

async function placeOrders(count: number): Promise<number> {
  const { engine } = running;
  const number = await engine.read(({ reference }) => reference.symbolNumber('BTC-USDT'));
  const { priceIncrement, priceDecimals } = await engine.read(({ reference }) => reference.symbol(number));
  const increment = Math.round(Number(priceIncrement) * 10 ** priceDecimals);
  const user = await engine.read(({ reference }) =>
    reference.users.findIndex(({ name }) => name === 'alice'),
  );
  for (let done = 0; done < count; done += TOGETHER) {
    const answers = await Promise.all(
      Array.from({ length: Math.min(TOGETHER, count - done) }, (_, at) =>
        submit(engine, {
          kind: 'place-order',
          user,
          symbol: number,
          side: 'buy',
          type: 'limit',
          price: (PRICE + ((done + at) % PRICES)) * increment,
          size: 1000,
        }),
      ),
    );
    const refused = answers.find(({ outcome }) => outcome.kind === 'rejected');
    if (refused)
      throw new Error(JSON.stringify((refused.outcome as { rejection: { code: string } }).rejection.code));
  }
  await engine.historyCaughtUp();
  return engine.read((exchange) => exchange.openOrders(user, number).length);
}

function use(): object {
  const { user, system } = process.cpuUsage();
  globalThis.gc?.();
  return { cpuMs: (user + system) / 1000, memory: process.memoryUsage.rss() };
}

console.log(JSON.stringify(running.connection));
const lines = createInterface({ input: process.stdin });
lines.on('close', () => void running.close().then(() => process.exit(0)));
lines.on('line', async (line) => {
  const [word, count] = line.split(' ');
  console.log(JSON.stringify(word === 'orders' ? { open: await placeOrders(Number(count)) } : use()));
});
