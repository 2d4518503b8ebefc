/**
 * Attacks within the limits of one caller: one key with its sub-account, or strangers from one address. Any new way
 * to delay others is added as a row here.
 */

import { Client } from '@bourse/test-kit/server.ts';
import { type Attack, GROWTH_MIB, sendAgain, type Target, tradeABit, UNREAD_GROWTH_MIB } from './attack.ts';
import { resubscribe, SOCKET_ATTACKS, stall } from './socket-attacks.ts';
import { SHARED_ATTACKS } from './shared-attacks.ts';
import { SEEDED_ATTACKS } from './seeded-attacks.ts';
import { FAMILY_ORDERS, STRANGER_ATTACKS } from './stranger-attacks.ts';

const SYMBOLS = ['BTC-USDT', 'ETH-USDT', 'ETH-BTC'];
const BATCH = 20;
const ONE_KEY = 'one key';
const MULTI = '/api/v1/hf/orders/multi/sync';

const order = (symbol: string, side: string, price: number, more: object = {}) => ({
  symbol,
  type: 'limit',
  side,
  price: String(price),
  size: symbol.endsWith('BTC') ? '0.01' : '0.001',
  ...more,
});

/** Orders at many prices, far from the market. */
async function fill({ url }: Target, names: readonly string[], perSymbol: number): Promise<void> {
  for (const [who, name] of names.entries()) {
    const client = new Client(url, name);
    for (const symbol of SYMBOLS) {
      for (let at = 0; at < perSymbol; at += BATCH) {
        const orderList = Array.from({ length: BATCH }, (_, each) =>
          order(
            symbol,
            'buy',
            symbol.endsWith('BTC') ? 0.01 + (at + each) / 1e5 : 1000 + who * 500 + at + each,
          ),
        );
        await client.post(MULTI, { orderList });
      }
    }
  }
}

export const ATTACKS: readonly Attack[] = [
  ...STRANGER_ATTACKS,
  {
    name: 'cancel-all',
    who: 'a master and his sub-account',
    what: 'placing batches and cancelling all of them, over and over',
    growthMiBMax: GROWTH_MIB,
    prepare: (target) => fill(target, ['alice', 'alice-sub'], 180),
    run: (target, signal) =>
      sendAgain(signal, 4, async () => {
        await Promise.all(
          ['alice', 'alice-sub'].map((name) =>
            new Client(target.url, name).delete('/api/v1/hf/orders/cancelAll'),
          ),
        );
        await fill(target, ['alice', 'alice-sub'], BATCH);
      }),
  },
  {
    name: 'fill-or-kill',
    who: ONE_KEY,
    what: 'batches of 20 FOK orders that look through every level and take none',
    growthMiBMax: GROWTH_MIB,
    prepare: (target) => fill(target, ['alice', 'alice-sub', 'bob'], 180),
    run: (target, signal) =>
      sendAgain(signal, 16, () => {
        const fok = order('BTC-USDT', 'sell', 1000, { timeInForce: 'FOK', size: '5' });
        return new Client(target.url, 'bob').post(MULTI, {
          orderList: Array.from({ length: BATCH }, () => fok),
        });
      }),
  },
  {
    name: 'immediate-or-cancel',
    who: ONE_KEY,
    what: 'batches of 20 IOC orders with client ids of their own, as quickly as they are answered',
    growthMiBMax: GROWTH_MIB,
    run: (target, signal) => {
      let serial = 0;
      return sendAgain(signal, 16, () => {
        const orderList = Array.from({ length: BATCH }, () =>
          order('ETH-USDT', 'buy', 1, {
            timeInForce: 'IOC',
            size: '1',
            clientOid: `ioc-${process.pid}-${serial++}`,
          }),
        );
        return new Client(target.url, 'bob').post(MULTI, { orderList });
      });
    },
  },
  {
    name: 'junk',
    who: ONE_KEY,
    what: 'orders of the family dialect with one bare number and 64 kB beside it',
    growthMiBMax: GROWTH_MIB,
    run: (target, signal) => {
      const junks = [`[${'1,'.repeat(30_000)}1]`, `"${'x'.repeat(60_000)}"`, `[${'{"a":1},'.repeat(6000)}1]`];
      let serial = 0;
      return sendAgain(signal, 8, () => {
        const junk = junks[serial++ % junks.length];
        const body = `{"symbol":"BTC-USDT","type":"limit","side":"buy","price":1000,"size":"0.001","junk":${junk}}`;
        return new Client(target.url, 'bob', 'family').send('POST', FAMILY_ORDERS, body);
      });
    },
  },
  {
    name: 'lists',
    who: ONE_KEY,
    what: 'the longest lists there are, as often as the pool allows',
    growthMiBMax: GROWTH_MIB,
    run: (target, signal) => {
      const paths = [
        '/api/v1/limit/orders',
        '/api/v1/limit/fills',
        '/api/v1/hf/orders/done?symbol=ETH-USDT&limit=100',
      ];
      let serial = 0;
      return sendAgain(signal, 8, () =>
        new Client(target.url, 'bob', 'family').get(paths[serial++ % paths.length]),
      );
    },
  },
  {
    name: 'resubscribing',
    who: 'a public token',
    what: '100 sockets that subscribe to /market/snapshot of a whole market and leave it, over and over',
    growthMiBMax: GROWTH_MIB,
    run: resubscribe,
  },
  {
    name: 'stalled-tunnels',
    who: 'a public token',
    what: '100 sockets that do not read, with 5 tunnels each, while somebody trades',
    growthMiBMax: UNREAD_GROWTH_MIB,
    prepare: tradeABit,
    run: (target, signal) =>
      Promise.all([
        stall(target, signal),
        sendAgain(signal, 4, () => {
          const price = 1000 + Math.floor(Math.random() * 500);
          return new Client(target.url, 'bob').post(MULTI, {
            orderList: Array.from({ length: BATCH }, (_, at) =>
              order('BTC-USDT', 'buy', price + at, { timeInForce: 'GTT', cancelAfter: 1 }),
            ),
          });
        }),
      ]),
  },
  ...SHARED_ATTACKS,
  ...SOCKET_ATTACKS,
  ...SEEDED_ATTACKS,
];
