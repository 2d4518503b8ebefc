import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Exchange } from '@bourse/core';
import { Compile } from 'typebox/compile';
import { DIALECTS } from '../../src/gateway/route.ts';
import { ORDER_REQUEST_SCHEMA, readOrder } from '../../src/gateway/orders/order-request.ts';
import { Refusal } from '../../src/gateway/errors/refusal.ts';
import { seedCommands } from '../../../sandbox/src/seed.ts';
import { Catalogue } from '../../src/views/catalogue.ts';
import type { Client } from '@bourse/test-kit/server.ts';
import {
  type Body,
  detail,
  limit,
  market,
  ORDERS,
  placed,
  refused,
  trading,
} from '@bourse/test-kit/gateway/trading.ts';

const LIMIT = limit('buy', '20000', '1');
const ICEBERG = { ...LIMIT, iceberg: true, visibleSize: '0.1' };
const GTT = { ...LIMIT, timeInForce: 'GTT', cancelAfter: 60 };
const MARKET = market('buy', { size: '1' });

async function refuses(client: Client, orders: readonly (readonly [Body, RegExp])[]): Promise<void> {
  for (const [order, reason] of orders) {
    const reply = await client.post(ORDERS, order);
    assert.equal(reply.status, 400, `${JSON.stringify(order)} ${reply.text}`);
    assert.equal(reply.json.code, '400100', reply.text);
    assert.match(String(reply.json.msg), reason, JSON.stringify(order));
    assert.match(String(reply.json.msg), /^Parameter Error: /);
  }
}

const without = (order: Body, field: string): Body => ({ ...order, [field]: undefined });

