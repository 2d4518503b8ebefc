/** A replay plays every line of its file, or reports those that it could not; several symbols can replay at once. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { SignedClient } from './client.ts';
import { sandboxFor, type TestSandbox } from './exchange.ts';

const START = 1_700_000_000_000;
const HEAD = 'timestamp,side,price,amount';

interface View {
  readonly playing: boolean;
  readonly replays?: readonly { readonly symbol: string; readonly played: number }[];
  readonly missed?: readonly { readonly symbol: string; readonly line: number; readonly why: string }[];
  readonly missedCount?: number;
}

/** Prices from `from` upwards, so that each trade is distinguishable. */
const tape = (count: number, from: number, gapMs = 100): string[] =>
  Array.from(
    { length: count },
    (_, at) => `${START + at * gapMs},${at % 3 ? 'buy' : 'sell'},${from + at},0.5`,
  );

async function stage(context: TestContext, files: Readonly<Record<string, readonly string[]>>) {
  const recordings = makeDirectory(context);
  for (const [name, lines] of Object.entries(files)) {
    writeFileSync(`${recordings}/${name}`, [HEAD, ...lines, ''].join('\n'));
  }
  return sandboxFor(context, { recordings });
}

/** The oldest first. */
async function tradesOf({ running }: TestSandbox, symbol: string): Promise<number[]> {
  const client = new SignedClient(running.connection, 'bob');
  const { body } = await client.get(`/api/v1/market/histories?symbol=${symbol}`);
  return (body.data as { price: string; time: number }[]).map(({ price }) => Number(price));
}

const sorted = (prices: readonly number[]): number[] => prices.toSorted((one, other) => one - other);

test('every trade of a file is replayed, even the last one', async (context) => {
  // All at once, one by one, and more than fit one step.
  for (const gapMs of [0, 100, 1]) {
    const lines = tape(60, 1000, gapMs);
    const sandbox = await stage(context, { 'trades.csv': lines });
    await sandbox.call('POST', '/market/replay', { symbol: 'BTC-USDT', file: 'trades.csv' });
    await sandbox.call('POST', '/clock/advance', { ms: 60_000 });
    assert.deepEqual(await sandbox.call('GET', '/market/replay'), { playing: false });
    const prices = Array.from({ length: 60 }, (_, at) => 1000 + at);
    assert.deepEqual(sorted(await tradesOf(sandbox, 'BTC-USDT')), prices, `${gapMs} ms apart`);
  }
});

test('lines that cannot be replayed are reported', async (context) => {
  const lines = tape(4, 1000, 1000);
  lines[1] = `${START + 1000},buy,1001,900000000`;
  const sandbox = await stage(context, { 'trades.csv': lines });
  await sandbox.call('POST', '/market/replay', { symbol: 'BTC-USDT', file: 'trades.csv' });
  await sandbox.call('POST', '/clock/advance', { ms: 2500 });
  const { operatorUrl, operatorToken } = sandbox.running.connection;
  const halted = await fetch(`${operatorUrl}/v1/symbols/BTC-USDT/state`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ state: 'halted', reason: 'test' }),
  });
  assert.equal(halted.status, 200, await halted.text());
  await sandbox.call('POST', '/clock/advance', { ms: 60_000 });
  const view = await sandbox.call<View>('GET', '/market/replay');
  assert.equal(view.playing, false);
  assert.deepEqual(
    view.missed?.map(({ symbol, line }) => [symbol, line]),
    [
      ['BTC-USDT', 3],
      ['BTC-USDT', 5],
    ],
  );
  assert.equal(view.missedCount, 2);
  assert.match(view.missed![0]!.why, /more than the tape has money for/);
  assert.match(view.missed![1]!.why, /halted/);
});

