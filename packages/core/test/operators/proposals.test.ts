// Approvals: which calls the policy covers, who decides, and what is executed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMarket } from '@bourse/test-kit/market.ts';
import { Venue } from '@bourse/test-kit/venue.ts';
import {
  type Command,
  Exchange,
  type PolicyRule,
  type Role,
  RULES_VERSION,
  statusAt,
} from '../../src/index.ts';
import { attempt } from '../people/people-world.ts';

const ANN = 1;
const BOB = 2;
const EVE = 3;
const ROOT = undefined;
const HOUR_MS = 3_600_000;

const add = (name: string, ...roles: Role[]): Command => ({
  kind: 'add-operator',
  name,
  roles,
  token: `hash of ${name}`,
});

const by = (operator: number | undefined) =>
  operator === undefined ? {} : { operator, by: `op ${operator}` };

const deposit = (operator: number | undefined, amount: bigint, txId: string, currency = 0): Command => ({
  kind: 'report-deposit',
  user: 0,
  currency,
  chain: 'net',
  amount,
  txId,
  travelRule: false,
  call: 'report-deposit',
  ...by(operator),
});

const approve = (proposal: number, operator: number | undefined): Command => ({
  kind: 'approve-proposal',
  proposal,
  call: 'approve-proposal',
  ...by(operator),
});

const RULE: PolicyRule = { call: 'report-deposit', approvals: 1, roles: ['finance'] };
const policy = (...rules: PolicyRule[]): Command => ({ kind: 'set-policy', rules, expiryMs: HOUR_MS });

function openVenue(...rules: PolicyRule[]): Venue {
  const venue = new Venue(new Exchange());
  venue.rules = RULES_VERSION;
  venue.do(...openMarket(), add('ann', 'finance'), add('bob', 'finance', 'admin'), add('eve', 'finance'));
  venue.do(policy(...rules));
  return venue;
}

const moneyOf = ({ exchange }: Venue): bigint => exchange.balance(0, 'main', 0).available;
const statusOf = ({ exchange, time }: Venue, id: number): string =>
  statusAt(exchange.reference.proposals.get(id)!, time);

test('a proposed command changes nothing until the last approval executes it', () => {
  const venue = openVenue({ ...RULE, approvals: 2 });
  const before = moneyOf(venue);
  const [outcome] = venue.do(deposit(ANN, 5n, 'one')).outcomes;
  assert.deepEqual(outcome, { kind: 'proposed', proposal: 1, expires: venue.time + HOUR_MS });
  assert.equal(moneyOf(venue), before);
  assert.equal(attempt(venue, approve(1, ANN)), 'rejected own-proposal');
  assert.equal(attempt(venue, approve(9, BOB)), 'rejected proposal-unknown');
  assert.deepEqual(venue.do(approve(1, BOB)).outcomes, [{ kind: 'approved', proposal: 1, executed: null }]);
  assert.equal(attempt(venue, approve(1, BOB)), 'rejected approved-already');
  assert.equal(moneyOf(venue), before);
  const [last] = venue.do(approve(1, EVE)).outcomes;
  assert.ok(last.kind === 'approved' && last.executed);
  assert.equal(last.executed.outcome.kind, 'deposit');
  assert.deepEqual(last.executed.approvedBy, ['op 2', 'op 3']);
  assert.equal(moneyOf(venue), before + 5n);
  assert.equal(statusOf(venue, 1), 'approved');
  assert.equal(attempt(venue, approve(1, ROOT)), 'rejected proposal-closed');
  assert.equal(moneyOf(venue), before + 5n);
});

test('amounts above the limit of the currency need approval, and every amount of an unlisted currency', () => {
  const venue = openVenue({ ...RULE, above: [{ currency: 0, amount: 10n }] });
  assert.equal(attempt(venue, deposit(ANN, 10n, 'equal')), 'deposit');
  assert.equal(attempt(venue, deposit(ANN, 11n, 'more')), 'proposed');
  assert.equal(attempt(venue, deposit(ANN, 1n, 'other', 1)), 'proposed');
  // The exchange's own commands are not calls.
  const { call: _, ...own } = deposit(ANN, 99n, 'own') as Command & { call: string };
  assert.equal(attempt(venue, own as Command), 'deposit');
});

