// Deposit addresses, the Travel Rule questionnaire and the regions list, with the operator's side of them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, at } from './client.ts';
import { UserClient, type Fields, refusal } from './user-client.ts';
import { ledgerStandsAtTheEnd, sharedService } from './service.ts';
import { add } from './money.ts';
import { depositAddress, each, errorB, exactly } from './shapes.ts';

const service = sharedService();
const alice = new UserClient(service, 'alice');
const bob = new UserClient(service, 'bob');

const addresses = async (client: UserClient, currency: string) => {
  const answer = await client.call('GET', `/api/v2/deposit-addresses?currency=${currency}`);
  assert.equal(answer.status, 200, answer.text);
  return each(answer.body, depositAddress, 'addresses');
};
const create = (client: UserClient, body: Fields) => client.call('POST', '/api/v1/deposit-addresses', body);

test('before an address is created, the list is a bare empty array', async () => {
  assert.deepEqual(await addresses(alice, 'ETH'), []);
});

test('a created address is returned in envelope A and then listed; creating a second one is rejected', async () => {
  const answer = await create(alice, { currency: 'ETH' });
  assert.equal(answer.status, 200, answer.text);
  exactly(answer.body, { code: 'digits', data: depositAddress });
  assert.equal(at(answer.body, 'code'), '200000');
  assert.deepEqual(await addresses(alice, 'ETH'), [at(answer.body, 'data')]);
  assert.equal(at(answer.body, 'data.memo'), '');
  refusal(await create(alice, { currency: 'ETH' }), 400, '260000');
  assert.deepEqual(await addresses(bob, 'ETH'), [], "not bob's");
});

test('each chain of a currency has its own address, requested by id or name of the chain', async () => {
  const eth = await create(alice, { currency: 'USDT', chain: 'eth' });
  const tron = await create(alice, { currency: 'USDT', chain: 'TRC20' });
  assert.equal(at(eth.body, 'data.chain'), 'ERC20', 'the answer has the name of the chain');
  assert.equal(at(tron.body, 'data.chain'), 'TRC20');
  assert.match(String(at(eth.body, 'data.address')), /^0x[0-9a-fA-F]{40}$/);
  assert.match(String(at(tron.body, 'data.address')), /^T[1-9A-HJ-NP-Za-km-z]{33}$/);
  assert.match(String(at(eth.body, 'data.contractAddress')), /^0x[0-9a-f]{40}$/);
  refusal(await create(alice, { currency: 'USDT', chain: 'trx' }), 400, '260000');
  assert.equal((await addresses(alice, 'USDT')).length, 2);
});

test('an address on a chain that needs a memo has one', async () => {
  const answer = await create(alice, { currency: 'XRP' });
  assert.match(String(at(answer.body, 'data.memo')), /^\d+$/);
});

test('an address needs an existing currency and one of its chains', async () => {
  refusal(await alice.call('GET', '/api/v2/deposit-addresses'), 400, '400100', /currency/);
  refusal(await alice.call('GET', '/api/v2/deposit-addresses?currency=NOSUCH'), 400, /^\d{6}$/);
  refusal(await create(alice, {}), 400, '400100', /currency/);
  refusal(await create(alice, { currency: 'NOSUCH' }), 400, /^\d{6}$/);
  refusal(await create(alice, { currency: 'USDT', chain: 'nosuch' }), 400, /^\d{6}$/);
});

const report = (more: Fields) =>
  service().operator('POST', '/v1/deposits', {
    userId: alice.user.userId,
    currency: 'USDT',
    chain: 'eth',
    amount: '250',
    travelRule: false,
    reason: 'test',
    ...more,
  });

