import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DIALECTS } from '../../../api/src/gateway/route.ts';
import { allRoutes } from '../../../api/src/gateway/routes/all.ts';
import type { Services } from '../../../api/src/gateway/services.ts';
import { type Family, LIMIT, startFamily } from './exchange.ts';

const ORDERS = '/api/v1/hf/orders';

describe("the family's endpoints in the literal dialect", () => {
  let family: Family;
  before(async () => {
    family = await startFamily();
  });
  after(() => family.close());

  test('respond in the same envelope, with the same data', async () => {
    const { literal, alice } = family;
    await literal.place({ clientOid: 'both' });
    const paths = [
      '/api/v1/orders?status=active',
      `${ORDERS}/active/symbols`,
      '/api/v1/accounts/ledgers',
      '/api/v1/hf/accounts/ledgers?currency=USDT',
      '/api/v1/deposits',
      '/api/v1/withdrawals',
      '/api/v2/sub/user',
      '/api/v1/sub-accounts',
      '/api/v2/user-info',
      '/api/v1/stop-order',
      '/api/v3/oco/orders',
    ];
    const plain = (text: string): string => text.replaceAll(',"tax":"0"', '');
    for (const path of paths) {
      const ours = await literal.send('GET', path);
      const theirs = await alice.send('GET', path);
      assert.equal(ours.status, 200, ours.text);
      assert.equal(plain(ours.text), plain(theirs.text), path);
    }
  });

  test('reject with their own HTTP status, and accept only documented types', async () => {
    const { literal } = family;
    const statusOf = async (...call: Parameters<typeof literal.send>) => {
      const { status, json } = await literal.send(...call);
      return `${status} ${json.code}`;
    };
    assert.equal(await statusOf('GET', `${ORDERS}/active?symbol=NO-PAIR`), '400 900001');
    assert.equal(await statusOf('GET', '/api/v1/orders/000000000000000000000000'), '404 400100');
    assert.equal(await statusOf('DELETE', '/api/v1/stop-order/none'), '404 400100');
    assert.equal(await statusOf('GET', '/api/v1/withdrawals/none'), '404 400100');
    assert.equal(await statusOf('GET', '/api/v1/deposit-addresses?currency=BTC'), '404 260220');
    assert.equal(await statusOf('POST', '/api/v1/stop-order', { ...LIMIT, stopPrice: 1 }), '400 400100');
    const move = { clientOid: 'literal', currency: 'USDT', amount: 1, from: 'main', to: 'trade' };
    assert.equal(await statusOf('POST', '/api/v2/accounts/inner-transfer', move), '400 400100');
    assert.equal(await statusOf('GET', `${ORDERS}/done?side=undefined`), '400 400100');
  });

  test('have a row for each path and method, without a collision', () => {
    const seen = new Set<string>();
    for (const { method, path, dialects } of allRoutes({} as Services)) {
      for (const { name } of DIALECTS.filter((each) => dialects?.includes(each.name) ?? true)) {
        const key = `${name} ${method} ${path.replaceAll(/:\w+/g, ':')}`;
        assert.ok(!seen.has(key), key);
        seen.add(key);
      }
    }
  });
});
