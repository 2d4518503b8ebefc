/** A withdrawal is claimed before it is paid, so that it cannot be cancelled during the payment or paid twice. */

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import type { RunningExchange } from '../../src/startup/running-exchange.ts';
import { clientOf, open, openFor, Operator, type OperatorReply } from './exchange.ts';

const TO = {
  currency: 'USDT',
  chain: 'trx',
  amount: '10',
  toAddress: 'TSv3L1fS7yA3SxzKD8c1qdX4nLP6rqNxYz',
  withdrawType: 'ADDRESS',
};

const as = (running: RunningExchange, name: string) => new Operator(running, { 'x-operator': name });

async function request(running: RunningExchange, remark = ''): Promise<string> {
  const { json, text } = await clientOf(running, 'alice').post('/api/v3/withdrawals', { ...TO, remark });
  assert.equal(json.code, '200000', text);
  return (json.data as { withdrawalId: string }).withdrawalId;
}

async function mainUsdt(running: RunningExchange): Promise<{ available: string; holds: string }> {
  const { json } = await clientOf(running, 'alice').get('/api/v1/accounts?currency=USDT&type=MAIN');
  return (json.data as { available: string; holds: string }[])[0]!;
}

const pathOf = (id: string, act: string) => `/v1/withdrawals/${id}/${act}`;
const codeOf = ({ status, body }: OperatorReply) => [status, (body as { code: string }).code];

async function openOne(t: TestContext): Promise<{ running: RunningExchange; id: string }> {
  const running = await openFor(t);
  return { running, id: await request(running) };
}

test('the user cannot cancel a claimed withdrawal, and it settles with its transaction id', async (t) => {
  const { running, id } = await openOne(t);
  const before = await mainUsdt(running);
  const anna = as(running, 'anna');
  const alice = clientOf(running, 'alice');
  const claimed = await anna.post(pathOf(id, 'claim'), {});
  assert.equal(claimed.status, 200, JSON.stringify(claimed.body));
  const { status, claimedBy, claimedAt } = claimed.body as Record<string, string>;
  assert.deepEqual([status, claimedBy], ['paying', 'anna']);
  assert.ok(Date.parse(claimedAt!) > 0, claimedAt);

  // The money leaves here, at the bank. Then the user asks for it back.
  const cancelled = await alice.delete(`/api/v1/withdrawals/${id}`);
  assert.equal(cancelled.json.code, '400100', cancelled.text);
  assert.match(cancelled.json.msg as string, /^The withdrawal is being paid\./);
  assert.doesNotMatch(cancelled.text, /anna/, 'operators have no names for users');
  const paying = (await alice.get(`/api/v1/withdrawals/${id}`)).json.data as Record<string, unknown>;
  assert.equal(paying['status'], 'WALLET_PROCESSING');
  assert.equal(paying['cancelType'], 'NON_CANCELABLE');
  const listed = await alice.get('/api/v1/withdrawals?currency=USDT&status=WALLET_PROCESSING');
  assert.equal((listed.json.data as { totalNum: number }).totalNum, 1);

  const sent = await as(running, 'bert').post(pathOf(id, 'settle'), { sent: true, txId: '9f3c' });
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
  const shown = (await alice.get(`/api/v1/withdrawals/${id}`)).json.data as Record<string, unknown>;
  assert.deepEqual([shown['status'], shown['walletTxId']], ['SUCCESS', '9f3c']);
  const after = await mainUsdt(running);
  assert.deepEqual(after, { ...after, available: before.available, holds: '0' });
});

test('only one operator can claim a withdrawal, and an unclaimed withdrawal cannot be settled', async (t) => {
  const { running, id } = await openOne(t);
  const [anna, bert] = [as(running, 'anna'), as(running, 'bert')];
  const early = await anna.post(pathOf(id, 'settle'), { sent: true, txId: '9f3c' });
  assert.deepEqual(codeOf(early), [409, 'not-claimed']);
  assert.deepEqual(codeOf(await anna.post(pathOf(id, 'unclaim'), {})), [409, 'not-claimed']);
  const claims = await Promise.all([anna, bert].map((each) => each.post(pathOf(id, 'claim'), {})));
  assert.deepEqual(claims.map(({ status }) => status).toSorted(), [200, 409]);
  const refused = claims.find(({ status }) => status === 409)!;
  assert.equal((refused.body as { code: string }).code, 'withdrawal-claimed');
  const holder = claims[0]!.status === 200 ? 'anna' : 'bert';
  assert.match((refused.body as { msg: string }).msg, new RegExp(holder));

  // Another operator may have read the withdrawal before it was claimed.
  const other = holder === 'anna' ? bert : anna;
  assert.deepEqual(codeOf(await other.post(pathOf(id, 'settle'), { sent: false })), [
    409,
    'withdrawal-claimed',
  ]);
  assert.deepEqual(codeOf(await anna.post(pathOf(id, 'settle'), { sent: true })), [400, 'field-missing']);
  const unclaimed = await other.post(pathOf(id, 'unclaim'), {});
  assert.equal((unclaimed.body as { status: string }).status, 'processing');
  assert.equal((unclaimed.body as { claimedBy: null }).claimedBy, null);
  assert.equal((await clientOf(running, 'alice').delete(`/api/v1/withdrawals/${id}`)).json.code, '200000');
  assert.deepEqual(codeOf(await anna.post(pathOf(id, 'claim'), {})), [409, 'withdrawal-closed']);
});

test('a claim survives a restart, from the log and from a snapshot', async (t) => {
  const data = makeDirectory(t);
  let running = await open({ data });
  t.after(() => running.close());
  const id = await request(running);
  assert.equal((await as(running, 'anna').post(pathOf(id, 'claim'), {})).status, 200);
  for (let restarts = 0; restarts < 2; restarts++) {
    await running.close();
    running = await open({ data });
    assert.notEqual(
      (await clientOf(running, 'alice').delete(`/api/v1/withdrawals/${id}`)).json.code,
      '200000',
    );
    const { body } = await as(running, 'bert').get('/v1/withdrawals?status=paying');
    const { items } = body as { items: Record<string, string>[] };
    assert.deepEqual(
      items.map(({ withdrawalId, claimedBy }) => [withdrawalId, claimedBy]),
      [[id, 'anna']],
    );
  }
});
