import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Data, type Family, LIMIT, startFamily } from './exchange.ts';

const KEYS = '/api/v1/sub/api-key';

describe('sub-accounts in the family dialect', () => {
  let family: Family;
  before(async () => {
    family = await startFamily();
  });
  after(() => family.close());

  const NEW = { password: 'password1', access: 'Spot', remarks: 'my bot' };

  test('are created by a master, with a unique name', async () => {
    const { alice, aliceSub, bob } = family;
    const made = await alice.post('/api/v2/sub/user/created', { ...NEW, subName: 'aliceBot1' });
    assert.deepEqual(made, { uid: 100_000_004, subName: 'aliceBot1', remarks: 'my bot', access: 'Spot' });
    const refuse = (subName: string, says: RegExp, who = alice) =>
      who.refused('POST', '/api/v2/sub/user/created', { ...NEW, subName }, '400100', says);
    await refuse('aliceBot1', /already exists/);
    await refuse('aliceBot1', /already exists/, bob);
    await refuse('short1', /7 to 32/);
    await refuse('lettersonly', /7 to 32/);
    await refuse('with blank 1', /7 to 32/);
    await refuse('subOfSub1', /^This user is not a master user/, aliceSub);
  });

  test('are listed with their balances, only to their master', async () => {
    const { alice, aliceSub, bob } = family;
    const list = await alice.get<Data[]>('/api/v1/sub/user');
    assert.deepEqual(
      list.map(({ subName }) => subName),
      ['alice-sub', 'aliceBot1'],
    );
    const { items, ...head } = await alice.get('/api/v2/sub/user?currentPage=2&pageSize=1');
    assert.deepEqual(head, { currentPage: 2, pageSize: 1, totalNum: 2, totalPage: 2 });
    const [bot] = items as Data[];
    assert.deepEqual(bot, {
      userId: list[1]['userId'],
      uid: 100_000_004,
      subName: 'aliceBot1',
      type: 0,
      remarks: 'my bot',
      access: 'Spot',
      status: 2,
      createdAt: bot['createdAt'],
      tradeTypes: ['Spot'],
      openedTradeTypes: ['Spot'],
      hostedStatus: null,
    });
    assert.ok(Math.abs(Number(bot['createdAt']) - Date.now()) < 600_000);
    const balances = await alice.get(`/api/v1/sub-accounts/${list[0]['userId']}`);
    const [usdt] = balances['tradeAccounts'] as Data[];
    assert.deepEqual(usdt, {
      currency: 'USDT',
      balance: '10000',
      available: '10000',
      holds: '0',
      baseCurrency: null,
      baseCurrencyPrice: null,
      baseAmount: null,
      tag: 'DEFAULT',
    });
    assert.deepEqual(balances['mainAccounts'], [{ ...usdt, balance: '0', available: '0' }]);
    assert.deepEqual([balances['subName'], balances['tradeHFAccounts']], ['alice-sub', []]);
    const both = await alice.get<Data[]>('/api/v1/sub-accounts');
    assert.deepEqual(both[0], balances);
    assert.deepEqual((await alice.get('/api/v2/sub-accounts?pageSize=1'))['items'], [balances]);
    assert.deepEqual(await bob.get('/api/v1/sub-accounts'), []);
    await bob.refused(
      'GET',
      `/api/v1/sub-accounts/${list[0]['userId']}`,
      undefined,
      '400100',
      /not a sub user/,
    );
    for (const path of [
      '/api/v1/sub/user',
      '/api/v2/sub/user',
      '/api/v1/sub-accounts',
      '/api/v2/sub-accounts',
    ]) {
      await aliceSub.refused('GET', path, undefined, '400100', /^This user is not a master user/);
    }
  });

  test('have keys that can trade, are changed and removed with their passphrase, and show their secret once', async () => {
    const { alice, bob, aliceSub, viewer } = family;
    const asked = {
      subName: 'aliceBot1',
      passphrase: 'bot-phrase',
      remark: 'r',
      permission: 'General,Spot,Futures',
    };
    const made = await alice.post(KEYS, asked);
    const { apiKey, apiSecret, createdAt, ...shown } = made;
    assert.match(String(apiKey), /^[0-9a-f]{24}$/);
    assert.ok(Math.abs(Number(createdAt) - Date.now()) < 120_000);
    assert.deepEqual(shown, {
      subName: 'aliceBot1',
      remark: 'r',
      apiVersion: 3,
      passphrase: 'bot-phrase',
      permission: 'General,Spot',
      ipWhitelist: '',
    });
    const who = { apiKey: String(apiKey), apiSecret: String(apiSecret), apiPassphrase: 'bot-phrase' };
    const bot = family.member(who);
    const own = await bot.get('/api/v1/user/api-key');
    assert.deepEqual([own['subName'], own['remark']], ['aliceBot1', 'r']);
    await bot.refused('POST', '/api/v1/hf/orders', LIMIT, '200004', /^Balance insufficient!/);

    const listed = await alice.get<Data[]>(`${KEYS}?subName=aliceBot1`);
    const key = {
      subName: 'aliceBot1',
      remark: 'r',
      apiKey,
      apiVersion: 3,
      permission: 'General,Spot',
      ipWhitelist: '',
    };
    assert.deepEqual(listed, [{ ...key, createdAt, uid: 100_000_004, isMaster: false }]);
    assert.deepEqual(await alice.get(`${KEYS}?subName=aliceBot1&apiKey=${apiKey}`), listed);
    assert.deepEqual(await alice.get(`${KEYS}?subName=aliceBot1&apiKey=undefined`), listed);
    assert.deepEqual(await alice.get(`${KEYS}?subName=aliceBot1&apiKey=other`), []);
    assert.ok(!JSON.stringify(listed).includes(String(apiSecret)));

    const change = { subName: 'aliceBot1', apiKey, passphrase: 'bot-phrase' };
    const wrong = { ...change, passphrase: 'wrong-phrase' };
    await alice.refused('POST', `${KEYS}/update`, wrong, '400100', /passphrase/);
    assert.deepEqual(
      await alice.post(`${KEYS}/update`, { ...change, permission: 'General', ipWhitelist: '127.0.0.1' }),
      {
        subName: 'aliceBot1',
        apiKey,
        permission: 'General',
        ipWhitelist: '127.0.0.1',
      },
    );
    await bot.refused('POST', '/api/v1/hf/orders', LIMIT, '400007', /permission/);
    const spelt = await alice.post(`${KEYS}/update`, {
      ...change,
      ipWhitelist: '::FFFF:7f00:1,2001:DB8:0::7',
    });
    assert.equal(spelt['ipWhitelist'], '127.0.0.1,2001:db8::7');
    await bot.get('/api/v1/accounts');
    await alice.post(`${KEYS}/update`, { ...change, ipWhitelist: '203.0.113.7' });
    await bot.refused('GET', '/api/v1/accounts', undefined, '400006', /127\.0\.0\.1/);

    const path = `${KEYS}?subName=aliceBot1&apiKey=${apiKey}&passphrase=`;
    await alice.refused('DELETE', `${path}wrong-phrase`, undefined, '400100', /passphrase/);
    await bob.refused('DELETE', `${path}bot-phrase`, undefined, '400100', /^This user is not a sub user/);
    assert.deepEqual(await alice.delete(`${path}bot-phrase`), { subName: 'aliceBot1', apiKey });
    await bot.refused('GET', '/api/v1/accounts', undefined, '400003', /not exists/);

    await viewer.refused('POST', KEYS, asked, '400007', /cannot grant/);
    await viewer.post(KEYS, { ...asked, permission: 'General' });
    await alice.refused('POST', KEYS, { ...asked, permission: 'Withdrawal' }, '400100', /permission/);
    await alice.refused('POST', KEYS, { ...asked, ipWhitelist: 'here' }, '400100', /address/);
    await alice.refused('POST', KEYS, { ...asked, passphrase: 'short' }, '400100', /7 to 32/);
    await alice.refused('POST', KEYS, { ...asked, expire: '30' }, '400100', /expire/);
    await alice.refused('POST', KEYS, { ...asked, subName: 'bob' }, '400100', /not a sub user/);
    await aliceSub.refused('POST', KEYS, asked, '400100', /^This user is not a master user/);
  });

  /** How many of `count` concurrent requests were accepted. */
  async function takenOf(count: number, path: string, body: (at: number) => Data): Promise<number> {
    const asked = Array.from({ length: count }, (_, at) => family.carol.send('POST', path, body(at)));
    const replies = await Promise.all(asked);
    for (const { json, text } of replies) {
      if (json.code !== '200000') assert.match(text, /the maximum/);
    }
    return replies.filter(({ json }) => json.code === '200000').length;
  }

  test('are limited in number, and so are their keys, even when created concurrently', async () => {
    const { carol } = family;
    const make = (at: number) => ({ ...NEW, subName: `carolBot${at}` });
    await carol.post('/api/v2/sub/user/created', make(1000));
    const taken = (path: string) => carol.refused('POST', path, make(1000), '400100', /already exists/);
    await Promise.all(Array.from({ length: 5 }, () => taken('/api/v2/sub/user/created')));
    assert.equal(await takenOf(110, '/api/v2/sub/user/created', make), 99);
    assert.equal((await carol.get<Data[]>('/api/v1/sub/user')).length, 100);

    const key = { subName: 'carolBot1000', passphrase: 'bot-phrase' };
    const { apiKey } = await carol.post(KEYS, key);
    assert.equal(await takenOf(30, KEYS, () => key), 9);
    await carol.delete(`${KEYS}?subName=carolBot1000&apiKey=${apiKey}&passphrase=bot-phrase`);
    assert.equal(await takenOf(5, KEYS, () => key), 1);
  });
});
