// `bourse operators`, `proposals` and `policy`: every call of operators has a command.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { operatorsCommand } from '../../src/cli/operators.ts';
import { policyCommand, proposalsCommand } from '../../src/cli/proposals.ts';
import { usersCommand } from '../../src/cli/users.ts';
import type { RunningExchange } from '../../src/startup/running-exchange.ts';
import { type NewOperator, openFor } from './exchange.ts';

const GROUPS = [operatorsCommand, proposalsCommand, policyCommand, usersCommand];

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

test('operators come and go on the command line, and root is closed', async (t) => {
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
