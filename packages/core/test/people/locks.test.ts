/** Locks, the address book, freezing and closing. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stepsOf } from '@bourse/test-kit/steps.ts';
import type { Command } from '../../src/index.ts';
import {
  attempt,
  inSession,
  MINUTE_MS,
  openSession,
  peopleVenue,
  PERSON,
  versionOf,
} from './people-world.ts';

const DAY = 24 * 60 * MINUTE_MS;
const key = { version: 3, permissions: ['general'], ipAllowList: [], secret: 'sealed' } as const;

const withdrawal = (user: number, more: object = {}): Command => ({
  kind: 'request-withdrawal',
  user,
  currency: 0,
  chain: 'net',
  amount: 10_000n,
  address: 'home',
  memo: '',
  ...more,
});

const bookAddress = (id: string, delayMs: number): Command => ({
  kind: 'add-book-address',
  ...inSession,
  id,
  currency: 0,
  chain: 'net',
  address: 'home',
  memo: '',
  label: 'sealed',
  delayMs,
});

test('a withdrawal of a signing key needs a step-up of the last five minutes', () => {
  const { venue, user } = peopleVenue();
  const asked = withdrawal(user, { session: 's-1' });
  assert.equal(attempt(venue, asked), 'added');
  venue.time += 5 * MINUTE_MS;
  assert.equal(attempt(venue, asked), 'rejected step-up-needed');
  assert.equal(attempt(venue, withdrawal(user)), 'added', 'an API key needs none');
  venue.do({ kind: 'step-up', ...inSession, proof: { version: versionOf(venue) } });
  assert.equal(attempt(venue, asked), 'added');
  assert.equal(attempt(venue, withdrawal(user, { session: 's-9' })), 'rejected session-unknown');
});

test('creating or changing a key in a session needs a step-up of the last five minutes', () => {
  const { venue, user } = peopleVenue();
  const sub = venue.make({ kind: 'add-user', name: 'sub', parent: user });
  const make = (name: string, owner: number, more: object = {}): Command => ({
    kind: 'add-key',
    user: owner,
    key: name,
    ...key,
    ...more,
  });
  const change: Command = { kind: 'change-key', key: 'k-1', ipAllowList: ['1.2.3.4'], session: 's-1' };
  assert.equal(attempt(venue, make('k-1', sub, { session: 's-1' })), 'accepted');
  venue.time += 5 * MINUTE_MS;
  assert.equal(attempt(venue, make('k-2', sub, { session: 's-1' })), 'rejected step-up-needed');
  assert.equal(attempt(venue, make('k-2', user, { session: 's-1' })), 'rejected step-up-needed');
  assert.equal(attempt(venue, change), 'rejected step-up-needed');
  assert.equal(attempt(venue, make('k-2', sub, { session: 's-9' })), 'rejected session-unknown');
  assert.equal(attempt(venue, make('k-2', sub)), 'accepted', 'an API key and an operator need none');
  venue.do({ kind: 'step-up', ...inSession, proof: { version: versionOf(venue) } });
  assert.equal(attempt(venue, make('k-3', sub, { session: 's-1' })), 'accepted');
  assert.equal(attempt(venue, change), 'accepted');
});

test('under a lock nobody changes credentials, keys or addresses, and money goes to known addresses only', () => {
  const { venue, user } = peopleVenue();
  venue.do({ kind: 'add-key', user, key: 'api', ...key }, bookAddress('a-1', 0));
  venue.do({ kind: 'lock-person', ...inSession, until: venue.time + DAY });
  // A lock can only be extended.
  venue.do({ kind: 'lock-person', ...inSession, until: venue.time + 1 });
  const proof = { version: versionOf(venue) };
  const barred: Command[] = [
    { kind: 'change-person', ...inSession, proof, verifier: 'new' },
    { kind: 'change-person', person: PERSON, proof, verifier: 'new' },
    { kind: 'add-key', user, key: 'more', ...key },
    { kind: 'change-key', key: 'api', permissions: [] },
    { kind: 'remove-key', key: 'api' },
    bookAddress('a-2', 0),
    { kind: 'remove-book-address', ...inSession, id: 'a-1' },
    { kind: 'restrict-addresses', ...inSession, on: false },
    { kind: 'close-person', ...inSession },
  ];
  for (const command of barred) assert.equal(attempt(venue, command), 'rejected person-locked', command.kind);
  assert.equal(attempt(venue, withdrawal(user)), 'added');
  assert.equal(attempt(venue, withdrawal(user, { address: 'away' })), 'rejected address-not-listed');
  assert.equal(attempt(venue, openSession(venue, 's-2')), 'accepted', 'signing in goes on');
  venue.time += DAY;
  assert.equal(attempt(venue, withdrawal(user, { address: 'away' })), 'added');
  assert.equal(attempt(venue, { kind: 'remove-key', key: 'api' }), 'accepted');
});

test('with `only`, money goes to usable addresses of the book; switching it off takes a day', () => {
  const { venue, user } = peopleVenue();
  venue.do(bookAddress('a-1', DAY), { kind: 'restrict-addresses', ...inSession, on: true });
  assert.equal(attempt(venue, withdrawal(user)), 'rejected address-not-listed');
  venue.time += DAY;
  venue.do(openSession(venue, 's-2'));
  assert.equal(attempt(venue, withdrawal(user)), 'added');
  assert.equal(attempt(venue, withdrawal(user, { memo: 'other' })), 'rejected address-not-listed');
  const off = { kind: 'restrict-addresses', person: PERSON, session: 's-2', on: false } as const;
  venue.do(off);
  assert.equal(attempt(venue, withdrawal(user, { address: 'away' })), 'rejected address-not-listed');
  venue.time += DAY - 1;
  assert.equal(attempt(venue, withdrawal(user, { address: 'away' })), 'rejected address-not-listed');
  venue.time += 1;
  assert.equal(attempt(venue, withdrawal(user, { address: 'away' })), 'added');
});

test('freezing ends sessions, keys, orders and withdrawals of the person and its sub-accounts, once for a mail', () => {
  const { venue, user } = peopleVenue();
  const sub = venue.make({ kind: 'add-user', name: 'sub', parent: user });
  venue.do(
    { kind: 'add-key', user: sub, key: 'sub-key', ...key },
    { kind: 'add-key', user: 0, key: 'others', ...key },
  );
  venue.fund(sub, 0, 10n ** 8n);
  venue.fund(sub, 1, 10n ** 8n);
  const sell = { symbol: 0, type: 'limit', side: 'sell', price: 1000, size: 1 } as const;
  const order = venue.place(sub, sell);
  const others = venue.place(0, sell);
  venue.do({ kind: 'place-stop-order', user: sub, ...sell, stop: 'loss', stopPrice: 900 });
  const pair = { symbol: 0, side: 'sell', price: 1100, size: 1, stopPrice: 900, limitPrice: 890 } as const;
  venue.do({ kind: 'place-oco-order', user: sub, ...pair });
  const money = venue.make(withdrawal(user));
  const paid = venue.make(withdrawal(user));
  venue.do({ kind: 'claim-withdrawal', withdrawal: paid, by: 'custodian' });
  const sentAt = venue.time;
  venue.time += 1000;
  venue.do({ kind: 'freeze-person', person: PERSON, since: sentAt });
  const { exchange } = venue;
  assert.equal(exchange.order(order), null);
  assert.notEqual(exchange.order(others), null);
  assert.deepEqual(exchange.reference.stopOrdersOf(sub), []);
  assert.deepEqual(exchange.reference.ocoOrdersOf(sub), []);
  assert.deepEqual(exchange.openOrders(sub, 0), []);
  assert.equal(exchange.reference.withdrawal(money)?.state, 'cancelled');
  assert.equal(exchange.reference.withdrawal(paid)?.state, 'paying');
  assert.deepEqual(
    exchange.reference.keys().map((each) => each.key),
    ['others'],
  );
  assert.equal(attempt(venue, openSession(venue, 's-2')), 'rejected user-frozen');
  assert.equal(attempt(venue, { kind: 'place-order', user: sub, ...sell }), 'rejected user-frozen');
  // The mail that was used, and any from before, are void; one from afterwards is not.
  venue.do({ kind: 'change-user', user, frozen: false });
  assert.equal(
    attempt(venue, { kind: 'freeze-person', person: PERSON, since: sentAt }),
    'rejected proof-spent',
  );
  assert.deepEqual(
    exchange.reference.keys().map((each) => each.key),
    ['others'],
  );
  venue.time += 1;
  assert.equal(attempt(venue, { kind: 'freeze-person', person: PERSON, since: venue.time }), 'accepted');
});

test('freezing an account with many sub-accounts does not visit completed withdrawals', (context) => {
  const { venue, user } = peopleVenue();
  for (let sub = 0; sub < 100; sub++) venue.make({ kind: 'add-user', name: `sub-${sub}`, parent: user });
  venue.do({
    kind: 'report-deposit',
    user: 0,
    currency: 0,
    chain: 'net',
    amount: 10n ** 15n,
    txId: 'money of another',
    travelRule: false,
  });
  const open = venue.make(withdrawal(user));
  for (let record = 0; record < 20; record++) {
    const asked = Array.from({ length: 1000 }, () => venue.make(withdrawal(0)));
    venue.do(...asked.map((each): Command => ({ kind: 'cancel-withdrawal', user: 0, withdrawal: each })));
  }
  venue.time += 1;
  const steps = stepsOf(() => venue.do({ kind: 'freeze-person', person: PERSON, since: venue.time }));
  assert.equal(venue.exchange.reference.withdrawal(open)?.state, 'cancelled');
  context.diagnostic(`${steps} steps`);
  assert.ok(steps > 100 && steps < 10_000, `${steps} steps`);
});

test('only an empty account is closed; its address is free again and its user stays, frozen', () => {
  const { venue, user } = peopleVenue();
  const close = { kind: 'close-person', ...inSession } as const;
  assert.equal(attempt(venue, close), 'rejected person-not-empty');
  const all = {
    kind: 'transfer',
    user,
    type: 'internal',
    from: 'main',
    to: 'trade',
    amount: 10n ** 9n,
  } as const;
  venue.do({ ...all, clientId: 'all', currency: 0 });
  assert.equal(attempt(venue, close), 'rejected person-not-empty');
  venue.do({ ...all, clientId: 'back', currency: 0, from: 'trade', to: 'main' });
  const id = venue.make(withdrawal(user, { amount: 10n ** 9n, feeIncluded: true }));
  assert.equal(attempt(venue, close), 'rejected person-not-empty');
  venue.do(
    { kind: 'claim-withdrawal', withdrawal: id },
    { kind: 'settle-withdrawal', withdrawal: id, sent: true, txId: 't' },
  );
  assert.equal(attempt(venue, close), 'accepted');
  const { reference } = venue.exchange;
  assert.equal(reference.people.get(PERSON), null);
  assert.equal(reference.people.ofLogin('login-1'), null);
  assert.deepEqual(reference.people.listSessions(), []);
  assert.equal(reference.isFrozen(user), true);
});
