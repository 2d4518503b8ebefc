import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Command } from '@bourse/core';
import { sign, credentials } from '@bourse/test-kit/server.ts';
import {
  type Body,
  limit,
  market,
  matched,
  money,
  ORDERS,
  placed,
  refused,
  trading,
} from '@bourse/test-kit/gateway/trading.ts';

interface Case {
  readonly name: string;
  readonly order: Body;
  readonly code: string;
  /** The whole `msg` of the family dialect, and how that of the literal one begins. */
  readonly msg: string;
  /** Texts that the explanation must contain. */
  readonly says: RegExp;
}

const CASES: readonly Case[] = [
  {
    name: 'a symbol that does not exist',
    order: limit('buy', '1', '1', { symbol: 'BTC-XXX' }),
    code: '900001',
    msg: 'Unsupported trading pair.',
    says: /BTC-XXX/,
  },
  {
    name: 'a symbol in lower case',
    order: limit('buy', '1', '1', { symbol: 'btc-usdt' }),
    code: '900001',
    msg: 'Unsupported trading pair.',
    says: /btc-usdt/,
  },
  {
    name: 'a price between two multiples',
    order: limit('buy', '20000.05', '1'),
    code: '400100',
    msg: 'Price increment invalid.',
    says: /20000\.05 .* priceIncrement 0\.1; the nearest are 20000 and 20000\.1\./,
  },
  {
    name: 'a price finer than any unit',
    order: limit('buy', '20000.10000000000000000001', '1'),
    code: '400100',
    msg: 'Price increment invalid.',
    says: /20000\.10000000000000000001 .* 0\.1; the nearest are 20000\.1 and 20000\.2\./,
  },
  {
    name: 'a price below the first multiple',
    order: limit('buy', '0.00000000000000000000000000000000000001', '1'),
    code: '400100',
    msg: 'Price increment invalid.',
    says: /the smallest is 0\.1\./,
  },
  {
    name: 'a price of zero',
    order: limit('buy', '0', '1'),
    code: '400100',
    msg: 'Price increment invalid.',
    says: /price 0 .*smallest is 0\.1/,
  },
  {
    name: 'a price of 0.0',
    order: limit('buy', '0.0', '1'),
    code: '400100',
    msg: 'Price increment invalid.',
    says: /smallest is 0\.1/,
  },
  {
    name: 'a price past all prices',
    order: limit('buy', '9'.repeat(40), '1'),
    code: '400100',
    msg: 'Price above the maximum limit.',
    says: /9{40} is above the largest, 112589990684\.2\./,
  },
  {
    name: 'a size between two multiples',
    order: limit('buy', '100', '1.000000001', { symbol: 'LTC-USDT' }),
    code: '400100',
    msg: 'Order size increment invalid.',
    says: /1\.000000001 .* baseIncrement 0\.01; the nearest are 1 and 1\.01\./,
  },
  {
    name: 'a size of zero',
    order: limit('buy', '20000', '0'),
    code: '400100',
    msg: 'Order size increment invalid.',
    says: /smallest is 0\.00000001/,
  },
  {
    name: 'a size below the smallest',
    order: limit('buy', '20000', '0.00000999'),
    code: '400100',
    msg: 'Order size below the minimum requirement.',
    says: /0\.00000999 .* 0\.00001\b/,
  },
  {
    name: 'a size above the largest',
    order: limit('sell', '20000', '10000000.00000001'),
    code: '400100',
    msg: 'Order size above the maximum limit.',
    says: /10000000\.00000001 .* 10000000\b/,
  },
  {
    name: 'a size past all sizes',
    order: limit('sell', '20000', '1'.repeat(40)),
    code: '400100',
    msg: 'Order size above the maximum limit.',
    says: /largest, 10000000\./,
  },
  {
    name: 'both price and size that cannot be: the price is named',
    order: limit('sell', '20000.05', '1'.repeat(40)),
    code: '400100',
    msg: 'Price increment invalid.',
    says: /20000\.05/,
  },
  {
    name: 'an iceberg that shows less than a twentieth',
    order: limit('buy', '20000', '1', { iceberg: true, visibleSize: '0.04' }),
    code: '400100',
    msg: 'Visible size invalid.',
    says: /0\.04 .* from 0\.05, a twentieth of the size, to 1\./,
  },
  {
    name: 'an iceberg that shows more than it is',
    order: limit('buy', '20000', '1', { iceberg: true, visibleSize: '1.1' }),
    code: '400100',
    msg: 'Visible size invalid.',
    says: /1\.1 .* to 1\./,
  },
  {
    name: 'an iceberg whose visible size is finer than the increment',
    order: limit('buy', '20000', '1', { iceberg: true, visibleSize: '0.0500000001' }),
    code: '400100',
    msg: 'Visible size invalid.',
    says: /0\.0500000001 .* multiple of 0\.00000001 from 0\.05/,
  },
  {
    name: 'funds between two multiples',
    order: market('buy', { funds: '10.0000005' }),
    code: '400100',
    msg: 'Funds increment invalid.',
    says: /10\.0000005 .* quoteIncrement 0\.000001; the nearest are 10 and 10\.000001\./,
  },
  {
    name: 'funds finer than the ledger',
    order: market('buy', { funds: '10.0000000000000001' }),
    code: '400100',
    msg: 'Funds increment invalid.',
    says: /10\.0000000000000001 .* the nearest are 10 and 10\.000001\./,
  },
  {
    name: 'funds below the smallest',
    order: market('buy', { funds: '0.09' }),
    code: '600100',
    msg: 'Funds below the minimum requirement.',
    says: /0\.09 .* 0\.1\./,
  },
  {
    name: 'funds above the largest',
    order: market('buy', { funds: '100000000' }),
    code: '400100',
    msg: 'Funds above the maximum limit.',
    says: /100000000 .* 99999999\./,
  },
  {
    name: 'funds past all money',
    order: market('buy', { funds: '9'.repeat(40) }),
    code: '400100',
    msg: 'Funds above the maximum limit.',
    says: /99999999\./,
  },
  {
    name: 'an order worth less than minFunds',
    order: limit('buy', '1000', '0.00009'),
    code: '600101',
    msg: 'The order funds should more then 0.1 USDT.',
    says: /worth 0\.09 USDT; it must be at least 0\.1 USDT\./,
  },
  {
    name: 'a buy that the account cannot pay, fee included',
    order: limit('buy', '20000', '50'),
    code: '200004',
    msg: 'Balance insufficient!',
    says: /TRADE account has 1000000 USDT available; 1001000 USDT are needed, 1000 USDT more\./,
  },
  {
    name: 'a sell that the account cannot deliver',
    order: limit('sell', '20000', '100.00000001'),
    code: '200004',
    msg: 'Balance insufficient!',
    says: /has 100 BTC available; 100\.00000001 BTC are needed, 0\.00000001 BTC more\./,
  },
];

