import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Credentials } from '@bourse/test-kit/server.ts';
import { type Data, type Family, Member, startFamily } from './exchange.ts';

const INNER = '/api/v2/accounts/inner-transfer';
const SUB = '/api/v2/accounts/sub-transfer';
const UNIVERSAL = '/api/v3/accounts/universal-transfer';
const TRADES = { fromAccountType: 'TRADE', toAccountType: 'TRADE' };
const LEDGER = '/api/v1/accounts/ledgers';
const TRADE_LEDGER = '/api/v1/hf/accounts/ledgers';

describe('accounts in the family dialect', () => {
  let family: Family;
  before(async () => {
    family = await startFamily();
  });
  after(() => family.close());

  test('the calls about accounts return the key in use, the balances and the fee rates', async () => {
    const { alice, aliceSub, viewer } = family;
    assert.equal(await alice.get<unknown>('/api/v1/hf/accounts/opened'), true);
    assert.deepEqual(await alice.get('/api/v1/base-fee'), { takerFeeRate: '0.001', makerFeeRate: '0.001' });
    assert.deepEqual(await alice.get('/api/v1/user/api-key'), {
      remark: '',
      apiKey: alice.who.apiKey,
      apiVersion: 3,
      permission: 'General,Spot,FlexTransfers,Withdrawal',
      ipWhitelist: '',
      createdAt: 0,
      uid: 100_000_000,
      isMaster: true,
    });
    const sub = await aliceSub.get('/api/v1/user/api-key');
    assert.deepEqual([sub['isMaster'], sub['subName'], sub['uid']], [false, 'alice-sub', 100_000_003]);
    assert.equal((await viewer.get('/api/v1/user/api-key'))['permission'], 'General');
    const info = await alice.get('/api/v2/user-info');
    assert.deepEqual(
      [info['level'], info['subQuantity'], info['spotSubQuantity'], info['maxSubQuantity']],
      [0, 1, 1, 100],
    );
    assert.equal((await aliceSub.get('/api/v2/user-info'))['maxSubQuantity'], 0);
  });

  test('inner and sub-account transfers move money once, and give the reason if they cannot', async () => {
    const { alice, aliceSub } = family;
    const body = { clientOid: 'inner-1', currency: 'USDT', amount: '12.5', from: 'main', to: 'trade_hf' };
    const made = await alice.post(INNER, body);
    assert.match(String(made['orderId']), /^[0-9a-f]{24}$/);
    assert.deepEqual(await alice.post(INNER, { ...body, amount: 12.5 }), made, 'the same again is the same');
    await alice.refused('POST', INNER, { ...body, amount: '13' }, '300018', /repeated/);
    await alice.refused('POST', INNER, { ...body, clientOid: 'i2', to: 'margin' }, '400100', /MARGIN/);
    await alice.refused('POST', INNER, { ...body, clientOid: 'i3', to: 'main' }, '400100', /same/);
    await alice.refused('POST', INNER, { ...body, clientOid: 'i4', amount: '1e99' }, '400100', /decimal/);
    await alice.refused(
      'POST',
      INNER,
      { ...body, clientOid: 'i5', amount: '99999999' },
      '230003',
      /^Balance insufficient!/,
    );

    const { items } = await alice.get('/api/v2/sub/user');
    const [{ userId: subUserId }] = items as Data[];
    const out = { clientOid: 'sub-1', currency: 'USDT', amount: '100', direction: 'OUT', subUserId };
    await alice.post(SUB, { ...out, accountType: 'TRADE', subAccountType: 'MAIN', subTag: '' });
    const back = { ...out, clientOid: 'sub-2', amount: '40', direction: 'IN', accountType: 'main' };
    await alice.post(SUB, back);
    const [main] = await aliceSub.get<Data[]>('/api/v1/accounts?currency=USDT&type=main');
    assert.equal(main['balance'], '60');
    await alice.refused('POST', SUB, { ...out, clientOid: 'sub-3', direction: 'UP' }, '400100', /IN or OUT/);
    await aliceSub.refused(
      'POST',
      SUB,
      { ...out, clientOid: 'sub-4' },
      '400100',
      /^This user is not a master user/,
    );
    await family.bob.refused(
      'POST',
      SUB,
      { ...out, clientOid: 'sub-5' },
      '400100',
      /^This user is not a sub user/,
    );
  });

  test('money moves between two users only with FlexTransfers, on every path and in both dialects', async () => {
    const { alice, url } = family;
    const made = await family.operate('/v1/users/alice/keys', {
      permissions: ['General', 'Spot', 'Withdrawal'],
    });
    const who = made as unknown as Credentials;
    const [{ userId: subUserId }] = (await alice.get('/api/v2/sub/user'))['items'] as Data[];
    const had = await alice.get<Data[]>('/api/v1/accounts?currency=USDT');
    for (const dialect of ['literal', 'family'] as const) {
      const trader = new Member(url, who, dialect);
      const money = { currency: 'USDT', amount: '1' };
      const moves: [path: string, body: Data][] = [
        [SUB, { ...money, direction: 'OUT', subUserId, accountType: 'TRADE', subAccountType: 'TRADE' }],
        [SUB, { ...money, direction: 'IN', subUserId, accountType: 'TRADE', subAccountType: 'TRADE' }],
        [UNIVERSAL, { ...money, type: 'PARENT_TO_SUB', toUserId: subUserId, ...TRADES }],
        [UNIVERSAL, { ...money, type: 'SUB_TO_PARENT', fromUserId: subUserId, ...TRADES }],
      ];
      for (const [path, body] of moves) {
        const clientOid = `${dialect} ${JSON.stringify(body)}`.replace(/[^A-Za-z0-9]/g, '').slice(0, 128);
        const reply = await trader.send('POST', path, { clientOid, ...body });
        assert.deepEqual([reply.status, reply.json.code], [403, '400007'], reply.text);
        assert.match(reply.text, /needs FlexTransfers/);
      }
      const own = { ...money, clientOid: `own-${dialect}`, from: 'main', to: 'trade' };
      assert.equal(
        (await trader.send('POST', INNER, own)).json.code,
        '200000',
        'its own accounts are its own',
      );
    }
    const has = await alice.get<Data[]>('/api/v1/accounts?currency=USDT');
    const sum = (rows: Data[]) => rows.reduce((all, row) => all + Number(row['balance']), 0);
    assert.equal(sum(has), sum(had));
  });

  test('the ledger of all accounts and that of TRADE name the cause of each entry, with the fee deducted', async () => {
    const { alice, bob } = family;
    const buy = await bob.place({ price: '30000', size: '0.01', clientOid: 'ledger' });
    const sell = await alice.place({ side: 'sell', price: '30000', size: '0.01' });
    const [got, ...more] = await alice.get<Data[]>(`${TRADE_LEDGER}?currency=USDT&bizType=TRADE_EXCHANGE`);
    assert.deepEqual(more, []);
    const { id, createdAt, context, balance, ...entry } = got;
    assert.match(String(id), /^\d+$/);
    assert.equal(typeof createdAt, 'string');
    assert.match(String(balance), /^\d+(\.\d+)?$/);
    assert.deepEqual(entry, {
      currency: 'USDT',
      amount: '299.7',
      fee: '0.3',
      tax: '0',
      accountType: 'TRADE_HF',
      bizType: 'TRADE_EXCHANGE',
      direction: 'in',
      status: 'Completed',
    });
    const { tradeId, ...named } = JSON.parse(String(context)) as Data;
    assert.match(String(tradeId), /^\d+$/);
    assert.deepEqual(named, { symbol: 'BTC-USDT', orderId: sell });
    const [paid] = await bob.get<Data[]>(
      `${TRADE_LEDGER}?currency=USDT&direction=out&bizType=TRADE_EXCHANGE`,
    );
    assert.deepEqual([paid['amount'], paid['fee'], paid['direction']], ['300.3', '0.3', 'out']);
    assert.equal((JSON.parse(String(paid['context'])) as Data)['orderId'], buy);

    const all = await alice.get<Data[]>(TRADE_LEDGER);
    const paged = [...(await alice.get<Data[]>(`${TRADE_LEDGER}?limit=3`))];
    while (paged.length < all.length) {
      const next = await alice.get<Data[]>(`${TRADE_LEDGER}?limit=3&lastId=${paged.at(-1)!['id']}`);
      assert.ok(next.length > 0);
      paged.push(...next);
    }
    assert.deepEqual(paged, all);
    assert.ok(all.every((each) => each['accountType'] === 'TRADE_HF'));

    const { items, ...head } = await alice.get(`${LEDGER}?currency=USDT&pageSize=2&currentPage=2`);
    assert.equal((items as Data[]).length, 2);
    const whole = await alice.get(`${LEDGER}?currency=USDT`);
    assert.equal(head['totalNum'], (whole['items'] as Data[]).length);
    assert.deepEqual(items, (whole['items'] as Data[]).slice(2, 4));
    const kinds = new Set(
      (whole['items'] as Data[]).map(({ bizType, accountType }) => `${bizType} ${accountType}`),
    );
    const wanted = [
      'DEPOSIT MAIN',
      'TRANSFER MAIN',
      'TRANSFER TRADE',
      'SUB_TRANSFER TRADE',
      'TRADE_EXCHANGE TRADE',
    ];
    for (const kind of wanted) assert.ok(kinds.has(kind), `${kind} in ${[...kinds]}`);
    const [last] = whole['items'] as Data[];
    assert.equal(typeof last['createdAt'], 'number');
    const deposits = await alice.get(`${LEDGER}?bizType=DEPOSIT&direction=in`);
    assert.ok(Number(deposits['totalNum']) >= 3);
    for (const query of ['currency=NONE', 'bizType=CONVERT', 'bizType=DEPOSIT&direction=out', 'endAt=1000']) {
      const { items: none, totalNum } = await alice.get(`${LEDGER}?${query}`);
      assert.deepEqual([none, totalNum], [[], 0], query);
    }
    const now = Date.now();
    const span = `startAt=${now - 86_400_001}&endAt=${now}`;
    await alice.refused('GET', `${LEDGER}?${span}`, undefined, '400100', /ms apart/);
    await alice.get(`${TRADE_LEDGER}?${span}`);
    await alice.refused('GET', `${LEDGER}?direction=up`, undefined, '400100', /in or out/);
  });

  test('null and an empty filter mean unset', async () => {
    const { alice, literal } = family;
    // null means unset, in both dialects.
    const unset = { fromUserId: null, toUserId: null, fromAccountType: 'MAIN', toAccountType: 'TRADE' };
    const moved = { type: 'INTERNAL', currency: 'USDT', amount: '1', ...unset };
    const reply = await literal.send('POST', UNIVERSAL, { ...moved, clientOid: 'null-1' });
    assert.deepEqual([reply.status, typeof reply.json['orderId']], [200, 'string'], reply.text);
    await alice.post(UNIVERSAL, { ...moved, clientOid: 'null-2' });
    await literal.refused('POST', UNIVERSAL, { ...moved, amount: null }, '400100', /amount/);
    // An empty filter is unset.
    for (const member of [alice, literal]) {
      const types = (await member.get<Data[]>('/api/v1/accounts?type=')).map(({ type }) => type);
      assert.deepEqual([...new Set(types)].toSorted(), ['main', 'trade']);
    }
  });
});
