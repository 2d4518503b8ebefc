// Two pairs of eyes over HTTP: the policy, and proposals from the call to the outcome.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { addOperator, codeOf, openFor, Operator, type OperatorReply, withToken } from './exchange.ts';

interface Held {
  readonly proposalId: string;
  readonly hash: string;
  readonly call: string;
  readonly expires: number;
}

interface Shown extends Held {
  readonly status: string;
  readonly outcome?: { readonly kind: string; readonly code?: string };
  readonly failure?: { readonly code: string; readonly msg: string };
  readonly change: { readonly before: unknown; readonly after: Readonly<Record<string, unknown>> };
}

const HOUR_MS = 3_600_000;
const RULE = { call: 'report-deposit', approvals: 1 };
const deposit = (amount: string, txId: string) => ({
  userId: 'alice',
  currency: 'USDT',
  amount,
  txId,
});

async function openOffice(t: TestContext, rules: object[], flags: Record<string, string> = {}) {
  const running = await openFor(t, { flags });
  const root = new Operator(running);
  const named = async (name: string, ...roles: Parameters<typeof addOperator>[2][]) =>
    withToken(running, (await addOperator(root, name, ...roles)).token);
  const ann = await named('ann', 'finance', 'listing');
  const bob = await named('bob', 'finance', 'support', 'admin');
  const eve = await named('eve', 'finance');
  const vic = await named('vic', 'viewer');
  const set = await root.post('/v1/policy', { rules, expiryMs: HOUR_MS });
  assert.equal(set.status, 200, JSON.stringify(set.body));
  const { body } = await root.get('/v1/currencies');
  const currencies = body as { currency: string; chains: { chainId: string }[] }[];
  const chain = currencies.find(({ currency }) => currency === 'USDT')!.chains[0]!.chainId;
  const report = (who: Operator, amount: string, txId: string) =>
    who.post('/v1/deposits', { ...deposit(amount, txId), chain });
  return { running, root, ann, bob, eve, vic, report };
}

const heldOf = ({ status, body }: OperatorReply): Held => {
  assert.equal(status, 202, JSON.stringify(body));
  return body as Held;
};
const approve = (who: Operator, { proposalId, hash }: Held): Promise<OperatorReply> =>
  who.post(`/v1/proposals/${proposalId}/approve`, { hash });
const shownOf = async (who: Operator, { proposalId }: Held): Promise<Shown> =>
  (await who.get(`/v1/proposals/${proposalId}`)).body as Shown;
const seen = async (who: Operator, txId: string): Promise<boolean> => {
  const { body } = await who.get('/v1/deposits?userId=alice');
  return (body as { items: { txId: string }[] }).items.some((each) => each.txId === txId);
};

test('a call under policy is proposed, approved by others, executed once, and recorded in the audit trail', async (t) => {
  const { root, ann, bob, eve, vic, report } = await openOffice(t, [{ ...RULE, approvals: 2 }]);
  const held = heldOf(await report(ann, '5', 'tx-1'));
  assert.deepEqual(Object.keys(held), ['proposalId', 'hash', 'call', 'expires']);
  assert.equal(held.call, 'report-deposit');
  assert.equal(await seen(root, 'tx-1'), false);
  const shown = await shownOf(vic, held);
  assert.deepEqual([shown.status, shown.hash], ['open', held.hash]);
  assert.deepEqual(
    [shown.change.after['kind'], shown.change.after['amount'], shown.change.after['txId']],
    ['report-deposit', '5', 'tx-1'],
  );

  assert.deepEqual(codeOf(await approve(ann, held)), [403, 'own-proposal']);
  assert.deepEqual(codeOf(await approve(vic, held)), [403, 'role']);
  assert.deepEqual(codeOf(await approve(bob, { ...held, hash: '0'.repeat(64) })), [409, 'hash']);
  assert.equal((await approve(bob, held)).status, 202);
  assert.deepEqual(codeOf(await approve(bob, held)), [409, 'approved-already']);
  assert.equal(await seen(root, 'tx-1'), false);
  const last = await approve(eve, held);
  assert.equal(last.status, 200, JSON.stringify(last.body));
  assert.deepEqual((last.body as Shown).outcome, { kind: 'deposit' });
  assert.equal((last.body as Shown).status, 'approved');
  assert.equal(await seen(root, 'tx-1'), true);
  assert.deepEqual(codeOf(await approve(root, held)), [409, 'proposal-closed']);
  assert.deepEqual(codeOf(await approve(root, { ...held, proposalId: 'x' })), [404, 'proposal-unknown']);

  const rows = (await root.get('/v1/audit?limit=500')).body as {
    by: string;
    action: string;
    outcome: string;
    approvedBy: string[];
  }[];
  const trail = rows.filter(({ by, action }) => by !== 'sandbox' && /deposit|proposal/.test(action));
  assert.deepEqual(
    trail.map(({ by, action, outcome, approvedBy }) => [by, action, outcome, approvedBy.join(' ')]),
    [
      ['operator', 'approve-proposal', 'proposal-closed', ''],
      ['ann', 'report-deposit', 'accepted', 'bob eve'],
      ['eve', 'approve-proposal', 'accepted', ''],
      ['bob', 'approve-proposal', 'approved-already', ''],
      ['bob', 'approve-proposal', 'accepted', ''],
      ['ann', 'approve-proposal', 'own-proposal', ''],
      ['ann', 'report-deposit', 'proposed', ''],
    ],
  );
});

