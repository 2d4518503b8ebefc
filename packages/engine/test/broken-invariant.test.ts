import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const SOURCE = `
import { Exchange } from '@bourse/core';
import { Digest } from './src/digest.ts';
import { Sequencer } from './src/sequencer.ts';
import { submit } from '@bourse/test-kit/submit.ts';
import { nodeClock } from './src/io/clock.ts';
import { openMarket, order } from '@bourse/test-kit/market.ts';
import { MemoryLog } from '@bourse/test-kit/memory-log.ts';

const exchange = new Exchange();
const sequencer = new Sequencer({ log: new MemoryLog(), exchange, clock: nodeClock, digest: new Digest() });
for (const command of openMarket()) await submit(sequencer, command);
// The next record leaves a gap.
exchange.apply = (record) => Exchange.prototype.apply.call(exchange, { ...record, seq: record.seq + 1 });
sequencer.subscribe(() => console.log('PUBLISHED'));
setTimeout(() => console.log('STILL ALIVE'), 2000);
await submit(sequencer, order(0, 'sell', 1000, 5)).then(
  () => console.log('ANSWERED'),
  (error) => console.log(error.reason),
);
`;

test('a broken invariant ends the process at once, and nothing of the record is published or answered', () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module-typescript', '-e', SOURCE],
    {
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      encoding: 'utf8',
      timeout: 60_000,
    },
  );
  assert.notEqual(status, 0);
  assert.match(stderr, /BrokenInvariant/);
  assert.doesNotMatch(stdout, /ANSWERED|PUBLISHED|STILL ALIVE/);
});
