// Entries that wait for an operator, by state, in pages; on the command line as well.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOf, Operator, openFor } from './exchange.ts';
import { run } from './process.ts';

type Row = Record<string, unknown>;

const COMPLIANCE = JSON.stringify({
  firstName: 'Carol',
  lastName: 'Doe',
  identityType: 'PASSPORT',
  identityNo: 'X1',
  country: 'DE',
  reasonOfTransfer: 'savings',
  wallet: 'personal wallets',
});

test('deposits, withdrawals and questionnaires are listed by state, user, currency and page', async (t) => {
  const running = await openFor(t);
  const operator = new Operator(running);
  const list = async (path: string): Promise<{ items: Row[]; totalNum: number; totalPage: number }> => {
    const { status, body } = await operator.get(path);
    assert.equal(status, 200, JSON.stringify(body));
    return body as { items: Row[]; totalNum: number; totalPage: number };
  };
  const deposit = async (userId: string, more: object): Promise<Row> => {
    const report = { userId, currency: 'LTC', amount: '1', ...more };
    const { status, body } = await operator.post('/v1/deposits', report);
    assert.equal(status, 200, JSON.stringify(body));
    return body as Row;
  };
  const first = await deposit('carol', { txId: 'one', travelRule: true });
  const second = await deposit('bob', { txId: 'two', travelRule: true });
  await deposit('bob', { txId: 'three' });

  const waiting = await list('/v1/deposits?status=waiting');
  assert.deepEqual(
    waiting.items.map(({ txId, status, depositId }) => [txId, status, depositId]),
    [
      ['two', 'waiting', second['depositId']],
      ['one', 'waiting', first['depositId']],
    ],
  );
  assert.match(String(waiting.items[0]['createdAt']), /^20\d\d-.*Z$/);
  assert.equal(waiting.totalNum, 2);
  const [alone] = (await list('/v1/deposits?status=waiting&userId=carol')).items;
  assert.equal(alone['travelRuleOId'], first['travelRuleOId']);
  assert.deepEqual((await list('/v1/deposits?status=waiting&currency=BTC')).items, []);
  const credited = await list('/v1/deposits?status=credited&currency=LTC&pageSize=2&currentPage=2');
  assert.deepEqual(
    [credited.totalNum, credited.totalPage, credited.items.length],
    [4, 2, 2],
    'with the sandbox',
  );
  assert.deepEqual((await list('/v1/deposits?until=1000')).items, []);
  assert.equal((await list(`/v1/deposits?from=${Date.now() - 3_600_000}&status=waiting`)).totalNum, 2);

  const answered = await clientOf(running, 'carol').post('/api/v1/deposit/compliance/info', {
    travelRuleOId: first['travelRuleOId'],
    type: 'individual',
    complianceInfo: COMPLIANCE,
  });
  const { orderId } = answered.json.data as { orderId: string };
  const pending = await list('/v1/questionnaires?status=pending');
  assert.deepEqual(
    pending.items.map((each) => [each['orderId'], each['status'], each['complianceInfo']]),
    [[orderId, 'pending', COMPLIANCE]],
  );
  assert.deepEqual((await list('/v1/questionnaires?userId=bob')).items, []);
  await operator.post(`/v1/questionnaires/${orderId}/decision`, { status: 'success' });
  assert.deepEqual((await list('/v1/questionnaires?status=pending')).items, []);
  assert.equal((await list('/v1/questionnaires?status=success')).totalNum, 1);
  assert.equal((await list('/v1/deposits?status=waiting')).totalNum, 1, 'credited with the decision');

  const to = { currency: 'USDT', chain: 'trx', toAddress: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' };
  const ask = async (amount: string): Promise<string> => {
    const { json, text } = await clientOf(running, 'bob').post('/api/v3/withdrawals', { ...to, amount });
    assert.equal(json.code, '200000', text);
    return (json.data as { withdrawalId: string }).withdrawalId;
  };
  const sent = await ask('10');
  const open = await ask('11');
  const connect = ['--url', running.connection.operatorUrl, '--by', 'ann'];
  const because = ['--reason', 'paid today', '--json', ...connect];
  const claimed = await run(['withdrawals', 'claim', sent, ...because]);
  assert.equal(claimed.code, 0, claimed.err);
  assert.deepEqual(JSON.parse(claimed.out).claimedBy, 'ann');
  const told = await run(['withdrawals', 'sent', sent, '--tx-id', 'tx9', ...because]);
  assert.equal(told.code, 0, told.err);
  assert.equal(JSON.parse(told.out).txId, 'tx9');
  const processing = (await list('/v1/withdrawals?status=processing')).items;
  assert.deepEqual(
    processing.map(({ withdrawalId, amount, address }) => [withdrawalId, amount, address]),
    [[open, '11', to.toAddress]],
  );
  assert.equal((await list('/v1/withdrawals?status=sent&userId=bob')).items[0]['withdrawalId'], sent);
  assert.deepEqual((await list('/v1/withdrawals?userId=alice')).items, []);
  const shown = await run(['withdrawals', 'list', '--status', 'processing', ...connect]);
  assert.match(shown.out, new RegExp(`${open}.*processing.*USDT.*11`));

  for (const path of [
    '/v1/deposits?status=gone',
    '/v1/withdrawals?status=waiting',
    '/v1/deposits?from=now',
  ]) {
    assert.equal((await operator.get(path)).status, 400, path);
  }
  assert.equal((await operator.get('/v1/deposits?userId=zoe')).status, 404);
  assert.equal((await operator.get('/v1/deposits?pageSize=501')).status, 400);
});
