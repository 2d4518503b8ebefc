// Operators with names: their tokens, the last admin, and the end of the start-up token.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import {
  addOperator,
  codeOf,
  type NewOperator,
  open,
  openFor,
  Operator,
  type OperatorReply,
  withToken,
} from './exchange.ts';

test('a new operator gets a token that is shown once, acts under its own name, and can be removed', async (t) => {
  const running = await openFor(t);
  const root = new Operator(running);
  const ann = await addOperator(root, 'ann', 'support', 'admin');
  assert.deepEqual(Object.keys(ann).slice(0, 3), ['id', 'name', 'roles']);
  assert.deepEqual([ann.name, ann.roles], ['ann', ['support', 'admin']]);
  assert.ok(ann.token.length >= 40);
  const listed = (await root.get('/v1/operators')).body as NewOperator[];
  assert.deepEqual(
    listed.map(({ id, name, roles }) => ({ id, name, roles })),
    [{ id: ann.id, name: 'ann', roles: ann.roles }],
  );
  assert.ok(!JSON.stringify(listed).includes(ann.token));
  const signed = new Operator(running, { authorization: `Bearer ${ann.token}`, 'x-operator': 'somebody' });
  assert.equal((await signed.post('/v1/users', { name: 'dave' })).status, 200);
  const { body } = await root.get('/v1/audit?limit=1');
  const [row] = body as { by: string; operator: unknown; action: string }[];
  assert.deepEqual(
    [row!.by, row!.operator, row!.action],
    ['ann', { id: ann.id, kind: 'program' }, 'add-user'],
  );

  const bob = await addOperator(signed, 'bob', 'admin');
  const renewed = (await signed.post(`/v1/operators/${bob.id}/token`, {})).body as NewOperator;
  assert.notEqual(renewed.token, bob.token);
  assert.deepEqual(codeOf(await withToken(running, bob.token).get('/v1/caller')), [401, 'token-wrong']);
  const second = withToken(running, renewed.token);
  assert.equal((await second.get('/v1/caller')).status, 200);
  const demoted = await second.post(`/v1/operators/${ann.id}`, { roles: ['viewer', 'viewer'] });
  assert.deepEqual((demoted.body as NewOperator).roles, ['viewer']);
  assert.deepEqual(codeOf(await signed.post('/v1/users', { name: 'erin' })), [403, 'role']);
  assert.deepEqual(codeOf(await second.delete(`/v1/operators/${bob.id}`)), [409, 'last-admin']);
  const demotion = await root.post(`/v1/operators/${bob.id}`, { roles: ['viewer'] });
  assert.deepEqual(codeOf(demotion), [409, 'last-admin']);
  assert.equal((await second.delete(`/v1/operators/${ann.id}`)).status, 200);
  assert.deepEqual(codeOf(await signed.get('/v1/caller')), [401, 'token-wrong']);
  assert.deepEqual(codeOf(await second.delete(`/v1/operators/${ann.id}`)), [404, 'operator-unknown']);
});

test('invalid values are rejected and add no operator', async (t) => {
  const running = await openFor(t);
  const root = new Operator(running);
  const good = { name: 'ann', roles: ['admin'] };
  const bad: object[] = [
    { ...good, name: '' },
    { ...good, name: ' ann' },
    { ...good, name: 'ä' },
    { ...good, name: 'x'.repeat(65) },
    { ...good, name: 7 },
    { ...good, roles: [] },
    { ...good, roles: ['king'] },
    { ...good, roles: 'admin' },
    { ...good, roles: Array.from({ length: 8 }, () => 'admin') },
    { ...good, email: 'nobody' },
    { ...good, colour: 'red' },
    { name: 'ann' },
    { roles: ['admin'] },
  ];
  for (const body of bad) {
    const reply = await root.post('/v1/operators', body);
    assert.equal(reply.status, 400, `${JSON.stringify(body)}: ${JSON.stringify(reply.body)}`);
  }
  for (const name of ['root', 'Root', 'reader', 'operator']) {
    assert.deepEqual(codeOf(await root.post('/v1/operators', { ...good, name })), [409, 'code-taken'], name);
  }
  await addOperator(root, 'ann', 'admin');
  assert.deepEqual(codeOf(await root.post('/v1/operators', good)), [409, 'code-taken']);
  for (const path of [
    '/v1/operators/x',
    '/v1/operators/__proto__',
    '/v1/operators/5f0000010000000000014a4d',
  ]) {
    assert.deepEqual(codeOf(await root.post(path, { roles: ['viewer'] })), [404, 'operator-unknown'], path);
  }
  assert.equal(((await root.get('/v1/operators')).body as NewOperator[]).length, 1);
});

