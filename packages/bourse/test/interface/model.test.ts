// The exchange against the model book: the same random orders, the same fills, one after the other.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { at } from './client.ts';
import { UserClient, type Fields } from './user-client.ts';
import { ledgerStandsAtTheEnd, sharedService } from './service.ts';
import { ModelBook, type ModelOrder } from './model-book.ts';
import { shown } from './money.ts';
import { Random } from '@bourse/test-kit/random.ts';
import { ofSize } from '@bourse/test-kit/run-size.ts';

const service = sharedService();
const clients = ['alice', 'bob', 'carol'].map((name) => new UserClient(service, name));
const pair = 'ETH-BTC';
afterEach(async () => {
  for (const client of clients) await client.sweep();
});

const millionths = (value: number): string => shown(BigInt(value) * 10n ** 18n);
const money = (value: number): string => shown(BigInt(value) * 10n ** 12n);

type Flavour = 'iceberg' | 'DC' | 'wide prices';

/** Wide prices exclude hidden size and self-trade prevention: their effect on the bound is not specified. */
function widePrices(id: number, random: () => number): ModelOrder {
  const [user, buy] = [Math.floor(random() * 3), random() < 0.5];
  const size = 200 + Math.floor(random() * 2_000_000);
  if (random() < 0.2) return { id, user, buy, size };
  // Buyers below, sellers above, so that levels build up far from the best one; some cross.
  const far = Math.floor(random() * 9_000) * (random() < 0.25 ? -1 : 1);
  const price = 50_000 + (buy ? -far : far);
  return { id, user, buy, price, size, ...(random() < 0.1 ? { timeInForce: 'IOC' } : {}) };
}

/** Icebergs and DC are not combined: which part of an iceberg DC reduces first is not specified. */
function randomOrder(id: number, random: () => number, flavour: Flavour): ModelOrder {
  if (flavour === 'wide prices') return widePrices(id, random);
  const pick = <T>(...items: T[]): T => items[Math.floor(random() * items.length)];
  const [user, buy] = [Math.floor(random() * 3), random() < 0.5];
  const size = 200 + Math.floor(random() * 2_000_000);
  const stp = pick<Partial<ModelOrder>>({}, {}, { stp: 'CN' }, { stp: 'CO' }, { stp: 'CB' });
  if (random() < 0.2) {
    // Funds are a multiple of quoteIncrement, 0.00000001: 10,000 of the ledger's units.
    const funds = 10_000 * (1_000 + Math.floor(random() * 5_000_000));
    return { id, user, buy, ...(buy && random() < 0.5 ? { funds } : { size }), ...stp };
  }
  const price = 50_000 + Math.floor(random() * 41) - 20;
  const special =
    flavour === 'DC'
      ? pick<Partial<ModelOrder>>({ stp: 'DC' }, { stp: 'DC' }, stp)
      : pick<Partial<ModelOrder>>(
          { ...stp, visibleSize: Math.ceil(size / (1 + Math.floor(random() * 20))) },
          { ...stp, visibleSize: Math.ceil(size / 5), hidden: true },
          stp,
        );
  const more = pick<Partial<ModelOrder>>(
    special,
    special,
    special,
    { ...stp, timeInForce: 'IOC' },
    { timeInForce: 'FOK' },
    { postOnly: true },
    { timeInForce: 'IOC', postOnly: true },
    { ...stp, hidden: true },
  );
  return { id, user, buy, price, size, ...more };
}

function asRequest(order: ModelOrder): Fields {
  const { buy, price, size, funds, visibleSize, stp, timeInForce, postOnly, hidden } = order;
  return {
    symbol: pair,
    type: price === undefined ? 'market' : 'limit',
    side: buy ? 'buy' : 'sell',
    ...(price === undefined ? {} : { price: millionths(price) }),
    ...(size === undefined ? {} : { size: millionths(size) }),
    ...(funds === undefined ? {} : { funds: money(funds) }),
    ...(visibleSize === undefined ? {} : { iceberg: true, visibleSize: millionths(visibleSize) }),
    stp,
    timeInForce,
    postOnly,
    hidden,
  };
}

async function tickerAgrees(book: ModelBook, said: string): Promise<void> {
  const { body } = await clients[0].public(`/api/v1/market/orderbook/level1?symbol=${pair}`);
  for (const [side, buy] of [
    ['Bid', true],
    ['Ask', false],
  ] as const) {
    const best = book.best(buy);
    assert.deepEqual(
      [at(body, `best${side}`), at(body, `best${side}Size`)],
      best === undefined ? ['', ''] : best.map(millionths),
      `${said}: ${side}`,
    );
  }
}

const FLOWS: readonly (readonly [seed: number, Flavour])[] = [
  [1, 'iceberg'],
  [2, 'DC'],
  [5, 'wide prices'],
  [3, 'iceberg'],
  [4, 'DC'],
  [6, 'wide prices'],
];

for (const [seed, flavour] of FLOWS.slice(0, ofSize(3, FLOWS.length))) {
  test(`orders with ${flavour} fill as in the model, seed ${seed}`, { timeout: 300_000 }, async () => {
    const generator = new Random(seed);
    const random = () => generator.fraction();
    const book = new ModelBook();
    const placed: [ModelOrder, string][] = [];
    for (let step = 0; step < 400; step++) {
      if (random() < 0.15 && placed.length > 0) {
        const [order, id] = placed[Math.floor(random() * placed.length)];
        book.cancel(order.id);
        await clients[order.user].cancel(id, pair);
        continue;
      }
      const order = randomOrder(step, random, flavour);
      const request = asRequest(order);
      const said = `seed ${seed}, step ${step}, user ${order.user}: ${JSON.stringify(request)}`;
      const answer = await clients[order.user].ask(request, '/api/v1/hf/orders/sync');
      assert.equal(answer.status, 200, `${said} ${answer.text}`);
      const result = at(answer.body, 'data') as Record<string, string>;
      placed.push([order, result.orderId]);
      const { dealSize, active } = book.place(order);
      assert.deepEqual(
        [result.dealSize, result.status],
        [millionths(dealSize), active ? 'open' : 'done'],
        said,
      );
      if (step % 10 === 0) await tickerAgrees(book, said);
    }
    for (const [order, id] of placed) {
      const detail = await clients[order.user].order(id, pair);
      const { dealSize, dealFunds, cancelledSize, active } = book.standing(order.id);
      assert.deepEqual(
        [detail.dealSize, detail.dealFunds, detail.active],
        [millionths(dealSize), money(dealFunds), active],
        `seed ${seed}, order ${order.id}: ${JSON.stringify(asRequest(order))}`,
      );
      if (order.size !== undefined)
        assert.equal(detail.cancelledSize, millionths(cancelledSize), `order ${order.id}`);
    }
    const dealt = placed.filter(([order]) => book.standing(order.id).dealSize > 0).length;
    assert.ok(dealt > 100, `${dealt} orders traded`);
  });
}

ledgerStandsAtTheEnd(service, (user) => new UserClient(service, user.name).accounts());
