/** Faults and assertions name a user; after a restore, another one may have its number. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import type { ConnectionUser } from '../../src/startup/running-exchange.ts';
import { SignedClient } from './client.ts';
import { sandboxFor } from './exchange.ts';

interface Bullet {
  readonly token: string;
  readonly instanceServers: readonly { readonly endpoint: string }[];
}

test('a fault or an assertion on a user never applies to another one with the same number', async (context) => {
  const { running, call } = await sandboxFor(context);
  const add = async (name: string): Promise<SignedClient> => {
    const user = await call<ConnectionUser>('POST', '/users', { name, balances: { USDT: '1000' } });
    return new SignedClient({ ...running.connection, users: [user] }, name);
  };
  const welcome = async (client: SignedClient): Promise<string> => {
    const { token, instanceServers } = (await client.send('POST', '/api/v1/bullet-private')).body
      .data as Bullet;
    const socket = new WebSocket(`${instanceServers[0]!.endpoint}?token=${token}`);
    const first = await new Promise<string>((resolve) => {
      socket.once('message', (bytes) => resolve(String(bytes)));
    });
    socket.terminate();
    return (JSON.parse(first) as { type: string }).type;
  };
  const holding = async (): Promise<boolean[]> =>
    (await call<{ holds: boolean }[]>('GET', '/assertions')).map(({ holds }) => holds);

  const { id: before } = await call('POST', '/snapshots');
  await add('dave');
  await call('POST', '/faults', { match: { user: 'dave' }, effect: { kind: 'html' } });
  await call('POST', '/faults', { match: { user: 'dave' }, effect: { kind: 'feed-refuse-token' } });
  await call('POST', '/assertions', { name: 'idle', always: { user: 'dave', openOrdersMax: 0 } });
  const rich = { user: 'dave', currency: 'USDT', balanceMin: '1000' };
  await call('POST', '/assertions', { name: 'rich', always: rich });

  await call('POST', `/snapshots/${before}/restore`);
  assert.deepEqual(await holding(), [true, true], 'dave does not exist');
  const erin = await add('erin');
  assert.equal((await erin.place({ price: '100', size: '1' })).status, 200);
  assert.equal(await welcome(erin), 'welcome');
  const { id: after } = await call('POST', '/snapshots');
  await call('POST', `/snapshots/${after}/restore`);
  assert.deepEqual(await holding(), [true, true], 'the order is not one of dave');

  const dave = await add('dave');
  assert.equal((await dave.place({})).status, 502, 'he has another number now');
});
