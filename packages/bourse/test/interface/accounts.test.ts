// Accounts, what can be transferred, and Flex transfers.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { type Answer, at } from './client.ts';
import { UserClient, type Fields, limit, refusal } from './user-client.ts';
import { ledgerStandsAtTheEnd, sharedService } from './service.ts';
import { add, sub } from './money.ts';
import { account, each, exactly } from './shapes.ts';

const service = sharedService();
const [alice, bob, carol, child, viewer] = ['alice', 'bob', 'carol', 'alice-sub', 'alice-viewer'].map(
  (name) => new UserClient(service, name),
);
afterEach(async () => {
  for (const client of [alice, child]) await client.sweep();
});

test('the sandbox users start with the documented balances', async () => {
  for (const client of [bob, carol]) {
    for (const type of ['main', 'trade'] as const) {
      for (const [currency, amount] of [
        ['USDT', '1000000'],
        ['BTC', '100'],
        ['ETH', '1000'],
      ]) {
        const purse = await client.purse(currency, type);
        assert.deepEqual(purse, { balance: amount, available: amount, holds: '0' }, `${client.name} ${type}`);
      }
    }
  }
  assert.equal((await child.purse('USDT')).balance, '10000');
});

test('the account list is in envelope A, with stable ids: 24 hex digits for MAIN, decimal digits for TRADE', async () => {
  const answer = await alice.call('GET', '/api/v1/accounts');
  assert.equal(at(answer.body, 'code'), '200000');
  assert.deepEqual(Object.keys(answer.body as object).toSorted(), ['code', 'data']);
  const rows = each(at(answer.body, 'data'), { id: 'string', type: 'string', ...account }, 'accounts');
  for (const row of rows) {
    if (row.type === 'main') assert.match(String(row.id), /^[0-9a-f]{24}$/);
    else {
      assert.equal(row.type, 'trade');
      assert.match(String(row.id), /^\d+$/);
    }
  }
  assert.equal(new Set(rows.map((row) => row.id)).size, rows.length);
  assert.deepEqual(
    (await viewer.accounts()).map((row) => row.id),
    rows.map((row) => row.id),
    'another key of the same user',
  );
});

test('the filters of the list return only matching accounts, or an empty list', async () => {
  const all = await alice.accounts();
  const list = async (query: string) =>
    at((await alice.call('GET', `/api/v1/accounts?${query}`)).body, 'data');
  assert.deepEqual(
    await list('currency=BTC'),
    all.filter((row) => row.currency === 'BTC'),
  );
  assert.deepEqual(
    await list('type=main'),
    all.filter((row) => row.type === 'main'),
  );
  assert.deepEqual(
    await list('currency=BTC&type=trade'),
    all.filter((row) => row.currency === 'BTC' && row.type === 'trade'),
  );
  assert.deepEqual(await list('currency=NOSUCH'), []);
  assert.deepEqual(await list('type=margin'), []);
});

test('account detail returns the bare object of the account', async () => {
  const accounts = await alice.accounts();
  assert.ok(accounts.length > 0);
  for (const { id, currency, balance, available, holds } of accounts) {
    const answer = await alice.call('GET', `/api/v1/accounts/${id}`);
    assert.equal(answer.status, 200, answer.text);
    exactly(answer.body, account);
    assert.deepEqual(answer.body, { currency, balance, available, holds });
  }
});

test('the account of another user is as unknown as one that never existed', async () => {
  for (const type of ['main', 'trade']) {
    const theirs = (await bob.accounts()).find((row) => row.type === type);
    assert.ok(theirs);
    const never = type === 'main' ? 'f'.repeat(24) : '99999999999999999';
    const [foreign, unknown] = [
      await alice.call('GET', `/api/v1/accounts/${theirs.id}`),
      await alice.call('GET', `/api/v1/accounts/${never}`),
    ];
    assert.ok(foreign.status === 400 || foreign.status === 404, foreign.text);
    refusal(foreign, unknown.status, String(at(unknown.body, 'code')));
    refusal(unknown, unknown.status, /^\d{6}$/);
  }
});

const transferable = (client: UserClient, query: string) =>
  client.call('GET', `/api/v1/accounts/transferable?${query}`);

test('transferable is the available balance of MAIN or TRADE', async () => {
  await alice.place(limit('BTC-USDT', 'buy', '1000', '1'));
  const answer = await transferable(alice, 'currency=USDT&type=TRADE');
  exactly(answer.body, { ...account, transferable: 'amount' });
  assert.deepEqual(answer.body, { currency: 'USDT', ...(await alice.purse('USDT')), transferable: '998999' });
  const main = await transferable(alice, 'currency=USDT&type=MAIN');
  assert.equal(at(main.body, 'transferable'), (await alice.purse('USDT', 'main')).available);
  const none = await transferable(child, 'currency=KCS&type=MAIN');
  assert.deepEqual(none.body, {
    currency: 'KCS',
    balance: '0',
    available: '0',
    holds: '0',
    transferable: '0',
  });
});

