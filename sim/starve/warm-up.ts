/** Warms up an exchange: in a new process every line of code is slow at first, for any client. */

import { Client } from '@bourse/test-kit/server.ts';
import type { Target } from './target.ts';

const TRADE_ROUNDS = 150;
const CANCEL_ROUNDS = 30;
const BATCHES = 5;
const BATCH = 20;
const MULTI = '/api/v1/hf/orders/multi/sync';

export async function tradeABit({ url }: Target): Promise<void> {
  const [alice, bob] = ['alice', 'bob'].map((name) => new Client(url, name));
  const order = { symbol: 'LTC-USDT', type: 'limit', price: '50' };
  const orderList = Array.from({ length: BATCH }, () => ({ ...order, side: 'sell', size: '0.01' }));
  for (let round = 0; round < TRADE_ROUNDS; round++) {
    await alice.post(MULTI, { orderList });
    await bob.post('/api/v1/hf/orders', { ...order, side: 'buy', size: '0.2' });
  }
}

export async function cancelABit({ url }: Target): Promise<void> {
  const bob = new Client(url, 'bob');
  const order = { symbol: 'LTC-USDT', type: 'limit', side: 'sell', price: '500', size: '0.01' };
  const orderList = Array.from({ length: BATCH }, () => order);
  for (let round = 0; round < CANCEL_ROUNDS; round++) {
    for (let batch = 0; batch < BATCHES; batch++) await bob.post(MULTI, { orderList });
    await bob.delete('/api/v1/hf/orders/cancelAll');
  }
}