describe('an order is rejected with the reason and what is valid', () => {
  for (const { name, order, code, msg, says } of CASES) {
    test(
      name,
      trading(async ({ alice, family }) => {
        const literal = await alice.post(ORDERS, order);
        refused(literal, code, new RegExp(`^${msg.replaceAll(/[.!]/g, '\\$&')} .`));
        assert.match(String(literal.json.msg), says);
        assert.deepEqual(Object.keys(literal.json), ['code', 'msg']);
        const sync = await alice.post(`${ORDERS}/sync`, order);
        assert.equal(sync.text, literal.text);
        const other = await family.post(ORDERS, order);
        refused(other, code, msg, 200);
        assert.match(String(other.json['detail']), says);
        assert.equal(await money(alice, 'USDT'), '1000000 + 0');
      }),
    );
  }
});

test(
  'a clientOid is accepted once, whether the first order is active or done',
  trading(async ({ alice, bob, family }) => {
    const order = limit('buy', '20000', '1', { clientOid: 'once' });
    const id = await placed(alice, order);
    refused(
      await alice.post(ORDERS, order),
      '400100',
      /^validation\.createOrder\.clientOidDuplicated.*once.*use a new one/,
    );
    await alice.delete(`${ORDERS}/${id}?symbol=BTC-USDT`);
    refused(await family.post(ORDERS, order), '400100', 'validation.createOrder.clientOidDuplicated', 200);
    await placed(bob, order);
    await matched(alice, market('sell', { size: '0.1', clientOid: 'twice' }));
    refused(
      await alice.post(ORDERS, limit('buy', '1000', '1', { clientOid: 'twice' })),
      '400100',
      /clientOidDuplicated/,
    );
  }),
);

test(
  'active orders are limited per symbol and in total',
  trading(async (t) => {
    await t.command({ kind: 'set-limits', activeOrdersPerSymbolMax: 2, activeOrdersPerUserMax: 3 });
    const order = limit('buy', '20000', '0.1');
    await placed(t.alice, order);
    await placed(t.alice, order);
    refused(
      await t.alice.post(ORDERS, order),
      '200003',
      /^Number of orders breached the limit: BTC-USDT has 2 active/,
    );
    await matched(t.alice, { ...order, timeInForce: 'IOC' });
    await placed(t.alice, { ...order, symbol: 'ETH-USDT' });
    refused(
      await t.alice.post(ORDERS, { ...order, symbol: 'LTC-USDT' }),
      '200003',
      /You have 3 active orders/,
    );
    refused(await t.family.post(ORDERS, order), '200003', 'Number of orders breached the limit', 200);
  }),
);

