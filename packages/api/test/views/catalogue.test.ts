/** The keys of one user, out of those of all users. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MarketEvent } from '@bourse/core';
import { Venue } from '@bourse/test-kit/venue.ts';
import type { Published } from '../../../engine/src/exchange-port.ts';
import type { SignedIn } from '../../src/identity/routes/route.ts';
import { KEY_ROUTES } from '../../src/identity/routes/key-routes.ts';
import { Catalogue } from '../../src/views/catalogue.ts';

const addKey = (user: number, key: string) =>
  ({
    kind: 'add-key',
    user,
    key,
    version: 3,
    permissions: ['general'],
    ipAllowList: [],
    secret: 'sealed',
  }) as const;

test("the keys of a user follow changes, and listing them does not read everybody's", (context) => {
  const venue = new Venue();
  const [ada = 0, bob = 0] = ['ada', 'bob'].map((name) => venue.make({ kind: 'add-user', name }));
  venue.do(addKey(ada, 'a-1'), addKey(bob, 'b-1'));
  const catalogue = new Catalogue(venue.exchange);
  const act = (...commands: Parameters<Venue['do']>) =>
    catalogue.apply(
      { marketEvents: venue.do(...commands).events as MarketEvent[] } as unknown as Published,
      venue.exchange,
    );
  context.mock.method(catalogue, 'keys', () => assert.fail('all keys were read'));
  const list = KEY_ROUTES.find(({ id }) => id === 'list-own-keys');
  const listed = (user: number) => {
    const me = { person: { user } } as SignedIn;
    const call = { identity: { services: { catalogue } }, me } as never;
    const rows = list?.handle(call) as { apiKey: string; name: string }[];
    return rows.map(({ apiKey, name }) => `${apiKey}${name}`);
  };
  assert.deepEqual([listed(ada), listed(bob)], [['a-1'], ['b-1']]);
  act(addKey(ada, 'a-2'), { kind: 'change-key', key: 'a-1', note: ' named' });
  assert.deepEqual([listed(ada), listed(bob)], [['a-1 named', 'a-2'], ['b-1']]);
  // Added and removed in one record; and removed by one user, added by another.
  act(addKey(ada, 'a-3'), { kind: 'remove-key', key: 'a-3' }, { kind: 'remove-key', key: 'b-1' });
  act(addKey(ada, 'b-1'), { kind: 'remove-key', key: 'a-1' });
  assert.deepEqual([listed(ada), listed(bob)], [['a-2', 'b-1'], []]);
  assert.deepEqual(catalogue.keysOf(99), []);
});