test('transferable needs a currency and a type', async () => {
  refusal(await transferable(alice, 'currency=USDT'), 400, '400100', /type/);
  refusal(await transferable(alice, 'type=MAIN'), 400, '400100', /currency/);
  refusal(await transferable(alice, 'currency=USDT&type=FUTURES'), 400, '400100', /type/);
  refusal(await transferable(alice, 'currency=NOSUCH&type=MAIN'), 400, /^\d{6}$/);
});

let count = 0;
const internal = (more: Fields = {}) => ({
  clientOid: `move-${++count}`,
  currency: 'USDT',
  amount: '10',
  type: 'INTERNAL',
  fromAccountType: 'MAIN',
  toAccountType: 'TRADE',
  ...more,
});
const move = (client: UserClient, body: Fields): Promise<Answer> =>
  client.call('POST', '/api/v3/accounts/universal-transfer', body);

async function moved(client: UserClient, body: Fields): Promise<string> {
  const answer = await move(client, body);
  assert.equal(answer.status, 200, answer.text);
  exactly(answer.body, { orderId: 'string' });
  return String(at(answer.body, 'orderId'));
}

async function refusedMove(
  client: UserClient,
  body: Fields,
  code: string | RegExp,
  saying?: RegExp,
): Promise<void> {
  const before = await client.accounts();
  refusal(await move(client, body), 400, code, saying);
  assert.deepEqual(await client.accounts(), before, 'nothing moved');
}

test('an internal transfer in either direction is complete when its response arrives, to the smallest precision', async () => {
  const [main, trade] = [await alice.purse('USDT', 'main'), await alice.purse('USDT')];
  await moved(alice, internal({ amount: '12.34567891' }));
  assert.equal((await alice.purse('USDT', 'main')).available, sub(main.available, '12.34567891'));
  assert.equal((await alice.purse('USDT')).available, add(trade.available, '12.34567891'));
  await moved(alice, internal({ amount: '12.34567891', fromAccountType: 'TRADE', toAccountType: 'MAIN' }));
  assert.deepEqual([await alice.purse('USDT', 'main'), await alice.purse('USDT')], [main, trade]);
});

test('a transfer accepts the transferable amount, however many decimals a trade has left', async () => {
  // 0.001234 ETH at 0.04567 BTC, and a fee: more decimals than a transfer of BTC takes.
  await carol.place(limit('ETH-BTC', 'sell', '0.04567', '0.001234'));
  await bob.place(limit('ETH-BTC', 'buy', '0.04567', '0.001234'));
  const { available } = await bob.purse('BTC');
  assert.ok((available.split('.')[1] ?? '').length > 8, available);
  const amount = String(at((await transferable(bob, 'currency=BTC&type=TRADE')).body, 'transferable'));
  assert.match(amount, /^\d+\.\d{1,8}$/);
  const back = { currency: 'BTC', amount, fromAccountType: 'TRADE', toAccountType: 'MAIN' };
  await moved(bob, internal(back));
  assert.equal((await bob.purse('BTC')).available, sub(available, amount));
  assert.equal(at((await transferable(bob, 'currency=BTC&type=TRADE')).body, 'transferable'), '0');
  await moved(bob, internal({ currency: 'BTC', amount }));
});

test('an amount off the precision is rejected in the currency that was sent, with the nearest valid amounts', async () => {
  await refusedMove(
    alice,
    internal({ amount: '12.345678912345' }),
    /^\d{6}$/,
    /amount 12\.345678912345 .* 0\.00000001; the nearest are 12\.34567891 and 12\.34567892\./,
  );
  await refusedMove(alice, internal({ amount: '0' }), /^\d{6}$/, /the smallest is 0\.00000001/);
  await refusedMove(alice, internal({ amount: '1'.repeat(41) }), /^\d{6}$/, /at most 40 digits/);
  await refusedMove(alice, internal({ type: 'PARENT_TO_SUB' }), /^\d{6}$/, /toUserId .* PARENT_TO_SUB/);
});

test('a repeated transfer returns the same orderId and moves nothing; a different one with its clientOid is rejected', async () => {
  const body = internal();
  const first = await moved(alice, body);
  const before = await alice.accounts();
  assert.equal(await moved(alice, body), first);
  assert.deepEqual(await alice.accounts(), before);
  await refusedMove(alice, { ...body, amount: '11' }, /^\d{6}$/);
  await refusedMove(alice, { ...body, currency: 'BTC' }, /^\d{6}$/);
});

test('an internal transfer accepts only the user id of the caller, and two different accounts', async () => {
  const me = alice.user.userId;
  await moved(alice, internal({ fromUserId: me, toUserId: me }));
  await refusedMove(alice, internal({ toUserId: bob.user.userId }), /^\d{6}$/);
  await refusedMove(alice, internal({ fromUserId: child.user.userId }), /^\d{6}$/);
  await refusedMove(alice, internal({ toAccountType: 'MAIN' }), '400100');
});

