// Currencies, symbols, fees and limits set by an operator: validation, defaults and removal.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOf, Operator, open, openFor } from './exchange.ts';
import { makeDirectory } from '@bourse/test-kit/directory.ts';

type Row = Record<string, unknown>;

const CHAIN = {
  chainId: 'new',
  chainName: 'NEW',
  depositMinSize: null,
  depositFeeRate: '',
  withdrawalMinSize: '1',
  withdrawalMinFee: '0.5',
  withdrawFeeRate: '0',
  withdrawMaxFee: '',
  isWithdrawEnabled: true,
  isDepositEnabled: true,
  confirms: 1,
  preConfirms: 1,
  contractAddress: '',
};
const CURRENCY = {
  currency: 'NEW',
  precision: 8,
  scale: 12,
  confirms: null,
  contractAddress: null,
  isMarginEnabled: false,
  isDebitEnabled: false,
  chains: [CHAIN],
};
const SYMBOL = {
  symbol: 'NEW-USDT',
  baseCurrency: 'NEW',
  quoteCurrency: 'USDT',
  baseIncrement: '0.01',
  market: 'USDS',
  baseMinSize: '1',
  baseMaxSize: '1000',
  quoteMinSize: '1',
  quoteMaxSize: '1000',
  quoteIncrement: '0.01',
  priceIncrement: '0.01',
  priceLimitRate: '0.1',
  minFunds: '1',
  isMarginEnabled: false,
  enableTrading: true,
};

async function refused(operator: Operator, path: string, body: object, says: RegExp): Promise<void> {
  const reply = await operator.post(path, body);
  const { msg } = reply.body as { msg: string };
  assert.equal(reply.status, 400, `${path} ${JSON.stringify(body)}: ${JSON.stringify(reply.body)}`);
  assert.match(msg, says);
}

async function made(operator: Operator, path: string, body: object): Promise<Row> {
  const reply = await operator.post(path, body);
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
  return reply.body as Row;
}

test('codes, chains and terms are validated, and a rejected call changes nothing', async (t) => {
  const operator = new Operator(await openFor(t));
  const before = [(await operator.get('/v1/currencies')).body, (await operator.get('/v1/symbols')).body];
  const currency = (change: object, says: RegExp) =>
    refused(operator, '/v1/currencies', { ...CURRENCY, ...change }, says);
  for (const code of ['usdt', '-', 'A-B', 'A B', '', 'X'.repeat(21), 'constructor', '__proto__', 'Ü']) {
    await currency({ currency: code }, /^currency must be 1 to 20 upper-case letters and digits/);
  }
  const chains = (says: RegExp, ...changes: object[]) =>
    currency({ chains: changes.map((change) => ({ ...CHAIN, ...change })) }, says);
  await chains(/two chains are called 'new'/, {}, {});
  await chains(/two chains are called 'new'/, {}, { chainId: 'other', chainName: 'New' });
  await chains(
    /two chains are called 'other'/,
    { chainId: 'other' },
    { chainId: 'third', chainName: 'OTHER' },
  );
  await chains(/withdrawFeeRate must be a decimal from 0 to 1/, { withdrawFeeRate: '5' });
  await chains(/depositFeeRate must be a decimal from 0 to 1/, { depositFeeRate: '1.00000001' });
  await chains(/withdrawMaxFee 0\.4 of new is below withdrawalMinFee 0\.5/, { withdrawMaxFee: '0.4' });
  await chains(/preConfirms 2 of new is above confirms 1/, { preConfirms: 2 });
  await chains(/chainId must be/, { chainId: 'New Chain' });
  await chains(/contractAddress must be/, { contractAddress: 'a\u0000b' });
  const symbol = (change: object, says: RegExp) =>
    refused(operator, '/v1/symbols', { ...SYMBOL, baseCurrency: 'BTC', symbol: 'BTC-USDT', ...change }, says);
  await symbol({ symbol: 'ETH-BTC' }, /'ETH-BTC' is not the symbol of BTC and USDT. Expected BTC-USDT/);
  await symbol({ symbol: 'btc-usdt' }, /^symbol must be the codes of base and quote/);
  await symbol({ quoteCurrency: 'BTC', symbol: 'BTC-BTC' }, /BTC is also the base currency/);
  await symbol({ priceLimitRate: '10' }, /priceLimitRate must be a decimal below 10/);
  await symbol({ state: 'closed' }, /state must be one of open, post-only, cancel-only, halted, delisted/);
  await refused(operator, '/v1/fees', { maker: '5', taker: '5' }, /maker must be a decimal from 0 to 1/);
  await refused(operator, '/v1/limits', { lookupWindowMs: 1 }, /lookupWindowMs must be at least 3600000/);
  await refused(operator, '/v1/limits', { stopOrdersPerSymbolMax: 0 }, /must be at least 1/);
  await refused(operator, '/v1/currencies/BTC', { chains: [CHAIN, CHAIN] }, /two chains are called/);
  await refused(operator, '/v1/currencies/BTC', { name: '' }, /name must be 1 to 64/);
  const after = [(await operator.get('/v1/currencies')).body, (await operator.get('/v1/symbols')).body];
  assert.deepEqual(after, before);
});

