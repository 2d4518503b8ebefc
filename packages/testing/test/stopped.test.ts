import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startExchange } from '../src/index.ts';

test('calls to a stopped exchange fail with an error that says so', async () => {
  const exchange = await startExchange();
  await exchange.stop();
  await assert.rejects(exchange.overview(), /No exchange at http:\/\/127\.0\.0\.1:\d+: it was stopped/);
  await assert.rejects(exchange.clock.advance(1), /it was stopped/);
});