test('proposals above an amount can be refused or withdrawn, are listed by status, and bind even root', async (t) => {
  const { root, ann, bob, eve, report } = await openOffice(t, [{ ...RULE, above: { USDT: '1000' } }]);
  assert.equal((await report(ann, '1000', 'tx-small')).status, 200);
  const one = heldOf(await report(ann, '1000.01', 'tx-one'));
  const two = heldOf(await report(ann, '2000', 'tx-two'));
  const three = heldOf(await report(root, '3000', 'tx-three'));
  const refuse = (who: Operator, { proposalId }: Held) => who.post(`/v1/proposals/${proposalId}/refuse`, {});
  const withdraw = (who: Operator, { proposalId }: Held) =>
    who.post(`/v1/proposals/${proposalId}/withdraw`, {});
  assert.deepEqual(codeOf(await refuse(ann, one)), [403, 'own-proposal']);
  assert.deepEqual(codeOf(await withdraw(bob, one)), [403, 'not-proposer']);
  assert.equal(((await refuse(bob, one)).body as Shown).status, 'refused');
  assert.equal(((await withdraw(ann, two)).body as Shown).status, 'withdrawn');
  assert.deepEqual(codeOf(await approve(eve, one)), [409, 'proposal-closed']);
  assert.deepEqual(codeOf(await approve(root, three)), [403, 'own-proposal']);
  const listed = async (status: string) =>
    ((await root.get(`/v1/proposals?status=${status}`)).body as Shown[]).map((each) => each.proposalId);
  assert.deepEqual(await listed('refused'), [one.proposalId]);
  assert.deepEqual(await listed('withdrawn'), [two.proposalId]);
  assert.deepEqual(await listed('open'), [three.proposalId]);
  assert.deepEqual(await listed('approved'), []);
  assert.equal((await root.get('/v1/proposals?status=lost')).status, 400);
  assert.equal((await approve(eve, three)).status, 200);
  assert.equal(await seen(root, 'tx-three'), true);
});

test('a proposal expires by exchange time, and one whose command is rejected has failed', async (t) => {
  const rules = [RULE, { call: 'set-fees', approvals: 1, roles: ['support'] }];
  const { running, root, ann, bob, eve, report } = await openOffice(t, rules, { clock: 'manual' });
  const late = heldOf(await report(ann, '5', 'tx-late'));
  const wrong = heldOf(await ann.post('/v1/fees', { maker: '0.5', taker: '0.1' }));
  assert.deepEqual(codeOf(await approve(eve, wrong)), [403, 'role']);
  const failed = await approve(bob, wrong);
  assert.equal(failed.status, 200, JSON.stringify(failed.body));
  assert.equal((failed.body as Shown).status, 'failed');
  assert.equal((failed.body as Shown).outcome?.kind, 'rejected');
  const { failure } = await shownOf(root, wrong);
  assert.ok(failure && failure.msg.length > 0, JSON.stringify(failure));
  const { sandboxUrl, operatorToken } = running.connection;
  const advanced = await fetch(`${sandboxUrl}/clock/advance`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ms: HOUR_MS }),
  });
  assert.equal(advanced.status, 200);
  assert.deepEqual(codeOf(await approve(bob, late)), [409, 'expired']);
  assert.equal((await shownOf(root, late)).status, 'expired');
  assert.equal(await seen(root, 'tx-late'), false);
});

