/** The queues of the back office: search, assignment, settlement and permissions. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '@bourse/test-kit/server.ts';
import { addOperator, codeOf, Operator, openFor, withToken } from './exchange.ts';

interface Row {
  readonly depositId?: string;
  readonly withdrawalId?: string;
  readonly orderId?: string;
  readonly assigned: string | null;
}

const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const DAY_MS = 86_400_000;

test('deposits and withdrawals are found by transaction, address, user and age, and can be assigned and released', async (context) => {
  const running = await openFor(context);
  const root = new Operator(running);
  const alice = new Client(running.connection.baseUrl, 'alice', 'literal');
  const ann = await addOperator(root, 'ann', 'finance', 'compliance');
  const operator = withToken(running, ann.token);
  const list = async (queue: string, query: string) => {
    const { status, body } = await operator.get(`/v1/${queue}?${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return (body as { items: Row[] }).items;
  };
  const report = (txId: string) => ({
    userId: 'bob',
    currency: 'USDT',
    chain: 'erc20',
    amount: '5',
    txId,
    travelRule: true,
  });
  await root.post('/v1/deposits', report('0xfirst'));
  const { depositId } = (await root.post('/v1/deposits', report('0xsecond'))).body as Row;
  const asked = { currency: 'USDT', chain: 'eth', amount: '20', address: ADDRESS };
  const { withdrawalId } = (await alice.post('/api/v1/withdrawals', asked)).json.data as Row;

  const foundBy = async (query: string) => (await list('deposits', query)).map((each) => each.depositId);
  assert.deepEqual(await foundBy('search=0XSECOND'), [depositId]);
  assert.equal((await foundBy('search=bob&status=waiting')).length, 2);
  assert.deepEqual(await foundBy('search=alice&status=waiting'), []);
  assert.equal((await foundBy('status=waiting&olderThanMs=0')).length, 2);
  assert.deepEqual(await foundBy(`status=waiting&olderThanMs=${DAY_MS}`), []);
  assert.equal((await list('withdrawals', `search=${ADDRESS.slice(5, 20)}`)).length, 1);

  assert.equal((await operator.post(`/v1/deposits/${depositId}/assign`, {})).status, 200);
  assert.equal((await root.post(`/v1/withdrawals/${withdrawalId}/assign`, { to: ann.id })).status, 200);
  assert.deepEqual(await foundBy(`assigned=${ann.id}`), [depositId]);
  assert.deepEqual(await foundBy(`assigned=${ann.id}&search=0xfirst`), []);
  assert.deepEqual(await foundBy('assigned=root'), []);
  const [mine] = await list('withdrawals', `assigned=${ann.id}&status=processing`);
  assert.deepEqual([mine?.withdrawalId, mine?.assigned], [withdrawalId, ann.id]);
  assert.deepEqual(codeOf(await root.post(`/v1/deposits/${depositId}/assign`, {})), [409, 'assigned']);
  assert.equal((await root.post(`/v1/deposits/${depositId}/release`, {})).status, 200);
  assert.deepEqual(codeOf(await root.post(`/v1/deposits/${depositId}/release`, {})), [409, 'not-assigned']);
  assert.deepEqual(codeOf(await operator.get('/v1/deposits?assigned=nobody')), [404, 'operator-unknown']);
  const audit = (await root.get('/v1/audit?limit=1')).body as { details: object }[];
  assert.deepEqual(audit[0]?.details, { what: 'deposit', id: depositId });
  await root.post(`/v1/deposits/${depositId}/return`, {});
  assert.deepEqual(codeOf(await root.post(`/v1/deposits/${depositId}/assign`, {})), [409, 'not-in-queue']);
});

test('questionnaires have their own queue, with search, assignment and release', async (context) => {
  const running = await openFor(context);
  const operator = new Operator(running);
  const alice = new Client(running.connection.baseUrl, 'alice', 'literal');
  const deposit = { userId: 'alice', currency: 'USDT', chain: 'erc20', amount: '5', txId: 'asked' };
  const { travelRuleOId } = (await operator.post('/v1/deposits', { ...deposit, travelRule: true })).body as {
    travelRuleOId: string;
  };
  const info = {
    firstName: 'Alice',
    lastName: 'Doe',
    identityType: 'PASSPORT',
    identityNo: 'P1',
    reasonOfTransfer: 'savings',
    wallet: 'personal',
  };
  const questionnaire = { travelRuleOId, type: 'individual', complianceInfo: JSON.stringify(info) };
  const sent = await alice.post('/api/v1/deposit/compliance/info', questionnaire);
  const { orderId } = sent.json.data as Row;
  const found = async (query: string) => {
    const { body } = await operator.get(`/v1/questionnaires?${query}`);
    return (body as { items: Row[] }).items.map((each) => each.orderId);
  };
  assert.deepEqual(await found('search=asked&olderThanMs=0'), [orderId]);
  assert.deepEqual(await found('search=bob'), []);
  assert.deepEqual(await found(`olderThanMs=${DAY_MS}`), []);
  assert.deepEqual(await found('assigned=root'), []);
  assert.equal((await operator.post(`/v1/questionnaires/${orderId}/assign`, {})).status, 200);
  assert.deepEqual(await found('assigned=root&status=pending'), [orderId]);
  assert.equal((await operator.post(`/v1/questionnaires/${orderId}/release`, {})).status, 200);
});

test('a custodian advances a withdrawal step by step, and the user sees its transaction', async (context) => {
  const running = await openFor(context);
  const root = new Operator(running);
  const alice = new Client(running.connection.baseUrl, 'alice', 'literal');
  const { token } = await addOperator(root, 'wallet', 'custodian');
  const custodian = withToken(running, token);
  const ask = async () => {
    const body = { currency: 'USDT', chain: 'eth', amount: '20', address: ADDRESS };
    const { withdrawalId } = (await alice.post('/api/v1/withdrawals', body)).json.data as Row;
    return `/v1/withdrawals/${withdrawalId}`;
  };
  const path = await ask();
  const advance = (of: string, state: string, more: object = {}) =>
    custodian.post(`${of}/advance`, { state, ...more });
  assert.deepEqual(codeOf(await advance(path, 'signed')), [409, 'not-claimed']);
  assert.equal((await custodian.post(`${path}/claim`, {})).status, 200);
  const { body: signed } = await advance(path, 'signed');
  assert.equal((signed as { payment: string }).payment, 'signed');
  assert.deepEqual(codeOf(await custodian.post(`${path}/unclaim`, {})), [409, 'payment-begun']);
  assert.equal((await advance(path, 'broadcast', { txId: '0xpaid' })).status, 200);
  assert.deepEqual(codeOf(await advance(path, 'signed')), [409, 'payment-begun']);
  const { body: sent } = await advance(path, 'sent');
  const { status, txId } = sent as { status: string; txId: string };
  assert.deepEqual([status, txId], ['sent', '0xpaid']);
  const mine = await alice.get('/api/v1/withdrawals?currency=USDT');
  const [first] = (mine.json.data as { items: { walletTxId: string }[] }).items;
  assert.equal(first?.walletTxId, '0xpaid');

  const other = await ask();
  await custodian.post(`${other}/claim`, {});
  assert.deepEqual(codeOf(await advance(other, 'sent')), [400, 'field-missing']);
  assert.deepEqual(codeOf(await advance(other, 'failed', { txId: '0x1' })), [400, 'field-not-allowed']);
  const { body: failed } = await advance(other, 'failed');
  assert.equal((failed as { status: string }).status, 'failed');
  assert.equal((await custodian.post(`${other}/advance`, { state: 'lost' })).status, 400);
});

test('only unfreezing lifts a freeze, under the policy for it, and only compliance sets a tier', async (context) => {
  const running = await openFor(context);
  const root = new Operator(running);
  const support = withToken(running, (await addOperator(root, 'sue', 'support')).token);
  const compliance = withToken(running, (await addOperator(root, 'cora', 'compliance')).token);
  assert.deepEqual(codeOf(await support.post('/v1/users/alice', { tier: 12 })), [403, 'role']);
  assert.equal((await compliance.post('/v1/users/alice', { tier: 2 })).status, 200);
  await compliance.post('/v1/users/alice/freeze', { level: 'all' });
  const rules = [{ call: 'unfreeze-user', approvals: 1 }];
  assert.equal((await root.post('/v1/policy', { rules, expiryMs: 60_000 })).status, 200);
  const less = await support.post('/v1/users/alice/freeze', { level: 'trading' });
  assert.deepEqual(codeOf(less), [409, 'frozen-already']);
  const narrower = { level: 'all', withSubAccounts: false };
  assert.deepEqual(codeOf(await support.post('/v1/users/alice/freeze', narrower)), [409, 'frozen-already']);
  assert.equal((await support.post('/v1/users/alice', { frozen: false })).status, 202);
  assert.equal((await support.post('/v1/users/alice/unfreeze', {})).status, 202);
  assert.equal(((await root.get('/v1/users/alice')).body as { frozen: boolean }).frozen, true);
});

test('a move with a clientOid is booked once, and the audit trail records what compliance changed', async (context) => {
  const operator = new Operator(await openFor(context));
  const move = {
    kind: 'move',
    currency: 'USDT',
    amount: '10',
    from: { userId: 'alice', account: 'main' },
    to: { system: 'suspense' },
    clientOid: 'ticket-1',
  };
  const first = (await operator.post('/v1/corrections', move)).body as { correctionId: string };
  const again = (await operator.post('/v1/corrections', move)).body as { correctionId: string };
  assert.equal(again.correctionId, first.correctionId);
  const fine = await operator.post('/v1/corrections', { ...move, amount: '0.000000001', clientOid: 'fine' });
  assert.deepEqual(fine, {
    status: 400,
    body: {
      code: 'amount-increment',
      msg: 'amount 0.000000001 is not a positive multiple of 0.00000001; the smallest is 0.00000001.',
    },
  });
  const finer = await operator.post('/v1/corrections', { ...move, amount: `0.${'0'.repeat(30)}1` });
  assert.deepEqual(codeOf(finer), [400, 'value-invalid']);
  assert.match((finer.body as { msg: string }).msg, /is finer than USDT is counted \(8 places\)/);
  const other = await operator.post('/v1/corrections', { ...move, amount: '11' });
  assert.deepEqual(codeOf(other), [409, 'transfer-conflict']);
  const { items } = (await operator.get('/v1/corrections')).body as { items: { clientOid: string }[] };
  assert.deepEqual(
    items.map(({ clientOid }) => clientOid),
    ['ticket-1'],
  );

  const { ruleId } = (await operator.post('/v1/address-rules', { address: ADDRESS, rule: 'block' })).body as {
    ruleId: number;
  };
  await operator.delete(`/v1/address-rules/${ruleId}`);
  await operator.post('/v1/users/alice/limits', { withdrawalPerDay: { USDT: '30' } });
  await operator.post('/v1/users/alice/limits', { withdrawalPerDay: { USDT: '50' } });
  const audit = (await operator.get('/v1/audit?limit=3')).body as { before: object | null }[];
  assert.deepEqual(
    audit.map(({ before }) => before),
    [
      { limits: [{ currency: 'USDT', amount: '30' }] },
      { limits: [{ currency: 'USDT', amount: null }] },
      { action: 'block', address: ADDRESS },
    ],
  );
});

test('a rule that blocks an address applies to every spelling of it', async (context) => {
  const running = await openFor(context);
  const operator = new Operator(running);
  const alice = new Client(running.connection.baseUrl, 'alice', 'literal');
  // One account in its bounceable, its other and its raw form.
  const spellings = [
    'EQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p4q2',
    'UQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p9dz',
    '0:ed1691307050047117b998b561d8de82d31fbf84910ced6eb5fc92e7485ef8a7',
  ];
  const [blocked] = spellings;
  assert.equal((await operator.post('/v1/address-rules', { address: blocked, rule: 'block' })).status, 200);
  for (const address of spellings) {
    const sent = await alice.post('/api/v1/withdrawals', {
      currency: 'USDT',
      chain: 'ton',
      amount: '20',
      address,
    });
    assert.match(sent.json.msg ?? '', /are blocked/, address);
  }
});
