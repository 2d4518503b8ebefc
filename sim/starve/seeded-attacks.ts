/** Attacks that start with a prepared directory: orders of many sub-accounts, done orders, keys that collide. */

import type { OrderRequest, TimeInForce } from '@bourse/core';
import { ofSize } from '@bourse/test-kit/run-size.ts';
import { Client } from '@bourse/test-kit/server.ts';
import { type Attack, GROWTH_MIB } from './attack.ts';
import { collidingClientIds, collidingPrices } from './collisions.ts';
import { sendAgain } from './flood.ts';
import { type Member, Seeding } from './seeding.ts';
import { cancelABit, tradeABit } from './warm-up.ts';

/** Thirty users of one owner, including the master. */
const SUB_ACCOUNTS = ofSize(9, 29);
/** The limit per user and symbol; about as many as a sub-account had in the first measured attack. */
const PER_SYMBOL = 194;
const SYMBOLS = ['BTC-USDT', 'ETH-USDT', 'KCS-USDT', 'LTC-USDT', 'XRP-USDT', 'EOS-USDT', 'ADA-USDT'];
const COLLIDING_IDS = ofSize(6000, 20_000);
const DONE_ORDERS = ofSize(60_000, 200_000);
/** Concurrently, so that not all of them are in memory. */
const SEEDED_AT_ONCE = 60_000;
/** Orders cancelled or sold in one burst also go to responses, history and the log. */
const BURST_GROWTH_MIB = 320;
const MASTER = 'alice';
const MONEY = { USDT: 1_000_000n, BTC: 100n, ETH: 1000n };

/** Filled by `seed`, which runs in the same process as `run`. */
let members: readonly Member[] = [];
let clientIds: readonly string[] = [];
let prices: readonly number[] = [];
let priceUnits = 1;

const limit = (
  symbol: number,
  side: OrderRequest['side'],
  price: number,
  size: number,
  timeInForce: TimeInForce = 'GTC',
): OrderRequest => ({ symbol, type: 'limit', side, price, size, timeInForce });

/** Orders with prices and sizes given as decimals. */
async function unitsOf(seeding: Seeding, code: string) {
  return seeding.read(({ reference }) => {
    const { symbol, priceDecimals, sizeDecimals } = reference.symbols().find((each) => each.code === code)!;
    return { symbol, price: 10 ** priceDecimals, size: 10 ** sizeDecimals };
  });
}

/** Orders that never match and end at once. */
async function seedDone(seeding: Seeding, count: number, idOf: (at: number) => string | undefined) {
  const bob = await seeding.userNamed('bob');
  const { symbol, price, size } = await unitsOf(seeding, 'ETH-USDT');
  for (let from = 0; from < count; from += SEEDED_AT_ONCE) {
    const length = Math.min(SEEDED_AT_ONCE, count - from);
    const orders = Array.from({ length }, (_, at) => {
      const clientId = idOf(from + at);
      return { ...limit(symbol, 'buy', price, size, 'IOC'), ...(clientId !== undefined && { clientId }) };
    });
    await seeding.place(bob, orders);
  }
}

