/** A sandbox with a stopped clock keeps no ids of requests signed with wall time in its log, but still executes each once. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { Client, credentials, sign } from '@bourse/test-kit/server.ts';
import { openSandbox } from './exchange.ts';

const ORDERS = '/api/v1/hf/orders';
const BODY = JSON.stringify({
  symbol: 'BTC-USDT',
  type: 'limit',
  side: 'buy',
  price: '1000',
  size: '0.001',
});

test('promise 20: a request signed by the wall clock has no effect again after a restart of a sandbox with a stopped clock', {
  timeout: 60_000,
}, async (context) => {
  const dir = makeDirectory(context);
  const open = async () => {
    const sandbox = await openSandbox(dir, { clock: 'manual', skewMsMax: '15000' });
    context.after(() => sandbox.close());
    const alice = new Client(sandbox.running.connection.baseUrl, 'alice');
    return { ...sandbox, send: (headers = {}) => alice.send('POST', ORDERS, BODY, headers) };
  };
  const first = await open();
  const signed = sign(credentials('alice'), 'POST', ORDERS, BODY);
  assert.equal((await first.send(signed)).json.code, '200000');
  assert.match((await first.send(signed)).text, /sign a new request/);
  await first.close();

  const second = await open();
  const { text } = await second.send(signed);
  assert.match(
    text,
    /It was signed before .* when this sandbox was started, and may have been executed then/,
  );
  assert.equal((await second.send()).json.code, '200000', 'one that is signed now acts');
});
