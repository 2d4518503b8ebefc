import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Clock } from '../../../engine/src/io/clock.ts';
import { senderOf } from '../../src/gateway/access/ip-addresses.ts';
import { DEFAULT_QUOTAS, Throttle } from '../../src/gateway/access/throttle.ts';
import { probeRoutes } from './probe-routes.ts';
import { Client, type Reply, startServer } from '@bourse/test-kit/server.ts';
import { submit } from '@bourse/test-kit/submit.ts';

class Hands {
  time = 1_000_000;
  now = (): number => this.time;
  elapsed = (): number => this.time;
  after = (): (() => void) => () => undefined;
  soon = (): void => undefined;
  next = (): void => undefined;
  get machine(): Clock {
    return this;
  }
}

describe('pools of weights', () => {
  const quotas = { ...DEFAULT_QUOTAS, spot: 10, manage: 6, public: 4, tiers: { 3: { spot: 20 } } };

  test('a window starts with its first request and is full again when it ends', () => {
    const clock = new Hands();
    const throttle = new Throttle(quotas, clock);
    const spend = (weight: number) => throttle.spendAsUser('spot', 1, 0, weight);
    assert.deepEqual(spend(0), { allowed: true, limit: 10, remaining: 10, resetMs: 30_000 });
    clock.time += 20_000;
    assert.deepEqual(spend(3), { allowed: true, limit: 10, remaining: 7, resetMs: 30_000 });
    clock.time += 29_999;
    assert.deepEqual(spend(7), { allowed: true, limit: 10, remaining: 0, resetMs: 1 });
    assert.deepEqual(spend(1), { allowed: false, limit: 10, remaining: 0, resetMs: 1 });
    clock.time += 1;
    assert.deepEqual(spend(1), { allowed: true, limit: 10, remaining: 9, resetMs: 30_000 });
  });

  test('a request that costs more than the remaining weight is rejected and costs nothing', () => {
    const throttle = new Throttle(quotas, new Hands());
    assert.equal(throttle.spendAsUser('spot', 1, 0, 8).allowed, true);
    assert.equal(throttle.spendAsUser('spot', 1, 0, 3).allowed, false);
    assert.equal(throttle.spendAsUser('spot', 1, 0, 2).allowed, true);
  });

  test('users, pools and addresses have separate windows', () => {
    const throttle = new Throttle(quotas, new Hands());
    assert.equal(throttle.spendAsUser('spot', 1, 0, 10).remaining, 0);
    assert.equal(throttle.spendAsUser('spot', 2, 0, 1).remaining, 9);
    assert.equal(throttle.spendAsUser('manage', 1, 0, 1).remaining, 5);
    assert.equal(throttle.spendAsSender('public', senderOf(-1, '10.0.0.1'), 4).remaining, 0);
    assert.equal(throttle.spendAsSender('public', senderOf(-1, '10.0.0.2'), 1).remaining, 3);
  });

  test('the addresses of one IPv6 network share a window, because one customer has them all', () => {
    const throttle = new Throttle(quotas, new Hands());
    for (const [at, address] of ['2001:db8:1:2::7', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::8'].entries()) {
      assert.equal(throttle.spendAsSender('public', senderOf(-1, address), 1).remaining, 3 - at);
    }
    assert.equal(throttle.spendAsSender('public', senderOf(-1, '2001:db8:1:3::7'), 1).remaining, 3);
    assert.equal(throttle.spendAsSender('public', senderOf(-1, '::1'), 1).remaining, 3);
  });

  test('a tier has its own quotas, and the defaults for pools that it does not list', () => {
    const throttle = new Throttle(quotas, new Hands());
    assert.equal(throttle.spendAsUser('spot', 1, 3, 1).limit, 20);
    assert.equal(throttle.spendAsUser('manage', 1, 3, 1).limit, 6);
    assert.equal(throttle.spendAsUser('spot', 2, 7, 1).limit, 10);
  });

  test('questionnaires are limited per second', () => {
    const clock = new Hands();
    const throttle = new Throttle(quotas, clock);
    for (let i = 0; i < 10; i++) assert.equal(throttle.spendAsUser('questionnaire', 1, 0, 1).allowed, true);
    assert.deepEqual(throttle.spendAsUser('questionnaire', 1, 0, 1), {
      allowed: false,
      limit: 10,
      remaining: 0,
      resetMs: 1000,
    });
    clock.time += 1000;
    assert.equal(throttle.spendAsUser('questionnaire', 1, 0, 1).allowed, true);
  });

  test('a million addresses that send one request each do not stay in memory', () => {
    const clock = new Hands();
    const throttle = new Throttle(quotas, clock);
    for (let i = 0; i < 1_000_000; i++) {
      clock.time += 10;
      throttle.spendAsSender('public', `address ${i}`, 1);
    }
    // 3,000 of them are within one window.
    assert.ok(throttle.sizes.public < 10_000, `${throttle.sizes.public} windows`);
  });
});

describe('rate limits over HTTP', () => {
  const figures = ({ headers }: Reply) =>
    ['limit', 'remaining'].map((name) => Number(headers.get(`gw-ratelimit-${name}`)));

  test('every response shows the state of its pool, and a request over the limit gets 429000', async () => {
    const server = await startServer({
      routes: probeRoutes,
      quotas: { spot: 5, public: 4, tiers: { 1: { spot: 100 } } },
    });
    try {
      const alice = new Client(server.url, 'alice');
      const sub = new Client(server.url, 'alice-sub');
      assert.deepEqual(figures(await alice.get('/probe/things/1')), [5, 3]);
      assert.deepEqual(
        figures(await alice.get('/probe/things/1?symbol=')),
        [5, 1],
        'wrong parameters cost as well',
      );
      const over = await alice.get('/probe/things/1');
      assert.equal(over.status, 429);
      assert.equal(over.json.code, '429000');
      assert.match(
        String(over.json.msg),
        /^Too Many Requests: This costs 2, the spot pool has 1 of 5 left; it is full again in \d+ ms\.$/,
      );
      assert.deepEqual(figures(over), [5, 1]);
      const reset = Number(over.headers.get('gw-ratelimit-reset'));
      assert.ok(reset > 0 && reset <= 30_000, String(reset));
      assert.deepEqual(figures(await sub.get('/probe/things/1')), [5, 3], 'a sub-account has its own');

      const nobody = new Client(server.url);
      assert.deepEqual(
        figures(await nobody.get('/probe/things/1')),
        [4, 4],
        'a refusal before the pool costs nothing',
      );
      assert.deepEqual(figures(await nobody.get('/nope')), [4, 4]);
      assert.deepEqual(figures(await nobody.get('/probe/public')), [4, 2]);
      assert.deepEqual(figures(await alice.get('/probe/public')), [4, 2], 'by the user, where it is signed');
      assert.deepEqual(figures(await nobody.get('/probe/public')), [4, 0]);
      assert.equal((await nobody.get('/probe/public')).status, 429);
      assert.deepEqual(figures(await nobody.get('/nope')), [4, 0]);

      await submit(server.services.port, { kind: 'change-user', user: 0, tier: 1 });
      assert.deepEqual(figures(await alice.get('/probe/things/1')), [100, 94]);
    } finally {
      await server.close();
    }
  });
});