test('an amount must be a positive multiple of the precision', async () => {
  await refusedMove(
    alice,
    internal({ amount: '0.000000001' }),
    '400100',
    /^The amount increment is invalid\./,
  );
  for (const amount of ['0', '-1', '1e3', '', ' 1', 'x', 5]) {
    await refusedMove(alice, internal({ amount }), '400100');
  }
});

test('a transfer of more than the available balance, or of held money, is rejected', async () => {
  await alice.place(limit('ETH-USDT', 'sell', '9000', '900'));
  const fromTrade = { currency: 'ETH', fromAccountType: 'TRADE', toAccountType: 'MAIN' };
  await refusedMove(
    alice,
    internal({ ...fromTrade, amount: '100.00000001' }),
    /^\d{6}$/,
    /nsufficient|available/,
  );
  await moved(alice, internal({ ...fromTrade, amount: '100' }));
  await refusedMove(alice, internal({ ...fromTrade, amount: '0.00000001' }), /^\d{6}$/);
});

test('each field is required and accepts only its documented values', async () => {
  for (const field of ['clientOid', 'amount', 'type', 'fromAccountType', 'toAccountType']) {
    await refusedMove(alice, internal({ [field]: undefined }), '400100', new RegExp(field));
  }
  await refusedMove(alice, internal({ type: 'SUB_TO_SUB' }), '400100', /type/);
  await refusedMove(alice, internal({ fromAccountType: 'MARGIN' }), '400100', /fromAccountType/);
  await refusedMove(alice, internal({ toAccountType: 'trade' }), '400100', /toAccountType/);
  await refusedMove(alice, internal({ currency: 'NOSUCH' }), /^\d{6}$/);
});

test('a clientOid of a transfer may have up to 128 characters', async () => {
  await moved(alice, internal({ clientOid: 'x'.repeat(128) }));
  await refusedMove(alice, internal({ clientOid: 'x'.repeat(129) }), '400100', /clientOid/);
});

test('a transfer without a currency moves the only currency with money, and is rejected if there are several', async () => {
  await refusedMove(alice, internal({ currency: undefined }), '400100', /currency/);
  const back = { currency: undefined, fromAccountType: 'TRADE', toAccountType: 'MAIN' };
  await moved(child, internal(back));
  assert.equal((await child.purse('USDT', 'main')).available, '10');
  await moved(child, internal({ currency: undefined }));
  await refusedMove(child, internal({ currency: undefined }), '400100', /currency/);
});

test('a master moves money to its sub-account and back', async () => {
  const toSub = { type: 'PARENT_TO_SUB', toUserId: child.user.userId, toAccountType: 'MAIN' };
  const before = await alice.purse('USDT', 'main');
  await moved(alice, internal(toSub));
  assert.equal((await child.purse('USDT', 'main')).available, '10');
  assert.equal((await alice.purse('USDT', 'main')).available, sub(before.available, '10'));
  const back = { type: 'SUB_TO_PARENT', fromUserId: child.user.userId, toAccountType: 'MAIN' };
  await moved(alice, internal(back));
  assert.deepEqual(await alice.purse('USDT', 'main'), before);
});

test('a transfer between master and sub-account needs the user id of a sub-account of the caller', async () => {
  await refusedMove(alice, internal({ type: 'PARENT_TO_SUB' }), '400100', /toUserId/);
  await refusedMove(alice, internal({ type: 'SUB_TO_PARENT' }), '400100', /fromUserId/);
  for (const userId of [bob.user.userId, alice.user.userId, 'nobody']) {
    await refusedMove(alice, internal({ type: 'PARENT_TO_SUB', toUserId: userId }), /^\d{6}$/);
    await refusedMove(alice, internal({ type: 'SUB_TO_PARENT', fromUserId: userId }), /^\d{6}$/);
  }
  await refusedMove(bob, internal({ type: 'SUB_TO_PARENT', fromUserId: child.user.userId }), /^\d{6}$/);
});

test('a key of a sub-account cannot move money between master and sub', async () => {
  const before = await alice.accounts();
  for (const body of [
    internal({ type: 'PARENT_TO_SUB', toUserId: child.user.userId }),
    internal({ type: 'SUB_TO_PARENT', fromUserId: child.user.userId, fromAccountType: 'TRADE' }),
  ]) {
    const answer = await move(child, body);
    assert.ok(answer.status === 400 || answer.status === 403, answer.text);
    refusal(answer, answer.status, /^\d{6}$/);
  }
  assert.deepEqual(await alice.accounts(), before);
});

test('a transfer needs the FlexTransfers permission', async () => {
  refusal(await move(viewer, internal()), 403, '400007');
});

ledgerStandsAtTheEnd(service, (user) => new UserClient(service, user.name).accounts());