test('the policy can require approval for its own changes, and can name only existing calls', async (t) => {
  const { root, ann, bob, vic } = await openOffice(t, [
    { call: 'set-policy', approvals: 1, roles: ['finance'] },
    { call: 'add-key', approvals: 1, roles: ['finance'] },
  ]);
  const bad: [object, string][] = [
    [{ call: 'no-such-call', approvals: 1 }, 'call-unknown'],
    [{ call: '__proto__', approvals: 1 }, 'call-unknown'],
    [{ call: 'list-users', approvals: 1 }, 'call-not-possible'],
    [{ call: 'approve-proposal', approvals: 1 }, 'call-not-possible'],
    [{ call: 'reload', approvals: 1 }, 'call-not-possible'],
    [{ call: 'add-user', approvals: 1, above: { USDT: '1' } }, 'field-not-allowed'],
    [{ ...RULE, above: { NONE: '1' } }, 'currency-unknown'],
    [{ ...RULE, above: { USDT: '-1' } }, 'value-invalid'],
    [{ ...RULE, approvals: 0 }, 'parameter-invalid'],
    [{ ...RULE, approvals: 4 }, 'parameter-invalid'],
    [{ ...RULE, roles: [] }, 'parameter-invalid'],
    [{ ...RULE, roles: ['viewer'] }, 'parameter-invalid'],
    [{ ...RULE, colour: 'red' }, 'parameter-invalid'],
  ];
  for (const [rule, code] of bad) {
    const reply = await root.post('/v1/policy', { rules: [rule], expiryMs: HOUR_MS });
    assert.equal((reply.body as { code: string }).code, code, JSON.stringify([rule, reply.body]));
  }
  for (const expiryMs of [0, -1, 1.5, 1e15]) {
    assert.equal((await root.post('/v1/policy', { rules: [], expiryMs })).status, 400);
  }
  const rules = [{ call: 'settle-withdrawal', above: { USDT: '12.5' }, approvals: 2, roles: ['finance'] }];
  const held = heldOf(await bob.post('/v1/policy', { rules, expiryMs: 1000 }));
  assert.deepEqual(codeOf(await vic.post('/v1/policy', { rules, expiryMs: 1000 })), [403, 'role']);
  assert.equal((await approve(ann, held)).status, 200);
  assert.deepEqual((await vic.get('/v1/policy')).body, { rules, expiryMs: 1000 });
});

test('a token or secret is returned once, with the proposal, and works after approval', async (t) => {
  const { running, root, bob, ann } = await openOffice(t, [
    { call: 'add-operator', approvals: 1, roles: ['finance'] },
    { call: 'add-key', approvals: 1, roles: ['finance'] },
  ]);
  const held = heldOf(await bob.post('/v1/operators', { name: 'new', roles: ['viewer'] }));
  const { token } = held as Held & { token: string };
  assert.deepEqual(codeOf(await withToken(running, token).get('/v1/caller')), [401, 'token-wrong']);
  const shown = JSON.stringify(await shownOf(root, held));
  assert.ok(!shown.includes(token) && !shown.includes('"token"'), shown);
  assert.equal((await approve(ann, held)).status, 200);
  assert.equal((await withToken(running, token).get('/v1/caller')).status, 200);
  const key = heldOf(await bob.post('/v1/users/alice/keys', { permissions: ['General'] }));
  assert.ok('apiSecret' in key && 'apiPassphrase' in key);
  assert.ok(!JSON.stringify(await shownOf(root, key)).includes('secret'));
});

test('an approved change of one address source keeps the sources that others set meanwhile', async (t) => {
  const { root, ann, bob } = await openOffice(t, [
    { call: 'set-address-source', approvals: 1, roles: ['finance'] },
  ]);
  const { body } = await root.get('/v1/address-sources');
  const [first, second] = (body as { chain: string }[]).map(({ chain }) => chain);
  const propose = async (chain: string) =>
    heldOf(await ann.post('/v1/address-sources', { chain, source: 'list' }));
  const [one, two] = [await propose(first!), await propose(second!)];
  for (const held of [one, two]) assert.equal((await approve(bob, held)).status, 200);
  const sources = (await root.get('/v1/address-sources')).body as { chain: string; source: string }[];
  assert.deepEqual(
    sources.filter(({ source }) => source === 'list').map(({ chain }) => chain),
    [first, second],
  );
});