test('a reported deposit is credited to MAIN at once, and only once per txId', async () => {
  const before = await alice.purse('USDT', 'main');
  const first = await report({ txId: 'tx-1' });
  assert.equal(first.status, 200, first.text);
  exactly(first.body, { depositId: 'string', status: 'string', travelRuleOId: ['string', 'null'] });
  const after = await alice.purse('USDT', 'main');
  assert.equal(after.available, add(before.available, '250'));
  const again = await report({ txId: 'tx-1' });
  assert.equal(at(again.body, 'depositId'), at(first.body, 'depositId'));
  assert.deepEqual(await alice.purse('USDT', 'main'), after);
  const read = await service().operator('GET', `/v1/deposits/${String(at(first.body, 'depositId'))}`);
  assert.equal(read.status, 200, read.text);
  assert.equal(at(read.body, 'depositId'), at(first.body, 'depositId'));
});

async function listed(walletTxId: string): Promise<Fields> {
  const answer = await alice.call('GET', '/api/v1/deposits?currency=USDT');
  assert.equal(answer.status, 200, answer.text);
  const found = (at(answer.body, 'data.items') as Fields[]).find((item) => item['walletTxId'] === walletTxId);
  assert.ok(found, answer.text);
  return found;
}

test('a chain with a depositFeeRate credits the amount minus the fee, and lists show both', async () => {
  const before = await alice.purse('USDT', 'main');
  const reported = await report({ txId: 'fee-1', chain: 'bsc', amount: '100' });
  assert.equal(reported.status, 200, reported.text);
  assert.equal((await alice.purse('USDT', 'main')).available, add(before.available, '99.8'));
  const { amount, fee, status } = await listed('fee-1');
  assert.deepEqual({ amount, fee, status }, { amount: '100', fee: '0.2', status: 'SUCCESS' });
  const read = await service().operator('GET', `/v1/deposits/${String(at(reported.body, 'depositId'))}`);
  assert.equal(at(read.body, 'fee'), '0.2', read.text);
  const ledger = await alice.call('GET', '/api/v1/accounts/ledgers?currency=USDT&bizType=DEPOSIT');
  const [latest] = at(ledger.body, 'data.items') as Fields[];
  assert.deepEqual([latest?.['amount'], latest?.['fee']], ['99.8', '0.2'], ledger.text);
});

test('the token alone authenticates the operator', async () => {
  const url = service().ready.operatorUrl;
  for (const headers of [{}, { authorization: 'Bearer wrong' }]) {
    const answer = await fetch(`${url}/v1/ledger/check`, { headers, signal: AbortSignal.timeout(60_000) });
    assert.ok(answer.status === 401 || answer.status === 403);
    await answer.text();
  }
});

const individual = {
  firstName: 'Ada',
  lastName: 'Example',
  identityType: 'PASSPORT',
  identityNo: 'P1234567',
  country: 'DE',
  reasonOfTransfer: 'savings',
  wallet: 'personal',
};
const company = {
  companyName: 'Example Ltd',
  tin: '123456',
  reasonOfTransfer: 'invoice',
  wallet: 'some exchange',
};

let lastAt = 0;
async function submit(
  client: UserClient,
  travelRuleOId: string,
  type: string,
  info: unknown,
): Promise<Answer> {
  // Ten a second are allowed: stay well below.
  await sleep(Math.max(0, lastAt + 120 - Date.now()));
  lastAt = Date.now();
  const complianceInfo = typeof info === 'string' ? info : JSON.stringify(info);
  return client.call('POST', '/api/v1/deposit/compliance/info', { travelRuleOId, type, complianceInfo });
}

async function waiting(txId: string): Promise<[travelRuleOId: string, depositId: string]> {
  const answer = await report({ txId, travelRule: true });
  assert.equal(answer.status, 200, answer.text);
  assert.ok(at(answer.body, 'travelRuleOId'), answer.text);
  return [String(at(answer.body, 'travelRuleOId')), String(at(answer.body, 'depositId'))];
}

