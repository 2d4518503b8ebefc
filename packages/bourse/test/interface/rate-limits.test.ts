// Weights, pools, the three headers, and an exhausted pool.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { limitsEnv } from '@bourse/test-kit/limits.ts';
import { type Answer, at, send, signed } from './client.ts';
import { UserClient, limit, refusal } from './user-client.ts';
import { ledgerStandsAtTheEnd, sharedService } from './service.ts';
import { errorB, exactly } from './shapes.ts';

/** Shorter than usual, because a test waits for the next one. */
const WINDOW_MS = 8000;
const service = sharedService(limitsEnv({ poolWindowMs: WINDOW_MS }));
const [alice, bob, child, viewer] = ['alice', 'bob', 'alice-sub', 'alice-viewer'].map(
  (name) => new UserClient(service, name),
);
const orders = '/api/v1/hf/orders';
const nobody = '65a0b0c0d0e0f00000000000';

function quota(answer: Answer): { limit: number; remaining: number; reset: number } {
  const read = (name: string) => {
    const value = answer.headers[`gw-ratelimit-${name}`];
    assert.match(String(value), /^\d+$/, `gw-ratelimit-${name} of ${answer.text.slice(0, 200)}`);
    return Number(value);
  };
  return { limit: read('limit'), remaining: read('remaining'), reset: read('reset') };
}

const once = (client: UserClient, method: string, path: string, body?: unknown): Promise<Answer> => {
  const text = body === undefined ? '' : JSON.stringify(body);
  return send(
    client.dialect.url,
    method,
    path,
    text,
    signed(client.dialect, client.user, method, path, text),
  );
};
const order = limit('ETH-USDT', 'buy', '100', '999999');
const list = { orderList: [order] };
const symbol = 'symbol=ETH-USDT';

const table: [pool: number, weight: number, method: string, path: string, body?: unknown][] = [
  [2000, 4, 'POST', '/api/v3/accounts/universal-transfer', {}],
  [2000, 5, 'GET', '/api/v2/deposit-addresses?currency=BTC'],
  [2000, 5, 'GET', `/api/v1/accounts/${nobody}`],
  [2000, 20, 'GET', '/api/v1/accounts/transferable?currency=BTC&type=MAIN'],
  [2000, 5, 'GET', '/api/v1/accounts'],
  [2000, 20, 'POST', '/api/v1/deposit-addresses', {}],
  [4000, 1, 'POST', orders, order],
  [4000, 1, 'POST', `${orders}/sync`, order],
  [4000, 1, 'POST', `${orders}/multi`, list],
  [4000, 1, 'POST', `${orders}/multi/sync`, list],
  [4000, 1, 'DELETE', `${orders}/${nobody}?${symbol}`],
  [4000, 1, 'DELETE', `${orders}/client-order/none?${symbol}`],
  [4000, 1, 'DELETE', `${orders}/sync/${nobody}?${symbol}`],
  [4000, 1, 'DELETE', `${orders}/sync/client-order/none?${symbol}`],
  [4000, 2, 'GET', `${orders}/${nobody}?${symbol}`],
  [4000, 2, 'GET', `${orders}/client-order/none?${symbol}`],
  [4000, 3, 'GET', '/api/v1/trade-fees?symbols=BTC-USDT'],
  [2000, 3, 'GET', '/api/v3/currencies/BTC'],
  [2000, 4, 'GET', '/api/v2/symbols'],
  [2000, 3, 'GET', '/api/v1/market/histories?symbol=BTC-USDT'],
  [2000, 2, 'GET', '/api/v1/market/orderbook/level1?symbol=BTC-USDT'],
  [2000, 3, 'GET', '/kyc/regions/v4'],
];

for (const [pool, weight, method, path, body] of table) {
  test(`${method} ${path.split('?')[0]} costs ${weight} of ${pool}`, async () => {
    // A window may end between the two calls: its reset then jumps up, and the pair is retried.
    for (let attempt = 0; attempt < 5; attempt++) {
      const first = quota(await once(bob, method, path, body));
      const second = quota(await once(bob, method, path, body));
      assert.equal(first.limit, pool);
      assert.ok(first.reset > 0 && first.reset <= WINDOW_MS, `reset ${first.reset}`);
      if (second.reset > first.reset) continue;
      assert.equal(first.remaining - second.remaining, weight);
      return;
    }
    assert.fail('the window ended five times');
  });
}

