/**
 * A clock that was fast for a while and is now correct, so the time of the log is ahead of it. A request signed now
 * cannot be distinguished from one already executed, so it is rejected with the time until which that lasts; cancelling
 * by id still works.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Clock, nodeClock } from '../../../engine/src/io/clock.ts';
import { credentials, Client, sign, startServer, startWhole } from '@bourse/test-kit/server.ts';
import { openDirectoryEngine } from '@bourse/test-kit/test-engine.ts';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { limit, ORDERS } from '@bourse/test-kit/gateway/trading.ts';
import { submit } from '@bourse/test-kit/submit.ts';

const HOUR_MS = 3_600_000;
const WITHDRAWAL = {
  currency: 'USDT',
  amount: '10',
  chain: 'trx',
  toAddress: 'TSv3L1fS7yA3SxzKD8c1qdX4nLP6rqNxYz',
  withdrawType: 'ADDRESS',
};

/** Headers that take the place of those signed with the present time. */
const signedAt = (time: number, body: object): Record<string, string> =>
  sign(credentials('alice'), 'POST', ORDERS, JSON.stringify(body), { timestamp: String(time) });

test('a start after the clock was set back reports how far the log is ahead of the clock', {
  timeout: 120_000,
}, async (context) => {
  const data = makeDirectory(context);
  await (await startWhole(data)).close();
  const warnings: string[] = [];
  const fast = { ...nodeClock, now: () => nodeClock.now() + HOUR_MS };
  const engine = await openDirectoryEngine(data, { clock: fast, keepSegments: true });
  await submit(engine, { kind: 'change-user', user: 0, tier: 0 });
  assert.equal(engine.aheadMs, 0);
  await engine.close();
  const again = await openDirectoryEngine(data, {
    keepSegments: true,
    onWarning: (each) => warnings.push(each),
  });
  assert.ok(again.aheadMs > HOUR_MS - 60_000 && again.aheadMs <= HOUR_MS + 1000, `${again.aheadMs}`);
  await again.close();
  assert.match(
    warnings.join('\n'),
    /The last record of the log is of .* 3[56]\d\d seconds ahead of the clock/,
  );
});

test('after the clock is set back an hour, nothing takes effect twice, the error says until when, and cancels work', async (context) => {
  const fastMs = { value: HOUR_MS };
  const clock: Clock = {
    ...nodeClock,
    now: () => nodeClock.now() + fastMs.value,
    get machine() {
      return clock;
    },
  };
  const server = await startServer({ clock });
  context.after(() => server.close());
  const alice = new Client(server.url, 'alice');
  const order = limit('buy', '20000', '0.01');
  const placed = await alice.send('POST', ORDERS, JSON.stringify(order), signedAt(clock.now(), order));
  const { orderId } = placed.json.data as { orderId: string };
  fastMs.value = 0;
  const refused = await alice.post(ORDERS, limit('buy', '20000', '0.01'));
  assert.equal(refused.status, 503, refused.text);
  const said =
    /the log is (\d+) s ahead of it.* accepted again from (\S+); until then, orders can be cancelled/.exec(
      refused.text,
    );
  assert.ok(said !== null, refused.text);
  const [, seconds, from] = said;
  const aheadMs = Number(seconds) * 1000;
  assert.ok(aheadMs > HOUR_MS - 120_000 && aheadMs <= HOUR_MS + 2000, seconds);
  // The log's time runs at half the speed of the clock until the clock has caught up.
  const waitMs = Date.parse(from) - Date.now();
  assert.ok(Math.abs(waitMs - 2 * (aheadMs - 20_000)) < 30_000, from);
  for (const path of [`${ORDERS}?symbol=BTC-USDT`, `${ORDERS}/client-order/mine?symbol=BTC-USDT`]) {
    assert.equal((await alice.delete(path)).status, 503, 'it would cancel what was placed since');
  }
  const cancelled = await alice.delete(`${ORDERS}/${orderId}?symbol=BTC-USDT`);
  assert.equal(cancelled.status, 200, cancelled.text);
  assert.equal((await alice.get('/api/v1/accounts')).status, 200);
});

test('an order and a withdrawal accepted while the clock was fast do not take effect again when it reaches that time', async (context) => {
  const [fastMs, passedMs] = [{ value: 120_000 }, { value: 0 }];
  const clock: Clock = {
    ...nodeClock,
    now: () => nodeClock.now() + fastMs.value + passedMs.value,
    elapsed: () => nodeClock.elapsed() + passedMs.value,
  };
  const server = await startServer({ clock });
  context.after(() => server.close());
  const timestamp = String(clock.now());
  const requests = [
    [ORDERS, JSON.stringify(limit('buy', '20000', '0.01'))],
    ['/api/v3/withdrawals', JSON.stringify(WITHDRAWAL)],
  ] as const;
  const send = async ([path, body]: (typeof requests)[number]): Promise<string> => {
    const headers = {
      ...sign(credentials('alice'), 'POST', path, body, { timestamp }),
      'content-type': 'application/json',
    };
    return (await fetch(server.url + path, { method: 'POST', headers, body })).text();
  };
  const tick = () => submit(server.services.port, { kind: 'change-user', user: 0, tier: 0 });
  for (const request of requests) assert.match(await send(request), /"code":"200000"/);
  for (const request of requests) assert.match(await send(request), /"code":"400013"/, 'at once');
  fastMs.value = 0;
  await tick();
  for (let seconds = 1; seconds <= 130; seconds++) {
    passedMs.value = seconds * 1000;
    await tick();
    if (seconds < 110) continue;
    for (const request of requests)
      assert.match(await send(request), /"code":"(503000|400002)"/, `${seconds}`);
  }
  assert.ok(server.services.port.aheadMs > 0 && server.services.port.aheadMs < 60_000, 'it catches up');
});
