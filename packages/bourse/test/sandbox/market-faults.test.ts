import assert from 'node:assert/strict';
import ccxt from 'ccxt';
import { ccxtClient, PAIR, place } from '../clients/ccxt-client.ts';
import type { TestSandbox } from './exchange.ts';
import { faultTest } from './fault-test.ts';

const MINUTE_MS = 60_000;

async function setState({ running }: TestSandbox, state: string): Promise<void> {
  const { operatorUrl, operatorToken } = running.connection;
  const reply = await fetch(`${operatorUrl}/v1/symbols/BTC-USDT/state`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ state, reason: 'test' }),
  });
  assert.equal(reply.status, 200, await reply.text());
}

faultTest('ccxt sees the errors of a market that is cancel-only or halted', async (sandbox) => {
  const client = await ccxtClient(sandbox.running.connection.compatUrl, 'alice');
  await client.loadMarkets();
  const buy = () => place(client, PAIR, 'limit', 'buy', 1, 100, { hf: true });
  const isRefusal = (error: unknown) => error instanceof ccxt.ExchangeError;
  const open = () =>
    sandbox.running.engine.read((exchange) => exchange.openOrders(0, 0).map(({ order }) => order).length);
  const id = await buy();
  await setState(sandbox, 'cancel-only');
  await assert.rejects(buy(), isRefusal);
  await client.cancelOrder(id, PAIR, { hf: true });
  assert.equal(await open(), 0);
  await setState(sandbox, 'open');
  await buy();
  await setState(sandbox, 'halted');
  await assert.rejects(buy(), isRefusal);
  assert.equal(await open(), 1, 'what was there stays');
  await setState(sandbox, 'open');
});

faultTest('ccxt sees a market crash, and a book with one side empty', async (sandbox) => {
  const client = await ccxtClient(sandbox.running.connection.compatUrl, 'alice');
  await client.loadMarkets();
  const last = async () => (await client.fetchTicker(PAIR)).last!;
  await sandbox.call('POST', '/market', { preset: 'crash', symbols: ['BTC-USDT'] });
  const before = await last();
  await sandbox.call('POST', '/clock/advance', { ms: 6 * MINUTE_MS });
  const fall = 1 - (await last()) / before;
  assert.ok(fall > 0.15 && fall < 0.25, String(fall));
  await sandbox.call('POST', '/market', { preset: 'one-sided' });
  let isOneSided = false;
  for (let minute = 0; minute < 30 && !isOneSided; minute++) {
    await sandbox.call('POST', '/clock/advance', { ms: MINUTE_MS });
    const { bids, asks } = await client.fetchOrderBook(PAIR);
    isOneSided = (bids.length === 0) !== (asks.length === 0);
  }
  assert.ok(isOneSided);
  await sandbox.call('POST', '/market', { preset: 'quiet' });
});
