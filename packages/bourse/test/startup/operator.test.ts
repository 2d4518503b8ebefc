import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { RunningExchange } from '../../src/startup/running-exchange.ts';
import { markedId } from '../../../api/src/gateway/ids.ts';
import { sign } from '@bourse/test-kit/server.ts';
import { clientOf, Operator, openFor } from './exchange.ts';
import { submit } from '@bourse/test-kit/submit.ts';

type Row = Record<string, string>;

const TRANSFER = { currency: 'USDT', chain: 'trx', amount: '12.5' };

async function balance(
  running: RunningExchange,
  user: string,
  currency: string,
  type: string,
): Promise<string> {
  const { body } = await new Operator(running).get(`/v1/users/${user}/balances`);
  return (
    (body as Row[]).find((row) => row['currency'] === currency && row['type'] === type)?.['balance'] ?? '0'
  );
}

async function checkZero(running: RunningExchange): Promise<void> {
  const { body } = await new Operator(running).get('/v1/ledger/check');
  const sums = Object.entries(body as Row);
  assert.ok(sums.length >= 10);
  for (const [currency, sum] of sums) assert.equal(sum, '0', currency);
}

test('a deposit is credited to MAIN at once; reporting its txId again returns it, or is rejected if the report differs', async (t) => {
  const running = await openFor(t);
  const operator = new Operator(running);
  const { userId } = running.connection.users[0];
  const report = { userId, ...TRANSFER, txId: 'tx-1', travelRule: false };
  const first = await operator.post('/v1/deposits', report);
  const { depositId } = first.body as { depositId: string };
  assert.deepEqual(first, { status: 200, body: { depositId, status: 'credited', travelRuleOId: null } });
  assert.deepEqual(await operator.post('/v1/deposits', { ...report, reason: 'sent twice' }), first);
  assert.equal(await balance(running, 'alice', 'USDT', 'MAIN'), '1000012.5');

  const other = await operator.post('/v1/deposits', { ...report, amount: '13' });
  assert.equal(other.status, 409);
  assert.deepEqual(await operator.get(`/v1/deposits/${depositId}`), {
    status: 200,
    body: {
      depositId,
      status: 'credited',
      travelRuleOId: null,
      failureCode: null,
      userId,
      ...TRANSFER,
      fee: '0',
      txId: 'tx-1',
      returnTxId: null,
      reversed: false,
    },
  });
  await checkZero(running);
});

const WRONG_DEPOSITS: [name: string, change: object, status: number, code: string, msg: RegExp][] = [
  ['an unknown user', { userId: 'zoe' }, 404, 'user-unknown', /'zoe'/],
  ['an unknown currency', { currency: 'XXX' }, 404, 'currency-unknown', /Known: BTC/],
  ['an unknown chain', { chain: 'moon' }, 404, 'chain-unknown', /'moon'.*trx/],
  ['no chain where there are several', { chain: undefined }, 404, 'chain-unknown', /several chains.*eth/],
  ['an amount that is no decimal', { amount: '1e3' }, 400, 'value-invalid', /'1e3'/],
  ['a negative amount', { amount: '-1' }, 400, 'value-invalid', /'-1'/],
  ['nothing', { amount: '0' }, 400, 'amount-increment', /0.00000001/],
  [
    'an amount finer than the precision',
    { amount: '1.123456789' },
    400,
    'amount-increment',
    /1\.12345678 and 1\.12345679/,
  ],
  ['an amount below the minimum', { amount: '0.001' }, 400, 'amount-below-min', /0\.01/],
  ['an amount above the cap', { amount: '1000.00000001' }, 400, 'credit-above-cap', /cap of 1000 /],
  ['a number where text belongs', { amount: 5 }, 400, 'parameter-invalid', /amount must be a string/],
  [
    'a field that nobody knows',
    { memo: 'x' },
    400,
    'field-unknown',
    /^Unknown field 'memo' in the body\. Expected: /,
  ],
  ['no txId', { txId: undefined }, 400, 'parameter-invalid', /txId is missing/],
];