test('names default to codes and currencies, and a new symbol is halted by default', async (t) => {
  const running = await openFor(t);
  const operator = new Operator(running);
  const coin = await made(operator, '/v1/currencies', CURRENCY);
  assert.deepEqual([coin['name'], coin['fullName']], ['NEW', 'NEW']);
  await made(operator, '/v1/currencies/NEW', { name: 'RENAMED' });
  const symbol = await made(operator, '/v1/symbols', SYMBOL);
  assert.deepEqual(
    [symbol['symbol'], symbol['name'], symbol['state']],
    ['NEW-USDT', 'RENAMED-USDT', 'halted'],
  );
  const order = { symbol: 'NEW-USDT', type: 'limit', side: 'buy', price: '10', size: '1' };
  const place = () => clientOf(running, 'bob').post('/api/v1/hf/orders', order);
  assert.notEqual((await place()).json.code, '200000');
  await made(operator, '/v1/symbols/NEW-USDT/state', { state: 'open' });
  assert.equal((await place()).json.code, '200000');
  const named = { ...SYMBOL, symbol: 'NEW-BTC', quoteCurrency: 'BTC', name: 'N-B', state: 'cancel-only' };
  const other = await made(operator, '/v1/symbols', { ...named, minFunds: '0.1' });
  assert.deepEqual([other['name'], other['state']], ['N-B', 'cancel-only']);
});

test('unused currencies and symbols can be removed and used ones cannot, even after a restart', async (t) => {
  const data = makeDirectory(t);
  let running = await open({ data });
  try {
    let operator = new Operator(running);
    const remove = (path: string) =>
      operator.send('DELETE', `${path}${path.includes('?') ? '&' : '?'}reason=a%20mistake`);
    const stays = async (path: string, says: RegExp) => {
      const { status, body } = await remove(path);
      assert.deepEqual([status, (body as Row)['code']], [409, 'code-in-use'], JSON.stringify(body));
      assert.match(String((body as Row)['msg']), says);
    };
    await made(operator, '/v1/currencies', CURRENCY);
    await made(operator, '/v1/symbols', { ...SYMBOL, state: 'open' });
    await made(operator, '/v1/fees', { symbol: 'NEW-USDT', maker: '0', taker: '0' });
    await stays(
      '/v1/currencies/NEW',
      /^NEW is the base or quote currency of a symbol, so it cannot be removed\.$/,
    );
    await stays('/v1/currencies/XRP', /symbol/);
    assert.deepEqual((await remove('/v1/symbols/NEW-USDT')).body, { symbol: 'NEW-USDT', removed: true });
    assert.equal((await remove('/v1/symbols/NEW-USDT')).status, 404);
    const fees = (await operator.get('/v1/fees')).body as Row[];
    assert.ok(!fees.some(({ symbol }) => symbol === 'NEW-USDT'), 'its fee rules went with it');
    assert.deepEqual((await remove('/v1/currencies/NEW')).body, { currency: 'NEW', removed: true });

    const isListed = async () => {
      const alice = clientOf(running, 'alice');
      const symbols = (await alice.get('/api/v2/symbols')).json as unknown as Row[];
      const { data: coins } = (await alice.get('/api/v3/currencies')).json as unknown as { data: Row[] };
      return [
        symbols.some(({ symbol }) => symbol === 'NEW-USDT'),
        coins.some((each) => each['currency'] === 'NEW'),
      ];
    };
    assert.deepEqual(await isListed(), [false, false]);
    const order = { symbol: 'NEW-USDT', type: 'limit', side: 'buy', price: '10', size: '1' };
    assert.equal((await clientOf(running, 'bob').post('/api/v1/hf/orders', order)).json.code, '900001');

    await running.close();
    running = await open({ data });
    operator = new Operator(running);
    assert.deepEqual(await isListed(), [false, false], 'after a restart');
    await made(operator, '/v1/currencies', { ...CURRENCY, name: 'AGAIN' });
    await made(operator, '/v1/symbols', { ...SYMBOL, state: 'open' });
    assert.deepEqual(await isListed(), [true, true]);
    assert.equal((await clientOf(running, 'bob').post('/api/v1/hf/orders', order)).json.code, '200000');
    await stays('/v1/symbols/NEW-USDT', /has or had orders/);
    await made(operator, '/v1/currencies', { ...CURRENCY, currency: 'GIVEN' });
    await made(operator, '/v1/deposits', { userId: 'bob', currency: 'GIVEN', amount: '5', txId: 'tx-given' });
    await stays('/v1/currencies/GIVEN', /is or was in accounts/);
    await made(operator, '/v1/currencies', { ...CURRENCY, currency: 'ASKED' });
    await clientOf(running, 'bob').post('/api/v1/deposit-addresses', { currency: 'ASKED' });
    await stays('/v1/currencies/ASKED', /has deposit addresses/);

    const rates = async () => {
      const { json } = await clientOf(running, 'alice').get('/api/v1/trade-fees?symbols=ETH-BTC');
      return (json.data as Row[])[0]['takerFeeRate'];
    };
    assert.equal(await rates(), '0.0015');
    assert.equal((await remove('/v1/fees?symbol=ETH-BTC')).status, 200);
    assert.equal(await rates(), '0.001');
    const none = await remove('/v1/fees?symbol=ETH-BTC&userId=alice');
    assert.deepEqual([none.status, (none.body as Row)['code']], [404, 'fee-rule-unknown']);
    assert.match(
      String((none.body as Row)['msg']),
      /^No fee rule is set for user [0-9a-f]{24} in ETH-BTC\.$/,
    );
    const trail = (await operator.get('/v1/audit?limit=3')).body as Row[];
    assert.deepEqual(trail[1]['details'], { symbol: 'ETH-BTC' });
  } finally {
    await running.close();
  }
});