function pending(answer: Answer, travelRuleOId: string): string {
  assert.equal(answer.status, 200, answer.text);
  const { data, ...envelope } = answer.body as Record<string, unknown>;
  assert.deepEqual(envelope, { success: true, code: '200', msg: 'success', retry: false });
  const { orderId, ...rest } = data as Record<string, unknown>;
  assert.deepEqual(rest, { travelRuleOId, status: 'pending', failureCode: null });
  assert.equal(typeof orderId, 'string');
  return String(orderId);
}

const decide = (orderId: string, body: Fields) =>
  service().operator('POST', `/v1/questionnaires/${orderId}/decision`, { reason: 'test', ...body });

test('a deposit under the Travel Rule waits until its questionnaire is accepted, and is then credited', async () => {
  const before = await alice.accounts();
  const [oid] = await waiting('tr-1');
  assert.deepEqual(await alice.accounts(), before, "waiting money is nobody's");
  const orderId = pending(await submit(alice, oid, 'individual', individual), oid);
  assert.deepEqual(await alice.accounts(), before, 'pending: still nothing');
  const main = await alice.purse('USDT', 'main');
  const decided = await decide(orderId, { status: 'success' });
  assert.equal(decided.status, 200, decided.text);
  assert.equal((await alice.purse('USDT', 'main')).available, add(main.available, '250'));
});

test('a failed questionnaire credits nothing and may be submitted again', async () => {
  const main = await alice.purse('USDT', 'main');
  const [oid] = await waiting('tr-2');
  const first = pending(await submit(alice, oid, 'company', company), oid);
  const failed = await decide(first, { status: 'fail', failureCode: 'IDENTITY_MISMATCH' });
  assert.equal(failed.status, 200, failed.text);
  assert.deepEqual(await alice.purse('USDT', 'main'), main);
  const second = pending(await submit(alice, oid, 'company', company), oid);
  assert.equal((await decide(second, { status: 'success' })).status, 200);
  assert.equal((await alice.purse('USDT', 'main')).available, add(main.available, '250'));
});

test('a deposit shows whether its questionnaire is not submitted, pending, failed with a code, or done', async () => {
  const stands = async () => {
    const { status, questionnaireStatus, failureCode } = await listed('tr-stands');
    return [status, questionnaireStatus, failureCode];
  };
  const operatorSees = async (depositId: string) => {
    const { body } = await service().operator('GET', `/v1/deposits/${depositId}`);
    return [at(body, 'status'), at(body, 'failureCode')];
  };
  const withStatus = async (status: string) => {
    const { body } = await alice.call('GET', `/api/v1/deposits?status=${status}`);
    return (at(body, 'data.items') as Fields[]).some((item) => item['walletTxId'] === 'tr-stands');
  };
  const [oid, depositId] = await waiting('tr-stands');
  assert.deepEqual(await stands(), ['WAIT_TRM_MGT', null, null]);
  assert.deepEqual(await operatorSees(depositId), ['waiting', null]);
  const first = pending(await submit(alice, oid, 'company', company), oid);
  assert.deepEqual(await stands(), ['PROCESSING', 'pending', null]);
  assert.deepEqual(await operatorSees(depositId), ['review', null]);
  await decide(first, { status: 'fail', failureCode: 'TIN_UNKNOWN' });
  assert.deepEqual(await stands(), ['TRM_MGT_REJECTED', 'fail', 'TIN_UNKNOWN']);
  assert.deepEqual(await operatorSees(depositId), ['refused', 'TIN_UNKNOWN']);
  assert.deepEqual(
    await Promise.all(['WAIT_TRM_MGT', 'TRM_MGT_REJECTED', 'PROCESSING', 'SUCCESS'].map(withStatus)),
    [false, true, true, false],
  );
  const second = pending(await submit(alice, oid, 'company', company), oid);
  await decide(second, { status: 'success' });
  assert.deepEqual(await stands(), ['SUCCESS', 'success', null]);
  assert.deepEqual(await operatorSees(depositId), ['credited', null]);
});

