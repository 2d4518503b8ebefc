/** In a sandbox with a stopped clock, a wall-signed request uses up its id only once its command is sent. */

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { Client, credentials, sign } from '@bourse/test-kit/server.ts';
import { settingsOf } from '@bourse/test-kit/limits.ts';
import type { Settings } from '../../src/config/settings.ts';
import { startExchange } from '../../src/startup/start.ts';
import { sandboxOf } from './exchange.ts';

const ORDERS = '/api/v1/hf/orders';
const ORDER = { symbol: 'BTC-USDT', type: 'limit', side: 'buy', price: '1000', size: '0.001' };
const REPEATED = '400013';
const SENT_COUNT = 3;
/** The weight of an order is 1. */
const ORDERS_MAX = 2;

async function open(context: TestContext, quotas: Settings['quotas'] = {}) {
  const dir = makeDirectory(context);
  const flags = { data: dir, port: '0', logLevel: 'silent', market: 'quiet', clock: 'manual' };
  const sandbox = sandboxOf(await startExchange({ ...settingsOf(flags), quotas }), dir);
  context.after(() => sandbox.close());
  const alice = new Client(sandbox.running.connection.baseUrl, 'alice');
  /** Sends the same signed bytes each time. */
  const signed = (order: object) => {
    const body = JSON.stringify(order);
    const headers = sign(credentials('alice'), 'POST', ORDERS, body);
    return async () => (await alice.send('POST', ORDERS, body, headers)).json.code;
  };
  return { ...sandbox, signed };
}

test('a wall-signed request that was rejected by the rate limit is executed when it is sent again, once', {
  timeout: 60_000,
}, async (context) => {
  const { signed, call } = await open(context, { spot: ORDERS_MAX });
  const send = signed(ORDER);
  const others = [signed({ ...ORDER, size: '0.002' }), signed({ ...ORDER, size: '0.003' })];
  for (const other of others) assert.equal(await other(), '200000');
  assert.equal(await send(), '429000');
  assert.equal(await send(), '429000');
  await call('POST', '/clock/advance', { ms: 60_000 });
  assert.equal(await send(), '200000');
  assert.equal(await send(), REPEATED);
});

test('a wall-signed request with invalid content gets the same error each time it is sent', {
  timeout: 60_000,
}, async (context) => {
  const { signed } = await open(context);
  for (const wrong of [{ side: 'hold' }, { price: 'much' }, { symbol: 'NO-SUCH' }]) {
    const send = signed({ ...ORDER, ...wrong });
    const codes = [];
    for (let i = 0; i < SENT_COUNT; i++) codes.push(await send());
    assert.notEqual(codes[0], '200000');
    assert.notEqual(codes[0], REPEATED);
    assert.equal(new Set(codes).size, 1, `${JSON.stringify(wrong)}: ${codes.join()}`);
  }
});
