// `bourse operators`, `proposals`, `policy` and the commands for finance and compliance.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import {
  addressRulesCommand,
  statementsCommand,
  walletsCommand,
  withdrawalLimitsCommand,
} from '../../src/cli/books.ts';
import { correctionsCommand, depositsCommand } from '../../src/cli/money.ts';
import { operatorsCommand, policyCommand, proposalsCommand } from '../../src/cli/operators.ts';
import { usersCommand } from '../../src/cli/users.ts';
import type { RunningExchange } from '../../src/startup/running-exchange.ts';
import { type NewOperator, openFor } from './exchange.ts';

const GROUPS = [
  operatorsCommand,
  proposalsCommand,
  policyCommand,
  usersCommand,
  depositsCommand,
  correctionsCommand,
  addressRulesCommand,
  withdrawalLimitsCommand,
  statementsCommand,
  walletsCommand,
];

/** In this process: starting one for each command would take most of the time. */
async function bourse(
  t: TestContext,
  { connection }: RunningExchange,
  [group, ...args]: readonly string[],
  token: string = connection.operatorToken,
): Promise<string> {
  const command = GROUPS.map((make) => make()).find((each) => each.name() === group);
  assert.ok(command, group);
  let out = '';
  const { mock } = t.mock.method(process.stdout, 'write', (text: string) => {
    out += text;
    return true;
  });
  try {
    const where = ['--url', connection.operatorUrl, '--token', token, '--by', 'tester'];
    await command.parseAsync([...args, ...where], { from: 'user' });
  } finally {
    mock.restore();
  }
  return out;
}

interface Held {
  readonly proposalId: string;
  readonly hash: string;
  readonly status: string;
}

const BECAUSE = ['--reason', 'a test'];

test('the command line adds and removes operators, and closes root', async (t) => {
  const running = await openFor(t);
  const made = async (...args: string[]): Promise<NewOperator> =>
    JSON.parse(await bourse(t, running, ['operators', ...args, ...BECAUSE, '--json'])) as NewOperator;
  const whoami = (token: string) => bourse(t, running, ['operators', 'whoami'], token);
  const ann = await made('add', 'ann', '--roles', 'admin,finance');
  const bob = await made('add', 'bob', '--roles', 'viewer');
  assert.deepEqual((await made('roles', bob.id, '--roles', 'support')).roles, ['support']);
  const { token } = await made('token', bob.id);
  assert.match(await whoami(token), /change-user/);
  await assert.rejects(whoami(bob.token), /token-wrong/);
  await made('remove', bob.id);
  const listed = await bourse(t, running, ['operators', 'list']);
  assert.ok(listed.includes('ann') && !listed.includes('bob'), listed);
  await made('close-root');
  await assert.rejects(bourse(t, running, ['users', 'list']), /Root is closed.*\(role\)/);
  assert.match(await bourse(t, running, ['users', 'list'], ann.token), /alice/);
});

test('the policy and its proposals on the command line', async (t) => {
  const running = await openFor(t);
  const asJson = async <T>(args: readonly string[], token?: string): Promise<T> =>
    JSON.parse(await bourse(t, running, [...args, '--json'], token)) as T;
  const { token } = await asJson<NewOperator>(['operators', 'add', 'bob', '--roles', 'support', ...BECAUSE]);
  const file = join(makeDirectory(t), 'policy.json');
  const policy = { rules: [{ call: 'add-user', approvals: 1, roles: ['support'] }], expiryMs: 60_000 };
  writeFileSync(file, JSON.stringify(policy));
  assert.deepEqual(await asJson(['policy', 'set', file, ...BECAUSE]), policy);
  assert.deepEqual(await asJson(['policy', 'show']), policy);
  const held: Held[] = [];
  for (const name of ['dave', 'erin', 'frank']) {
    held.push(await asJson<Held>(['users', 'add', name, ...BECAUSE]));
  }
  const [{ hash }] = held as [Held];
  const [one, two, three] = held.map(({ proposalId }) => proposalId) as [string, string, string];
  assert.equal((await asJson<Held>(['proposals', 'show', one])).hash, hash);
  const approve = ['proposals', 'approve', one, '--hash', hash, ...BECAUSE];
  assert.equal((await asJson<Held>(approve, token)).status, 'approved');
  assert.equal((await asJson<Held>(['proposals', 'refuse', two, ...BECAUSE], token)).status, 'refused');
  assert.match(await bourse(t, running, ['proposals', 'withdraw', three, ...BECAUSE]), /withdrawn/);
  assert.equal((await asJson<Held[]>(['proposals', 'list', '--status', 'open'])).length, 0);
  const listed = await bourse(t, running, ['proposals', 'list']);
  assert.ok(listed.includes(one) && listed.includes('withdrawn'), listed);
  assert.match(await bourse(t, running, ['users', 'list']), /dave/);
});

