/** A complete exchange on a directory. Trades are made in-process, so that only the feed is busy. */

import { loadSettings } from '../../packages/bourse/src/config/load.ts';
import { startExchange } from '../../packages/bourse/src/startup/start.ts';
import { type Burst, onTask, Pace, report } from './messages.ts';
import { submit } from '@bourse/test-kit/submit.ts';

const [, , data] = process.argv;
const { settings } = loadSettings({
  flags: { data, port: '0', logLevel: 'silent', market: 'quiet' },
  env: {},
});
const huge = 1e9;
const exchange = await startExchange({
  ...settings,
  quotas: { spot: huge, public: huge },
  feedConnectionsPerAddressMax: 1e5,
  feedConnectsPerAddressMax: 1e5,
  feedBufferedBytesMax: 64 << 20,
  // The readers of this bench only read.
  feedIdleMsMax: 3_600_000,
});
const { engine } = exchange;
const { symbol, priceDecimals, sizeDecimals } = await engine.read(({ reference }) =>
  reference.symbol(reference.symbolNumber('BTC-USDT')),
);
const [alice, bob] = await engine.read(({ reference }) =>
  ['alice', 'bob'].map((name) => reference.users.find((user) => user.name === name)!.number),
);
const terms = { kind: 'place-order', symbol, type: 'limit', price: 1000 * 10 ** priceDecimals } as const;
const size = 10 ** (sizeDecimals - 3);

const pace = new Pace();

/** One trade is one message: a resting order is filled piece by piece. */
async function trade(count: number): Promise<void> {
  const answers = await Promise.all([
    submit(engine, { ...terms, user: alice, side: 'sell', size: size * count }),
    ...Array.from({ length: count }, () => submit(engine, { ...terms, user: bob, side: 'buy', size })),
  ]);
  const refused = answers.find(({ outcome }) => outcome.kind === 'rejected');
  if (refused) throw new Error(JSON.stringify(refused));
}

/** Simulates clients that each continue when their trades are acknowledged. */
async function burst({ messages, together, clients, aheadMax }: Burst): Promise<void> {
  let sent = 0;
  const client = async () => {
    while (sent < messages) {
      sent += together;
      await pace.until(sent, aheadMax);
      await trade(together);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
}

onTask((task) => {
  if (task.kind === 'progress') {
    pace.note(task.messages);
  } else if (task.kind === 'burst') {
    pace.begin();
    void burst(task).then(() => report({ kind: 'done' }));
  } else if (task.kind === 'close') void exchange.close().then(() => process.exit(0));
});
report({ kind: 'ready', url: exchange.connection.baseUrl });