test('settling counts the amount of its withdrawal; of several rules the strictest that applies counts', () => {
  const small = { call: 'settle-withdrawal', approvals: 1, roles: ['finance'] } as const;
  const venue = openVenue(
    { ...small, above: [{ currency: 0, amount: 100n }] },
    { ...small, approvals: 2, above: [{ currency: 0, amount: 1000n }] },
  );
  venue.do(deposit(ANN, 10n ** 12n, 'money'));
  const { chains } = venue.exchange.reference.currencies[0]!;
  const ask = (amount: bigint): number =>
    venue.make({
      kind: 'request-withdrawal',
      user: 0,
      currency: 0,
      chain: chains[0]!.chainId,
      amount,
      address: 'there',
      memo: '',
    });
  const settle = (withdrawal: number): Command => ({
    kind: 'settle-withdrawal',
    withdrawal,
    sent: false,
    call: 'settle-withdrawal',
    ...by(ANN),
  });
  assert.equal(attempt(venue, settle(ask(100n))), 'accepted');
  assert.equal(attempt(venue, settle(ask(101n))), 'proposed');
  assert.equal(attempt(venue, settle(ask(1001n))), 'proposed');
  const { proposals } = venue.exchange.reference;
  assert.deepEqual(
    proposals.list().map(({ approvalsNeeded }) => approvalsNeeded),
    [1, 2],
  );
  assert.equal(attempt(venue, settle(999_999)), 'rejected withdrawal-unknown');
});

test('refused, withdrawn and expired proposals are over', () => {
  const venue = openVenue(RULE);
  const before = moneyOf(venue);
  venue.do(deposit(ANN, 1n, 'a'), deposit(ANN, 1n, 'b'), deposit(ANN, 1n, 'c'));
  const refuse = (proposal: number, operator: number): Command => ({
    kind: 'refuse-proposal',
    proposal,
    ...by(operator),
  });
  const withdraw = (proposal: number, operator: number): Command => ({
    kind: 'withdraw-proposal',
    proposal,
    ...by(operator),
  });
  assert.equal(attempt(venue, refuse(1, ANN)), 'rejected own-proposal');
  assert.equal(attempt(venue, withdraw(1, BOB)), 'rejected not-proposer');
  assert.equal(attempt(venue, refuse(1, BOB)), 'accepted');
  assert.equal(attempt(venue, withdraw(2, ANN)), 'accepted');
  assert.equal(attempt(venue, approve(1, BOB)), 'rejected proposal-closed');
  assert.equal(attempt(venue, withdraw(2, ANN)), 'rejected proposal-closed');
  venue.time += HOUR_MS - 1;
  assert.equal(statusOf(venue, 3), 'open');
  venue.time += 1;
  assert.equal(attempt(venue, approve(3, BOB)), 'rejected expired');
  assert.equal(attempt(venue, refuse(3, BOB)), 'rejected expired');
  assert.deepEqual(
    [1, 2, 3].map((id) => statusOf(venue, id)),
    ['refused', 'withdrawn', 'expired'],
  );
  assert.equal(moneyOf(venue), before);
});

test('only roles of the rule decide; approvals of operators who lost the role do not count', () => {
  const venue = openVenue({ ...RULE, approvals: 2, roles: ['admin', 'finance'] });
  venue.do(add('sue', 'support'));
  venue.do(deposit(ANN, 1n, 'a'));
  assert.equal(attempt(venue, approve(1, 4)), 'rejected role');
  venue.do(approve(1, EVE));
  venue.do({ kind: 'change-operator', changed: EVE, roles: ['viewer'] });
  const [outcome] = venue.do(approve(1, BOB)).outcomes;
  assert.ok(outcome.kind === 'approved' && outcome.executed === null);
  const [last] = venue.do(approve(1, ROOT)).outcomes;
  assert.ok(last.kind === 'approved' && last.executed);
});

