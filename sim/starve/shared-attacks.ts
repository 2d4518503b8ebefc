/** Attacks that fill shared resources: movements, client ids, users and keys, the log. */

import { Client } from '@bourse/test-kit/server.ts';
import { type Attack, GROWTH_MIB, sendAgain } from './attack.ts';

const BATCH = 20;
const FAMILY = ['alice', 'alice-sub'];
const MULTI = '/api/v1/hf/orders/multi/sync';
const TRANSFERS = '/api/v3/accounts/universal-transfer';

let serial = 0;
/** Must differ from those of an earlier run on the same directory. */
const newName = (): string =>
  `x${process.pid.toString(36)}${Date.now().toString(36)}${(serial++).toString(36)}`;

const batch = ({ url }: { url: string }, name: string, order: object) =>
  new Client(url, name).post(MULTI, { orderList: Array.from({ length: BATCH }, () => ({ ...order })) });

const ORDER = { symbol: 'ETH-USDT', type: 'limit', side: 'buy', price: '1', size: '1', timeInForce: 'IOC' };

export const SHARED_ATTACKS: readonly Attack[] = [
  {
    name: 'movements',
    who: 'a master and his sub-account',
    what: 'transfers there and back, each remembered for 30 days',
    growthMiBMax: GROWTH_MIB,
    run: ({ url }, signal) =>
      sendAgain(signal, 16, () => {
        const [from, to] = serial % 2 === 0 ? ['MAIN', 'TRADE'] : ['TRADE', 'MAIN'];
        return new Client(url, FAMILY[(serial >> 1) % 2]!).post(TRANSFERS, {
          clientOid: newName(),
          type: 'INTERNAL',
          currency: 'USDT',
          amount: '0.01',
          fromAccountType: from,
          toAccountType: to,
        });
      }),
  },
  {
    name: 'client-ids',
    who: 'a master and his sub-account',
    what: 'batches of 20 orders that are done at once, each with a client id of 40 characters',
    growthMiBMax: GROWTH_MIB,
    run: ({ url }, signal) =>
      sendAgain(signal, 16, () =>
        new Client(url, FAMILY[serial % 2]!).post(MULTI, {
          orderList: Array.from({ length: BATCH }, () => ({
            ...ORDER,
            clientOid: newName().padEnd(40, '-'),
          })),
        }),
      ),
  },
  {
    name: 'sub-accounts',
    who: 'a master',
    what: 'creating sub-accounts, as often as the pool allows',
    growthMiBMax: GROWTH_MIB,
    run: ({ url }, signal) =>
      sendAgain(signal, 16, () =>
        new Client(url, 'alice').post('/api/v2/sub/user/created', {
          subName: newName().slice(-24),
          password: 'Secret1234',
          access: 'Spot',
        }),
      ),
  },
  {
    name: 'keys',
    who: 'a master',
    what: 'creating and removing keys of his sub-account, as often as the pool allows',
    growthMiBMax: GROWTH_MIB,
    run: async ({ url }, signal) => {
      const client = new Client(url, 'alice');
      const subName = newName().slice(-24);
      await client.post('/api/v2/sub/user/created', { subName, password: 'Secret1234', access: 'Spot' });
      return sendAgain(signal, 16, async () => {
        const passphrase = 'Secret1234';
        const made = await client.post('/api/v1/sub/api-key', { subName, passphrase, remark: newName() });
        const { apiKey } = (made.json.data ?? {}) as { apiKey?: string };
        if (apiKey === undefined) return made;
        const query = new URLSearchParams({ apiKey, subName, passphrase });
        return client.delete(`/api/v1/sub/api-key?${query}`);
      });
    },
  },
  {
    name: 'refused-orders',
    who: 'a master and his sub-account',
    what: 'batches of 20 orders that are refused: half for the increment, half for the money',
    growthMiBMax: GROWTH_MIB,
    run: (target, signal) =>
      sendAgain(signal, 16, () => {
        const wrong = serial++ % 2 === 0 ? { size: '0.0000000001' } : { price: '5000', size: '9000' };
        return batch(target, FAMILY[serial % 2]!, { ...ORDER, ...wrong, remark: 'r'.repeat(20) });
      }),
  },
];
