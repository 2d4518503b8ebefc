// The core's rules for operators, their roles and tokens, and closing root.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Venue } from '@bourse/test-kit/venue.ts';
import {
  type Administration,
  BREAK_GLASS_MS,
  type Command,
  Exchange,
  type Role,
  RULES_VERSION,
} from '../../src/index.ts';
import { attempt } from '../people/people-world.ts';

const add = (name: string, ...roles: Role[]): Command => ({
  kind: 'add-operator',
  name,
  roles,
  token: `hash of ${name}`,
  call: 'add-operator',
});

function openVenue(...commands: Command[]): Venue {
  const venue = new Venue(new Exchange());
  venue.rules = RULES_VERSION;
  venue.do(...commands);
  return venue;
}

const operatorsOf = ({ exchange }: Venue) => exchange.reference.operators;

test('names, tokens and logins are unique per operator; roles are sorted and known', () => {
  const venue = openVenue({ ...add('ann', 'admin', 'viewer'), login: 'ann@' } as Command);
  assert.deepEqual(operatorsOf(venue).get(1)?.roles, ['viewer', 'admin']);
  assert.equal(attempt(venue, add('ann', 'viewer')), 'rejected code-taken');
  assert.equal(
    attempt(venue, { ...add('bob', 'viewer'), token: 'hash of ann' } as Command),
    'rejected code-taken',
  );
  assert.equal(attempt(venue, { ...add('bob', 'viewer'), login: 'ann@' } as Command), 'rejected code-taken');
  for (const roles of [[], ['king'], ['viewer', 'viewer'], 'viewer', ['__proto__']]) {
    assert.equal(attempt(venue, { ...add('bob'), roles } as Command), 'rejected value-invalid');
  }
  assert.equal(attempt(venue, add('', 'viewer')), 'rejected text-invalid');
  assert.equal(attempt(venue, add('b\u00fcb', 'viewer')), 'rejected text-invalid');
  assert.deepEqual(
    operatorsOf(venue)
      .list()
      .map(({ name }) => name),
    ['ann'],
  );
});

test('a new token replaces the previous one', () => {
  const venue = openVenue(add('ann', 'admin'));
  venue.do({ kind: 'set-operator-token', changed: 1, token: 'another' });
  assert.equal(operatorsOf(venue).ofToken('hash of ann'), null);
  assert.equal(operatorsOf(venue).ofToken('another')?.name, 'ann');
  const same: Command = { kind: 'set-operator-token', changed: 1, token: 'another' };
  assert.equal(attempt(venue, same), 'rejected code-taken');
  assert.equal(attempt(venue, { ...same, changed: 7 }), 'rejected operator-unknown');
});

test('the last admin is neither removed nor demoted; an admin whose token is not valid yet does not count', () => {
  const venue = openVenue(add('ann', 'admin'), add('bob', 'viewer'));
  const remove = (changed: number): Command => ({ kind: 'remove-operator', changed });
  const demote = (changed: number): Command => ({ kind: 'change-operator', changed, roles: ['viewer'] });
  assert.equal(attempt(venue, remove(1)), 'rejected last-admin');
  assert.equal(attempt(venue, demote(1)), 'rejected last-admin');
  const glass: Command = { ...add('eve', 'admin'), kind: 'break-glass' } as Command;
  venue.do({ kind: 'close-root' }, glass);
  assert.equal(attempt(venue, remove(1)), 'rejected last-admin');
  venue.time += BREAK_GLASS_MS;
  assert.equal(attempt(venue, remove(1)), 'accepted');
  assert.equal(attempt(venue, demote(3)), 'rejected last-admin');
  assert.equal(attempt(venue, remove(2)), 'accepted');
  assert.equal(attempt(venue, remove(2)), 'rejected operator-unknown');
  assert.equal(attempt(venue, demote(2)), 'rejected operator-unknown');
});

test('root is closed once, for everything except break-glass', () => {
  const venue = openVenue(add('ann', 'admin'));
  const user = (operator?: number): Command => ({
    kind: 'add-user',
    name: `user ${venue.exchange.seq}`,
    call: 'add-user',
    ...(operator !== undefined && { operator }),
  });
  assert.equal(attempt(venue, user()), 'added');
  assert.equal(attempt(venue, { kind: 'close-root', operator: 1, call: 'close-root' }), 'accepted');
  assert.equal(
    attempt(venue, { kind: 'close-root', operator: 1, call: 'close-root' }),
    'rejected root-closed',
  );
  assert.equal(attempt(venue, user()), 'rejected root-closed');
  assert.equal(attempt(venue, add('bob', 'admin')), 'rejected root-closed');
  assert.equal(attempt(venue, user(1)), 'added');
  assert.equal(attempt(venue, user(2)), 'rejected operator-unknown');
  // Commands of the exchange itself have no call.
  assert.equal(attempt(venue, { kind: 'add-user', name: 'sandbox user' }), 'added');
  const glass: Command = { ...add('eve', 'admin'), kind: 'break-glass' } as Command;
  assert.equal(attempt(venue, glass), 'added');
  assert.equal(operatorsOf(venue).ofName('eve')?.usableFrom, venue.time + BREAK_GLASS_MS);
});

