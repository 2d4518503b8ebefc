/** Single-use proofs: the core decides, so two gateways cannot accept the same code. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Exchange } from '../../src/index.ts';
import type { Proof } from '../../src/index.ts';
import { Venue } from '@bourse/test-kit/venue.ts';
import {
  addPerson,
  attempt,
  inSession,
  MINUTE_MS,
  openSession,
  peopleVenue,
  PERSON,
  versionOf,
} from './people-world.ts';

const change = (venue: Venue, changes: object, proof: Partial<Proof> = {}) =>
  ({
    kind: 'change-person',
    ...inSession,
    proof: { version: versionOf(venue), ...proof },
    ...changes,
  }) as const;

test('a sign-up token makes one person, and so does an e-mail address', () => {
  const { venue } = peopleVenue();
  const token = { id: 'token', until: venue.time + 1000 };
  const person = (id: string, login: string) => ({ ...addPerson(id, login), spends: [token] }) as const;
  assert.equal(attempt(venue, person('p-2', 'login-1')), 'rejected person-taken');
  assert.equal(attempt(venue, openSession(venue, 's-7', { person: 'p-7' })), 'rejected person-unknown');
  assert.equal(attempt(venue, person('p-2', 'login-2')), 'added');
  assert.equal(attempt(venue, person('p-3', 'login-3')), 'rejected proof-spent');
  venue.time += 1001;
  const late = { ...addPerson('p-4', 'login-4'), spends: [{ id: 'late', until: venue.time - 1 }] } as const;
  assert.equal(attempt(venue, late), 'rejected proof-spent');
});

test('a TOTP step, a recovery code and a challenge open one session each', () => {
  const { venue } = peopleVenue();
  venue.do(change(venue, { totp: 'sealed', totpStep: 10, recoveryCodes: ['one', 'two'] }));
  const challenge = { id: 'challenge', until: venue.time + MINUTE_MS };
  const proofs: readonly [Partial<Proof>, string][] = [
    [{ totpStep: 10 }, 'rejected proof-spent'],
    [{ totpStep: 11 }, 'accepted'],
    [{ totpStep: 11 }, 'rejected proof-spent'],
    [{ totpStep: Number.NaN }, 'rejected proof-spent'],
    [{ recoveryCode: 'one' }, 'accepted'],
    [{ recoveryCode: 'one' }, 'rejected proof-spent'],
    [{ recoveryCode: 'other' }, 'rejected proof-spent'],
    [{ spends: [challenge] }, 'accepted'],
    [{ spends: [challenge] }, 'rejected proof-spent'],
    [{ passkey: { id: 'nobody’s', counter: 1 } }, 'rejected proof-spent'],
    [{ version: versionOf(venue) - 1 }, 'rejected proof-spent'],
  ];
  proofs.forEach(([proof, expected], at) => {
    const command = openSession(venue, `s-${at + 2}`, { proof: { version: versionOf(venue), ...proof } });
    assert.equal(attempt(venue, command), expected, JSON.stringify(proof));
  });
  // The same in an exchange that replayed the log, and in one restored from a snapshot.
  const again = new Exchange();
  for (const record of venue.records) again.apply(record);
  assert.equal(again.hash(), venue.exchange.hash());
  const restored = new Venue(Exchange.restore(venue.exchange.snapshot()), venue.time);
  restored.rules = venue.rules;
  const repeated = openSession(venue, 's-99', { proof: { version: versionOf(venue), spends: [challenge] } });
  assert.equal(attempt(restored, repeated), 'rejected proof-spent');
});

test('a new password ends the other sessions and their keys, and locks withdrawals', () => {
  const { venue, user } = peopleVenue();
  venue.do(openSession(venue, 's-2'));
  venue.do(change(venue, { verifier: 'another' }));
  const { people, keys } = ((): { people: Exchange['reference']['people']; keys: string[] } => ({
    people: venue.exchange.reference.people,
    keys: venue.exchange.reference.keys().map(({ key }) => key),
  }))();
  assert.deepEqual(
    people.sessionsOf(PERSON).map(({ id }) => id),
    ['s-1'],
  );
  assert.deepEqual(keys, ['key-of-s-1']);
  const withdrawal = {
    kind: 'request-withdrawal',
    user,
    currency: 0,
    chain: 'net',
    amount: 10_000n,
    address: 'somewhere',
    memo: '',
  } as const;
  assert.equal(attempt(venue, withdrawal), 'rejected withdrawals-locked');
  venue.time += 24 * 60 * MINUTE_MS;
  assert.equal(attempt(venue, withdrawal), 'added');
});

test('a session that has ended changes nothing, and an expired one is unknown', () => {
  const { venue } = peopleVenue();
  venue.do(openSession(venue, 's-2'));
  venue.do({ kind: 'end-sessions', person: PERSON, session: 's-2' });
  const inEnded = { person: PERSON, session: 's-2' } as const;
  assert.equal(
    attempt(venue, { kind: 'lock-person', ...inEnded, until: venue.time + 1 }),
    'rejected session-unknown',
  );
  const key = { key: 'k', secret: 'sealed', permissions: [] } as const;
  assert.equal(attempt(venue, { kind: 'set-session-key', ...inEnded, key }), 'rejected session-unknown');
  venue.time += 12 * 60 * MINUTE_MS;
  assert.equal(attempt(venue, { kind: 'set-session-key', ...inSession, key }), 'rejected session-unknown');
});

test('a session has one signing key', () => {
  const { venue } = peopleVenue();
  const key = { key: 'second', secret: 'sealed', permissions: ['general'] } as const;
  venue.do({ kind: 'set-session-key', ...inSession, key });
  assert.deepEqual(
    venue.exchange.reference.keys().map(({ key: name, session }) => [name, session]),
    [['second', 's-1']],
  );
});

test('of more than 50 sessions the oldest ends', () => {
  const { venue } = peopleVenue();
  for (let at = 2; at <= 52; at++) {
    venue.time += 1;
    venue.do(openSession(venue, `s-${at}`));
  }
  const open = venue.exchange.reference.people.sessionsOf(PERSON);
  assert.equal(open.length, 50);
  assert.equal(open[0].id, 's-3');
});
