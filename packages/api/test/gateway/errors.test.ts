/** Provokes every row of the table of errors, as a user would see it. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Command, REJECTION_CODES } from '@bourse/core';
import { type ExchangePort, Unavailable } from '../../../engine/src/exchange-port.ts';
import { DIALECTS } from '../../src/gateway/route.ts';
import { type ErrorName, type ErrorRow, ERRORS, REJECTION_ERRORS } from '../../src/gateway/errors/errors.ts';
import { markedId, parseMarkedId, userId } from '../../src/gateway/ids.ts';
import { allRoutes } from '../../src/gateway/routes/all.ts';
import { SecretBox } from '../../src/gateway/access/secrets.ts';
import { SANDBOX_SECRET_KEY } from '../../../sandbox/src/seed.ts';
import { probeRoutes } from './probe-routes.ts';
import { Client, credentials, sign, startServer, type TestServer } from '@bourse/test-kit/server.ts';
import { sendBytes, splitAnswers } from '@bourse/test-kit/wire/requests.ts';
import { submit } from '@bourse/test-kit/submit.ts';

interface Met {
  readonly status: number;
  readonly code: string;
  readonly msg: string;
}

const ORDERS = '/api/v1/hf/orders';
const LIMIT = { symbol: 'BTC-USDT', type: 'limit', side: 'buy', price: '20000', size: '0.001' };
const MARKET = { symbol: 'BTC-USDT', type: 'market', side: 'buy' };
const TRANSFER = {
  currency: 'USDT',
  amount: '1',
  type: 'INTERNAL',
  fromAccountType: 'MAIN',
  toAccountType: 'TRADE',
};
const INFO = '{"companyName":"A","tin":"1","reasonOfTransfer":"r","wallet":"w"}';
const QUESTIONNAIRE = { type: 'company', complianceInfo: INFO };
const DEPOSITS = '/api/v1/deposit-addresses';
const TRANSFERS = '/api/v3/accounts/universal-transfer';

describe('the table of errors', () => {
  let server: TestServer;
  let alice: Client;
  let bob: Client;
  let nobody: Client;
  /** The port's response instead of the engine's, for tests that need a fault. */
  let broken: Unavailable | undefined;
  /** How far the log is ahead of the clock. */
  let aheadMs = 0;

  before(async () => {
    server = await startServer({
      routes: (services) => [...allRoutes(services), ...probeRoutes(services)],
      limits: { headersTimeoutMs: 300, requestTimeoutMs: 600 },
      quotas: { spot: 100_000, manage: 100_000, public: 100_000 },
      wrapPort: (port): ExchangePort => ({
        send(command, waiter, sender) {
          if (broken) throw broken;
          port.send(command, waiter, sender);
        },
        read: (query) => port.read(query),
        subscribe: (listener) => port.subscribe(listener),
        historyCaughtUp: () => port.historyCaughtUp(),
        acceptClock: () => port.acceptClock(),
        get health() {
          return port.health;
        },
        get aheadMs() {
          return aheadMs;
        },
      }),
    });
    alice = new Client(server.url, 'alice');
    bob = new Client(server.url, 'bob');
    nobody = new Client(server.url);
    const secret = new SecretBox(Buffer.from(SANDBOX_SECRET_KEY, 'hex')).seal('s', 'p');
    await act({
      kind: 'add-key',
      key: 'fenced',
      user: 0,
      version: 2,
      permissions: ['general'],
      ipAllowList: ['10.0.0.1'],
      secret,
    });
    await act({ kind: 'change-symbol', symbol: symbol('EOS-USDT'), enableTrading: false });
    await act({ kind: 'set-market-state', symbol: symbol('XLM-USDT'), state: 'cancel-only' });
    await act({ kind: 'change-user', user: 2, frozen: true });
  });
  after(() => server.close());

  const symbol = (code: string): number => server.services.catalogue.symbol(code)!.symbol;
  async function act(command: Command): Promise<unknown> {
    const { outcome } = await submit(server.services.port, command);
    assert.notEqual(outcome.kind, 'rejected', JSON.stringify(outcome));
    return outcome;
  }

  async function met(reply: ReturnType<Client['get']>): Promise<Met> {
    const { status, json } = await reply;
    return { status, code: String(json.code), msg: String(json.msg) };
  }
  const place = (order: object, who: Client = alice): Promise<Met> => met(who.post(ORDERS, order));
  const withHeaders = (change: Record<string, string>): Promise<Met> => {
    const path = '/api/v1/accounts';
    return met(
      nobody.send('GET', path, undefined, { ...sign(credentials('alice'), 'GET', path), ...change }),
    );
  };
  const transfer = (change: object, who: Client = alice): Promise<Met> =>
    met(who.post(TRANSFERS, { clientOid: `t${Math.random()}`, ...TRANSFER, ...change }));
  async function raw(bytes: string): Promise<Met> {
    const [{ status, body }] = splitAnswers(await sendBytes(server.port, bytes, 1));
    return { status, ...(JSON.parse(body) as { code: string; msg: string }) };
  }
  async function whileBroken(reason: ConstructorParameters<typeof Unavailable>[0]): Promise<Met> {
    broken = new Unavailable(reason, 'the test says so');
    const answer = await place(LIMIT);
    broken = undefined;
    return answer;
  }
  async function travelRule(): Promise<string> {
    const { number, chains } = server.services.catalogue.currency('USDT')!;
    const deposit = {
      user: 0,
      currency: number,
      chain: chains[0].chainId,
      amount: 10n ** 13n,
      travelRule: true,
    };
    const outcome = await act({ kind: 'report-deposit', ...deposit, txId: `tx${Math.random()}` });
    return markedId('travel-rule', (outcome as { travelRuleId: number }).travelRuleId);
  }

  const WITHDRAWAL = {
    currency: 'USDT',
    chain: 'trx',
    amount: '10',
    toAddress: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
  };

  async function withdrawal(): Promise<string> {
    const { json } = await alice.post('/api/v3/withdrawals', WITHDRAWAL);
    return (json.data as { withdrawalId: string }).withdrawalId;
  }

  const PROVOCATIONS: Readonly<Record<ErrorName, () => Promise<Met>>> = {
    'request-malformed': () => raw('RUBBISH\r\n\r\n'),
    'url-not-found': () => met(nobody.get('/nope')),
    'method-not-allowed': () => met(nobody.send('PATCH', ORDERS, '{}')),
    'request-timeout': () => raw('GET / HTTP/1.1\r\n'),
    'body-too-large': () => met(alice.send('POST', ORDERS, 'x'.repeat(70_000))),
    'media-type': () => met(alice.send('POST', ORDERS, '{}', { 'content-type': 'text/plain' })),
    'headers-too-large': () => raw(`GET / HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`),
    'headers-missing': () => met(nobody.get('/api/v1/accounts')),
    'timestamp-invalid': () => withHeaders({ 'SVC-API-TIMESTAMP': '1' }),
    'api-key-unknown': () => withHeaders({ 'SVC-API-KEY': 'x' }),
    'passphrase-wrong': () => withHeaders({ 'SVC-API-PASSPHRASE': 'x' }),
    'signature-wrong': () => withHeaders({ 'SVC-API-SIGN': 'x' }),
    'address-denied': () => withHeaders({ 'SVC-API-KEY': 'fenced', 'SVC-API-KEY-VERSION': '2' }),
    'permission-denied': () => place(LIMIT, new Client(server.url, 'alice-viewer')),
    'key-version-invalid': () => withHeaders({ 'SVC-API-KEY-VERSION': '1' }),
    'request-repeated': async () => {
      const body = JSON.stringify(LIMIT);
      const headers = sign(credentials('alice'), 'POST', ORDERS, body);
      await nobody.send('POST', ORDERS, body, headers);
      return met(nobody.send('POST', ORDERS, body, headers));
    },
    'too-many-requests': async () => {
      const small = await startServer({ quotas: { spot: 0 } });
      const answer = await met(new Client(small.url, 'alice').post(ORDERS, LIMIT));
      await small.close();
      return answer;
    },
    'internal-error': () => met(nobody.get('/probe/broken')),
    'clock-behind': async () => {
      aheadMs = 120_000;
      const answer = await place(LIMIT);
      aheadMs = 0;
      return answer;
    },
    'origin-denied': () =>
      met(alice.send('POST', ORDERS, JSON.stringify(LIMIT), { origin: 'http://evil.example' })),
    busy: () => whileBroken('queue-full'),
    unavailable: () => whileBroken('stopped'),
    'outcome-unknown': () => whileBroken('unanswered'),
    'parameter-invalid': () => place({ ...LIMIT, side: 'hold' }),
    'symbol-unknown': () => place({ ...LIMIT, symbol: 'NO-SUCH' }),
    'currency-unknown': () => met(nobody.get('/api/v3/currencies/NONE')),
    'chain-unknown': () => met(alice.post(DEPOSITS, { currency: 'USDT', chain: 'none' })),
    'account-unknown': () => met(alice.get('/api/v1/accounts/616300050000000000000fff')),
    'user-frozen': () => place(LIMIT, new Client(server.url, 'carol')),
    'order-not-found': () => met(alice.get(`${ORDERS}/client-order/none?symbol=BTC-USDT`)),
    'order-not-there': () => met(alice.delete(`${ORDERS}/client-order/none?symbol=BTC-USDT`)),
    'order-done': async () => {
      await alice.post(ORDERS, { ...LIMIT, clientOid: 'done' });
      await alice.delete(`${ORDERS}/client-order/done?symbol=BTC-USDT`);
      return met(alice.delete(`${ORDERS}/client-order/done?symbol=BTC-USDT`));
    },
    'liabilities-unknown': () => met(alice.get('/api/v1/bourse/liabilities/1/proof')),
    'withdrawal-unknown': () => met(alice.delete('/api/v1/withdrawals/none')),
    'withdrawal-closed': async () => {
      const path = `/api/v1/withdrawals/${await withdrawal()}`;
      await alice.delete(path);
      return met(alice.delete(`${path}?again`));
    },
    'withdrawal-claimed': async () => {
      const id = await withdrawal();
      await act({ kind: 'claim-withdrawal', withdrawal: parseMarkedId('withdrawal', id) });
      return met(alice.delete(`/api/v1/withdrawals/${id}`));
    },
    'deposit-unknown': () =>
      met(alice.post('/api/v1/deposit/compliance/info', { travelRuleOId: 'none', ...QUESTIONNAIRE })),
    'questionnaire-closed': async () => {
      const body = { travelRuleOId: await travelRule(), ...QUESTIONNAIRE };
      await alice.post('/api/v1/deposit/compliance/info', body);
      return met(alice.post('/api/v1/deposit/compliance/info', { ...body, again: true }));
    },
    'client-id-used': async () => {
      await place({ ...LIMIT, clientOid: 'used' });
      return place({ ...LIMIT, clientOid: 'used', size: '0.002' });
    },
    'transfer-conflict': async () => {
      await transfer({ clientOid: 'conflict' });
      return transfer({ clientOid: 'conflict', amount: '2' });
    },
    'address-unknown': () => met(alice.get(`${DEPOSITS}?currency=LTC`)),
    'address-exists': async () => {
      await alice.post(DEPOSITS, { currency: 'BTC' });
      return met(alice.post(DEPOSITS, { currency: 'BTC', again: true }));
    },
    'not-a-master': () =>
      transfer({ type: 'PARENT_TO_SUB', toUserId: userId(0) }, new Client(server.url, 'alice-sub')),
    'not-a-sub-account': () => transfer({ type: 'PARENT_TO_SUB', toUserId: userId(1) }),
    'same-account': () => transfer({ toAccountType: 'MAIN' }),
    'symbol-disabled': () => place({ ...LIMIT, symbol: 'EOS-USDT', size: '1', price: '1' }),
    'placing-suspended': () => place({ ...LIMIT, symbol: 'XLM-USDT', size: '1', price: '1' }),
    'cancel-suspended': async () => {
      await place({ ...LIMIT, symbol: 'ADA-USDT', price: '1', size: '10', clientOid: 'halted' });
      await act({ kind: 'set-market-state', symbol: symbol('ADA-USDT'), state: 'halted' });
      return met(alice.delete(`${ORDERS}/client-order/halted?symbol=ADA-USDT`));
    },
    'withdrawal-disabled': async () => {
      const { number, chains } = server.services.catalogue.currency('XRP')!;
      const closed = chains.map((each) => ({ ...each, isWithdrawEnabled: false }));
      await act({ kind: 'change-currency', currency: number, chains: closed });
      return met(
        alice.post('/api/v3/withdrawals', {
          currency: 'XRP',
          amount: '100',
          toAddress: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
        }),
      );
    },
    'deposit-disabled': async () => {
      const { number, chains } = server.services.catalogue.currency('ETH')!;
      const closed = chains.map((each) => ({ ...each, isDepositEnabled: false }));
      await act({ kind: 'change-currency', currency: number, chains: closed });
      return met(alice.post(DEPOSITS, { currency: 'ETH' }));
    },
    'price-increment': () => place({ ...LIMIT, price: '20000.05' }),
    'price-above-max': () => place({ ...LIMIT, price: '900000000000000' }),
    'size-increment': () => place({ ...LIMIT, size: '0.001000001' }),
    'size-below-min': () => place({ ...LIMIT, size: '0.000001' }),
    'size-above-max': () => place({ ...LIMIT, size: '10000001' }),
    'visible-size': () => place({ ...LIMIT, iceberg: true, visibleSize: '0.00001' }),
    'funds-increment': () => place({ ...MARKET, funds: '10.0000001' }),
    'funds-below-min': () => place({ ...MARKET, funds: '0.01' }),
    'funds-above-max': () => place({ ...MARKET, funds: '100000000' }),
    'min-funds': () => place({ ...LIMIT, price: '0.1' }),
    'amount-increment': () => transfer({ amount: '0.000000000001' }),
    'amount-above-max': () => transfer({ amount: '9'.repeat(40) }),
    'orders-limit': async () => {
      await act({ kind: 'set-limits', activeOrdersPerSymbolMax: 1 });
      await place(LIMIT, bob);
      const answer = await place(LIMIT, bob);
      await act({ kind: 'set-limits', activeOrdersPerSymbolMax: 200 });
      return answer;
    },
    'movements-limit': async () => {
      await act({ kind: 'set-limits', movementsPerUserMax: 1 });
      await alice.post('/api/v3/withdrawals', WITHDRAWAL);
      const answer = await met(alice.post('/api/v3/withdrawals', WITHDRAWAL));
      await act({ kind: 'set-limits', movementsPerUserMax: 50_000 });
      return answer;
    },
    'funds-insufficient': () => place({ ...LIMIT, size: '1000' }),
    'transfer-insufficient': () => transfer({ amount: '100000000' }),
  };

  for (const [name, provoke] of Object.entries(PROVOCATIONS)) {
    test(`${name} occurs, with its code, text and status`, async () => {
      const row: ErrorRow = ERRORS[name as ErrorName];
      const { status, code, msg } = await provoke();
      assert.equal(code, row.code, msg);
      const text = row.text.replaceAll('{PREFIX}', DIALECTS[0].prefix);
      const known = text.slice(0, text.includes('{') ? text.indexOf('{') : undefined);
      assert.ok(msg.startsWith(known), msg);
      assert.ok(!msg.includes('{'), `all places are filled: ${msg}`);
      assert.equal(status, row.status, msg);
    });
  }

  test('every rejection of the core has a row', () => {
    assert.deepEqual(Object.keys(REJECTION_ERRORS).toSorted(), [...REJECTION_CODES].toSorted());
  });

  test('where several rows have a code and text, they differ in what clients see', () => {
    const seen = new Map<string, string>();
    for (const [name, { code, text, status }] of Object.entries(ERRORS)) {
      const key = `${code} ${text} ${status}`;
      assert.equal(seen.get(key), undefined, `${name} and ${seen.get(key)}`);
      seen.set(key, name);
    }
  });
});
