// Operators who are people: roles in the session, and the operator API by cookie, from this exchange's pages only.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EMAIL, PASSWORD, sandboxOfFile } from '@bourse/test-kit/identity.ts';

const held = sandboxOfFile();
const MINUTE_MS = 60_000;
const OWN = { 'sec-fetch-site': 'same-origin' };

async function call(path: string, headers: Record<string, string>, body?: object) {
  const response = await fetch(`${held.sandbox.running.connection.operatorUrl}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, json: (await response.json()) as Record<string, unknown> };
}

test('a person with roles acts as an operator, with the cookie only from pages of this exchange', async () => {
  const { sandbox } = held;
  const me = await sandbox.signUp();
  const cookie = { cookie: `bourse-session=${me.sessionToken}` };
  assert.deepEqual((await sandbox.get('/session', me)).json.roles, []);
  const stranger = await call('/v1/caller', { ...cookie, ...OWN });
  assert.deepEqual([stranger.status, stranger.json['code']], [403, 'role']);

  const terms = { name: 'ada', roles: ['support'], email: ` ${EMAIL.toUpperCase()}`.trim(), reason: 'joins' };
  await sandbox.operator('POST', '/v1/operators', terms);
  assert.deepEqual((await sandbox.get('/session', me)).json.roles, ['support']);
  const { json } = await call('/v1/caller', { ...cookie, ...OWN });
  assert.deepEqual([json['name'], json['roles']], ['ada', ['support']]);
  const user = { name: 'dave', reason: 'new customer' };
  const url = new URL(sandbox.running.connection.operatorUrl).origin;
  for (const foreign of [{}, { 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'none' }]) {
    const refused = await call('/v1/users', { ...cookie, ...foreign }, user);
    assert.deepEqual(
      [refused.status, refused.json['code']],
      [403, 'foreign-origin'],
      JSON.stringify(foreign),
    );
  }
  const strange = await call('/v1/users', { ...cookie, origin: 'http://evil.example' }, user);
  assert.equal(strange.status, 403);
  // A session's token is not an operator's.
  const asBearer = await call('/v1/users', { authorization: `Bearer ${me.sessionToken}` }, user);
  assert.deepEqual([asBearer.status, asBearer.json['code']], [401, 'token-wrong']);
  assert.equal((await call('/v1/users', { ...cookie, origin: url }, user)).status, 200);
  const lacking = await call('/v1/root/close', { ...cookie, ...OWN }, { reason: 'a try' });
  assert.deepEqual([lacking.status, lacking.json['code']], [403, 'role']);
  const trail = await sandbox.operator<{ by: string; operator: { kind: string } }[]>(
    'GET',
    '/v1/audit?limit=2',
  );
  assert.deepEqual(
    trail.map(({ by, operator }) => [by, operator.kind]),
    [
      ['ada', 'person'],
      ['ada', 'person'],
    ],
  );

  // Fifteen minutes without a call, and eight hours in any case. Automatic requests of an open console do not count as
  // use.
  await sandbox.advance(14 * MINUTE_MS);
  assert.equal((await call('/v1/caller', { ...cookie, ...OWN })).status, 200);
  await sandbox.advance(14 * MINUTE_MS);
  const refreshed = await call('/v1/caller', { ...cookie, ...OWN, 'x-bourse-unattended': '1' });
  assert.equal(refreshed.status, 200);
  await sandbox.advance(MINUTE_MS);
  const ended = await call('/v1/caller', { ...cookie, ...OWN });
  assert.deepEqual([ended.status, ended.json['code']], [401, 'no-session']);
  const again = (await sandbox.post('/sessions', { email: EMAIL, password: PASSWORD })).json;
  assert.equal(again.session.expires - again.session.created, 8 * 60 * MINUTE_MS);
});

test('the session of a person who becomes an operator while signed in is limited to eight hours, too', async () => {
  const { sandbox } = held;
  const email = 'bea@example.test';
  const me = await sandbox.signUp(email);
  assert.equal(me.session.expires - me.session.created, 12 * 60 * MINUTE_MS);
  await sandbox.operator('POST', '/v1/operators', { name: 'bea', roles: ['viewer'], email, reason: 'joins' });
  for (let minutes = 0; minutes < 8 * 60; minutes += 10) {
    assert.equal((await sandbox.get('/session', me)).status, 200, `after ${minutes} minutes`);
    await sandbox.advance(10 * MINUTE_MS);
  }
  assert.equal((await sandbox.get('/session', me)).status, 401);
  const cookie = { cookie: `bourse-session=${me.sessionToken}` };
  assert.equal((await call('/v1/caller', { ...cookie, ...OWN })).status, 401);
});

test("the signing key of an operator's session ends with it, and a signed request does not revive it", async () => {
  const { sandbox } = held;
  const email = 'cleo@example.test';
  const first = await sandbox.signUp(email);
  await sandbox.operator('POST', '/v1/operators', {
    name: 'cleo',
    roles: ['viewer'],
    email,
    reason: 'joins',
  });
  const sign = async (as = first) => (await sandbox.client(as).get('/api/v1/accounts')).json.code;
  const { data } = (await sandbox.client(first).post('/api/v1/bullet-private')).json as {
    data: { token: string; instanceServers: { endpoint: string }[] };
  };
  const feed = new WebSocket(`${data.instanceServers[0]?.endpoint}?token=${data.token}`);
  await new Promise((resolve) => feed.addEventListener('message', resolve, { once: true }));
  const closed = new Promise<number>((resolve) =>
    feed.addEventListener('close', ({ code }) => resolve(code)),
  );
  await sandbox.advance(14 * MINUTE_MS);
  assert.equal(await sign(), '200000');
  await sandbox.advance(15 * MINUTE_MS);
  assert.equal(await sign(), '400003', 'idle for fifteen minutes');
  assert.equal((await sandbox.get('/session', first)).status, 401);
  assert.equal(await closed, 1008);

  // Opened before its person became an operator: it would last twelve hours.
  const other = await sandbox.signUp('dan@example.test');
  const terms = { name: 'dan', roles: ['viewer'], email: 'dan@example.test', reason: 'joins' };
  await sandbox.operator('POST', '/v1/operators', terms);
  for (let minutes = 0; minutes < 8 * 60; minutes += 10) {
    assert.equal(await sign(other), '200000', `after ${minutes} minutes`);
    await sandbox.advance(10 * MINUTE_MS);
  }
  assert.equal(await sign(other), '400003', 'after eight hours');
});

test('support sees the sessions and the activity of a person, and can end the sessions', async () => {
  const { sandbox } = held;
  const me = await sandbox.signUp('bea@example.com');
  const { userId } = (await sandbox.get('/session', me)).json.user as { userId: string };
  const path = `/v1/users/${userId}`;
  const sessions = await sandbox.operator<{ sessionId: string; expires: string }[]>(
    'GET',
    `${path}/sessions`,
  );
  assert.equal(sessions.length, 1);
  assert.ok(Date.parse(sessions[0]!.expires) > (await sandbox.now()));
  const activity = await sandbox.operator<{ time: string; kind: string }[]>('GET', `${path}/activity`);
  assert.ok(activity.length >= 1);
  assert.deepEqual(
    activity.map(({ time }) => time),
    activity
      .map(({ time }) => time)
      .toSorted()
      .toReversed(),
  );
  const ended = await sandbox.operator('DELETE', `${path}/sessions?reason=lost`);
  assert.deepEqual(ended, { ended: true });
  assert.deepEqual(await sandbox.operator('GET', `${path}/sessions`), []);
  assert.equal((await sandbox.get('/session', me)).status, 401);
});

test('a new operator with an address gets a mail: to set a password, or without an account to sign up', async () => {
  const { sandbox } = held;
  const add = (name: string, email?: string) =>
    sandbox.operator('POST', '/v1/operators', {
      name,
      roles: ['viewer'],
      reason: 'joins',
      ...(email !== undefined && { email }),
    });
  const linkOf = async (to: string) => new URL((await sandbox.mails(to))[0]?.links[0] ?? '');

  const guest = 'eve@example.test';
  await add('eve', ` ${guest.toUpperCase()}`.trim());
  const [mail] = await sandbox.mails(guest);
  assert.deepEqual([mail?.to, mail?.subject], [guest, 'Your operator access']);
  assert.match(mail?.text ?? '', /This was done from 127\.0\.0\.1 with \w+/);
  const { pathname, searchParams } = await linkOf(guest);
  assert.equal(pathname, '/sign-up');
  const invitation = searchParams.get('invitation');
  const signUp = (email: string) => sandbox.post('/sign-up', { email, password: PASSWORD, invitation });
  assert.equal((await signUp('mallory@example.test')).json.code, 'invitation', 'for this address only');
  assert.equal((await signUp(guest)).status, 202);
  const made = await sandbox.post('/verify', { token: await sandbox.tokenOf('verify', guest) });
  assert.deepEqual((await sandbox.get('/session', made.json)).json.roles, ['viewer']);

  const member = 'finn@example.test';
  await sandbox.signUp(member);
  await add('finn', member);
  assert.equal((await linkOf(member)).pathname, '/reset');
  const password = 'another row of plain words';
  const token = await sandbox.tokenOf('reset', member);
  assert.equal((await sandbox.post('/password/reset/confirm', { token, password })).status, 204);
  const back = await sandbox.post('/sessions', { email: member, password });
  assert.deepEqual((await sandbox.get('/session', back.json)).json.roles, ['viewer']);

  await add('robot');
  await assert.rejects(add('finn again', member), /code-taken/);
  const policy = { rules: [{ call: 'add-operator', approvals: 1 }], expiryMs: 60_000, reason: 'two of us' };
  await sandbox.operator('POST', '/v1/policy', policy);
  const before = (await sandbox.mails(member)).length;
  await add('gus', 'gus@example.test');
  assert.equal((await linkOf('gus@example.test')).pathname, '/sign-up', 'with the proposal');
  assert.equal((await sandbox.mails(member)).length, before);
});
