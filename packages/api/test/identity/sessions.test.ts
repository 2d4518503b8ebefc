/** Signing up, in and out, with a complete sandbox, its log and mailbox, and a stopped clock. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  EMAIL,
  IdentitySandbox,
  PASSWORD,
  type SignedInAs,
  sandboxOfFile,
} from '@bourse/test-kit/identity.ts';
import { deviceName } from '../../src/identity/plugin.ts';

const MINUTE = 60_000;
const held = sandboxOfFile();
let first: SignedInAs;

interface Bullet {
  readonly token: string;
  readonly instanceServers: readonly { readonly endpoint: string }[];
}

const ORDER = { symbol: 'BTC-USDT', type: 'limit', side: 'buy', price: '1', size: '1', clientOid: 'x' };

test('the link in the sign-up mail creates the account once; signing up again sends a different mail', async () => {
  const { sandbox } = held;
  const asked = await sandbox.post('/sign-up', { email: ` ${EMAIL.toUpperCase()} `, password: PASSWORD });
  assert.deepEqual([asked.status, asked.json], [202, {}]);
  const early = await sandbox.signIn({}, sandbox.freshAddress());
  assert.deepEqual(
    [early.status, early.json.code],
    [401, 'credentials'],
    'an unverified address has no account',
  );
  const [mail] = await sandbox.mails();
  assert.equal(mail.to, EMAIL);
  assert.ok(mail.text.includes(mail.links[0]), mail.text);
  assert.ok(
    mail.links.some((link) =>
      link.startsWith(`${sandbox.url.replace('127.0.0.1', 'localhost')}/freeze?token=`),
    ),
    'the freeze link is in it',
  );
  const token = await sandbox.tokenOf('verify');
  const made = await sandbox.post('/verify', { token });
  assert.equal(made.status, 201, JSON.stringify(made.json));
  first = made.json as SignedInAs;
  const cookie = made.headers.get('set-cookie') ?? '';
  assert.match(cookie, /^bourse-session=[\w-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/);
  const again = await sandbox.post('/verify', { token });
  assert.deepEqual([again.status, again.json.code], [400, 'token']);
  await sandbox.post('/sign-up', { email: EMAIL, password: PASSWORD });
  const [second] = await sandbox.mails();
  assert.match(second.subject, /already/);
  const { json } = await sandbox.get('/session', first);
  assert.equal(json.person.email, EMAIL);
  assert.deepEqual(json.factors, { totp: false, passkeys: 0, recoveryCodes: 0 });
  assert.deepEqual([json.lock, json.withdrawalsLockedUntil, json.roles], [null, null, []]);
});

test('a token for another purpose, a changed token and an expired token are rejected', async () => {
  const { sandbox } = held;
  const freeze = await sandbox.tokenOf('freeze');
  await sandbox.post('/sign-up', { email: 'old@example.test', password: PASSWORD });
  const old = await sandbox.tokenOf('verify', 'old@example.test');
  await sandbox.advance(24 * 60 * MINUTE + 1);
  for (const token of [freeze, `${freeze}x`, '', 'x'.repeat(4000), old]) {
    const { status, json } = await sandbox.post('/verify', { token });
    assert.deepEqual([status, json.code], [400, 'token'], token.slice(0, 20));
  }
});

test('sign-in returns a session and a key that signs requests, including those for private feeds', async () => {
  const { sandbox } = held;
  const { status, json } = await sandbox.signIn();
  assert.equal(status, 201, JSON.stringify(json));
  assert.equal(json.session.expires, json.session.created + 12 * 60 * MINUTE);
  assert.deepEqual(json.key.permissions, ['General', 'Spot', 'FlexTransfers', 'Withdrawal']);
  const client = sandbox.client(json);
  assert.equal((await client.get('/api/v1/accounts')).status, 200);
  assert.equal((await client.post('/api/v1/bullet-private')).status, 200);
  const placed = await client.post('/api/v1/orders', ORDER);
  assert.equal(placed.json.code, '200004', 'nothing but money is missing');
  first = json;
});

test('a new signing key replaces the old one, and signing out ends the session and its key', async () => {
  const { sandbox } = held;
  const renewed = await sandbox.post('/session/key', {}, first);
  assert.equal(renewed.status, 201);
  assert.equal((await sandbox.client(first).get('/api/v1/accounts')).json.code, '400003');
  const mine = { ...first, key: renewed.json };
  assert.equal((await sandbox.client(mine).get('/api/v1/accounts')).status, 200);
  const out = await sandbox.delete('/session', mine);
  assert.equal(out.status, 204);
  assert.match(out.headers.get('set-cookie') ?? '', /^bourse-session=; .*Max-Age=0/);
  assert.equal((await sandbox.client(mine).get('/api/v1/accounts')).json.code, '400003');
  const gone = await sandbox.get('/session', mine);
  assert.deepEqual([gone.status, gone.json.code], [401, 'no-session']);
});

test('when a session ends, its feed and order-entry connections end with it', async () => {
  const { sandbox } = held;
  const { json } = await sandbox.signIn();
  const { data } = (await sandbox.client(json).post('/api/v1/bullet-private')).json as { data: Bullet };
  const feed = new WebSocket(`${data.instanceServers[0].endpoint}?token=${data.token}`);
  await new Promise((resolve, reject) => {
    feed.addEventListener('message', resolve, { once: true });
    feed.addEventListener('error', reject, { once: true });
  });
  const closed = new Promise<number>((resolve) =>
    feed.addEventListener('close', ({ code }) => resolve(code)),
  );
  await sandbox.delete('/session', json);
  assert.equal(await closed, 1008);
});

test('sessions are listed newest first, and can be ended singly or all except the current one', async () => {
  const { sandbox } = held;
  const sessions: SignedInAs[] = [];
  for (let at = 0; at < 3; at++) {
    sessions.push((await sandbox.signIn()).json);
    await sandbox.advance(1000);
  }
  const [oldest, middle, newest] = sessions;
  const listed = await sandbox.get('/sessions', newest);
  const list = listed.json as unknown as readonly { readonly id: string; readonly current?: boolean }[];
  const ids = [newest, middle, oldest].map(({ session }) => session.id);
  assert.deepEqual(
    list.slice(0, 3).map(({ id }) => id),
    ids,
  );
  assert.deepEqual(
    list.map(({ current }) => current === true),
    list.map((_, at) => at === 0),
  );
  assert.equal((await sandbox.delete(`/sessions/${oldest.session.id}`, newest)).status, 204);
  assert.equal((await sandbox.get('/session', oldest)).status, 401);
  assert.equal((await sandbox.delete(`/sessions/${oldest.session.id}`, newest)).status, 404);
  assert.equal((await sandbox.delete('/sessions', newest)).status, 204);
  assert.equal((await sandbox.get('/session', middle)).status, 401);
  assert.equal((await sandbox.get('/session', newest)).status, 200);
});

test('a session ends when it is idle for 30 minutes, and after 12 hours in any case', async () => {
  const { sandbox } = held;
  const { json } = await sandbox.signIn();
  for (let at = 0; at < 3; at++) {
    await sandbox.advance(29 * MINUTE);
    const used =
      at % 2 === 0 ? await sandbox.get('/session', json) : await sandbox.client(json).get('/api/v1/accounts');
    assert.equal(used.status, 200, 'a call or a signed request keeps it');
  }
  await sandbox.advance(30 * MINUTE);
  assert.equal((await sandbox.client(json).get('/api/v1/accounts')).json.code, '400003');
  assert.equal((await sandbox.get('/session', json)).json.code, 'no-session');
  const long = (await sandbox.signIn()).json;
  for (let at = 0; at < 25; at++) {
    await sandbox.advance(29 * MINUTE);
    if (at < 24)
      assert.equal((await sandbox.get('/session', long)).status, 200, `after ${at + 1} times 29 minutes`);
  }
  assert.equal((await sandbox.get('/session', long)).status, 401);
  assert.equal((await sandbox.client(long).get('/api/v1/accounts')).json.code, '400003');
});

test('a session survives a restart', async () => {
  const { json } = await held.sandbox.signIn();
  await held.sandbox.close();
  held.sandbox = await IdentitySandbox.start(held.dir);
  const { sandbox } = held;
  assert.equal((await sandbox.get('/session', json)).status, 200);
  assert.equal((await sandbox.client(json).get('/api/v1/accounts')).status, 200);
});

test('a known user agent is shown in plain language, an unknown one as sent, up to 120 characters', () => {
  const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
  const phone =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/137.0 Mobile/15E148 Safari/604.1';
  assert.deepEqual(
    [windows, phone, 'curl/8.5.0', 'a\r\nb', undefined].map((each) => deviceName(each)),
    ['Firefox on Windows', 'Chrome on iPhone', 'curl/8.5.0', 'ab', ''],
  );
  assert.equal(deviceName('x'.repeat(5000)).length, 120);
});