test('a command that is rejected at the last approval makes the proposal fail, with the reason', () => {
  const venue = openVenue({ call: 'change-user', approvals: 1, roles: ['support', 'admin'] });
  venue.do({ kind: 'change-user', user: 0, tier: 99, call: 'change-user', ...by(ANN) });
  const [outcome] = venue.do(approve(1, BOB)).outcomes;
  assert.ok(outcome.kind === 'approved' && outcome.executed?.outcome.kind === 'rejected');
  assert.equal(statusOf(venue, 1), 'failed');
  assert.equal(venue.exchange.reference.proposals.get(1)?.failure?.code, 'value-invalid');
});

test('a change of the policy is itself subject to the policy', () => {
  const venue = openVenue({ call: 'set-policy', approvals: 1, roles: ['admin'] });
  const open = { ...policy(), call: 'set-policy', ...by(ANN) } as Command;
  assert.equal(attempt(venue, open), 'proposed');
  assert.equal(venue.exchange.reference.proposals.policy.rules.length, 1);
  venue.do(approve(1, BOB));
  assert.equal(venue.exchange.reference.proposals.policy.rules.length, 0);
  for (const bad of [
    policy({ ...RULE, approvals: 0 }),
    policy({ ...RULE, approvals: 4 }),
    policy({ ...RULE, approvals: 1.5 }),
    policy({ ...RULE, roles: [] }),
    policy({ ...RULE, above: [{ currency: 0, amount: -1n }] }),
    { ...policy(), expiryMs: 0 } as Command,
    { ...policy(), expiryMs: Number.NaN } as Command,
    policy(...Array.from({ length: 101 }, () => RULE)),
  ]) {
    assert.equal(attempt(venue, bad), 'rejected value-invalid');
  }
  assert.equal(
    attempt(venue, policy({ ...RULE, above: [{ currency: 99, amount: 1n }] })),
    'rejected currency-unknown',
  );
});

test('break-glass needs no approval', () => {
  const venue = openVenue({ call: 'add-operator', approvals: 3, roles: ['admin'] });
  venue.do({ kind: 'close-root' });
  const glass = { ...add('zoe', 'admin'), kind: 'break-glass', call: 'add-operator' } as Command;
  assert.equal(attempt(venue, glass), 'added');
  assert.equal(
    attempt(venue, { ...add('max', 'admin'), call: 'add-operator', ...by(ANN) } as Command),
    'proposed',
  );
});

test('at most 500 are kept: the oldest closed one makes room, and open ones stay', () => {
  const venue = openVenue(RULE);
  venue.do(...Array.from({ length: 500 }, (_, at) => deposit(ANN, 1n, `tx ${at}`)));
  assert.equal(attempt(venue, deposit(ANN, 1n, 'one more')), 'rejected proposals-in-all');
  venue.do(approve(7, BOB));
  assert.equal(attempt(venue, deposit(ANN, 1n, 'one more')), 'proposed');
  const { proposals } = venue.exchange.reference;
  assert.equal(proposals.get(7), null);
  assert.equal(proposals.list().length, 500);
});

test('a snapshot in the middle, and the same records again, give the same state', () => {
  const venue = openVenue({ ...RULE, approvals: 2, above: [{ currency: 0, amount: 1n }] });
  venue.do(deposit(ANN, 5n, 'one'), deposit(BOB, 6n, 'two'));
  venue.do(approve(1, BOB));
  const restored = new Venue(Exchange.restore(venue.exchange.snapshot()), venue.time);
  restored.rules = RULES_VERSION;
  assert.equal(restored.exchange.hash(), venue.exchange.hash());
  venue.do(approve(1, EVE));
  restored.do(approve(1, EVE));
  assert.equal(restored.exchange.hash(), venue.exchange.hash());
  const again = new Exchange();
  for (const record of venue.records) again.apply(record);
  assert.equal(again.hash(), venue.exchange.hash());
});

