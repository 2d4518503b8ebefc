// The core's rules for assigning pending entries to operators.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { currency, Venue } from '@bourse/test-kit/venue.ts';
import { type Command, Exchange, RULES_VERSION } from '../../src/index.ts';
import { attempt } from '../people/people-world.ts';

const [ANN, BEN] = [1, 2];

function openVenue(): Venue {
  const venue = new Venue(new Exchange());
  venue.rules = RULES_VERSION;
  const add = (name: string): Command => ({
    kind: 'add-operator',
    name,
    roles: ['finance', 'admin'],
    token: `hash of ${name}`,
    call: 'add-operator',
  });
  venue.do(add('ann'), add('ben'), currency('BTC', 8, 8), { kind: 'add-user', name: 'dave' });
  return venue;
}

const money = { user: 0, currency: 0, chain: 'net', amount: 5n * 10n ** 8n } as const;

const assign = (id: number, to: number, by: number, what = 'withdrawal') =>
  ({ kind: 'assign-movement', what, id, to, ...(by > 0 && { operator: by }) }) as Command;
const release = (id: number, what = 'withdrawal') => ({ kind: 'release-movement', what, id }) as Command;

test('assignments: a pending entry has one operator, who reassigns or releases it', () => {
  const venue = openVenue();
  const of = ({ exchange }: Venue, id: number) => exchange.reference.assigneeOf(id);
  venue.do({ kind: 'report-deposit', ...money, txId: 'a', travelRule: false });
  const id = venue.make({ kind: 'request-withdrawal', ...money, amount: 10n ** 8n, address: 'x', memo: '' });
  assert.equal(attempt(venue, release(id)), 'rejected not-assigned');
  assert.equal(attempt(venue, assign(id, 9, ANN)), 'rejected operator-unknown');
  assert.equal(attempt(venue, assign(99, ANN, ANN)), 'rejected withdrawal-unknown');
  assert.equal(attempt(venue, assign(id, ANN, ANN, 'order')), 'rejected value-invalid');
  venue.do(assign(id, ANN, ANN), assign(id, ANN, BEN));
  assert.equal(attempt(venue, assign(id, BEN, BEN)), 'rejected assigned');
  assert.equal(attempt(venue, assign(id, 0, 0)), 'rejected assigned');
  venue.do(assign(id, BEN, ANN));
  assert.deepEqual([of(venue, id), venue.exchange.reference.assignedTo(BEN)], [BEN, [id]]);
  const copy = Exchange.restore(venue.exchange.snapshot());
  assert.equal(copy.reference.assigneeOf(id), BEN);
  venue.do(release(id), assign(id, 0, 0));
  assert.equal(of(venue, id), 0);
  venue.do({ kind: 'claim-withdrawal', withdrawal: id });
  assert.equal(of(venue, id), 0, 'it waits until it is settled');
  venue.do({ kind: 'settle-withdrawal', withdrawal: id, sent: true, txId: 't' });
  assert.equal(of(venue, id), null);
  assert.equal(attempt(venue, assign(id, ANN, ANN)), 'rejected not-in-queue');
});

test('assignments end when the entry is completed or the operator is removed', () => {
  const venue = openVenue();
  const { reference } = venue.exchange;
  const deposit = venue.make({ kind: 'report-deposit', ...money, txId: 'b', travelRule: true });
  const { travelRuleId } = reference.deposit(deposit)!;
  const done = venue.make({ kind: 'report-deposit', ...money, txId: 'c', travelRule: false });
  assert.equal(attempt(venue, assign(done, ANN, ANN, 'deposit')), 'rejected not-in-queue');
  assert.equal(attempt(venue, assign(99, ANN, ANN, 'deposit')), 'rejected deposit-unknown');
  venue.do(assign(deposit, ANN, ANN, 'deposit'));
  const asked = {
    kind: 'submit-questionnaire',
    user: 0,
    travelRuleId,
    senderType: 'company',
    info: 'us',
  } as const;
  const first = venue.make(asked);
  assert.equal(attempt(venue, assign(99, ANN, ANN, 'questionnaire')), 'rejected questionnaire-unknown');
  venue.do(assign(first, BEN, ANN, 'questionnaire'));
  venue.do({ kind: 'decide-questionnaire', questionnaire: first, accepted: false, failureCode: 'odd' });
  assert.deepEqual([reference.assigneeOf(first), reference.assigneeOf(deposit)], [null, ANN]);
  assert.equal(attempt(venue, assign(first, BEN, ANN, 'questionnaire')), 'rejected not-in-queue');
  const second = venue.make(asked);
  venue.do(assign(second, BEN, BEN, 'questionnaire'), { kind: 'remove-operator', changed: BEN });
  assert.deepEqual(reference.assignedTo(BEN), []);
  venue.do({ kind: 'decide-questionnaire', questionnaire: second, accepted: true, failureCode: '' });
  assert.equal(reference.assigneeOf(deposit), null);
});
