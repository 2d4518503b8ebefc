// A restart in the middle, by SIGTERM and by SIGKILL: every response is still true afterwards.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, at, send, signed } from './client.ts';
import { UserClient, limit, market, refusal } from './user-client.ts';
import { type Service, ledgerStandsAtTheEnd, startService } from './service.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'bourse-restart-'));
let running: Service | undefined;
const service = (): Service => {
  assert.ok(running);
  return running;
};
const [alice, bob, child] = ['alice', 'bob', 'alice-sub'].map((name) => new UserClient(service, name));
const pair = 'ETH-USDT';
const orders = '/api/v1/hf/orders';

before(async () => {
  running = await startService(dataDir);
});
after(async () => {
  await running?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
  test(`${signal}: orders, balances, look-ups, ids, market data and waiting deposits are as before`, async () => {
    const oid = (name: string) => `${signal}-${name}`;
    const ids = [
      await alice.place(limit(pair, 'sell', '100', '2', { clientOid: oid('partial') })),
      await bob.place(limit(pair, 'buy', '100', '0.5', { clientOid: oid('filled') })),
      await alice.place(limit(pair, 'buy', '90', '1', { clientOid: oid('cancelled') })),
      await alice.place(limit(pair, 'sell', '110', '1', { iceberg: true, visibleSize: '0.1' })),
      await alice.place(limit(pair, 'sell', '111', '1', { hidden: true })),
      await bob.place(market(pair, 'buy', { funds: '10' })),
      await alice.place(limit(pair, 'buy', '80', '1', { timeInForce: 'GTT', cancelAfter: 2 })),
    ];
    await alice.cancel(ids[2], pair);
    const transfer = {
      clientOid: oid('move'),
      currency: 'USDT',
      amount: '5',
      type: 'PARENT_TO_SUB',
      toUserId: child.user.userId,
      fromAccountType: 'MAIN',
      toAccountType: 'TRADE',
    };
    const move = () => alice.call('POST', '/api/v3/accounts/universal-transfer', transfer);
    const movedOnce = await move();
    assert.equal(movedOnce.status, 200, movedOnce.text);
    const deposit = await service().operator('POST', '/v1/deposits', {
      userId: alice.user.userId,
      currency: 'BTC',
      chain: 'btc',
      amount: '3',
      txId: oid('deposit'),
      travelRule: true,
      reason: 'test',
    });
    const created = await alice.call('POST', '/api/v1/deposit-addresses', {
      currency: 'USDT',
      chain: signal === 'SIGTERM' ? 'eth' : 'trx',
    });
    assert.equal(created.status, 200, created.text);

    const body = JSON.stringify(limit(pair, 'buy', '70', '1'));
    // As far ahead as is allowed, so that the restart fits between the first sending and the second.
    const timestamp = String(Date.now() + 4500);
    const signedPost = signed(alice.dialect, alice.user, 'POST', orders, body, { timestamp });
    const repeat = (): Promise<Answer> => send(alice.dialect.url, 'POST', orders, body, signedPost);
    const first = await repeat();
    assert.equal(first.status, 200, first.text);

    const clients = [alice, bob, child];
    const picture = async () => ({
      accounts: await Promise.all(clients.map((client) => client.accounts())),
      alice: await Promise.all([0, 2, 3, 4].map((index) => alice.order(ids[index], pair))),
      bob: await Promise.all([1, 5].map((index) => bob.order(ids[index], pair))),
      histories: (await alice.public(`/api/v1/market/histories?symbol=${pair}`)).text,
      addresses: (await alice.call('GET', '/api/v2/deposit-addresses?currency=USDT')).body,
    });
    const expired = async () => {
      for (let wait = 0; wait < 600; wait++) {
        if ((await alice.order(ids[6], pair)).active === false) return;
        await sleep(100);
      }
      assert.fail('the GTT order never expires');
    };
    const askOf = async () => {
      const ticker = await alice.public(`/api/v1/market/orderbook/level1?symbol=${pair}`);
      return [at(ticker.body, 'bestAsk'), at(ticker.body, 'bestAskSize'), at(ticker.body, 'price')];
    };
    const asksBefore = await askOf();
    // The GTT order may expire before or after the restart.
    const beforeStop = await picture();

    await service().stop(signal);
    running = await startService(dataDir);
    const repeated = await repeat();
    await expired();

    const now = await picture();
    assert.deepEqual(now.alice, beforeStop.alice);
    assert.deepEqual(now.bob, beforeStop.bob);
    assert.equal(now.histories, beforeStop.histories);
    assert.deepEqual(now.addresses, beforeStop.addresses);
    assert.deepEqual(await askOf(), asksBefore);
    for (const [index, rows] of now.accounts.entries()) {
      assert.deepEqual(
        rows.map((row) => [row.id, row.balance]),
        beforeStop.accounts[index].map((row) => [row.id, row.balance]),
      );
    }
    const usdt = await alice.purse('USDT');
    assert.equal(usdt.holds, '70.07', 'the one order that rests, the expired one released');
    if (repeated.status === 200)
      assert.equal(at(repeated.body, 'data.orderId'), at(first.body, 'data.orderId'));

    const byOid = await alice.call('GET', `${orders}/client-order/${oid('partial')}?symbol=${pair}`);
    assert.equal(at(byOid.body, 'data.id'), ids[0]);
    for (const name of ['partial', 'cancelled']) {
      await alice.refused(limit(pair, 'buy', '60', '1', { clientOid: oid(name) }), /^\d{6}$/);
    }
    assert.deepEqual((await move()).body, movedOnce.body, 'the same transfer, moved once');
    const again = await service().operator('GET', `/v1/deposits/${String(at(deposit.body, 'depositId'))}`);
    assert.equal(at(again.body, 'travelRuleOId'), at(deposit.body, 'travelRuleOId'));

    await alice.cancel(String(at(first.body, 'data.orderId')), pair);
    for (const index of [0, 3, 4]) assert.equal((await alice.cancel(ids[index], pair)).status, 200);
    refusal(await alice.cancel(ids[2], pair), 400, '400100');
    for (const currency of ['USDT', 'ETH', 'BTC']) assert.equal((await alice.purse(currency)).holds, '0');
  });
}

test('SIGKILL during a stream of orders loses no acknowledged order', async () => {
  const answered: string[] = [];
  const stream = (async () => {
    for (let index = 0; index < 2000; index++) {
      try {
        const answer = await bob.ask(limit(pair, 'buy', '50', '0.01', { clientOid: `stream-${index}` }));
        if (answer.status !== 200) break;
        answered.push(String(at(answer.body, 'data.orderId')));
      } catch {
        break;
      }
    }
  })();
  for (let wait = 0; answered.length < 60 && wait < 600; wait++) await sleep(20);
  await service().stop('SIGKILL');
  await stream;
  assert.ok(answered.length >= 60, `${answered.length} answered`);
  running = await startService(dataDir);
  for (const [index, id] of answered.entries()) {
    const order = await bob.order(id, pair);
    assert.equal(order.clientOid, `stream-${index}`);
    assert.equal(order.active, true);
  }
  await bob.sweep();
  const last = await bob.call('DELETE', `${orders}/client-order/stream-${answered.length}?symbol=${pair}`);
  assert.ok(last.status === 200 || last.status === 404, 'the one under way is there whole or not at all');
  assert.equal((await bob.purse('USDT')).holds, '0');
});

ledgerStandsAtTheEnd(service, (user) => new UserClient(service, user.name).accounts());