test('every response has the rate-limit headers, even a rejection', async () => {
  const base = alice.dialect.url;
  const answers = [
    await send(base, 'GET', '/no/such/route', '', {}),
    await send(base, 'PUT', orders, '', {}),
    await send(base, 'POST', orders, 'x', { 'content-type': 'text/plain' }),
    await send(base, 'GET', '/api/v1/accounts', '', {}),
    await send(base, 'GET', '/api/v1/accounts', '', {
      ...signed(alice.dialect, alice.user, 'GET', '/api/v1/accounts', ''),
      'SVC-API-SIGN': 'x',
    }),
    await once(viewer, 'POST', orders, order),
    await once(alice, 'POST', orders, {}),
    await once(alice, 'POST', '/api/v1/deposit/compliance/info', {}),
  ];
  for (const answer of answers) quota(answer);
});

test('keys of one user share a pool, and a sub-account has its own', async () => {
  const path = '/api/v1/accounts/transferable?currency=BTC&type=MAIN';
  const before = quota(await once(alice, 'GET', path));
  const shared = quota(await once(viewer, 'GET', path));
  if (shared.reset <= before.reset) assert.equal(shared.remaining, before.remaining - 20);
  const own = quota(await once(child, 'GET', path));
  assert.equal(own.remaining, 1980);
});

test('a user may send ten questionnaires a second', async () => {
  const path = '/api/v1/deposit/compliance/info';
  await sleep(1100);
  const answers = await Promise.all(Array.from({ length: 40 }, () => once(alice, 'POST', path, {})));
  const refused = answers.filter((answer) => answer.status === 429);
  assert.ok(answers.length - refused.length >= 10, 'ten pass');
  assert.ok(refused.length > 0, 'the rest of one second does not');
  for (const answer of refused) {
    exactly(answer.body, errorB);
    assert.equal(at(answer.body, 'code'), '429000');
    assert.equal(quota(answer).limit, 10);
  }
  await sleep(1100);
  assert.equal((await once(alice, 'POST', path, {})).status, 400, 'a second later it goes on');
});

test('an empty pool returns 429000 in both dialects before parameters are read, and other pools still work', async () => {
  const base = alice.dialect.url;
  let allowed = 0;
  let last: Answer | undefined;
  for (let sent = 0; sent < 6000 && last?.status !== 429; sent += 8) {
    const few = await Promise.all(
      Array.from({ length: 8 }, () => send(base, 'GET', '/api/v2/symbols', '', {})),
    );
    allowed += few.filter((answer) => answer.status === 200).length;
    last = few.find((answer) => answer.status === 429) ?? few[0];
  }
  assert.ok(last !== undefined && last.status === 429, 'the pool ends');
  assert.ok(allowed >= 480, `${allowed} allowed`);
  refusal(last, 429, '429000', /^Too Many Requests/);
  const { remaining, reset } = quota(last);
  assert.ok(remaining < 4, `${remaining} left`);
  assert.ok(reset > 0 && reset <= WINDOW_MS);

  const noSymbol = await send(base, 'GET', '/api/v1/market/histories', '', {});
  const family = await send(service().ready.compatUrl, 'GET', '/api/v2/symbols', '', {});
  if (quota(noSymbol).reset <= reset && quota(family).reset <= reset) {
    refusal(noSymbol, 429, '429000');
    assert.equal(family.status, 429, family.text);
    assert.equal(at(family.body, 'code'), '429000');
    assert.equal(at(family.body, 'msg'), 'Too Many Requests');
  }
  assert.equal((await once(alice, 'GET', '/api/v1/accounts')).status, 200, 'a pool of its own');

  await sleep(reset + 500);
  const again = await send(base, 'GET', '/api/v2/symbols', '', {});
  assert.equal(again.status, 200, 'the next window starts full');
  assert.equal(quota(again).remaining, 1996);
});

ledgerStandsAtTheEnd(service, (user) => new UserClient(service, user.name).accounts());
