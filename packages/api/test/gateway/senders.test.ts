/**
 * The owner of a command in the queue is determined by the transport that authenticated the request. Every route for
 * users sends its command as the caller; only the operator API sends as the operator.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from '@bourse/core';
import { Client, credentials, startServer } from '@bourse/test-kit/server.ts';
import {
  type ExchangePort,
  OPERATOR,
  type Sender,
  type Waiter,
  overriding,
} from '../../../engine/src/exchange-port.ts';

const ORDER = { clientOid: 'a', symbol: 'BTC-USDT', type: 'limit', side: 'buy', price: '100', size: '0.01' };
const STOP = { ...ORDER, clientOid: 'b', stop: 'loss', stopPrice: '90' };
const OCO = { ...ORDER, clientOid: 'c', price: '100', stopPrice: '120', limitPrice: '121' };
const NEW_SUB = { subName: 'senders01', password: 'abcdefg1', remarks: '', access: 'Spot' };
const KEY = '/api/v1/sub/api-key';

test('every command of a user is sent as that user, and only commands of an operator as the operator', async () => {
  const sent = new Map<Command['kind'], Set<Sender>>();
  const server = await startServer({
    wrapPort: (port): ExchangePort =>
      overriding(port, {
        send(command: Command, waiter: Waiter, sender: Sender) {
          sent.set(command.kind, (sent.get(command.kind) ?? new Set()).add(sender));
          port.send(command, waiter, sender);
        },
      }),
  });
  try {
    const alice = new Client(server.url, 'alice', 'family');
    const number = server.services.catalogue.key(credentials('alice').apiKey)?.user;
    assert.ok(number !== undefined && number !== OPERATOR);
    const done = async (reply: Promise<{ json: { data?: unknown } }>) =>
      ((await reply).json.data ?? {}) as Record<string, string>;

    await alice.post('/api/v2/sub/user/created', NEW_SUB);
    const grants = { subName: NEW_SUB.subName, passphrase: 'passphrase' };
    const { apiKey } = await done(alice.post(KEY, { ...grants, remark: '' }));
    await alice.post(`${KEY}/update`, { ...grants, apiKey, permission: 'General' });
    await alice.delete(`${KEY}?subName=${grants.subName}&apiKey=${apiKey}&passphrase=passphrase`);
    await alice.post('/api/v1/deposit-addresses', { currency: 'USDT' });
    await alice.post('/api/v1/deposit/compliance/info', {
      travelRuleOId: 'x',
      type: 'individual',
      complianceInfo: JSON.stringify({ name: 'A', country: 'US' }),
    });
    await alice.post('/api/v3/accounts/universal-transfer', {
      clientOid: 't',
      currency: 'USDT',
      amount: '1',
      fromAccountType: 'TRADE',
      toAccountType: 'MAIN',
      type: 'INTERNAL',
    });
    await alice.delete('/api/v1/withdrawals/000000000000000000000001');
    await alice.post('/api/v1/hf/orders', ORDER);
    await alice.post('/api/v1/hf/orders/multi', { orderList: [ORDER] });
    await alice.post('/api/v1/hf/orders/test', ORDER);
    await alice.post('/api/v1/hf/orders/alter', { symbol: 'BTC-USDT', clientOid: 'a', newPrice: '101' });
    await alice.post('/api/v1/stop-order', STOP);
    await alice.delete('/api/v1/stop-order/cancelOrderByClientOid?symbol=BTC-USDT&clientOid=b');
    await alice.post('/api/v3/oco/order', OCO);
    await alice.delete('/api/v3/oco/client-order/c');
    await alice.delete('/api/v1/hf/orders/client-order/a?symbol=BTC-USDT');
    await alice.delete('/api/v1/hf/orders?symbol=BTC-USDT');
    await alice.post('/api/v1/hf/orders/dead-cancel-all', { timeout: 10 });
    const seen = [...sent].filter(([, senders]) => [...senders].join() !== `${number}`);
    assert.deepEqual(seen, [], 'not sent as the caller');
    for (const kind of [
      'add-user',
      'add-key',
      'change-key',
      'remove-key',
      'add-address',
      'transfer',
    ] as const) {
      assert.ok(sent.has(kind), kind);
    }
    assert.ok(sent.size >= 14, [...sent.keys()].join());
  } finally {
    await server.close();
  }
});