describe('the literal dialect', () => {
  test(
    'rejects an order without a required field',
    trading(async ({ alice }) => {
      await refuses(alice, [
        [without(LIMIT, 'symbol'), /symbol is required/],
        [{ ...LIMIT, symbol: '' }, /symbol is required/],
        [without(LIMIT, 'type'), /type is required: limit or market/],
        [without(LIMIT, 'side'), /side is required: buy or sell/],
        [without(LIMIT, 'price'), /price is required in a limit order/],
        [without(LIMIT, 'size'), /size is required in a limit order/],
        [without(GTT, 'cancelAfter'), /cancelAfter is required with timeInForce GTT/],
        [without(ICEBERG, 'visibleSize'), /visibleSize is required in an iceberg order/],
        [without(MARKET, 'size'), /needs one of size and funds/],
      ]);
    }),
  );

  test(
    'rejects a field that does not belong to the order',
    trading(async ({ alice }) => {
      await refuses(alice, [
        [{ ...LIMIT, funds: '1' }, /funds is not allowed in a limit order/],
        [{ ...LIMIT, cancelAfter: 60 }, /cancelAfter is not allowed without timeInForce GTT/],
        [{ ...LIMIT, timeInForce: 'IOC', cancelAfter: 60 }, /cancelAfter is not allowed without/],
        [{ ...LIMIT, visibleSize: '0.1' }, /visibleSize is not allowed without iceberg/],
        [{ ...MARKET, price: '1' }, /price is not allowed in a market order/],
        [{ ...MARKET, timeInForce: 'GTC' }, /timeInForce is not allowed in a market order/],
        [{ ...MARKET, cancelAfter: 5 }, /cancelAfter is not allowed in a market order/],
        [{ ...MARKET, postOnly: true }, /postOnly is not allowed in a market order/],
        [{ ...MARKET, hidden: true }, /hidden is not allowed in a market order/],
        [{ ...MARKET, iceberg: true }, /iceberg is not allowed in a market order/],
        [{ ...MARKET, visibleSize: '1' }, /visibleSize is not allowed in a market order/],
        [{ ...MARKET, stp: 'DC' }, /stp DC is not allowed in a market order/],
        [{ ...MARKET, funds: '1' }, /one of size and funds, not both/],
      ]);
    }),
  );

  test(
    'rejects any JSON type other than the documented one, for every field',
    trading(async ({ alice }) => {
      const strings = [
        'symbol',
        'type',
        'side',
        'stp',
        'tags',
        'remark',
        'clientOid',
        'price',
        'size',
        'timeInForce',
      ];
      const wrong: [Body, RegExp][] = [];
      for (const field of strings) {
        for (const value of [1, 0, true, [], {}, ['1']])
          wrong.push([{ ...LIMIT, [field]: value }, new RegExp(field)]);
      }
      for (const field of ['postOnly', 'hidden', 'iceberg']) {
        for (const value of [1, 'true', [], {}])
          wrong.push([{ ...ICEBERG, [field]: value }, new RegExp(field)]);
      }
      for (const value of ['60', 60.5, 0, -1, 1_000_000_001, null, true, [], {}, 1e300]) {
        wrong.push([{ ...GTT, cancelAfter: value }, /cancelAfter/]);
      }
      for (const value of [1, null, true])
        wrong.push([{ ...MARKET, size: undefined, funds: value }, /funds/]);
      for (const value of [1, null, true]) wrong.push([{ ...ICEBERG, visibleSize: value }, /visibleSize/]);
      await refuses(alice, wrong);
    }),
  );

  test(
    'reads null, and what order lists show for unset members, as unset',
    trading(async ({ alice }) => {
      const unset = { stp: '', cancelAfter: 0, visibleSize: '0', clientOid: '', tags: '', remark: '' };
      const members = [...Object.keys(unset), 'timeInForce', 'postOnly', 'hidden', 'iceberg', 'funds'];
      const nulls = Object.fromEntries(members.map((name) => [name, null]));
      for (const more of [unset, nulls]) {
        for (const order of [LIMIT, { ...MARKET }]) {
          const reply = await alice.post(ORDERS, { ...order, ...more });
          assert.equal(reply.status, 200, `${JSON.stringify(more)} ${reply.text}`);
        }
      }
      const shown = await detail(alice, await placed(alice, LIMIT));
      const again = Object.fromEntries(
        [...Object.keys(LIMIT), ...Object.keys(unset)].map((name) => [name, shown[name]]),
      );
      const reply = await alice.post(ORDERS, again);
      assert.equal(reply.status, 200, `${JSON.stringify(again)} ${reply.text}`);
    }),
  );

  test(
    'an order can be sent again as a list shows it, except for the timeInForce of a market order',
    trading(async ({ alice, family }) => {
      const byFunds = { symbol: 'BTC-USDT', type: 'market', side: 'buy', funds: '10' };
      for (const order of [LIMIT, GTT, ICEBERG, MARKET, byFunds]) {
        const { timeInForce, ...shown } = await detail(alice, await placed(alice, order));
        const again = {
          ...shown,
          clientOid: '',
          ...(order !== MARKET && order !== byFunds && { timeInForce }),
        };
        for (const client of [alice, family]) {
          const reply = await client.post(ORDERS, again);
          assert.equal(reply.json.code, '200000', `${JSON.stringify(again)} ${reply.text}`);
        }
        const reply = await family.post(ORDERS, { ...again, timeInForce });
        assert.equal(reply.json.code, '200000', reply.text);
      }
      const zeros = [
        { ...MARKET, size: '0', funds: '0' },
        { ...MARKET, size: '0' },
        { ...byFunds, funds: '0' },
        { ...LIMIT, size: '0' },
        { ...LIMIT, price: '0' },
        { ...LIMIT, funds: '19999' },
      ];
      for (const order of zeros) {
        const reply = await alice.post(ORDERS, order);
        assert.equal(reply.status, 400, `${JSON.stringify(order)} ${reply.text}`);
      }
    }),
  );

  test(
    'rejects words that are not in the lists',
    trading(async ({ alice }) => {
      await refuses(alice, [
        [{ ...LIMIT, type: 'LIMIT' }, /type "LIMIT" must be limit or market/],
        [{ ...LIMIT, side: 'Buy' }, /side "Buy" must be buy or sell/],
        [{ ...LIMIT, timeInForce: 'gtc' }, /timeInForce "gtc" must be GTC, GTT, IOC or FOK/],
        [{ ...LIMIT, timeInForce: '' }, /timeInForce "" must be/],
        [{ ...LIMIT, stp: 'XX' }, /stp "XX" must be CN, CO, CB or DC/],
        [{ ...LIMIT, stp: 'toString' }, /stp/],
      ]);
    }),
  );

  test(
    'rejects decimals with sign, exponent, blanks or more than 40 digits',
    trading(async ({ alice }) => {
      const bad = [
        '',
        '-1',
        '+1',
        '1e3',
        '1E3',
        ' 1',
        '1 ',
        '1.',
        '.1',
        '1,0',
        '0x10',
        'abc',
        '1.2.3',
        '9'.repeat(41),
      ];
      const orders = bad.flatMap((text): [Body, RegExp][] => [
        [{ ...LIMIT, price: text }, /^Parameter Error: price .* is not a decimal/],
        [{ ...LIMIT, size: text }, /^Parameter Error: size .* is not a decimal/],
        [{ ...ICEBERG, visibleSize: text }, /visibleSize .* is not a decimal/],
        [market('buy', { funds: text }), /funds .* is not a decimal/],
      ]);
      await refuses(alice, orders);
      await placed(alice, { ...LIMIT, price: `0020000.${'0'.repeat(33)}`, size: '01.000' });
    }),
  );

  test(
    'rejects a body that is not an object',
    trading(async ({ alice }) => {
      for (const body of [[], 5, 'x', null, true])
        refused(await alice.post(ORDERS, body), '400100', /JSON object/);
      refused(await alice.post(ORDERS), '400100', /body is missing/);
      refused(await alice.send('POST', ORDERS, '{"symbol":'), '400100', /not JSON/);
    }),
  );
});