test('tokens, roles and a closed root survive a restart, and no token is in the log', async (t) => {
  const data = makeDirectory(t);
  const first = await open({ data });
  const ann = await addOperator(new Operator(first), 'ann', 'admin');
  const closed = await withToken(first, ann.token).post('/v1/root/close', {});
  assert.deepEqual([closed.status, closed.body], [200, { root: 'closed' }]);
  await first.close();
  const log = readdirSync(join(data, 'log')).map((name) => readFileSync(join(data, 'log', name), 'latin1'));
  assert.ok(log.join('').includes('add-operator') && !log.join('').includes(ann.token));
  const again = await openFor(t, { data });
  assert.equal((await withToken(again, ann.token).get('/v1/caller')).status, 200);
  assert.deepEqual(codeOf(await new Operator(again).get('/v1/users')), [403, 'role']);
});

test('a closed root can only break the glass, on the machine itself and after ten minutes of exchange time', async (t) => {
  const lines: string[] = [];
  const running = await openFor(t, {
    flags: { clock: 'manual', 'operator-remote': true },
    logLines: (line) => lines.push(line),
  });
  const root = new Operator(running);
  const ann = await addOperator(root, 'ann', 'admin');
  const admin = withToken(running, ann.token);
  assert.equal((await root.post('/v1/root/close', {})).status, 200);
  for (const [method, path] of [
    ['GET', '/v1/users'],
    ['GET', '/v1/caller'],
    ['POST', '/v1/users'],
    ['POST', '/v1/root/close'],
  ] as const) {
    const reply = await root.send(method, path, method === 'POST' ? '{}' : undefined);
    assert.deepEqual(codeOf(reply), [403, 'role'], `${method} ${path}`);
  }
  const elsewhere = new Operator(running, { 'x-forwarded-for': '203.0.113.7' });
  const terms = { name: 'eve', roles: ['admin'] };
  assert.deepEqual(codeOf(await elsewhere.post('/v1/operators', terms)), [403, 'remote-denied']);

  let answered: OperatorReply | undefined;
  const asked = root.post('/v1/operators', terms).then((reply) => (answered = reply));
  const waiting = async (): Promise<NewOperator | undefined> =>
    ((await admin.get('/v1/operators')).body as NewOperator[]).find(({ name }) => name === 'eve');
  for (let left = 1000; left > 0 && !(await waiting()); left--) continue;
  const { body } = await admin.get('/v1/audit?limit=1');
  assert.equal((body as { action: string }[])[0]!.action, 'break-glass');
  assert.ok(lines.some((line) => line.includes('BREAK GLASS')));
  const advance = async (ms: number) => {
    const { sandboxUrl, operatorToken } = running.connection;
    const response = await fetch(`${sandboxUrl}/clock/advance`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ms }),
    });
    assert.equal(response.status, 200);
  };
  await advance(9 * 60_000);
  assert.equal(answered, undefined);
  await advance(60_000);
  const { status, body: eve } = await asked;
  assert.equal(status, 201, JSON.stringify(eve));
  assert.equal((await withToken(running, (eve as NewOperator).token).get('/v1/users')).status, 200);
});

test('an admin can stop a break-glass call before it takes effect', async (t) => {
  const running = await openFor(t, { flags: { clock: 'manual' } });
  const root = new Operator(running);
  const admin = withToken(running, (await addOperator(root, 'ann', 'admin')).token);
  await admin.post('/v1/root/close', {});
  const asked = root.post('/v1/operators', { name: 'eve', roles: ['admin'] });
  let eve: NewOperator | undefined;
  for (let left = 1000; left > 0 && !eve; left--) {
    eve = ((await admin.get('/v1/operators')).body as NewOperator[]).find(({ name }) => name === 'eve');
  }
  assert.equal((await admin.delete(`/v1/operators/${eve!.id}`)).status, 200);
  const { sandboxUrl, operatorToken } = running.connection;
  await fetch(`${sandboxUrl}/clock/advance`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ms: 600_000 }),
  });
  assert.deepEqual(codeOf(await asked), [404, 'operator-unknown']);
});