test('a currency without chains is listed like others, and deposits and withdrawals of it are rejected with the reason', async (t) => {
  const running = await openFor(t);
  const operator = new Operator(running);
  await made(operator, '/v1/currencies', { ...CURRENCY, chains: [] });
  const alice = clientOf(running, 'alice');
  for (const path of [
    '/api/v1/currencies',
    '/api/v1/currencies/NEW',
    '/api/v2/currencies/NEW',
    '/api/v3/currencies',
  ]) {
    assert.equal((await alice.get(path)).status, 200, path);
  }
  const { data: flat } = (await alice.get('/api/v1/currencies/NEW')).json as unknown as { data: Row };
  const shown = ['withdrawalMinSize', 'withdrawalMinFee', 'isWithdrawEnabled', 'isDepositEnabled'];
  assert.deepEqual(
    shown.map((name) => flat[name]),
    ['0', '0', false, false],
  );
  for (const reply of [
    await alice.post('/api/v1/deposit-addresses', { currency: 'NEW' }),
    await alice.get('/api/v1/withdrawals/quotas?currency=NEW'),
    await alice.post('/api/v3/withdrawals', { currency: 'NEW', amount: '1', toAddress: 'x' }),
  ]) {
    assert.equal(reply.status, 400, reply.text);
    assert.match(reply.text, /NEW has no chain/);
  }
  const report = { userId: 'alice', currency: 'NEW', amount: '1', txId: 'tx' };
  const { status, body } = await operator.post('/v1/deposits', report);
  assert.equal(status, 404);
  assert.match(String((body as Row)['msg']), /NEW has no chain; add one/);
});

test('omitted terms of a new currency, chain or symbol get their defaults', async (t) => {
  const operator = new Operator(await openFor(t));
  const chains = [{ chainId: 'new', chainName: 'NEW', confirms: 3 }];
  const currency = await made(operator, '/v1/currencies', {
    currency: 'NEW',
    precision: 8,
    scale: 12,
    chains,
  });
  const defaults = { withdrawalMinSize: '0', withdrawalMinFee: '0', withdrawFeeRate: '' };
  assert.deepEqual(currency, {
    ...CURRENCY,
    name: 'NEW',
    fullName: 'NEW',
    chains: [{ ...CHAIN, ...defaults, confirms: 3, preConfirms: 3 }],
  });
  assert.deepEqual(
    (await made(operator, '/v1/currencies', { currency: 'BARE', precision: 0, scale: 0 }))['chains'],
    [],
  );
  const { market: _, isMarginEnabled: _margin, enableTrading: _trading, ...terms } = SYMBOL;
  const symbol = await made(operator, '/v1/symbols', terms);
  const { name, market, state, isMarginEnabled, enableTrading } = symbol;
  assert.deepEqual(
    { name, market, state, isMarginEnabled, enableTrading },
    { name: 'NEW-USDT', market: 'USDT', state: 'halted', isMarginEnabled: false, enableTrading: true },
  );
  const { minFunds: _funds, ...less } = terms;
  await refused(operator, '/v1/symbols', less, /^minFunds is missing in the body\.$/);
  const partly = { chains: [{ ...CHAIN, withdrawalMinFee: undefined }] };
  await refused(operator, '/v1/currencies/NEW', partly, /^chains\[0\]\.withdrawalMinFee is missing/);
});

test('an error about a symbol names the invalid term and says what is valid', async (t) => {
  const operator = new Operator(await openFor(t));
  await made(operator, '/v1/currencies', { ...CURRENCY, scale: 2, precision: 2 });
  const symbol = { ...SYMBOL, symbol: 'BTC-NEW', baseCurrency: 'BTC', quoteCurrency: 'NEW' };
  await refused(
    operator,
    '/v1/symbols',
    symbol,
    /Take larger increments, or a quote currency with a larger scale/,
  );
  const between = { ...SYMBOL, symbol: 'NEW-USDT', baseMinSize: '0.015' };
  await refused(
    operator,
    '/v1/symbols',
    between,
    /^baseMinSize 0\.015 must be a positive multiple of baseIncrement 0\.01\.$/,
  );
});
