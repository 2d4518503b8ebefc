/** The back office over its interface: users are found, frozen, noted and closed, orders cancelled, money corrected. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '@bourse/test-kit/server.ts';
import type { RunningExchange } from '../../src/startup/running-exchange.ts';
import { codeOf, Operator, openFor } from './exchange.ts';

const ORDER = { symbol: 'BTC-USDT', type: 'limit', side: 'buy', price: '100', size: '0.01' };

interface UserRow {
  readonly userId: string;
  readonly name: string;
  readonly freeze: { readonly level: string } | null;
  readonly masterFreeze: { readonly level: string } | null;
  readonly closed: boolean;
}

test('users are listed in pages, and found by name, id, freeze and tier', async (context) => {
  const running = await openFor(context);
  const operator = new Operator(running);
  const list = async (query: string) => (await operator.get(`/v1/users?${query}`)).body as UserRow[];
  const all = await list('');
  assert.ok(all.length > 3);
  const pages: UserRow[] = [];
  for (let after = ''; pages.length < all.length; ) {
    const page = await list(`limit=2${after}`);
    assert.ok(page.length > 0 && page.length <= 2);
    pages.push(...page);
    after = `&after=${page.at(-1)?.userId}`;
  }
  assert.deepEqual(pages, all);
  const [alice] = await list('search=ALICE&limit=1');
  assert.equal(alice?.name, 'alice');
  assert.deepEqual(await list(`search=${alice.userId}`), [alice]);
  assert.deepEqual(await list('frozen=true'), []);
  await operator.post('/v1/users/alice', { tier: 3 });
  await operator.post('/v1/users/alice/freeze', { level: 'trading' });
  const frozen = (await list('frozen=true&tier=3')).map(({ name, freeze }) => [name, freeze?.level]);
  assert.deepEqual(frozen, [['alice', 'trading']]);
  assert.deepEqual(codeOf(await operator.get('/v1/users?after=nobody')), [404, 'user-unknown']);
  assert.equal((await operator.get('/v1/users?frozen=perhaps')).status, 400);
});

test('a sub-account that is frozen only through its master is listed as frozen, with the freeze of the master', async (context) => {
  const operator = new Operator(await openFor(context));
  const list = async (query: string) => (await operator.get(`/v1/users?${query}`)).body as UserRow[];
  const freezes = async (query = 'frozen=true') =>
    (await list(query)).map(({ name, freeze, masterFreeze }) => [name, freeze?.level, masterFreeze?.level]);
  const all = (await list('')).length;
  await operator.post('/v1/users/alice/freeze', { level: 'trading', withSubAccounts: false });
  assert.deepEqual(await freezes(), [['alice', 'trading', undefined]]);
  await operator.post('/v1/users/alice/freeze', { level: 'trading' });
  assert.deepEqual(await freezes(), [
    ['alice', 'trading', undefined],
    ['alice-sub', undefined, 'trading'],
  ]);
  assert.equal((await list('frozen=false')).length, all - 2);
  assert.equal((await freezes('frozen=false')).flat().includes('alice-sub'), false);

  // Both freezes apply; the sub-account's own one outlasts that of the master.
  await operator.post('/v1/users/alice-sub/freeze', { level: 'withdrawals' });
  assert.deepEqual((await freezes())[1], ['alice-sub', 'withdrawals', 'trading']);
  await operator.post('/v1/users/alice/unfreeze', {});
  assert.deepEqual(await freezes(), [['alice-sub', 'withdrawals', undefined]]);
  const { body } = await operator.get('/v1/users/alice-sub');
  assert.equal((body as UserRow).masterFreeze, null);
});

test('a user sees why an operator cancelled an order, and an operator sees the rejected requests of a user', async (context) => {
  const running = await openFor(context);
  const operator = new Operator(running);
  const alice = new Client(running.connection.baseUrl, 'alice', 'literal');
  const placed = await alice.post('/api/v1/hf/orders', { ...ORDER, clientOid: 'rests' });
  const id = (placed.json.data as { orderId: string }).orderId;
  const gone = await operator.send('DELETE', `/v1/orders/${id}?reason=price+was+a+slip`);
  assert.deepEqual(gone.body, { cancelled: 1 });
  const order = await alice.get(`/api/v1/hf/orders/${id}?symbol=BTC-USDT`);
  assert.equal((order.json.data as { remark: string }).remark, 'price was a slip');
  assert.deepEqual(codeOf(await operator.send('DELETE', `/v1/orders/${id}?reason=again`)), [
    404,
    'order-unknown',
  ]);

  await alice.post('/api/v1/hf/orders', { ...ORDER, clientOid: 'second' });
  await alice.post('/api/v1/hf/orders', { ...ORDER, clientOid: 'third' });
  const both = await operator.send('DELETE', '/v1/users/alice/orders?symbol=BTC-USDT&reason=asked');
  assert.deepEqual(both.body, { cancelled: 2 });
  await alice.post('/api/v1/hf/orders', { ...ORDER, clientOid: 'fourth' });
  assert.equal((await operator.send('DELETE', '/v1/symbols/BTC-USDT/orders?reason=incident')).status, 200);
  const fourth = await alice.get('/api/v1/hf/orders/client-order/fourth?symbol=BTC-USDT');
  assert.equal((fourth.json.data as { remark: string }).remark, 'incident');

  await operator.post('/v1/users/alice/freeze', { level: 'trading', withSubAccounts: true });
  await alice.post('/api/v1/hf/orders', { ...ORDER, clientOid: 'refused' });
  const [last] = (await operator.get('/v1/users/alice/refusals')).body as { target: string; text: string }[];
  assert.equal(last?.target, '/api/v1/hf/orders');
  assert.match(last.text, /frozen for trading/);
});

test('notes are listed newest first, and a user without money can be closed permanently', async (context) => {
  const operator = new Operator(await openFor(context));
  await operator.post('/v1/users', { name: 'dora' });
  await operator.post('/v1/users/dora/notes', { text: 'first' });
  const { body } = await operator.post('/v1/users/dora/notes', { text: 'second' });
  assert.deepEqual(
    (body as { text: string }[]).map(({ text }) => text),
    ['second', 'first'],
  );
  assert.deepEqual(codeOf(await operator.post('/v1/users/alice/close', {})), [409, 'user-not-empty']);
  assert.equal((await operator.post('/v1/users/dora/unfreeze', {})).status, 200);
  const closed = (await operator.post('/v1/users/dora/close', {})).body as UserRow;
  assert.equal(closed.closed, true);
  assert.deepEqual(codeOf(await operator.post('/v1/users/dora/unfreeze', { withSubAccounts: true })), [
    409,
    'user-closed',
  ]);
});

test('a deposit to the wrong user can be reversed and reported again, and a move cannot exceed the balance', async (context) => {
  const operator = new Operator(await openFor(context));
  await operator.post('/v1/users', { name: 'dora' });
  await operator.post('/v1/users', { name: 'emil' });
  const report = (userId: string) =>
    operator.post('/v1/deposits', { userId, currency: 'USDT', chain: 'erc20', amount: '500', txId: 'slip' });
  const { depositId } = (await report('dora')).body as { depositId: string };
  assert.deepEqual(codeOf(await report('emil')), [409, 'deposit-conflict']);
  // A given amount is not the complete balance.
  for (const part of [{ amount: '1' }, { clientOid: 'one' }, { to: { system: 'suspense' } }]) {
    const refused = await operator.post('/v1/corrections', { kind: 'reverse', depositId, ...part });
    assert.deepEqual(codeOf(refused), [400, 'field-not-allowed'], JSON.stringify(part));
  }
  const undone = await operator.post('/v1/corrections', { kind: 'reverse', depositId });
  assert.equal(undone.status, 200);
  const { correctionId, postings } = undone.body as { correctionId: string; postings: { amount: string }[] };
  assert.deepEqual(
    postings.map(({ amount }) => amount),
    ['-500', '500'],
  );
  assert.deepEqual(codeOf(await operator.post('/v1/corrections', { kind: 'reverse', depositId })), [
    409,
    'reversed',
  ]);
  assert.deepEqual(codeOf(await report('dora')), [409, 'reversed']);
  assert.equal((await report('emil')).status, 200);
  const balances = (name: string) => operator.get(`/v1/users/${name}/balances`);
  assert.deepEqual((await balances('dora')).body, []);
  assert.equal(((await balances('emil')).body as { balance: string }[])[0]?.balance, '500');
  const again = await operator.post('/v1/corrections', { kind: 'reverse', correctionId });
  assert.deepEqual(codeOf(again), [409, 'deposit-conflict']);

  const move = {
    kind: 'move',
    currency: 'USDT',
    from: { userId: 'emil', account: 'main' },
    to: { system: 'suspense' },
  };
  const strange = await operator.post('/v1/corrections', { ...move, amount: '1', depositId });
  assert.deepEqual(codeOf(strange), [400, 'field-not-allowed']);
  const tooMuch = await operator.post('/v1/corrections', { ...move, amount: '501' });
  assert.deepEqual(codeOf(tooMuch), [409, 'insufficient']);
  assert.match((tooMuch.body as { msg: string }).msg, /500 USDT left/);
  assert.equal((await operator.post('/v1/corrections', { ...move, amount: '200' })).status, 200);
  const ledger = (await operator.get('/v1/users/emil/ledger')).body as { kind: string; amount: string }[];
  assert.deepEqual(
    ledger.map(({ kind, amount }) => [kind, amount]),
    [
      ['correction', '-200'],
      ['deposit', '500'],
    ],
  );
  const { body } = await operator.get('/v1/ledger/check');
  assert.ok(Object.values(body as object).every((sum) => sum === '0'));
});

test('a waiting deposit can be returned, and then credits nobody', async (context) => {
  const operator = new Operator(await openFor(context));
  const waiting = {
    userId: 'alice',
    currency: 'USDT',
    chain: 'erc20',
    amount: '5',
    txId: 'w',
    travelRule: true,
  };
  const { depositId } = (await operator.post('/v1/deposits', waiting)).body as { depositId: string };
  const returned = await operator.post(`/v1/deposits/${depositId}/return`, { txId: 'back' });
  assert.deepEqual(
    [(returned.body as { status: string }).status, (returned.body as { returnTxId: string }).returnTxId],
    ['returned', 'back'],
  );
  assert.deepEqual(codeOf(await operator.post(`/v1/deposits/${depositId}/return`, {})), [
    409,
    'not-returnable',
  ]);
  const listed = (await operator.get('/v1/deposits?status=returned')).body as { items: unknown[] };
  assert.equal(listed.items.length, 1);
});

test('a rejected withdrawal tells the user what is left of the daily limit, or that the address is blocked', async (context) => {
  const running = await openFor(context);
  const operator = new Operator(running);
  const alice = new Client(running.connection.baseUrl, 'alice', 'literal');
  assert.equal(
    (await operator.post('/v1/limits', { tier: 0, withdrawalPerDay: { USDT: '50' } })).status,
    200,
  );
  assert.equal(
    (await operator.post('/v1/users/alice/limits', { withdrawalPerDay: { USDT: '30' } })).status,
    200,
  );
  const withdraw = (amount: string, address: string) =>
    alice.post('/api/v1/withdrawals', { currency: 'USDT', chain: 'eth', amount, address });
  const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
  assert.match(
    (await withdraw('31', address)).json.msg ?? '',
    /The limit is 30 USDT per day \(UTC\); 30 USDT are left today/,
  );
  assert.equal((await withdraw('20', address)).json.code, '200000');
  assert.match((await withdraw('20', address)).json.msg ?? '', /10 USDT are left today/);
  const [limit] = (await operator.get('/v1/users/alice/limits')).body as { leftToday: string; of: string }[];
  assert.deepEqual([limit?.leftToday, limit?.of], ['10', 'user']);
  assert.deepEqual(codeOf(await operator.post('/v1/limits', { tier: 0 })), [400, 'field-missing']);

  const rule = { currency: 'USDT', address: address.toLowerCase(), rule: 'block' };
  const { ruleId } = (await operator.post('/v1/address-rules', rule)).body as { ruleId: number };
  assert.match((await withdraw('10', address)).json.msg ?? '', /are blocked/);
  assert.equal(((await operator.get('/v1/address-rules')).body as unknown[]).length, 1);
  assert.equal((await operator.delete(`/v1/address-rules/${ruleId}`)).status, 200);
  assert.equal((await withdraw('10', address)).json.code, '200000');
  assert.equal((await operator.delete(`/v1/address-rules/${ruleId}`)).status, 404);

  // By the name of the chain, with a currency and without; the rule fits as one with the id does.
  for (const more of [{ currency: 'USDT' }, {}]) {
    const { body } = await operator.post('/v1/address-rules', {
      ...more,
      chain: 'ERC20',
      address,
      rule: 'block',
    });
    const { ruleId: id, chain } = body as { ruleId: number; chain: string };
    assert.equal(chain, 'eth');
    assert.match((await withdraw('10', address)).json.msg ?? '', /are blocked/);
    assert.equal((await operator.delete(`/v1/address-rules/${id}`)).status, 200);
    const wrong = await operator.post('/v1/address-rules', {
      ...more,
      chain: 'ERC2O',
      address,
      rule: 'block',
    });
    assert.deepEqual(codeOf(wrong), [404, 'chain-unknown']);
  }
});

test('withdrawals of a frozen user, or to a blocked address, are not paid out', async (context) => {
  const running = await openFor(context);
  const operator = new Operator(running);
  const alice = new Client(running.connection.baseUrl, 'alice', 'literal');
  const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
  const body = { currency: 'USDT', chain: 'eth', amount: '20', address };
  const { withdrawalId } = (await alice.post('/api/v1/withdrawals', body)).json.data as {
    withdrawalId: string;
  };
  const claim = () => operator.post(`/v1/withdrawals/${withdrawalId}/claim`, {});
  await operator.post('/v1/users/alice/freeze', { level: 'withdrawals' });
  assert.deepEqual(codeOf(await claim()), [409, 'user-frozen']);
  await operator.post('/v1/users/alice/unfreeze', {});
  const { ruleId } = (await operator.post('/v1/address-rules', { address, rule: 'block' })).body as {
    ruleId: number;
  };
  assert.deepEqual(codeOf(await claim()), [409, 'address-blocked']);
  await operator.delete(`/v1/address-rules/${ruleId}`);
  assert.equal((await claim()).status, 200);
});

interface Statement {
  readonly from: number;
  readonly until: number;
  readonly accounts: readonly {
    readonly account: string;
    readonly currency: string;
    readonly opening: string;
    readonly entries: readonly { readonly kind: string; readonly amount: string }[];
    readonly closing: string;
  }[];
}

async function advance({ connection }: RunningExchange, ms: number): Promise<void> {
  const answer = await fetch(`${connection.sandboxUrl}/clock/advance`, {
    method: 'POST',
    headers: { authorization: `Bearer ${connection.operatorToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ms }),
    signal: AbortSignal.timeout(30_000),
  });
  assert.equal(answer.status, 200, await answer.text());
}

test('a statement opens with the closing balance of the previous one, and closes with the current balance', async (context) => {
  const running = await openFor(context, { flags: { clock: 'manual' } });
  const operator = new Operator(running);
  const tick = (ms: number) => advance(running, ms);
  await operator.post('/v1/users', { name: 'dora' });
  const report = (amount: string, txId: string) =>
    operator.post('/v1/deposits', { userId: 'dora', currency: 'USDT', chain: 'erc20', amount, txId });
  const read = async (from: number, until: number) =>
    (await operator.get(`/v1/users/dora/statement?from=${from}&until=${until}`)).body as Statement;
  const balance = async () =>
    ((await operator.get('/v1/users/dora/balances')).body as { balance: string }[])[0]?.balance;
  await report('500', 'one');
  const later = 9_999_999_999_999;
  // No record follows the deposit, and the clock is stopped: the statement still contains it.
  const [deposited] = (await read(0, later)).accounts;
  assert.deepEqual([deposited?.closing, await balance()], ['500', '500']);
  await tick(1000);
  const { depositId } = (await report('70', 'two')).body as { depositId: string };
  await tick(1000);
  const first = await read(0, later);
  await operator.post('/v1/corrections', { kind: 'reverse', depositId });
  const second = await read(first.until, later);
  const whole = await read(0, later);
  assert.equal(second.accounts[0]?.opening, first.accounts[0]?.closing);
  const [account] = whole.accounts;
  assert.deepEqual([account?.account, account?.currency, account?.opening], ['main', 'USDT', '0']);
  assert.deepEqual(
    account?.entries.map(({ kind, amount }) => [kind, amount]),
    [
      ['deposit', '500'],
      ['deposit', '70'],
      ['correction', '-70'],
    ],
  );
  assert.deepEqual([account.closing, second.accounts[0]?.closing, await balance()], ['500', '500', '500']);
  const csv = await operator.text(`/v1/users/dora/statement?from=0&until=${later}&format=csv`);
  assert.match(csv, /^account,currency,id,time,kind/);
  assert.match(csv, /main,USDT,,,closing,,,,,500/);
  assert.equal((await operator.get('/v1/users/dora/statement?from=5&until=5')).status, 400);
  await tick(91 * 86_400_000);
  const old = await operator.get(`/v1/users/dora/statement?from=0&until=${later}`);
  assert.deepEqual(codeOf(old), [400, 'value-invalid']);
  const [, kept] = /Choose (\d+) or later/.exec((old.body as { msg: string }).msg) ?? [];
  const [left] = (await read(Number(kept), later)).accounts;
  assert.deepEqual([left?.opening, left?.entries, left?.closing], ['500', [], '500']);
});

interface HouseEntry {
  readonly id: string;
  readonly kind: string;
  readonly reference: string;
  readonly counterAccount: string;
  readonly amount: string;
}

test('the statements of the house and of all users sum to zero, at opening and at closing', async (context) => {
  const running = await openFor(context, { flags: { clock: 'manual' } });
  const operator = new Operator(running);
  const alice = new Client(running.connection.baseUrl, 'alice');
  const bob = new Client(running.connection.baseUrl, 'bob');
  const later = 9_999_999_999_999;
  const read = async (path: string, from = 0, until = later) =>
    (await operator.get(`${path}/statement?from=${from}&until=${until}`)).body as Statement;
  const { until: begin } = await read('/v1');
  await advance(running, 1000);
  const order = { symbol: 'LTC-USDT', type: 'limit', price: '90', size: '1' };
  await alice.post('/api/v1/hf/orders', { ...order, side: 'sell', clientOid: 'offer' });
  await bob.post('/api/v1/hf/orders/sync', { ...order, side: 'buy', clientOid: 'bid' });
  const deposit = { userId: 'bob', currency: 'USDT', chain: 'erc20', amount: '250', txId: 'house-1' };
  const waiting = { ...deposit, amount: '40', txId: 'house-2', travelRule: true };
  await operator.post('/v1/deposits', deposit);
  await operator.post('/v1/deposits', waiting);
  const from = { userId: 'bob', account: 'main' };
  const to = { system: 'suspense' };
  await operator.post('/v1/corrections', { kind: 'move', currency: 'USDT', amount: '7', from, to });

  const house = await read('/v1', begin);
  const of = (account: string) =>
    house.accounts.find((each) => each.account === account && each.currency === 'USDT')!;
  const entriesOf = (account: string) => of(account).entries as readonly HouseEntry[];
  const [fee] = entriesOf('fees');
  assert.match(fee!.reference, /^LTC-USDT\/\d+$/);
  assert.deepEqual([fee!.kind, fee!.counterAccount], ['trade', 'market:LTC-USDT']);
  assert.match(fee!.id, /^\d+-\d+$/);
  const shown = ({ kind, amount }: HouseEntry) => [kind, amount];
  assert.deepEqual(entriesOf('outside').map(shown), [
    ['deposit', '-250'],
    ['deposit', '-40'],
  ]);
  assert.match(entriesOf('outside')[0]!.counterAccount, /^user:[0-9a-f]{24}$/);
  assert.deepEqual(entriesOf('waiting').map(shown), [['deposit', '40']]);
  assert.deepEqual(entriesOf('suspense').map(shown), [['correction', '7']]);

  const users = (await operator.get('/v1/users?limit=1000')).body as { readonly userId: string }[];
  const sums = new Map<string, bigint>();
  const units = (text: string): bigint => {
    const [whole = '', fraction = ''] = text.replace('-', '').split('.');
    const size = BigInt(whole + fraction.padEnd(18, '0'));
    return text.startsWith('-') ? -size : size;
  };
  const add = ({ accounts }: Statement): void => {
    for (const { currency, opening, entries, closing } of accounts) {
      const moved = entries.reduce((sum, { amount }) => sum + units(amount), 0n);
      assert.equal(units(opening) + moved, units(closing));
      for (const [at, amount] of [opening, closing].entries()) {
        const key = `${currency} ${at === 0 ? 'opening' : 'closing'}`;
        sums.set(key, (sums.get(key) ?? 0n) + units(amount));
      }
    }
  };
  add(house);
  for (const { userId } of users) add(await read(`/v1/users/${userId}`, begin));
  assert.ok(sums.size > 4, 'several currencies');
  for (const [key, sum] of sums) assert.equal(sum, 0n, key);

  const csv = await operator.text(`/v1/statement?from=${begin}&until=${later}&format=csv`);
  assert.match(csv, /\r\nsuspense,USDT,,,closing,,,,,7\r\n/);
  assert.deepEqual(codeOf(await operator.get('/v1/statement?from=5&until=5')), [400, 'value-invalid']);
  await advance(running, 91 * 86_400_000);
  assert.deepEqual(codeOf(await operator.get(`/v1/statement?from=0&until=${later}`)), [400, 'value-invalid']);
});

test('a wallet report is compared with the liabilities at the time it was recorded', async (context) => {
  const operator = new Operator(await openFor(context));
  const ledger = (await operator.get('/v1/ledger')).body as { currency: string; outside: string }[];
  const owed = -Number(ledger.find(({ currency }) => currency === 'USDT')!.outside);
  const at = Date.now() - 60_000;
  assert.equal((await operator.post('/v1/wallets', { currency: 'USDT', balance: '1000', at })).status, 200);
  const rows = (await operator.get('/v1/reconciliation')).body as Record<string, string | null>[];
  const row = rows.find(({ currency }) => currency === 'USDT')!;
  assert.deepEqual([row['wallets'], Number(row['liabilities']), row['at']], ['1000', owed, at]);
  assert.equal(Number(row['difference']), 1000 - owed);
  assert.equal(rows.find(({ currency }) => currency === 'BTC')!['wallets'], null);
  const before = (await operator.get('/v1/reconciliation?at=1')).body as Record<string, string | null>[];
  assert.ok(before.every(({ wallets }) => wallets === null));
  const wrong = { currency: 'USDT', balance: '1', at: Date.now() + 3_600_000 };
  assert.deepEqual(codeOf(await operator.post('/v1/wallets', wrong)), [400, 'value-invalid']);
});
