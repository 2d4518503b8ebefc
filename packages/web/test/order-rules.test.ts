// The page's rules equal the exchange's: random drafts are compared with its order test call.

import { ApiError, BourseClient, type NewOrder, type SymbolInfo } from '@bourse/client';
import { Random } from '@bourse/test-kit/random.ts';
import { ofSize } from '@bourse/test-kit/run-size.ts';
import { startServer } from '@bourse/test-kit/server.ts';
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { publishedUsers } from '../src/session/sandbox.ts';
import { orderAction } from '../src/terminal/order-form/order-action.ts';
import { amountFor, orderCost, type OrderSurroundings } from '../src/terminal/order-form/order-cost.ts';
import { emptyDraft, type OrderDraft } from '../src/terminal/order-form/order-draft.ts';
import { isComplete, orderWarnings, violations } from '../src/terminal/order-form/order-rules.ts';

const symbol = {
  symbol: 'BTC-USDT',
  baseCurrency: 'BTC',
  quoteCurrency: 'USDT',
  baseMinSize: '0.00001',
  baseMaxSize: '10000000',
  quoteMinSize: '0.1',
  quoteMaxSize: '99999999',
  baseIncrement: '0.00000001',
  quoteIncrement: '0.000001',
  priceIncrement: '0.1',
  minFunds: '0.1',
} as SymbolInfo;

const around: OrderSurroundings = {
  symbol,
  takerFeeRate: '0.001',
  makerFeeRate: '0.001',
  baseAvailable: '2',
  quoteAvailable: '1000',
  last: '50000',
  bestBid: '49999.9',
  bestAsk: '50000.1',
};

const draft = (change: Partial<OrderDraft>): OrderDraft => ({ ...emptyDraft, ...change });
const found = (change: Partial<OrderDraft>) =>
  violations(draft(change), around).map(({ field, fixes }) => [field, ...fixes]);

describe('errors name the problem and a valid value', () => {
  const cases: readonly (readonly [name: string, change: Partial<OrderDraft>, expected: string[][]])[] = [
    ['a price between two increments', { price: '100.05', size: '0.01' }, [['price', '100', '100.1']]],
    ['a price of 0', { price: '0', size: '0.01' }, [['price', '0.1']]],
    ['a price with an exponent', { price: '1e5', size: '0.01' }, [['price']]],
    ['a size below the least', { price: '100', size: '0.000001' }, [['size', '0.00001']]],
    ['a size above the most', { price: '100', size: '10000001' }, [['size', '10000000']]],
    [
      'a size finer than its increment',
      { price: '100', size: '0.000000015' },
      [['size', '0.00000001', '0.00000002']],
    ],
    ['less than minFunds', { price: '1000', size: '0.00001' }, [['size', '0.0001']]],
    ['more than there is to buy with', { price: '50000', size: '0.02' }, [['size', '0.01998001']]],
    ['more than there is to sell', { side: 'sell', price: '50000', size: '2.5' }, [['size', '2']]],
    ['funds below the least', { kind: 'market', funds: '0.05' }, [['funds', '0.1']]],
    ['more funds than there are', { kind: 'market', funds: '1000.5' }, [['funds', '1000']]],
    [
      'GTT with half a second',
      { price: '100', size: '0.01', timeInForce: 'GTT', cancelAfter: '0.5' },
      [['cancelAfter', '1']],
    ],
    [
      'an iceberg that shows less than a twentieth',
      { price: '100', size: '1', isIceberg: true, visibleSize: '0.01' },
      [['visibleSize', '0.05']],
    ],
    [
      'an iceberg that shows more than it has',
      { price: '100', size: '1', isIceberg: true, visibleSize: '2' },
      [['visibleSize', '1']],
    ],
    [
      'a stop price between two increments',
      { kind: 'stop-market', isByFunds: false, size: '0.01', stopPrice: '1.11' },
      [['stopPrice', '1.1', '1.2']],
    ],
    [
      'an OCO sale whose stop is above its price',
      { kind: 'oco', side: 'sell', price: '100', size: '0.01', stopPrice: '110', limitPrice: '90' },
      [['stopPrice']],
    ],
    [
      'a client id with a blank',
      { price: '100', size: '0.01', clientOid: 'my order' },
      [['clientOid', 'myorder']],
    ],
    ['nothing', { price: '49000.1', size: '0.01' }, []],
    ['nothing yet, where nothing was typed', {}, []],
  ];
  for (const [name, change, expected] of cases) test(name, () => assert.deepEqual(found(change), expected));
});

