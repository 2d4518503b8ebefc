/** Passwords, TOTP, recovery codes, step-up, reset and the e-mail address. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  appCode,
  EMAIL,
  PASSWORD,
  type Said,
  type SignedInAs,
  sandboxOfFile,
} from '@bourse/test-kit/identity.ts';

const held = sandboxOfFile();
const MINUTE = 60_000;
const STEP = 30_000;
const SECOND_PASSWORD = 'another row of plain words';
let me: SignedInAs;
let secret = '';
let codes: string[] = [];

const told = ({ status, json }: Said): unknown[] => [status, json?.code];
const code = async (): Promise<string> => appCode(secret, await held.sandbox.now());

test('weak passwords are rejected with the reason, before any mail is sent', async () => {
  const { sandbox } = held;
  const weak = [
    'short',
    'fourteen chars',
    'password12345678',
    'aaaaaaaaaaaaaaaaaa',
    '12345678901234567890',
    `${EMAIL} and more`,
    'P@ssw0rd!!!!!!!!',
    'qwertyuiopasdfghj',
    'x'.repeat(129),
  ];
  for (const password of weak) {
    const said = await sandbox.post('/sign-up', { email: EMAIL, password });
    assert.deepEqual(told(said), [400, 'weak'], password);
    assert.equal(typeof said.json.reason, 'string');
    assert.ok(!said.json.msg.includes(password), 'the password is not repeated');
  }
  assert.deepEqual(await sandbox.mails(), []);
});

test('a step-up lasts five minutes; without a second factor, the password is enough', async () => {
  const { sandbox } = held;
  me = await sandbox.signUp();
  assert.equal((await sandbox.post('/totp', {}, me)).status, 201, 'signing in counts as one');
  await sandbox.advance(5 * MINUTE);
  const late = await sandbox.post('/totp', {}, me);
  assert.deepEqual([...told(late), late.json.factors], [401, 'step-up', ['password']]);
  assert.deepEqual(told(await sandbox.post('/step-up', { password: 'wrong one entirely' }, me)), [
    401,
    'credentials',
  ]);
  const { status, json } = await sandbox.post('/step-up', { password: PASSWORD }, me);
  assert.deepEqual([status, json.until], [200, (await sandbox.now()) + 5 * MINUTE]);
});

test('TOTP is active once its first code is confirmed, and comes with ten recovery codes', async () => {
  const { sandbox } = held;
  const begun = await sandbox.post('/totp', {}, me);
  secret = begun.json.secret;
  assert.match(
    begun.json.uri,
    /^otpauth:\/\/totp\/Bourse:ada%40example\.test\?secret=[A-Z2-7]{32}&issuer=Bourse&algorithm=SHA1&digits=6&period=30$/,
  );
  assert.deepEqual(told(await sandbox.post('/totp/confirm', { code: '000000' }, me)), [401, 'second-factor']);
  const confirmed = await sandbox.post('/totp/confirm', { code: await code() }, me);
  assert.equal(confirmed.status, 200, JSON.stringify(confirmed.json));
  codes = confirmed.json.recoveryCodes;
  assert.equal(new Set(codes).size, 10);
  assert.deepEqual((await sandbox.get('/session', me)).json.factors, {
    totp: true,
    passkeys: 0,
    recoveryCodes: 10,
  });
  assert.deepEqual(told(await sandbox.post('/totp/confirm', { code: await code() }, me)), [
    401,
    'second-factor',
  ]);
});

test('with TOTP on, the password alone cannot sign in, and a code works once', async () => {
  const { sandbox } = held;
  const missing = await sandbox.signIn();
  assert.deepEqual([...told(missing), missing.json.factors], [401, 'second-factor', ['totp']]);
  assert.deepEqual(
    told(await sandbox.signIn({ totp: await code() })),
    [401, 'second-factor'],
    'the code that confirmed is used',
  );
  await sandbox.advance(STEP);
  const totp = await code();
  const both = await Promise.all([sandbox.signIn({ totp }), sandbox.signIn({ totp })]);
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [201, 401], 'of two at the same time, one');
  assert.deepEqual(told(await sandbox.signIn({ totp })), [401, 'second-factor']);
  assert.deepEqual(told(await sandbox.post('/step-up', { totp }, me)), [401, 'second-factor']);
  assert.deepEqual(told(await sandbox.post('/step-up', { password: PASSWORD }, me)), [401, 'second-factor']);
});

test('a recovery code works once, and new codes invalidate the old ones', async () => {
  const { sandbox } = held;
  await sandbox.advance(60 * MINUTE);
  const [one, two] = codes;
  me = (await sandbox.signIn({ recoveryCode: one.toUpperCase() })).json;
  assert.deepEqual(told(await sandbox.signIn({ recoveryCode: one })), [401, 'second-factor']);
  const renewed = await sandbox.post('/recovery-codes', {}, me);
  assert.deepEqual([renewed.status, renewed.json.recoveryCodes.length], [201, 10]);
  assert.deepEqual(told(await sandbox.signIn({ recoveryCode: two })), [401, 'second-factor']);
  [codes] = [renewed.json.recoveryCodes];
});

test('changing the password needs the current one, ends other sessions, and locks withdrawals', async () => {
  const { sandbox } = held;
  await sandbox.advance(60 * MINUTE);
  const other = (await sandbox.signIn({ totp: await code() })).json as SignedInAs;
  await sandbox.advance(STEP);
  me = (await sandbox.signIn({ totp: await code() })).json;
  const change = (current: string, next: string) => sandbox.post('/password', { current, next }, me);
  assert.deepEqual(told(await change('not this one at all', SECOND_PASSWORD)), [401, 'credentials']);
  assert.deepEqual(told(await change(PASSWORD, 'too short')), [400, 'weak']);
  assert.equal((await change(PASSWORD, SECOND_PASSWORD)).status, 204);
  assert.equal((await sandbox.get('/session', other)).status, 401);
  const { json } = await sandbox.get('/session', me);
  assert.equal(json.withdrawalsLockedUntil, (await sandbox.now()) + 24 * 60 * MINUTE);
  await sandbox.advance(STEP);
  assert.deepEqual(told(await sandbox.signIn({ totp: await code() })), [401, 'credentials']);
  await sandbox.advance(STEP);
  assert.equal((await sandbox.signIn({ password: SECOND_PASSWORD, totp: await code() })).status, 201);
});

test('a password reset also needs the second factor; its token works once, and not after another reset', async () => {
  const { sandbox } = held;
  await sandbox.advance(60 * MINUTE);
  const count = (await sandbox.mails('nobody@example.test')).length;
  const nobody = await sandbox.post('/password/reset', { email: 'nobody@example.test' });
  const known = await sandbox.post('/password/reset', { email: EMAIL });
  assert.deepEqual([nobody.status, nobody.json], [known.status, known.json]);
  assert.equal((await sandbox.mails('nobody@example.test')).length, count);
  const token = await sandbox.tokenOf('reset');
  await sandbox.post('/password/reset', { email: EMAIL });
  const other = await sandbox.tokenOf('reset');
  const confirm = (more: object) =>
    sandbox.post('/password/reset/confirm', { token, password: PASSWORD, ...more });
  const without = await confirm({});
  assert.deepEqual([...told(without), without.json.factors], [401, 'second-factor', ['totp']]);
  assert.deepEqual(told(await confirm({ totp: '000000' })), [401, 'second-factor']);
  const before = (await sandbox.signIn({ password: SECOND_PASSWORD, totp: await code() })).json as SignedInAs;
  await sandbox.advance(STEP);
  assert.equal((await confirm({ totp: await code() })).status, 204);
  assert.equal((await sandbox.get('/session', before)).status, 401, 'all sessions end');
  await sandbox.advance(STEP);
  for (const again of [token, other]) {
    const said = await sandbox.post('/password/reset/confirm', {
      token: again,
      password: PASSWORD,
      totp: await code(),
    });
    assert.deepEqual(told(said), [400, 'token']);
  }
  me = (await sandbox.signIn({ totp: await code() })).json;
  assert.ok(me.sessionToken);
});

test('the e-mail address changes when the new one is confirmed, and the old one is notified', async () => {
  const { sandbox } = held;
  assert.equal((await sandbox.post('/email', { email: 'new@example.test' }, me)).status, 202);
  const [warning] = await sandbox.mails();
  assert.ok(warning.text.includes('new@example.test'), warning.text);
  const token = await sandbox.tokenOf('email', 'new@example.test');
  assert.equal((await sandbox.get('/session', me)).json.person.email, EMAIL);
  assert.equal((await sandbox.post('/email/confirm', { token })).status, 204);
  assert.deepEqual(told(await sandbox.post('/email/confirm', { token })), [400, 'token']);
  const { json } = await sandbox.get('/session', me);
  assert.equal(json.person.email, 'new@example.test');
  assert.equal(json.withdrawalsLockedUntil, (await sandbox.now()) + 24 * 60 * MINUTE);
  await sandbox.advance(STEP);
  assert.deepEqual(told(await sandbox.signIn({ totp: await code() })), [401, 'credentials']);
  assert.equal((await sandbox.signIn({ email: 'NEW@example.test', totp: await code() })).status, 201);
});

test('switching TOTP off needs a step-up with a code, and locks withdrawals', async () => {
  const { sandbox } = held;
  await sandbox.advance(10 * MINUTE);
  assert.deepEqual(told(await sandbox.delete('/totp', me)), [401, 'step-up']);
  await sandbox.post('/step-up', { totp: await code() }, me);
  assert.equal((await sandbox.delete('/totp', me)).status, 204);
  assert.deepEqual((await sandbox.get('/session', me)).json.factors, {
    totp: false,
    passkeys: 0,
    recoveryCodes: 0,
  });
  assert.equal((await sandbox.signIn({ email: 'new@example.test' })).status, 201);
});

test('while withdrawals are locked, the quota is 0 with the reason; afterwards it is the available amount', async () => {
  const { sandbox } = held;
  const { userId } = (await sandbox.get('/session', me)).json.user;
  await sandbox.control('POST', '/faucet', { user: userId, currency: 'ETH', amount: '10' });
  const quota = async () => {
    const { json } = await sandbox.client(me).get('/api/v1/withdrawals/quotas?currency=ETH&chain=eth');
    return json.data as { availableAmount: string; remainAmount: string; reason: string | null };
  };
  const withdraw = (amount: string) =>
    sandbox.client(me).post('/api/v3/withdrawals', {
      currency: 'ETH',
      chain: 'eth',
      amount,
      toAddress: '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
    });
  const locked = await quota();
  assert.deepEqual([locked.availableAmount, locked.remainAmount], ['0', '0']);
  const { json } = await withdraw('1');
  assert.deepEqual([json.code, json.msg], ['260210', locked.reason], 'the reason is that of the withdrawal');
  await sandbox.advance(24 * 60 * MINUTE);
  me = (await sandbox.signIn({ email: 'new@example.test' })).json;
  const { availableAmount, reason } = await quota();
  assert.equal(reason, null);
  assert.equal((await withdraw(availableAmount)).status, 200, availableAmount);
});

test('a person may name ten new addresses an hour; a rejected one gets no mail', async () => {
  const { sandbox } = held;
  const other = await sandbox.signUp('grace@example.test');
  const ask = (at: number, as = other) => sandbox.post('/email', { email: `new-${at}@example.test` }, as);
  for (let at = 0; at < 10; at++) assert.equal((await ask(at)).status, 202);
  const notices = (await sandbox.mails('grace@example.test')).length;
  await sandbox.advance(MINUTE);
  const { status, headers, json } = await ask(10);
  assert.deepEqual([status, headers.get('retry-after')], [429, String(59 * 60)]);
  assert.deepEqual(json, {
    code: 'slow-down',
    msg: 'Too many mails to new addresses. Try again in 3540 s.',
  } as unknown);
  assert.deepEqual(await sandbox.mails('new-10@example.test'), []);
  assert.equal((await sandbox.mails('grace@example.test')).length, notices);
  const renewed = (await sandbox.signIn({ email: 'grace@example.test' })).json;
  assert.equal((await ask(10, renewed)).status, 429, 'a new session changes nothing');
  await sandbox.advance(59 * MINUTE);
  const later = (await sandbox.signIn({ email: 'grace@example.test' })).json;
  assert.equal((await ask(10, later)).status, 202);
});