describe('clientOid, tags and remark', () => {
  test(
    'clientOid has up to 40 digits, letters, underscores and hyphens',
    trading(async ({ alice }) => {
      const longest = 'aZ09_-'.repeat(7).slice(0, 40);
      const id = await placed(alice, { ...LIMIT, clientOid: longest });
      assert.equal((await detail(alice, id))['clientOid'], longest);
      const wrong = [`${longest}x`, 'a b', 'a.b', 'ä', 'a/b', '\u0000', 'a\n', '😀'];
      await refuses(
        alice,
        wrong.map((clientOid): [Body, RegExp] => [
          { ...LIMIT, clientOid },
          /clientOid .* at most 40 digits, letters/,
        ]),
      );
    }),
  );

  test(
    'tags and remark may have up to 20 ASCII characters, and are stored as sent',
    trading(async ({ alice }) => {
      const text = `"\\ <&>'{}[]~!@#$%^ab`;
      assert.equal(text.length, 20);
      const order = await detail(alice, await placed(alice, { ...LIMIT, tags: text, remark: text }));
      assert.deepEqual([order['tags'], order['remark']], [text, text]);
      for (const field of ['tags', 'remark']) {
        await refuses(alice, [
          [{ ...LIMIT, [field]: 'x'.repeat(21) }, new RegExp(`${field} .* at most 20 .* it has 21`)],
          [{ ...LIMIT, [field]: 'é' }, new RegExp(`${field} .* printable ASCII`)],
          [{ ...LIMIT, [field]: 'a\tb' }, new RegExp(`${field} .* printable ASCII`)],
        ]);
      }
    }),
  );

  test(
    'empty values count as unset',
    trading(async ({ alice }) => {
      const order = await detail(
        alice,
        await placed(alice, { ...LIMIT, clientOid: '', tags: '', remark: '' }),
      );
      assert.deepEqual([order['clientOid'], order['tags'], order['remark']], ['', '', '']);
      await placed(alice, { ...LIMIT, clientOid: '' });
    }),
  );
});

