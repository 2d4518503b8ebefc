/**
 * A key that is removed while its messages are in flight: each is answered once, none takes effect later, and balances
 * are exact.
 */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Command } from '@bourse/core';
import { submit } from '@bourse/test-kit/submit.ts';
import { SecretBox } from '../../src/gateway/access/secrets.ts';
import { SANDBOX_SECRET_KEY } from '../../../sandbox/src/seed.ts';
import { Client, type Credentials, type TestServer } from '@bourse/test-kit/server.ts';
import { type Frame, hmac, Peer, sessionQuery, startEntry } from './peer.ts';

const ORDERS = 100;
/** Sent before the removal of the key is acknowledged. */
const SENT_BEFORE = 75;
const PRICE = 100;
const ALICE = 0;
const WHO: Credentials = { apiKey: 'brief', apiSecret: 's', apiPassphrase: 'p' };

describe('a key removed in the middle of a hundred orders', () => {
  let server: TestServer;
  let sub: number;
  before(async () => {
    server = await startEntry();
    sub = await server.services.port.read(({ reference }) =>
      reference.users.findIndex(({ name }) => name === 'alice-sub'),
    );
  });
  after(() => server.close());

  const act = async (command: Command): Promise<void> => {
    assert.notEqual((await submit(server.services.port, command)).outcome.kind, 'rejected');
  };
  const addKey = (user: number, key = WHO.apiKey): Promise<void> => {
    const secret = new SecretBox(Buffer.from(SANDBOX_SECRET_KEY, 'hex')).seal('s', 'p');
    const permissions = ['general', 'spot'] as const;
    return act({ kind: 'add-key', key, user, version: 3, secret, permissions, ipAllowList: [] });
  };
  let serial = 0;
  const order = (clientOid = `o-${serial++}`) => ({
    symbol: 'BTC-USDT',
    type: 'limit',
    side: 'buy',
    price: String(PRICE),
    size: '0.01',
    clientOid,
  });
  const open = async (who: Credentials): Promise<Peer> => {
    const peer = new Peer(`${server.url}/v1/private?${sessionQuery(who)}`);
    peer.ws.send(hmac(who.apiSecret, await peer.nextText()));
    await peer.next();
    return peer;
  };
  /** Asserts that the holds are exactly those of the open orders, then cancels them. */
  const checkHolds = async (user: number, accepted: number): Promise<void> => {
    const seen = await server.services.port.read((exchange) => {
      const usdt = exchange.reference.currencies.findIndex(({ code }) => code === 'USDT');
      const symbol = exchange.reference.symbolNumber('BTC-USDT');
      const { scale } = exchange.reference.currencies[usdt]!;
      const { hold } = exchange.balance(user, 'trade', usdt);
      return { orders: [...exchange.orderPlaces(user, symbol)].length, held: Number(hold) / 10 ** scale };
    });
    assert.equal(seen.orders, accepted);
    // With the fee that an order may cost.
    assert.ok(seen.held >= accepted && seen.held <= accepted * 1.01, `${seen.held} for ${accepted}`);
    const symbol = await server.services.port.read(({ reference }) => reference.symbolNumber('BTC-USDT'));
    await act({ kind: 'cancel-orders', user, symbol });
  };

  const ends: Record<string, readonly Command[]> = {
    removed: [{ kind: 'remove-key', key: WHO.apiKey }],
    'without Spot': [{ kind: 'change-key', key: WHO.apiKey, permissions: ['general'] }],
    'for another address': [{ kind: 'change-key', key: WHO.apiKey, ipAllowList: ['10.0.0.1'] }],
    'removed and made anew': [{ kind: 'remove-key', key: WHO.apiKey }],
  };
  for (const [name, commands] of Object.entries(ends))
    for (const whose of ['alice', 'alice-sub'])
      test(`${name}, of ${whose}, over order entry`, async () => {
        const user = whose === 'alice' ? ALICE : sub;
        await addKey(user);
        const peer = await open(WHO);
        const send = (from: number, to: number): void => {
          for (let at = from; at < to; at++)
            peer.ws.send(JSON.stringify({ id: `${at}`, op: 'spot.order', args: order() }));
        };
        send(0, 50);
        // Some have been answered, others wait.
        const first = await peer.nextText();
        const acting = Promise.all(commands.map(act));
        send(50, SENT_BEFORE);
        await acting;
        send(SENT_BEFORE, ORDERS);
        if (name === 'removed and made anew') await addKey(user);
        assert.equal((await peer.ended()).code, 1008);
        const frames = [first, ...peer.frames].map((frame) => JSON.parse(frame) as Frame);
        const accepted = frames.filter(({ code, id }) => code === '200000' && id !== undefined);
        assert.equal(new Set(accepted.map(({ id }) => id)).size, accepted.length, 'each is answered once');
        assert.ok(accepted.length > 0);
        assert.ok(
          accepted.every(({ id }) => Number(id) < SENT_BEFORE),
          'none that was sent afterwards acts',
        );
        await checkHolds(user, accepted.length);
        if (name !== 'removed') await act({ kind: 'remove-key', key: WHO.apiKey });
      });

  test('key removed over HTTP: messages sent after the response to the operator have no effect', async () => {
    await addKey(ALICE);
    const client = new Client(server.url, WHO);
    const early = Array.from({ length: ORDERS / 2 }, () => client.post('/api/v1/hf/orders', order()));
    await act({ kind: 'remove-key', key: WHO.apiKey });
    const late = Array.from({ length: ORDERS / 2 }, () => client.post('/api/v1/hf/orders', order()));
    const codes = (await Promise.all(early)).map(({ json }) => json.code);
    for (const { json } of await Promise.all(late)) assert.equal(json.code, '400003');
    await checkHolds(ALICE, codes.filter((code) => code === '200000').length);
  });

  test('a frozen user can cancel in an open session, and do nothing else', async () => {
    await addKey(ALICE);
    const peer = await open(WHO);
    assert.equal((await peer.ask('spot.order', order('before'))).code, '200000');
    await act({ kind: 'change-user', user: ALICE, frozen: true });
    assert.equal((await peer.ask('spot.order', order())).code, '411100');
    const cancel = { symbol: 'BTC-USDT', clientOid: 'before' };
    assert.equal((await peer.ask('spot.cancel', cancel)).code, '200000');
    await act({ kind: 'change-user', user: ALICE, frozen: false });
    await act({ kind: 'remove-key', key: WHO.apiKey });
    await checkHolds(ALICE, 0);
  });

  test('removing a key of a master does not affect the keys of its sub-accounts', async () => {
    await addKey(ALICE);
    const [master, own] = [await open(WHO), await Peer.open(server, 'alice-sub')];
    await act({ kind: 'remove-key', key: WHO.apiKey });
    assert.equal((await master.ended()).code, 1008);
    assert.equal((await own.ask('spot.order', order())).code, '200000');
    own.close();
    await checkHolds(sub, 1);
  });
});