test('several symbols replay at once, and each can be stopped alone', async (context) => {
  const sandbox = await stage(context, {
    'btc.csv': tape(20, 1000, 1000),
    'eth.csv': tape(20, 500, 1000),
    'ltc.csv': tape(3, 50, 1000),
  });
  for (const name of ['BTC', 'ETH', 'LTC']) {
    const file = `${name.toLowerCase()}.csv`;
    await sandbox.call('POST', '/market/replay', { symbol: `${name}-USDT`, file });
  }
  const again = await sandbox.ask('POST', '/market/replay', { symbol: 'ETH-USDT', file: 'ltc.csv' });
  assert.equal(again.status, 400);
  await sandbox.call('POST', '/clock/advance', { ms: 5500 });
  const { id } = await sandbox.call<{ id: string }>('POST', '/snapshots');
  const stopped = await sandbox.call<View>('DELETE', '/market/replay?symbol=ETH-USDT');
  assert.deepEqual(
    stopped.replays?.map(({ symbol, played }) => [symbol, played]),
    [['BTC-USDT', 6]],
  );
  await sandbox.call('POST', `/snapshots/${id}/restore`);
  await sandbox.call('POST', '/clock/advance', { ms: 60_000 });
  assert.deepEqual(await sandbox.call('GET', '/market/replay'), { playing: false });
  for (const [symbol, from, count] of [
    ['BTC-USDT', 1000, 20],
    ['ETH-USDT', 500, 20],
    ['LTC-USDT', 50, 3],
  ] as const) {
    const wanted = Array.from({ length: count }, (_, at) => from + at);
    assert.deepEqual(sorted(await tradesOf(sandbox, symbol)), wanted, symbol);
  }
});

test('a deposit fee does not reduce the money of the replay and of the agents', async (context) => {
  const sandbox = await stage(context, { 'trades.csv': tape(20, 1000) });
  const { operatorUrl, operatorToken } = sandbox.running.connection;
  const headers = { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' };
  const listed = await fetch(`${operatorUrl}/v1/currencies`, { headers });
  const currencies = (await listed.json()) as { currency: string; chains: object[] }[];
  for (const { currency, chains } of currencies.filter((each) => each.currency === 'USDT')) {
    const dear = chains.map((each) => ({ ...each, depositFeeRate: '0.01', isDepositEnabled: false }));
    const body = JSON.stringify({ chains: dear, reason: 'test' });
    const set = await fetch(`${operatorUrl}/v1/currencies/${currency}`, { method: 'POST', headers, body });
    assert.equal(set.status, 200, await set.text());
  }
  await sandbox.call('POST', '/market/replay', { symbol: 'BTC-USDT', file: 'trades.csv' });
  await sandbox.call('POST', '/clock/advance', { ms: 60_000 });
  assert.deepEqual(await sandbox.call('GET', '/market/replay'), { playing: false });
  assert.equal((await tradesOf(sandbox, 'BTC-USDT')).length, 20);
  await sandbox.call('POST', '/market', { preset: 'calm', symbols: ['ETH-USDT'] });
  const bob = new SignedClient(sandbox.running.connection, 'bob');
  const { body } = await bob.get('/api/v1/market/orderbook/level1?symbol=ETH-USDT');
  assert.notEqual((body as object as { bestBid: string }).bestBid, '', JSON.stringify(body));
});

test('money in a currency without a chain cannot be credited, and the error says so', async (context) => {
  const sandbox = await stage(context, { 'trades.csv': tape(2, 1000) });
  const { operatorUrl, operatorToken } = sandbox.running.connection;
  const headers = { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' };
  const chains = JSON.stringify({ chains: [], reason: 'test' });
  const set = await fetch(`${operatorUrl}/v1/currencies/LTC`, { method: 'POST', headers, body: chains });
  assert.equal(set.status, 200, await set.text());
  const refused = async (path: string, body: object) => {
    const { sandboxUrl } = sandbox.running.connection as { readonly sandboxUrl: string };
    const answer = await fetch(sandboxUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
    assert.match(await answer.text(), /LTC has no chain|currency without a chain/);
    return answer.status;
  };
  assert.equal(await refused('/faucet', { user: 'bob', currency: 'LTC', amount: '1' }), 400);
  assert.equal(await refused('/users', { name: 'dora', balances: { LTC: '1' } }), 400);
  assert.equal(await refused('/market/replay', { symbol: 'LTC-USDT', file: 'trades.csv' }), 400);
  assert.equal(await refused('/market', { preset: 'calm', symbols: ['LTC-USDT'] }), 400);
});