describe('the family dialect', () => {
  test(
    'ignores fields that its clients send with every order',
    trading(async ({ family, alice, bob }) => {
      const always = {
        timeInForce: 'GTC',
        postOnly: false,
        hidden: false,
        iceberg: false,
        cancelAfter: -1,
        visibleSize: '',
      };
      await placed(family, { ...LIMIT, ...always, stp: '', tags: null, remark: null, funds: null });
      await placed(family, { ...LIMIT, visibleSize: '0' });
      await placed(bob, limit('sell', '20000', '0.5'));
      const rest = {
        price: '7',
        postOnly: true,
        hidden: true,
        iceberg: true,
        visibleSize: '9',
        cancelAfter: 3,
      };
      const id = await placed(family, { ...MARKET, ...always, ...rest, timeInForce: 'FOK', size: '0.1' });
      const order = await detail(alice, id);
      assert.deepEqual([order['price'], order['timeInForce'], order['postOnly']], ['0', 'GTC', false]);
    }),
  );

  test(
    'reads numbers with all their digits',
    trading(async ({ family, alice }) => {
      const send = async (price: string, size: string, more = '') => {
        const body = `{"symbol":"BTC-USDT","type":"limit","side":"buy","price":${price},"size":${size}${more}}`;
        return family.send('POST', ORDERS, body);
      };
      const plain = await send('20000.1', '0.00001');
      const { orderId } = plain.json.data as { orderId: string };
      const order = await detail(alice, orderId);
      assert.deepEqual([order['price'], order['size']], ['20000.1', '0.00001']);
      const named = await send('20000', '1', ',"clientOid":12345678901234567890,"cancelAfter":-1');
      assert.equal((named.json.data as { clientOid: string }).clientOid, '12345678901234567890');
      // As a double this would be 20000.1, and the order would be another one.
      const fine = await send('20000.1000000000000000001', '1');
      assert.deepEqual([fine.status, fine.json.msg], [200, 'Price increment invalid.']);
      for (const price of ['2e4', '-1', '2E4', '9'.repeat(41)]) {
        const reply = await send(price, '1');
        assert.deepEqual(
          [reply.status, reply.json.code, reply.json.msg],
          [200, '400100', 'Parameter Error'],
          reply.text,
        );
      }
      const seconds = await send('20000', '1', ',"timeInForce":"GTT","cancelAfter":"60"');
      assert.equal(seconds.json.code, '200000', seconds.text);
    }),
  );

  test(
    'still rejects ambiguous values',
    trading(async ({ family }) => {
      const wrong: [Body, RegExp][] = [
        [{ ...LIMIT, cancelAfter: 60 }, /cancelAfter/],
        [{ ...LIMIT, timeInForce: 'GTT', cancelAfter: -1 }, /cancelAfter is required/],
        [{ ...LIMIT, funds: '1' }, /funds/],
        [{ ...MARKET, funds: '1' }, /not both/],
        [{ ...LIMIT, price: '' }, /price is required/],
        [{ ...LIMIT, price: null }, /price is required/],
        [{ ...LIMIT, price: true }, /price must be a decimal/],
        [{ ...LIMIT, size: '1e3' }, /size/],
        [{ ...MARKET, stp: 'DC' }, /stp DC/],
        [{ ...LIMIT, postOnly: 'yes' }, /postOnly/],
        [{}, /symbol is required/],
      ];
      for (const [order, reason] of wrong) {
        const { status, json, text } = await family.post(ORDERS, order);
        assert.deepEqual([status, json.code, json.msg], [200, '400100', 'Parameter Error'], text);
        assert.match(String(json['detail']), reason);
      }
    }),
  );
});

test('the schema in the documentation and the checks of the literal dialect agree', () => {
  const exchange = new Exchange();
  exchange.apply({ seq: 1, time: 1, commands: seedCommands(() => 'sealed') });
  const catalogue = new Catalogue(exchange);
  const schema = Compile(ORDER_REQUEST_SCHEMA);
  const texts = [
    '',
    '0',
    '1',
    '0.5',
    '-1',
    '1e5',
    '.5',
    '5.',
    'x',
    'x y',
    'ä',
    '0'.repeat(41),
    `0.${'0'.repeat(39)}`,
  ];
  const words = ['CN', 'DC', 'GTC', 'IOC', 'FOK', 'buy', 'sell', 'limit', 'BTC-USDT'];
  const lengths = [20, 21, 40, 41].map((length) => 'x'.repeat(length));
  const others = [undefined, null, true, false, 0, 1, -1, 60, 1.5, 1e300, [], {}];
  const values: readonly unknown[] = [...texts, ...words, ...lengths, ...others];
  const bases = { limit: LIMIT, iceberg: ICEBERG, gtt: GTT };
  let agreed = 0;
  for (const base of Object.values(bases)) {
    for (const field of Object.keys(ORDER_REQUEST_SCHEMA.properties)) {
      for (const value of values) {
        const order = JSON.parse(JSON.stringify({ ...base, [field]: value })) as Body;
        const reason = reasonOf(order, catalogue);
        // Schemas do not express dependencies between fields.
        if (/ is required (in|with) | is not allowed | needs one of /.test(reason)) continue;
        // null is unset, which the schema does not repeat for every member.
        if (value === null) delete order[field];
        assert.equal(schema.Check(order), reason === '', `${JSON.stringify(order)} ${reason}`);
        agreed += 1;
      }
    }
  }
  assert.ok(agreed > 1000, `only ${agreed}`);
});

/** Why the order's parameters are refused, or ''. */
function reasonOf(order: Body, catalogue: Catalogue): string {
  try {
    readOrder(order, catalogue, { dialect: DIALECTS[0], time: 0 });
    return '';
  } catch (error) {
    assert.ok(error instanceof Refusal);
    return error.error === 'parameter-invalid' ? error.detail : '';
  }
}