test('an invalid deposit is rejected with an error that says what is wrong, and credits nothing', async (t) => {
  const running = await openFor(t, { flags: { creditMax: '{"USDT":"1000","*":"1"}' } });
  const operator = new Operator(running);
  const right = { userId: 'alice', ...TRANSFER, txId: 'tx', travelRule: false };
  for (const [name, change, status, code, msg] of WRONG_DEPOSITS) {
    const reply = await operator.post('/v1/deposits', { ...right, ...change });
    const said = reply.body as { code: string; msg: string };
    assert.deepEqual([reply.status, said.code], [status, code], `${name}: ${said.msg}`);
    assert.match(said.msg, msg, name);
  }
  assert.equal(await balance(running, 'alice', 'USDT', 'MAIN'), '1000000');
  const atCap = await operator.post('/v1/deposits', { ...right, amount: '1000' });
  assert.equal(atCap.status, 200);
  await checkZero(running);
});

async function answerQuestions(running: RunningExchange, travelRuleOId: string): Promise<string> {
  const complianceInfo = JSON.stringify({
    firstName: 'Carol',
    lastName: 'Doe',
    identityType: 'PASSPORT',
    identityNo: 'X1',
    country: 'DE',
    reasonOfTransfer: 'savings',
    wallet: 'personal wallets',
  });
  const reply = await clientOf(running, 'carol').post('/api/v1/deposit/compliance/info', {
    travelRuleOId,
    type: 'individual',
    complianceInfo,
  });
  assert.equal(reply.status, 200, reply.text);
  return (reply.json.data as { orderId: string }).orderId;
}

test('a deposit waits for its questionnaire: a failed one can be sent again, an accepted one credits the deposit', async (t) => {
  const running = await openFor(t);
  const operator = new Operator(running);
  const report = { userId: 'carol', ...TRANSFER, txId: 'tx', travelRule: true };
  const { body } = await operator.post('/v1/deposits', report);
  const { status, travelRuleOId, depositId } = body as Row;
  assert.equal(status, 'waiting');
  assert.equal(await balance(running, 'carol', 'USDT', 'MAIN'), '1000000');
  await checkZero(running);

  const first = await answerQuestions(running, travelRuleOId);
  const decide = (orderId: string, decision: object) =>
    operator.post(`/v1/questionnaires/${orderId}/decision`, decision);
  const bare = await decide(first, { status: 'fail' });
  assert.deepEqual([bare.status, (bare.body as Row)['code']], [400, 'field-missing']);
  const failed = (await decide(first, { status: 'fail', failureCode: 'sender-unclear' })).body as Row;
  assert.deepEqual([failed['status'], failed['failureCode']], ['fail', 'sender-unclear']);

  const second = await answerQuestions(running, travelRuleOId);
  assert.notEqual(second, first);
  const accepted = (await decide(second, { status: 'success', failureCode: null })).body as Row;
  assert.deepEqual([accepted['status'], accepted['failureCode']], ['success', null]);
  assert.equal((await decide(second, { status: 'success' })).status, 409);
  assert.equal(await balance(running, 'carol', 'USDT', 'MAIN'), '1000012.5');
  assert.equal(((await operator.get(`/v1/deposits/${depositId}`)).body as Row)['status'], 'credited');
  await checkZero(running);
});