test('each suggested value is valid when it is used', () => {
  for (const change of [
    { price: '100.05', size: '0.01' },
    { price: '1000', size: '0.00001' },
    { price: '50000', size: '0.02' },
    { side: 'sell', price: '50000', size: '2.5' },
    { kind: 'market', funds: '1000.5' },
  ] as const satisfies readonly Partial<OrderDraft>[]) {
    for (const { field, fixes } of violations(draft(change), around)) {
      assert.ok(fixes.length > 0);
      for (const fix of fixes) assert.deepEqual(found({ ...change, [field]: fix }), [], `${field} ${fix}`);
    }
  }
});

test('a market order by funds costs nothing until funds are typed, whatever size was typed before', () => {
  for (const kind of ['market', 'stop-market'] as const) {
    const left = draft({ kind, size: '0.01', stopPrice: '60000', isByFunds: true });
    assert.equal(orderCost(left, around), null);
    assert.notEqual(orderCost({ ...left, funds: '100' }, around), null);
    assert.notEqual(orderCost({ ...left, isByFunds: false }, around), null);
  }
});

test('a probable mistake asks for confirmation, with the price in the decimals of the market', () => {
  const asks = [
    ['50000.1', '0.01'],
    ['52000', '1'],
  ] as const;
  const bids = [
    ['49999.9', '0.01'],
    ['48000', '1'],
  ] as const;
  const warnings = (change: Partial<OrderDraft>, levels: typeof asks | typeof bids, isLive = true) =>
    orderWarnings(draft(change), around, levels, isLive);
  const size = { kind: 'market', isByFunds: false, size: '0.5' } as const;
  assert.deepEqual(warnings({ ...size, side: 'buy' }, asks), [
    'The average price would be 3.91 % away from the best one; the last part would cost 52,000.0.',
  ]);
  assert.deepEqual(warnings({ ...size, side: 'sell' }, bids), [
    'The average price would be 3.91 % away from the best one; the last part would bring 48,000.0.',
  ]);
  assert.deepEqual(warnings({ ...size, size: '0.001' }, asks), []);
  // A stale book gives no estimate of a market order's cost.
  assert.deepEqual(warnings({ ...size, size: '0.001' }, asks, false), [
    'The order book is not up to date: the price of this order cannot be estimated.',
  ]);
  // A stop's limit with a digit missing.
  const stop = { kind: 'stop-limit', side: 'sell', size: '0.01', stopPrice: '49000', stop: 'loss' } as const;
  assert.deepEqual(warnings({ ...stop, price: '48900' }, bids), []);
  assert.deepEqual(warnings({ ...stop, price: '4890' }, bids), [
    'Its limit is 90.02 % below the stop price 49,000.0.',
  ]);
  const pair = { kind: 'oco', side: 'buy', size: '0.01', price: '49000', stopPrice: '51000' } as const;
  assert.deepEqual(warnings({ ...pair, limitPrice: '51100' }, asks), []);
  assert.deepEqual(warnings({ ...pair, limitPrice: '511000' }, asks), [
    'Its limit is 901.96 % above the stop price 51,000.0.',
  ]);
});