test('queues, limits, address rules, statements and wallets on the command line', async (t) => {
  const running = await openFor(t);
  const run = (...args: string[]) => bourse(t, running, args);
  const asJson = async <T>(...args: string[]): Promise<T> =>
    JSON.parse(await bourse(t, running, [...args, '--json'])) as T;
  const { depositId } = await asJson<{ depositId: string }>(
    'deposits',
    'add',
    'bob',
    '5',
    'USDT',
    '--chain',
    'erc20',
    '--tx',
    '0xwaits',
    '--travel-rule',
    ...BECAUSE,
  );
  await run('deposits', 'assign', depositId, ...BECAUSE);
  const found = await asJson<{ items: { depositId: string; assigned: string }[] }>(
    'deposits',
    'list',
    '--search',
    'WAITS',
    '--older-than',
    '0',
    '--assigned',
    'root',
  );
  assert.deepEqual([found.items[0]?.depositId, found.items[0]?.assigned], [depositId, 'root']);
  assert.match(await run('deposits', 'release', depositId, ...BECAUSE), /assigned/);

  const { ruleId } = await asJson<{ ruleId: number }>('address-rules', 'block', '0xBAD', ...BECAUSE);
  assert.match(await run('address-rules', 'list'), /block\s+0xBAD/);
  await run('address-rules', 'remove', String(ruleId), ...BECAUSE);
  assert.deepEqual(await asJson('address-rules', 'list'), []);

  await run('withdrawal-limits', 'set', 'USDT', '50', '--tier', '0', ...BECAUSE);
  await run('withdrawal-limits', 'set', 'USDT', '30', '--user', 'alice', ...BECAUSE);
  assert.match(await run('withdrawal-limits', 'show', 'alice'), /USDT\s+30\s+0\s+30\s+user/);
  await run('withdrawal-limits', 'set', 'USDT', 'none', '--user', 'alice', ...BECAUSE);
  assert.match(await run('withdrawal-limits', 'show', 'alice'), /USDT\s+50\s+0\s+50\s+tier/);

  const move = ['corrections', 'move', '10', 'USDT', '--from', 'alice/main', '--to', 'suspense'];
  await run(...move, '--client-oid', 'once', ...BECAUSE);
  await run(...move, '--client-oid', 'once', ...BECAUSE);
  const period = ['--from', '0', '--until', '9999999999999'];
  const { accounts } = await asJson<{ accounts: { entries: { kind: string; amount: string }[] }[] }>(
    'statements',
    'show',
    'alice',
    ...period,
  );
  const moved = accounts.flatMap(({ entries }) => entries).filter(({ kind }) => kind === 'correction');
  assert.deepEqual(
    moved.map(({ amount }) => amount),
    ['-10'],
  );
  assert.match(await run('statements', 'show', 'alice', ...period), /main USDT: 0 to /);

  await run('wallets', 'report', 'USDT', '1000', '--at', '2024-01-01T00:00:00Z', ...BECAUSE);
  const [usdt] = (await asJson<{ currency: string; wallets: string | null }[]>('wallets', 'compare')).filter(
    ({ currency }) => currency === 'USDT',
  );
  assert.equal(usdt?.wallets, '1000');
});