test('the audit trail has the replaced value and the origin of a change, even after approval', async (t) => {
  const { root, ann, bob } = await openOffice(t, [
    { call: 'set-market-state', approvals: 1, roles: ['finance', 'admin'] },
  ]);
  interface Entry {
    readonly action: string;
    readonly from: string | null;
    readonly before: unknown;
    readonly details: Readonly<Record<string, unknown>>;
  }
  const last = async (action: string): Promise<Entry> => {
    const { body } = await root.get('/v1/audit?limit=20');
    return (body as Entry[]).find((each) => each.action === action)!;
  };
  await root.post('/v1/users/alice', { tier: 2 });
  await root.post('/v1/users/alice', { tier: 3, frozen: true });
  const changed = await last('change-user');
  assert.deepEqual(changed.before, { tier: 2, frozen: false });
  assert.deepEqual([changed.details['tier'], changed.details['frozen']], [3, true]);
  assert.match(String(changed.from), /127\.0\.0\.1|::1/);
  assert.equal('ip' in changed.details, false);

  const policy = await last('set-policy');
  assert.deepEqual(policy.before, { rules: [], expiryMs: 86_400_000 });
  const held = heldOf(await ann.post('/v1/symbols/BTC-USDT/state', { state: 'halted' }));
  assert.equal((await last('set-market-state')).before, null, 'nothing has changed yet');
  assert.equal((await approve(bob, held)).status, 200);
  const done = await last('set-market-state');
  assert.deepEqual([done.before, done.details['state']], [{ state: 'open' }, 'halted']);
  const { body } = await root.get('/v1/operators');
  const vic = (body as { id: string; name: string }[]).find(({ name }) => name === 'vic')!;
  await root.delete(`/v1/operators/${vic.id}?reason=leaves`);
  assert.deepEqual((await last('remove-operator')).before, { name: 'vic', roles: ['viewer'] });
});

test('a proposal shows the value it would replace: fees, a notice, a balance', async (t) => {
  const calls = ['set-fees', 'remove-notice', 'report-deposit'];
  const { root, ann, bob, report } = await openOffice(
    t,
    calls.map((call) => ({ call, approvals: 1, roles: ['finance', 'listing', 'admin'] })),
  );
  const beforeOf = async (held: Held): Promise<unknown> => (await shownOf(root, held)).change.before;
  const fees = { maker: '0.0005', taker: '0.002' };
  const first = heldOf(await root.post('/v1/fees', fees));
  assert.deepEqual(await beforeOf(first), { maker: '0.001', taker: '0.001' });
  assert.equal((await approve(bob, first)).status, 200);
  const second = heldOf(await root.post('/v1/fees', { maker: '0', taker: '0.001' }));
  assert.deepEqual(await beforeOf(second), fees);

  const notice = { title: 'Maintenance', text: 'On Sunday.' };
  const { body } = await root.post('/v1/notices', notice);
  const { noticeId } = body as { noticeId: string };
  const removal = heldOf(await root.delete(`/v1/notices/${noticeId}`));
  const { title, text } = (await beforeOf(removal)) as typeof notice;
  assert.deepEqual({ title, text }, notice);

  const held = heldOf(await report(ann, '5', 'before'));
  const { currency, available } = (await beforeOf(held)) as { currency: string; available: string };
  assert.equal(currency, 'USDT');
  assert.match(available, /^[0-9.]+$/);
});

test('the list of proposals shows only the length of a long list in a command; the proposal itself shows all of it', async (t) => {
  const { ann } = await openOffice(t, [{ call: 'load-addresses', approvals: 1 }]);
  const held: Held[] = [];
  for (let at = 0; at < 12; at++) {
    const addresses = Array.from({ length: at === 0 ? 2 : 900 }, (_, n) => ({
      address: `bourse${'abcdefghijkl'[at]}`,
      memo: String(at * 1000 + n),
    }));
    held.push(heldOf(await ann.post('/v1/address-lists', { chain: 'eos', addresses })));
  }
  const { status, body } = await ann.get('/v1/proposals?status=open');
  assert.equal(status, 200);
  const listed = body as { proposalId: string; hash: string; command: { addresses: unknown } }[];
  assert.deepEqual(
    listed.map(({ proposalId, hash }) => ({ proposalId, hash })),
    held.map(({ proposalId, hash }) => ({ proposalId, hash })).toReversed(),
  );
  assert.deepEqual(listed[0]!.command.addresses, { count: 900 });
  assert.equal((listed.at(-1)!.command.addresses as object[]).length, 2);
  const { change } = await shownOf(ann, held[1]!);
  assert.equal((change.after['addresses'] as object[]).length, 900);
});