test('a call with the same effect as another is subject to the policy of both', () => {
  const settling: PolicyRule = { call: 'settle-withdrawal', approvals: 1, roles: ['finance'] };
  const venue = openVenue(
    settling,
    { ...RULE, call: 'change-user' },
    { ...RULE, call: 'unfreeze-user', approvals: 2 },
  );
  const change = (more: object): Command =>
    ({ kind: 'change-user', user: 0, call: 'change-user', ...by(ANN), ...more }) as Command;
  const needed = () => venue.exchange.reference.proposals.list().at(-1)?.approvalsNeeded;
  assert.equal(attempt(venue, change({ tier: 3 })), 'proposed');
  assert.equal(needed(), 1);
  // Neither call avoids the policy of the other.
  assert.equal(attempt(venue, change({ frozen: false, tier: 3 })), 'proposed');
  assert.equal(needed(), 2);
  // Nor the roles: those that may approve a change of the user may not approve the effect.
  for (const [general, own] of [
    [2, 1],
    [1, 1],
    [1, 2],
  ] as const) {
    venue.do(
      policy(
        { call: 'change-user', approvals: general, roles: ['support'] },
        { call: 'unfreeze-user', approvals: own, roles: ['compliance'] },
      ),
    );
    assert.equal(attempt(venue, change({ frozen: false })), 'proposed');
    const { roles, approvalsNeeded } = venue.exchange.reference.proposals.list().at(-1)!;
    assert.deepEqual([roles, approvalsNeeded], [['compliance'], Math.max(general, own)]);
    // Compliance may not approve the tier, which is for support to approve.
    assert.equal(attempt(venue, change({ frozen: false, tier: 4 })), 'rejected value-invalid');
  }
  venue.do(policy({ ...RULE, call: 'change-symbol', roles: ['listing'] }));
  const notice: Command = {
    kind: 'publish-notice',
    title: 'Prices',
    text: 'From tomorrow on.',
    url: '',
    types: ['product-updates'],
    language: 'en_US',
    publishAt: 0,
    call: 'publish-notice',
    ...by(ANN),
  };
  assert.equal(attempt(venue, notice), 'added');
  const at = venue.exchange.time + 1;
  assert.equal(attempt(venue, { ...notice, change: { symbol: 0, at, priceIncrement: '100' } }), 'proposed');
  venue.do(policy({ ...RULE, call: 'set-market-state', roles: ['listing'] }));
  const auction: Command = {
    kind: 'begin-auction',
    symbol: 0,
    endsInMs: 1,
    thenState: 'open',
    call: 'begin-auction',
    ...by(ANN),
  };
  assert.equal(attempt(venue, auction), 'proposed');
  const later: Command = {
    kind: 'schedule-call',
    at: venue.exchange.time + 1,
    scheduled: 'begin-auction',
    command: { kind: 'begin-auction', symbol: 0, endsInMs: 1, thenState: 'open' },
    call: 'schedule-call',
    ...by(ANN),
  };
  assert.equal(attempt(venue, later), 'proposed');
  venue.do(policy({ ...RULE, call: 'change-user' }));
  assert.equal(attempt(venue, change({ frozen: false, tier: 3 })), 'proposed');
  venue.do(policy({ ...RULE, call: 'freeze-user' }));
  assert.equal(attempt(venue, change({ frozen: true })), 'proposed');
  assert.equal(attempt(venue, change({ tier: 3 })), 'accepted');

  venue.do(policy(settling), deposit(ANN, 10n ** 12n, 'money'));
  const { chains } = venue.exchange.reference.currencies[0];
  const withdrawal = venue.make({
    kind: 'request-withdrawal',
    user: 0,
    currency: 0,
    chain: chains[0].chainId,
    amount: 1000n,
    address: 'there',
    memo: '',
  });
  venue.do({ kind: 'claim-withdrawal', withdrawal, ...by(ANN) });
  const sent: Command = {
    kind: 'settle-withdrawal',
    withdrawal,
    sent: true,
    txId: '0x1',
    call: 'advance-withdrawal',
    ...by(ANN),
  };
  assert.equal(attempt(venue, sent), 'proposed');
  assert.equal(venue.exchange.reference.withdrawal(withdrawal)?.state, 'paying');
});