test(
  'an order in a market that is not open is rejected',
  trading(async (t) => {
    const order = limit('buy', '20000', '0.1');
    const set = (state: 'open' | 'cancel-only' | 'halted'): Command => ({
      kind: 'set-market-state',
      symbol: 0,
      state,
    });
    await t.command(set('cancel-only'));
    refused(
      await t.alice.post(ORDERS, order),
      '200001',
      /^Order creation for this pair suspended: BTC-USDT is cancel-only/,
    );
    await t.command(set('halted'));
    refused(
      await t.alice.post(ORDERS, order),
      '600203',
      /^Symbol BTC-USDT cant be traded: BTC-USDT is halted/,
    );
    await t.command(set('open'));
    await t.command({ kind: 'change-symbol', symbol: 0, enableTrading: false });
    refused(await t.family.post(ORDERS, order), '600203', 'Symbol BTC-USDT cant be traded', 200);
  }),
);

test(
  'an order of a frozen user is rejected',
  trading(async (t) => {
    const id = await placed(t.alice, limit('buy', '20000', '0.1'));
    await t.command({ kind: 'change-user', user: 0, frozen: true });
    refused(
      await t.alice.post(ORDERS, limit('buy', '20000', '0.1')),
      '411100',
      /^User are frozen: A frozen user may only read and cancel/,
    );
    const batch = await t.alice.post(`${ORDERS}/multi`, { orderList: [limit('buy', '20000', '0.1')] });
    refused(batch, '411100', /^User are frozen/);
    assert.equal((await t.alice.delete(`${ORDERS}/${id}?symbol=BTC-USDT`)).status, 200);
  }),
);

test(
  'a market sell is valued at the last price, or at the best bid before the first trade',
  trading(async ({ alice, bob }) => {
    await placed(bob, limit('buy', '1000', '1'));
    refused(await alice.post(ORDERS, market('sell', { size: '0.00009' })), '600101', /worth 0\.09 USDT/);
    await matched(alice, market('sell', { size: '0.0001' }));
    refused(await alice.post(ORDERS, market('sell', { size: '0.00009' })), '600101', /worth 0\.09 USDT/);
  }),
);

test(
  'a market buy without any money is rejected',
  trading(async (t) => {
    const spend = {
      kind: 'transfer',
      user: 0,
      type: 'internal',
      clientId: 'x',
      from: 'trade',
      to: 'main',
    } as const;
    const { currencyNumber, amount } = await t.read((exchange) => {
      const number = exchange.reference.currencyNumber('USDT');
      return { currencyNumber: number, amount: exchange.balance(0, 'trade', number).available };
    });
    await t.command({ ...spend, currency: currencyNumber, amount });
    await placed(t.bob, limit('sell', '20000', '1'));
    refused(await t.alice.post(ORDERS, market('buy', { size: '0.1' })), '200004', /has 0 USDT available/);
    refused(
      await t.alice.post(ORDERS, market('buy', { funds: '10' })),
      '200004',
      /10 USDT are needed, 10 USDT more/,
    );
  }),
);

test(
  'the same signed request places one order',
  trading(async (t) => {
    const body = JSON.stringify(limit('buy', '20000', '1'));
    const headers = {
      ...sign(credentials('alice'), 'POST', ORDERS, body),
      'content-type': 'application/json',
    };
    const send = () =>
      fetch(t.server.url + ORDERS, { method: 'POST', body, headers }).then((reply) => reply.json());
    const replies = (await Promise.all([send(), send(), send()])) as { code: string }[];
    assert.deepEqual(replies.map(({ code }) => code).toSorted(), ['200000', '400013', '400013']);
    assert.equal(await money(t.alice, 'USDT'), '979980 + 20020');
  }),
);

test(
  'of many concurrent requests with one clientOid, exactly one places an order',
  trading(async ({ alice, family }) => {
    const order = limit('buy', '20000', '0.1', { clientOid: 'storm' });
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        (i % 2 ? alice : family).post(ORDERS, { ...order, remark: String(i) }),
      ),
    );
    const codes = replies.map(({ json }) => json.code).toSorted();
    assert.deepEqual(codes, ['200000', ...Array.from({ length: 59 }, () => '400100')]);
    assert.equal(await money(alice, 'USDT'), '997998 + 2002');
  }),
);