test('an accepted questionnaire cannot credit a second time', async () => {
  const [oid] = await waiting('tr-3');
  const orderId = pending(await submit(alice, oid, 'company', company), oid);
  assert.equal((await decide(orderId, { status: 'success' })).status, 200);
  const main = await alice.purse('USDT', 'main');
  await decide(orderId, { status: 'success' });
  const late = await submit(alice, oid, 'company', company);
  assert.equal(late.status, 400, late.text);
  exactly(late.body, errorB);
  assert.deepEqual(await alice.purse('USDT', 'main'), main);
});

async function refusedForm(type: string, info: unknown, saying: RegExp, oid = 'no-such-deposit') {
  const answer = await submit(alice, oid, type, info);
  assert.equal(answer.status, 400, answer.text);
  exactly(answer.body, errorB);
  assert.equal(at(answer.body, 'success'), false);
  assert.match(String(at(answer.body, 'msg')), saying);
}

test('every field of the questionnaire is validated by sender type before the deposit is looked up', async () => {
  for (const field of ['firstName', 'lastName', 'identityType', 'identityNo', 'reasonOfTransfer', 'wallet']) {
    await refusedForm('individual', { ...individual, [field]: undefined }, new RegExp(field));
  }
  for (const field of ['companyName', 'tin', 'reasonOfTransfer', 'wallet']) {
    await refusedForm('company', { ...company, [field]: undefined }, new RegExp(field));
  }
  await refusedForm('individual', { ...individual, firstName: 5 }, /firstName/);
  await refusedForm('individual', { ...individual, country: 'XX' }, /country/);
  await refusedForm('individual', { ...individual, identityType: 'TCKN' }, /identityType/);
  await refusedForm('individual', { ...individual, country: 'TR' }, /identityType/);
  await refusedForm('person', individual, /type/);
  await refusedForm('individual', 'not json', /complianceInfo/);
  await refusedForm('individual', '[]', /complianceInfo/);
});

test('a Turkish sender needs a TCKN, and the country may be omitted', async () => {
  const [oid] = await waiting('tr-4');
  const turkish = { ...individual, country: 'TR', identityType: 'TCKN', identityNo: '10000000146' };
  const first = pending(await submit(alice, oid, 'individual', turkish), oid);
  await decide(first, { status: 'fail', failureCode: 'X' });
  const { country: _, ...nowhere } = individual;
  pending(await submit(alice, oid, 'individual', nowhere), oid);
});

test('a valid questionnaire for an unknown deposit, or for one of another user, is rejected', async () => {
  const [oid] = await waiting('tr-5');
  for (const [client, id] of [
    [alice, 'no-such-deposit'],
    [bob, oid],
  ] as const) {
    const answer = await submit(client, id, 'company', company);
    assert.ok(answer.status === 400 || answer.status === 404, answer.text);
    exactly(answer.body, errorB);
  }
});

test('the three parameters of the questionnaire are required', async () => {
  const whole = { travelRuleOId: 'x', type: 'company', complianceInfo: JSON.stringify(company) };
  for (const field of Object.keys(whole)) {
    await sleep(120);
    const answer = await alice.call('POST', '/api/v1/deposit/compliance/info', {
      ...whole,
      [field]: undefined,
    });
    assert.equal(answer.status, 400);
    exactly(answer.body, errorB);
    assert.match(String(at(answer.body, 'msg')), new RegExp(field));
  }
});

test('the regions are public, and listed in envelope A with code and English name', async () => {
  const answer = await alice.public('/kyc/regions/v4');
  assert.equal(answer.status, 200, answer.text);
  assert.equal(at(answer.body, 'code'), '200000');
  const regions = each(at(answer.body, 'data'), { code: 'string', enName: 'string' }, 'regions');
  for (const code of ['TR', 'DE']) assert.ok(regions.some((region) => region.code === code));
});

ledgerStandsAtTheEnd(service, (user) => new UserClient(service, user.name).accounts());