test('the displayed hold and fee are the exact products', () => {
  const cost = orderCost(draft({ price: '49000.1', size: '0.01' }), around)!;
  assert.deepEqual([cost.value, cost.takerFee, cost.held].map(String), ['490.001', '0.490001', '490.491001']);
  assert.equal(amountFor(100, draft({ price: '50000' }), around), '0.01998001');
  assert.equal(amountFor(25, draft({ side: 'sell', price: '50000' }), around), '0.5');
  assert.equal(amountFor(50, draft({ kind: 'market' }), around), '500');
  // The maximum is between two increments: the largest order is the multiple below it.
  const tight = { ...symbol, baseMaxSize: '0.000000015', quoteMaxSize: '100' };
  const bounded = { ...around, symbol: tight };
  assert.equal(amountFor(100, draft({ price: '50000' }), bounded), '0.00000001');
  assert.equal(amountFor(100, draft({ side: 'sell', price: '50000' }), bounded), '0.00000001');
  assert.equal(amountFor(100, draft({ kind: 'market' }), bounded), '100');
});

test('the page accepts exactly the orders that the exchange accepts', {
  timeout: 120_000,
}, async (context) => {
  const server = await startServer();
  try {
    const seed = 15;
    const rounds = ofSize(150, 3_000);
    context.diagnostic(`seed ${seed}, ${rounds} drafts`);
    const client = new BourseClient({ url: server.url, credentials: publishedUsers[0]! });
    const terms = (await client.symbols()).find((each) => each.symbol === 'BTC-USDT')!;
    const accounts = await client.accounts({ type: 'trade' });
    const available = (currency: string): string =>
      accounts.find((each) => each.currency === currency)!.available;
    const here: OrderSurroundings = {
      ...around,
      symbol: terms,
      baseAvailable: available('BTC'),
      quoteAvailable: available('USDT'),
      last: null,
      bestAsk: null,
      bestBid: null,
    };
    const random = new Random(seed);
    const counts = { taken: 0, refused: 0 };
    for (let round = 0; round < rounds; round++) {
      const next = randomDraft(random);
      const wrong = violations(next, here);
      const refusal = await refusalOf(client, orderAction(next, terms).body as unknown as NewOrder);
      const text = `${JSON.stringify(next)}: the page says ${JSON.stringify(wrong)}, the exchange ${refusal}`;
      assert.ok(isComplete(next));
      assert.equal(wrong.length > 0, refusal !== '', text);
      counts[refusal === '' ? 'taken' : 'refused']++;
    }
    assert.ok(counts.taken > rounds / 10 && counts.refused > rounds / 10, JSON.stringify(counts));
  } finally {
    await server.close();
  }
});

function randomDraft(random: Random): OrderDraft {
  const isIceberg = random.chance(0.2);
  const isGtt = random.chance(0.2);
  return draft({
    side: random.pick(['buy', 'sell'] as const),
    price: random.pick(['0', '0.1', '0.05', '100', '49000.1', '49000.15', '60000', '1e4', '1000000']),
    size: random.pick([
      '0',
      '0.00001',
      '0.000001',
      '0.000000005',
      '0.5',
      '3.00000001',
      '99.5',
      '100.00000001',
      '101',
      '10000001',
    ]),
    ...(isGtt && { timeInForce: 'GTT', cancelAfter: random.pick(['1', '60', '0', '1.5']) }),
    ...(isIceberg && { isIceberg, visibleSize: random.pick(['0.00001', '0.1', '5', '0.000000005']) }),
    ...(random.chance(0.1) && { clientOid: random.pick(['good-id', 'bad id', 'x'.repeat(41)]) }),
    ...(random.chance(0.1) && { remark: random.pick(['fine', 'x'.repeat(21), 'ümlaut']) }),
  });
}

async function refusalOf(client: BourseClient, order: NewOrder): Promise<string> {
  try {
    await client.testOrder(order);
    return '';
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    return `${error.code} ${error.msg} ${error.detail}`;
  }
}
