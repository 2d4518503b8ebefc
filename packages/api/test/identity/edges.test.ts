/**
 * Attacks of strangers: foreign pages, guessing, enumeration, hostile values. The calls come from the table of routes.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EMAIL, PASSWORD, type Said, type SignedInAs, sandboxOfFile } from '@bourse/test-kit/identity.ts';
import { IDENTITY_ROUTES } from '../../src/identity/plugin.ts';

const held = sandboxOfFile();
const MINUTE = 60_000;
let me: SignedInAs;

const told = ({ status, json }: Said): unknown[] => [status, json?.code];
const pathOf = (path: string): string => path.replaceAll(/:\w+/g, 'nothing');

test('every call that is not public needs a session', async () => {
  const { sandbox } = held;
  me = await sandbox.signUp();
  for (const { method, path, access } of IDENTITY_ROUTES) {
    if (access === 'public') continue;
    for (const headers of [{}, { authorization: 'Bearer nothing' }, { authorization: 'Basic eA==' }]) {
      const said = await sandbox.send(method, pathOf(path), method === 'POST' ? {} : undefined, headers);
      assert.deepEqual(told(said), [401, 'no-session'], `${method} ${path}`);
    }
  }
});

test('every call marked step-up needs one', async () => {
  const { sandbox } = held;
  await sandbox.advance(5 * MINUTE);
  const bodies: Readonly<Record<string, object>> = {
    '/password': { current: PASSWORD, next: PASSWORD },
    '/keys': { name: 'x', permissions: [] },
    '/addresses': { label: 'x', currency: 'ETH', chain: 'eth', address: 'x' },
    '/addresses/only': { on: true },
    '/lock': { days: 1 },
    '/email': { email: 'x@example.test' },
  };
  for (const { method, path, access } of IDENTITY_ROUTES) {
    if (access !== 'step-up') continue;
    const body = method === 'POST' ? (bodies[path] ?? {}) : undefined;
    const said = await sandbox.send(method, pathOf(path), body, {
      authorization: `Bearer ${me.sessionToken}`,
    });
    assert.deepEqual([...told(said), said.json.factors], [401, 'step-up', ['password']], `${method} ${path}`);
  }
});

test('the session cookie works only on pages of this exchange, and foreign pages cannot make even public calls', async () => {
  const { sandbox } = held;
  const cookie = `other=1; bourse-session=${me.sessionToken}`;
  const ask = (headers: Record<string, string>) =>
    sandbox.send('GET', '/session', undefined, { cookie, ...headers });
  assert.equal((await ask({ 'sec-fetch-site': 'same-origin' })).status, 200);
  assert.equal((await ask({ origin: sandbox.url })).status, 200);
  const foreign: Record<string, string>[] = [
    {},
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://evil.test' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1:1' },
  ];
  for (const headers of foreign)
    assert.deepEqual(told(await ask(headers)), [403, 'foreign-origin'], JSON.stringify(headers));
  const signIn = (headers: Record<string, string>) =>
    sandbox.send('POST', '/sessions', { email: EMAIL, password: PASSWORD }, headers);
  assert.deepEqual(told(await signIn({ origin: 'https://evil.test' })), [403, 'foreign-origin']);
  assert.deepEqual(told(await signIn({ 'sec-fetch-site': 'cross-site' })), [403, 'foreign-origin']);
  assert.equal((await signIn({ origin: sandbox.url })).status, 201);
});

test('hostile values are rejected with a clear error that does not repeat them', async () => {
  const { sandbox } = held;
  await sandbox.post('/step-up', { password: PASSWORD }, me);
  const secret = 'Very-Secret-Value-1234567';
  const values: readonly unknown[] = [
    null,
    1.5,
    [],
    {},
    { toString: 1 },
    secret.repeat(10_000),
    '\u0000',
    '\ud800',
  ];
  const { seq } = sandbox.running.engine.health;
  for (const { method, path, body, access } of IDENTITY_ROUTES) {
    if (method !== 'POST' || path === '/session/key') continue;
    const names = Object.keys(body?.properties ?? {});
    const all = (value: unknown) => Object.fromEntries(names.map((name) => [name, value]));
    const bodies: unknown[] = [
      { unknown: secret },
      { __proto__x: 1 },
      [],
      'null',
      '{',
      '"text"',
      '{"__proto__":{"a":1}}',
    ];
    if (names.length > 0) bodies.push(...values.map(all));
    for (const sent of bodies) {
      const headers = access === 'public' ? {} : { authorization: `Bearer ${me.sessionToken}` };
      const said = await sandbox.send('POST', pathOf(path), sent, headers);
      const what = `${path} ${JSON.stringify(sent).slice(0, 60)}: ${said.status} ${JSON.stringify(said.json)}`;
      assert.ok([400, 401, 404, 413].includes(said.status), what);
      assert.equal(typeof said.json.msg, 'string', what);
      assert.ok(!JSON.stringify(said.json).includes(secret), what);
    }
  }
  assert.equal(sandbox.running.engine.health.seq, seq, 'nothing of it came into the log');
});

test('no response reveals whether an account exists: status, text and headers are the same', async () => {
  const { sandbox } = held;
  const pair = async (path: string, bodyOf: (email: string) => object) => {
    const [known, unknown] = [EMAIL, 'nobody@example.test'].map((email) =>
      sandbox.send('POST', path, bodyOf(email), { 'x-forwarded-for': sandbox.freshAddress() }),
    );
    const [a, b] = [await known, await unknown];
    assert.deepEqual([a.status, a.json], [b.status, b.json], path);
    assert.deepEqual([...a.headers.keys()].toSorted(), [...b.headers.keys()].toSorted(), path);
  };
  await pair('/sign-up', (email) => ({ email, password: PASSWORD }));
  await pair('/sessions', (email) => ({ email, password: `${PASSWORD}!` }));
  await pair('/password/reset', (email) => ({ email }));
  await pair('/sessions', (email) => ({ email, password: `${PASSWORD}!`, totp: '123456' }));
});

test('after the fifth failure the wait doubles, for unknown people too; a known client address is not locked out', async () => {
  const { sandbox } = held;
  for (const email of [EMAIL, 'nobody@example.test']) {
    const wrong = (ip: string) => sandbox.signIn({ email, password: `${PASSWORD}!` }, ip);
    await sandbox.advance(2 * 60 * MINUTE);
    for (let at = 0; at < 5; at++)
      assert.deepEqual(told(await wrong(sandbox.freshAddress())), [401, 'credentials']);
    for (const wait of [1, 2, 4, 8]) {
      const slow = await wrong(sandbox.freshAddress());
      assert.deepEqual(
        [...told(slow), slow.headers.get('retry-after')],
        [429, 'slow-down', String(wait)],
        email,
      );
      await sandbox.advance(wait * 1000 - 1);
      assert.equal((await wrong(sandbox.freshAddress())).status, 429);
      await sandbox.advance(1);
      assert.deepEqual(told(await wrong(sandbox.freshAddress())), [401, 'credentials'], `after ${wait} s`);
    }
  }
  // An attacker elsewhere keeps failing; client addresses that the person used before are not slowed down.
  const elsewhere = sandbox.freshAddress();
  for (let at = 0; at < 3; at++) await sandbox.signIn({ password: 'x' }, elsewhere);
  assert.equal((await sandbox.signIn()).status, 201);
});

test('one client address that tries many accounts is slowed down', async () => {
  const { sandbox } = held;
  const ip = sandbox.freshAddress();
  const answers: unknown[] = [];
  for (let at = 0; at < 6; at++)
    answers.push(told(await sandbox.signIn({ email: `p${at}@example.test` }, ip))[1]);
  assert.deepEqual(answers, [
    'credentials',
    'credentials',
    'credentials',
    'credentials',
    'credentials',
    'slow-down',
  ]);
});

test('of many concurrent guesses, only as many are checked as may fail', async () => {
  const { sandbox } = held;
  const email = 'guessed@example.test';
  const guesses = Array.from({ length: 20 }, () =>
    sandbox.signIn({ email, password: 'x' }, sandbox.freshAddress()),
  );
  const answers = (await Promise.all(guesses)).map(({ status }) => status);
  assert.ok(answers.filter((status) => status === 401).length <= 5, answers.join(' '));
});

test('many people behind one client address can sign in at the same time', async () => {
  const { sandbox } = held;
  const ip = sandbox.freshAddress();
  const emails = Array.from({ length: 8 }, (_, at) => `crowd${at}@example.test`);
  for (const email of emails) await sandbox.signUp(email);
  const answers = await Promise.all(emails.map((email) => sandbox.signIn({ email }, ip)));
  assert.deepEqual(
    answers.map(({ status }) => status),
    emails.map(() => 201),
  );
});

test('strangers can cause at most ten mails an hour to a person, and no response reveals the limit', async () => {
  const { sandbox } = held;
  const before = (await sandbox.mails()).length;
  await sandbox.advance(60 * MINUTE);
  for (let at = 0; at < 12; at++) {
    const { status, json } = await sandbox.post('/password/reset', { email: EMAIL });
    assert.deepEqual([status, json], [202, {}]);
  }
  assert.equal((await sandbox.mails()).length - before, 10);
});

test('an invitation creates one account, even if it expires before the sign-up is verified', async () => {
  const { sandbox } = held;
  const expires = (await sandbox.now()) + 60 * MINUTE;
  const { invitation } = await sandbox.operator<{ invitation: string }>('POST', '/v1/invitations', {
    expires,
  });
  const guests = ['first@example.test', 'second@example.test', 'third@example.test'];
  for (const email of guests) {
    assert.equal((await sandbox.post('/sign-up', { email, password: PASSWORD, invitation })).status, 202);
  }
  const verify = async (email: string) =>
    told(await sandbox.post('/verify', { token: await sandbox.tokenOf('verify', email) }));
  await sandbox.advance(61 * MINUTE);
  assert.deepEqual(await verify(guests[0]!), [201, undefined]);
  assert.deepEqual(await verify(guests[1]!), [400, 'token']);
  await sandbox.advance(22 * 60 * MINUTE);
  assert.deepEqual(await verify(guests[2]!), [400, 'token']);
});

test('an invitation and a link work in one spelling only', async () => {
  const { sandbox } = held;
  const { invitation } = await sandbox.operator<{ invitation: string }>('POST', '/v1/invitations', {});
  const signUp = (email: string, given: string) =>
    sandbox.post('/sign-up', { email, password: PASSWORD, invitation: given });
  assert.equal((await signUp('guest@example.test', invitation)).status, 202);
  const token = await sandbox.tokenOf('verify', 'guest@example.test');
  for (const other of spellingsOf(token)) {
    assert.deepEqual(told(await sandbox.post('/verify', { token: other })), [400, 'token'], other);
  }
  assert.equal((await sandbox.post('/verify', { token })).status, 201);
  for (const other of [invitation, ...spellingsOf(invitation)]) {
    assert.deepEqual(told(await signUp('another@example.test', other)), [403, 'invitation'], other);
  }
});

/** Texts that Node decodes to the same bytes. */
function spellingsOf(text: string): string[] {
  const others = [`${text}=`, `${text}==`, ` ${text}`, `${text}\n`, `${text.slice(0, 9)} ${text.slice(9)}`];
  const inBase64 = text.replaceAll('-', '+').replaceAll('_', '/');
  if (inBase64 !== text) others.push(inBase64);
  for (const other of others)
    assert.deepEqual(Buffer.from(other, 'base64url'), Buffer.from(text, 'base64url'));
  return others;
}