export const SEEDED_ATTACKS: readonly Attack[] = [
  {
    name: 'cancel-all-at-once',
    who: `a master’s ${SUB_ACCOUNTS} sub-accounts`,
    what: `each cancels its ${PER_SYMBOL * SYMBOLS.length} orders, all at the same moment`,
    growthMiBMax: BURST_GROWTH_MIB,
    isBurst: true,
    seed: (dir) =>
      Seeding.of(dir, async (seeding) => {
        members = await seeding.addSubAccounts(MASTER, SUB_ACCOUNTS, MONEY);
        for (const code of SYMBOLS) {
          const { symbol, price, size } = await unitsOf(seeding, code);
          const orders = Array.from({ length: PER_SYMBOL }, (_, at) =>
            limit(symbol, 'buy', price + (at * price) / 10, 10 * size),
          );
          for (const { user } of members) await seeding.place(user, orders);
        }
      }),
    prepare: cancelABit,
    run: ({ url }) =>
      Promise.all(members.map((member) => new Client(url, member).delete('/api/v1/hf/orders/cancelAll'))),
  },
  {
    name: 'sweep',
    who: `a master with ${SUB_ACCOUNTS} sub-accounts, and another user`,
    what: `one order that trades with ${SUB_ACCOUNTS * PER_SYMBOL} resting ones, as many as they may have in a symbol`,
    growthMiBMax: BURST_GROWTH_MIB,
    isBurst: true,
    seed: (dir) =>
      Seeding.of(dir, async (seeding) => {
        members = await seeding.addSubAccounts(MASTER, SUB_ACCOUNTS, MONEY);
        const { symbol, price, size } = await unitsOf(seeding, 'ETH-USDT');
        const orders = Array.from({ length: PER_SYMBOL }, (_, at) =>
          limit(symbol, 'sell', 2000 * price + (at * price) / 100, size / 100),
        );
        for (const { user } of members) await seeding.place(user, orders);
      }),
    prepare: tradeABit,
    run: ({ url }) =>
      new Client(url, 'bob').post('/api/v1/hf/orders', {
        symbol: 'ETH-USDT',
        type: 'limit',
        side: 'buy',
        price: '2100',
        size: String((SUB_ACCOUNTS * PER_SYMBOL) / 100),
      }),
  },
  {
    name: 'colliding-client-ids',
    who: 'one key',
    what: `look-ups of ${COLLIDING_IDS} done orders whose client ids collide in a hash without a secret`,
    growthMiBMax: GROWTH_MIB,
    seed: (dir) =>
      Seeding.of(dir, async (seeding) => {
        clientIds = collidingClientIds(await seeding.userNamed('bob'), COLLIDING_IDS);
        await seedDone(seeding, COLLIDING_IDS, (at) => clientIds[at]);
      }),
    run(target, signal) {
      let serial = 0;
      return sendAgain(signal, 8, () => {
        const id = clientIds[(serial++ * 7919) % clientIds.length];
        return new Client(target.url, 'bob').get(`/api/v1/hf/orders/client-order/${id}?symbol=ETH-USDT`);
      });
    },
  },
  {
    name: 'colliding-levels',
    who: `a master with ${SUB_ACCOUNTS} sub-accounts`,
    what: `placing and cancelling beside ${SUB_ACCOUNTS * PER_SYMBOL} price levels that collide in a hash without a key`,
    growthMiBMax: GROWTH_MIB,
    seed: (dir) =>
      Seeding.of(dir, async (seeding) => {
        members = await seeding.addSubAccounts(MASTER, SUB_ACCOUNTS, MONEY);
        const { symbol, price, size } = await unitsOf(seeding, 'BTC-USDT');
        // Above the bystander's sell price, so that it never matches them.
        prices = collidingPrices(1_000_000 * price, price / 10, (SUB_ACCOUNTS + 1) * PER_SYMBOL);
        priceUnits = price;
        for (const [at, { user }] of members.entries()) {
          const own = prices.slice(at * PER_SYMBOL, (at + 1) * PER_SYMBOL);
          await seeding.place(
            user,
            own.map((each) => limit(symbol, 'sell', each, size / 1e5)),
          );
        }
      }),
    run(target, signal) {
      const bob = new Client(target.url, 'bob');
      const free = prices.slice(SUB_ACCOUNTS * PER_SYMBOL);
      return sendAgain(signal, 1, async () => {
        for (let at = 0; at + 20 <= free.length && !signal.aborted; at += 20) {
          const orderList = free.slice(at, at + 20).map((units) => ({
            symbol: 'BTC-USDT',
            type: 'limit',
            side: 'sell',
            price: (units / priceUnits).toFixed(1),
            size: '0.00001',
          }));
          await bob.post('/api/v1/hf/orders/multi/sync', { orderList });
        }
        await bob.delete('/api/v1/hf/orders?symbol=BTC-USDT');
      });
    },
  },
  {
    name: 'whole-books',
    who: `a master with ${SUB_ACCOUNTS} sub-accounts`,
    what: `reading the whole book of ${SUB_ACCOUNTS * PER_SYMBOL} levels, beside orders that change it`,
    growthMiBMax: GROWTH_MIB,
    seed: (dir) =>
      Seeding.of(dir, async (seeding) => {
        members = await seeding.addSubAccounts(MASTER, SUB_ACCOUNTS, MONEY);
        const { symbol, price, size } = await unitsOf(seeding, 'BTC-USDT');
        for (const [at, { user }] of members.entries()) {
          const orders = Array.from({ length: PER_SYMBOL }, (_, each) =>
            limit(symbol, 'sell', (1_000_000 + at * PER_SYMBOL + each) * price, size / 1e5),
          );
          await seeding.place(user, orders);
        }
      }),
    prepare: tradeABit,
    run(target, signal) {
      let serial = 0;
      return sendAgain(signal, 32, () => {
        const client = new Client(target.url, serial++ % 2 === 0 ? 'bob' : members[serial % members.length]);
        if (serial % 8 !== 0) return client.get('/api/v3/market/orderbook/level2?symbol=BTC-USDT');
        const order = { symbol: 'BTC-USDT', type: 'limit', side: 'buy', price: '1', size: '0.1' };
        return client.post('/api/v1/hf/orders', { ...order, timeInForce: 'IOC' });
      });
    },
  },
  {
    name: 'recent-orders',
    who: 'one key',
    what: `GET /api/v1/limit/orders with ${DONE_ORDERS} done orders, as often as the pool allows`,
    growthMiBMax: GROWTH_MIB,
    seed: (dir) => Seeding.of(dir, (seeding) => seedDone(seeding, DONE_ORDERS, () => undefined)),
    run: (target, signal) =>
      sendAgain(signal, 4, () => new Client(target.url, 'bob', 'family').get('/api/v1/limit/orders')),
  },
];