test('a withdrawal that was sent takes its fee, a failed one returns the money, and neither can be settled twice', async (t) => {
  const running = await openFor(t);
  const operator = new Operator(running);
  const currency = await running.engine.read(({ reference }) => reference.currencyNumber('USDT'));
  const settle = async (sent: boolean): Promise<Row> => {
    const { outcome } = await submit(running.engine, {
      kind: 'request-withdrawal',
      user: 0,
      currency,
      chain: 'trx',
      amount: 100n * 10n ** 12n,
      address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
      memo: '',
    });
    assert.equal(
      outcome.kind,
      'added',
      JSON.stringify(outcome, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
    );
    const path = `/v1/withdrawals/${markedId('withdrawal', outcome.kind === 'added' ? outcome.id : 0)}`;
    assert.equal(((await operator.get(path)).body as Row)['status'], 'processing');
    assert.equal((await operator.post(`${path}/claim`, {})).status, 200);
    const word = { sent, ...(sent && { txId: '77aa' }) };
    const settled = await operator.post(`${path}/settle`, word);
    assert.equal((await operator.post(`${path}/settle`, word)).status, 409);
    return settled.body as Row;
  };
  const sent = await settle(true);
  assert.deepEqual([sent['status'], sent['amount'], sent['fee']], ['sent', '100', '1.3']);
  assert.equal(await balance(running, 'alice', 'USDT', 'MAIN'), '999898.7');
  assert.equal((await settle(false))['status'], 'failed');
  assert.equal(await balance(running, 'alice', 'USDT', 'MAIN'), '999898.7');
  await checkZero(running);
});

test('the key of a new sub-account works until it is removed, and a frozen user cannot place orders', async (t) => {
  const running = await openFor(t);
  const operator = new Operator(running);
  const added = (await operator.post('/v1/users', { name: 'bob-bot', parentId: 'bob' })).body as Row;
  assert.deepEqual([added['name'], added['parentId']], ['bob-bot', running.connection.users[1].userId]);
  assert.equal((await operator.post('/v1/users', { name: 'bob-bot' })).status, 409);

  const grant = { permissions: ['General', 'Spot'], ipAllowList: [] };
  const key = (await operator.post('/v1/users/bob-bot/keys', grant)).body as unknown as Parameters<
    typeof sign
  >[0];
  const look = async (): Promise<number> => {
    const path = '/api/v1/accounts';
    const headers = sign(key, 'GET', path);
    return (await fetch(running.connection.baseUrl + path, { headers })).status;
  };
  assert.equal(await look(), 200);
  const listed = await operator.get('/v1/users/bob-bot/keys');
  assert.deepEqual(Object.keys((listed.body as object[])[0]), [
    'apiKey',
    'userId',
    'version',
    'permissions',
    'ipAllowList',
  ]);

  const away = await operator.post(`/v1/keys/${key.apiKey}`, { ipAllowList: ['203.0.113.7'] });
  assert.equal(away.status, 200);
  assert.equal(await look(), 403);
  const ipAllowList = ['2001:DB8:0::7', '::ffff:127.0.0.1'];
  const back = await operator.post(`/v1/keys/${key.apiKey}`, { ipAllowList });
  assert.deepEqual((back.body as { ipAllowList: string[] }).ipAllowList, ['2001:db8::7', '127.0.0.1']);
  assert.equal(await look(), 200);
  const spelt = await operator.post('/v1/users/bob-bot/keys', { permissions: [], ipAllowList });
  assert.deepEqual((spelt.body as { ipAllowList: string[] }).ipAllowList, ['2001:db8::7', '127.0.0.1']);
  const wrong = await operator.post(`/v1/keys/${key.apiKey}`, { ipAllowList: ['somewhere'] });
  assert.equal(wrong.status, 400);
  assert.equal((await operator.send('DELETE', `/v1/keys/${key.apiKey}?reason=lost`)).status, 200);
  assert.equal(await look(), 401);
  assert.equal((await operator.send('DELETE', `/v1/keys/${key.apiKey}?reason=lost`)).status, 404);

  const frozen = (await operator.post('/v1/users/bob', { frozen: true, tier: 3 })).body as Record<
    string,
    unknown
  >;
  assert.deepEqual([frozen['frozen'], frozen['tier']], [true, 3]);
  const order = { symbol: 'BTC-USDT', type: 'limit', side: 'buy', price: '1000', size: '1' };
  assert.notEqual((await clientOf(running, 'bob').post('/api/v1/hf/orders', order)).json.code, '200000');
});

test('a new currency and symbol are visible to everybody at once, and changes of fees and states take effect', async (t) => {
  const running = await openFor(t);
  const operator = new Operator(running);
  const currencies = (await operator.get('/v1/currencies')).body as Row[];
  const like = currencies.find((each) => each['currency'] === 'LTC')!;
  const coin = await operator.post('/v1/currencies', { ...like, currency: 'NEW', name: 'NEW' });
  assert.equal(coin.status, 200, JSON.stringify(coin.body));
  const terms = ((await operator.get('/v1/symbols')).body as Row[]).find(
    (each) => each['symbol'] === 'LTC-USDT',
  )!;
  const pair = await operator.post('/v1/symbols', {
    ...terms,
    symbol: 'NEW-USDT',
    name: 'NEW-USDT',
    baseCurrency: 'NEW',
  });
  assert.equal(pair.status, 200, JSON.stringify(pair.body));
  const symbols = (await clientOf(running).get('/api/v2/symbols')).json as unknown as Row[];
  assert.ok(symbols.some(({ symbol }) => symbol === 'NEW-USDT'));

  await operator.post('/v1/fees', { userId: 'alice', symbol: 'NEW-USDT', maker: '0', taker: '0.0002' });
  const fees = (await clientOf(running, 'alice').get('/api/v1/trade-fees?symbols=NEW-USDT')).json.data;
  assert.deepEqual(fees, [{ symbol: 'NEW-USDT', takerFeeRate: '0.0002', makerFeeRate: '0' }]);
  const upside = await operator.post('/v1/fees', { maker: '0.2', taker: '0.1' });
  assert.deepEqual([upside.status, (upside.body as Row)['code']], [400, 'maker-above-taker']);

  const order = { symbol: 'NEW-USDT', type: 'limit', side: 'buy', price: '10', size: '1' };
  const place = () => clientOf(running, 'bob').post('/api/v1/hf/orders', order);
  assert.equal((await place()).json.code, '200000');
  await operator.post('/v1/symbols/NEW-USDT/state', { state: 'halted' });
  assert.notEqual((await place()).json.code, '200000');
  await operator.post('/v1/symbols/NEW-USDT/state', { state: 'open' });
  await operator.post('/v1/symbols/NEW-USDT', { baseMinSize: '5' });
  assert.notEqual((await place()).json.code, '200000');
  const limits = await operator.post('/v1/limits', { activeOrdersPerSymbolMax: 7 });
  assert.equal((limits.body as Record<string, unknown>)['activeOrdersPerSymbolMax'], 7);
  await checkZero(running);
});

test('the audit trail has the operator, reason, action and outcome of each call, and no secrets', async (t) => {
  const running = await openFor(t);
  const ann = new Operator(running, { 'x-operator': 'ann' });
  const { body: key } = await ann.post('/v1/users/alice/keys', {
    permissions: ['General'],
    reason: 'a dashboard',
  });
  await ann.post('/v1/deposits', { userId: 'bob', ...TRANSFER, txId: 'tx', reason: 'wire 17' });
  await ann.post('/v1/users', { name: 'alice', reason: 'by mistake' });
  const { body } = await ann.get('/v1/audit?limit=3');
  const trail = (body as Record<string, unknown>[]).map(({ by, why, action, outcome }) => ({
    by,
    why,
    action,
    outcome,
  }));
  assert.deepEqual(trail, [
    { by: 'ann', why: 'by mistake', action: 'add-user', outcome: 'code-taken' },
    { by: 'ann', why: 'wire 17', action: 'report-deposit', outcome: 'accepted' },
    { by: 'ann', why: 'a dashboard', action: 'add-key', outcome: 'accepted' },
  ]);
  const deposit = (body as { details: Row }[])[1].details;
  assert.deepEqual([deposit['user'], deposit['currency'], deposit['amount']], ['bob', 'USDT', '12.5']);
  const [{ id }] = body as { id: number }[];
  const next = (await ann.get(`/v1/audit?limit=2&after=${id}`)).body;
  assert.deepEqual(next, (body as unknown[]).slice(1));
  const whole = JSON.stringify((await ann.get('/v1/audit?limit=500')).body);
  for (const secret of [(key as Row)['apiSecret'], (key as Row)['apiPassphrase'], '"secret"']) {
    assert.ok(!whole.includes(secret));
  }
});

test('a reason is one line of text: control characters and direction marks are rejected, and nothing changes', async (t) => {
  const running = await openFor(t);
  const operator = new Operator(running);
  for (const reason of ['a\nb', 'a\u0000', '\u001b[2J', '\u202egnorw', 'a\u2028b', '\u007f', '']) {
    const { status, body } = await operator.post('/v1/users', { name: 'dave', reason });
    assert.equal(status, 400, JSON.stringify(reason));
    assert.match((body as Row)['msg'], /^reason must (be one line of text|not be empty)/);
    const gone = await operator.send('DELETE', `/v1/keys/none?reason=${encodeURIComponent(reason)}`);
    assert.deepEqual([gone.status, (gone.body as Row)['code']], [400, 'parameter-invalid']);
  }
  assert.equal((await operator.get('/v1/users/dave')).status, 404);
  assert.equal((await operator.post('/v1/users', { name: 'dave', reason: 'größer 新しい 🙂' })).status, 200);
});

test('unknown calls and unknown ids get 404 with an error that names them', async (t) => {
  const operator = new Operator(await openFor(t));
  const cases: [method: string, path: string, msg: string][] = [
    ['GET', '', 'Unknown call GET /operator. /operator/openapi.json lists the calls.'],
    ['GET', '/v1/nothing', 'Unknown call GET /operator/v1/nothing. /operator/openapi.json lists the calls.'],
    ['PUT', '/v1/users', 'Unknown call PUT /operator/v1/users. Use GET or POST.'],
    ['GET', '/v1/keys/x', 'Unknown call GET /operator/v1/keys/x. Use POST or DELETE.'],
  ];
  for (const [method, path, msg] of cases) {
    assert.deepEqual(await operator.send(method, path), {
      status: 404,
      body: { code: 'route-unknown', msg },
    });
  }
  const id = markedId('questionnaire', 999);
  const { status, body } = await operator.post(`/v1/questionnaires/${id}/decision`, { status: 'success' });
  assert.deepEqual(
    [status, body],
    [404, { code: 'questionnaire-unknown', msg: `Unknown questionnaire '${id}'.` }],
  );
});

test('malformed requests are rejected with 4xx and an error message', async (t: TestContext) => {
  const running = await openFor(t);
  const operator = new Operator(running);
  const cases: [method: string, path: string, body: string | undefined, status: number, code: string][] = [
    ['GET', '/v1/nothing', undefined, 404, 'route-unknown'],
    ['PUT', '/v1/users', '{}', 404, 'route-unknown'],
    ['POST', '/v1/users', '{', 400, 'parameter-invalid'],
    ['POST', '/v1/users', '[]', 400, 'parameter-invalid'],
    ['POST', '/v1/users', 'null', 400, 'parameter-invalid'],
    ['POST', '/v1/users', '{"name":"zoe","name":"zed","reason":"x"}', 400, 'parameter-invalid'],
    ['POST', '/v1/users', '{"name":"zoe","reason":"\\ud800"}', 400, 'parameter-invalid'],
    ['POST', '/v1/users', undefined, 400, 'body-missing'],
    ['POST', '/v1/users', JSON.stringify({ name: 'x'.repeat(70_000) }), 413, 'body-too-large'],
    ['GET', '/v1/users?x=1', undefined, 400, 'field-unknown'],
    ['GET', '/v1/audit?limit=-1', undefined, 400, 'parameter-invalid'],
    ['GET', '/v1/users/%00', undefined, 404, 'user-unknown'],
  ];
  for (const [method, path, body, status, code] of cases) {
    const reply = await operator.send(method, path, body);
    assert.deepEqual(
      [reply.status, (reply.body as Row)['code']],
      [status, code],
      `${method} ${path} ${body}`,
    );
  }
});