test('a refused call changes nothing', () => {
  const venue = openVenue(add('ann', 'admin'));
  const before = operatorsOf(venue).list();
  const refused: Command = { kind: 'refuse-call', refused: 'add-user', roles: ['support'], operator: 1 };
  assert.equal(attempt(venue, refused), 'rejected role');
  assert.deepEqual(operatorsOf(venue).list(), before);
});

test('a noted call changes nothing, and needs an existing operator', () => {
  const venue = openVenue(add('ann', 'admin'));
  const before = venue.exchange.hash();
  const noted = { kind: 'note-call', noted: 'rotate-secret', call: 'rotate-secret', operator: 1 } as const;
  assert.equal(attempt(venue, noted), 'accepted');
  assert.equal(attempt(venue, { ...noted, operator: 2 }), 'rejected operator-unknown');
  assert.equal(attempt(venue, { ...noted, noted: '' }), 'rejected text-invalid');
  const empty = openVenue(add('ann', 'admin'));
  for (let record = 0; record < 3; record++) empty.do();
  assert.notEqual(venue.exchange.hash(), before);
  assert.equal(venue.exchange.hash(), empty.exchange.hash());
});

test('there are at most 1,000 operators', () => {
  const venue = openVenue(...Array.from({ length: 1000 }, (_, at) => add(`operator ${at}`, 'viewer')));
  assert.equal(attempt(venue, add('one more', 'viewer')), 'rejected operators-in-all');
});

test('a snapshot contains the operators, and the same records give the same state', () => {
  const venue = openVenue(add('ann', 'admin'), add('bob', 'viewer'), add('eve', 'custodian'));
  venue.do({ kind: 'remove-operator', changed: 3 }, { kind: 'close-root' });
  const restored = Exchange.restore(venue.exchange.snapshot());
  assert.equal(restored.hash(), venue.exchange.hash());
  const { operators } = restored.reference;
  assert.deepEqual(operators.list(), operatorsOf(venue).list());
  assert.equal(operators.ofToken('hash of bob')?.id, 2);
  assert.equal(operators.isRootClosed, true);
  const again = new Exchange();
  for (const record of venue.records) again.apply(record);
  assert.equal(again.hash(), venue.exchange.hash());
  const next = new Venue(restored, venue.time);
  next.rules = RULES_VERSION;
  assert.equal(next.make({ ...add('new', 'viewer'), operator: 1 } as Command), 4);
});

test('break-glass can be repeated after a lost token, until an admin confirms the operator', () => {
  const venue = openVenue(add('ann', 'admin'));
  const glass = (name: string, token: string, ...roles: Role[]): Command => ({
    kind: 'break-glass',
    name,
    roles,
    token,
  });
  venue.do({ kind: 'close-root' }, glass('eve', 'first', 'admin'));
  venue.time += BREAK_GLASS_MS + 5;
  assert.equal(attempt(venue, glass('eve', 'second', 'admin')), 'added');
  const eve = operatorsOf(venue).ofName('eve')!;
  assert.deepEqual([eve.id, eve.token, eve.usableFrom], [2, 'second', venue.time + BREAK_GLASS_MS]);
  assert.equal(operatorsOf(venue).ofToken('first'), null);
  // It cannot take the token of another operator, demote one, or take over one that an admin has confirmed.
  assert.equal(attempt(venue, glass('eve', 'second', 'admin')), 'rejected code-taken');
  assert.equal(attempt(venue, glass('eve', 'third', 'viewer')), 'rejected code-taken');
  assert.equal(attempt(venue, glass('ann', 'third', 'admin')), 'rejected code-taken');
  venue.do({ kind: 'change-operator', changed: 2, roles: ['admin', 'support'] });
  assert.equal(attempt(venue, glass('eve', 'third', 'admin', 'support')), 'rejected code-taken');
  assert.equal(operatorsOf(venue).ofName('eve')!.token, 'second');
});

test("the values that an operator's command replaces are kept for the audit trail", () => {
  const venue = openVenue(add('ann', 'admin'), { kind: 'add-user', name: 'dave' });
  const before = (command: Command): unknown => {
    venue.try(command);
    return venue.exchange.reference.before(command as Administration);
  };
  const signed = { by: 'ann', why: 'a test' };
  const user = venue.exchange.reference.users.findIndex(({ name }) => name === 'dave');
  const freeze: Command = { kind: 'change-user', user, frozen: true, ...signed };
  assert.deepEqual(before(freeze), { frozen: false });
  assert.deepEqual(before({ kind: 'change-user', user, tier: 3, frozen: false, ...signed }), {
    tier: 0,
    frozen: true,
  });
  assert.equal(before({ kind: 'change-user', user, tier: 99, ...signed }), null, 'refused');
  assert.equal(before({ kind: 'change-user', user, tier: 1 }), null, 'of the exchange itself');
  assert.equal(before({ kind: 'add-user', name: 'erin', ...signed }), null, 'something new');
  assert.deepEqual(before({ kind: 'change-operator', changed: 1, roles: ['admin', 'viewer'], ...signed }), {
    name: 'ann',
    roles: ['admin'],
  });
  // Only for the latest record.
  assert.equal(venue.exchange.reference.before(freeze as Administration), null);
});
