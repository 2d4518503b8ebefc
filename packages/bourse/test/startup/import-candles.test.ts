import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import type { RunningExchange } from '../../src/startup/running-exchange.ts';
import { clientOf, openFor, Operator } from './exchange.ts';

const MINUTE = 60;

async function ask<T>({ connection }: RunningExchange, path: string): Promise<T> {
  const response = await fetch(`${connection.baseUrl}${path}`);
  return ((await response.json()) as { data: T }).data;
}

const candlesOf = (running: RunningExchange, type: string) =>
  ask<string[][]>(running, `/api/v1/market/candles?symbol=BTC-USDT&type=${type}`);
const statsOf = (running: RunningExchange) =>
  ask<Record<string, string>>(running, '/api/v1/market/stats?symbol=BTC-USDT');

async function importDay(
  context: TestContext,
): Promise<{ data: string; running: RunningExchange; today: number }> {
  const data = makeDirectory(context);
  const running = await openFor(context, { data });
  const now = Math.floor(Date.now() / 1000);
  const minute = Math.floor(now / MINUTE) * MINUTE - 2 * MINUTE;
  const today = Math.floor(now / 86_400) * 86_400;
  const operator = new Operator(running);
  const path = '/v1/symbols/BTC-USDT/candles';
  const candles = [
    [`${minute}`, '100', '102', '103', '99', '2', '202'],
    [`${minute + MINUTE}`, '102', '101', '104', '100', '1', '102'],
  ];
  assert.deepEqual((await operator.post(path, { interval: '1min', candles })).body, {
    symbol: 'BTC-USDT',
    interval: '1min',
    imported: 2,
  });
  const day = [[`${today}`, '100', '101', '104', '99', '3', '304']];
  assert.equal((await operator.post(path, { interval: '1day', candles: day })).status, 200);
  return { data, running, today };
}

test('imported candles are listed, count in the 24-hour statistics, and continue with the first trade', async (context) => {
  const { data, running, today } = await importDay(context);
  assert.deepEqual(
    (await candlesOf(running, '1min')).map(([, ...figures]) => figures),
    [
      ['102', '101', '104', '100', '1', '102'],
      ['100', '102', '103', '99', '2', '202'],
    ],
  );
  assert.deepEqual(await candlesOf(running, '1day'), [[`${today}`, '100', '101', '104', '99', '3', '304']]);
  const { high, low, vol, volValue } = await statsOf(running);
  assert.deepEqual([high, low, vol, volValue], ['104', '99', '3', '304']);

  const order = { symbol: 'BTC-USDT', type: 'limit', price: '110', size: '1' };
  await clientOf(running, 'alice').post('/api/v1/hf/orders', { ...order, side: 'sell', clientOid: 'one' });
  await clientOf(running, 'bob').post('/api/v1/hf/orders', { ...order, side: 'buy', clientOid: 'other' });
  const [[, open, close, top, , volume, turnover] = []] = await candlesOf(running, '1day');
  assert.deepEqual([open, close, top, volume, turnover], ['100', '110', '110', '4', '414']);
  const live = await statsOf(running);
  assert.deepEqual([live['vol'], live['last']], ['4', '110']);

  const again = await new Operator(running).post('/v1/symbols/BTC-USDT/candles', {
    interval: '1day',
    candles: [[`${today}`, '1', '1', '1', '1', '1', '1']],
  });
  assert.equal(again.status, 400);
  assert.match((again.body as { msg: string }).msg, /already traded/);

  await running.close();
  const restarted = await openFor(context, { data });
  const { time: _, ...after } = await statsOf(restarted);
  const { time: __, ...before } = live;
  assert.deepEqual(after, before, 'a restart counts the same');
});

test('an error about a candle names the invalid candle', async (context) => {
  const running = await openFor(context);
  const operator = new Operator(running);
  const wrong: [body: object, says: RegExp][] = [
    [{ interval: '2min', candles: [['0', '1', '1', '1', '1', '1', '1']] }, /one of 1min, 3min/],
    [{ interval: '1min', candles: [['x', '1', '1', '1', '1', '1', '1']] }, /candles\[0\]: start is 'x'/],
    [{ interval: '1min', candles: [['60', '1', '1', '1', '0.00001', '1', '1']] }, /candles\[0\]: low/],
    [{ interval: '1min', candles: [['61', '1', '1', '1', '1', '1', '1']] }, /candles\[0\]\.start/],
    [{ interval: '1min', candles: [['60', '1', '1', '1', '1', '1']] }, /candles/],
  ];
  for (const [body, says] of wrong) {
    const reply = await operator.post('/v1/symbols/BTC-USDT/candles', body);
    assert.equal(reply.status, 400, JSON.stringify(reply.body));
    assert.match((reply.body as { msg: string }).msg, says);
  }
  assert.equal((await operator.post('/v1/symbols/NO-PE/candles', wrong[0]?.[0] ?? {})).status, 404);
});
