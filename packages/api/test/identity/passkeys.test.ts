/** Passkeys, with an authenticator in software. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  Authenticator,
  EMAIL,
  PASSWORD,
  type Said,
  sandboxOfFile,
  type SignedInAs,
} from '@bourse/test-kit/identity.ts';
import { SecretBox } from '../../src/gateway/access/secrets.ts';
import {
  checkRegistration,
  proveFactor,
  registrationOptions,
  requestOptions,
} from '../../src/identity/factors.ts';
import type { Identity } from '../../src/identity/identity.ts';
import { VenueKeys } from '../../src/identity/venue-keys.ts';

const held = sandboxOfFile();
const MINUTE = 60_000;
const ORIGIN = 'http://localhost:8080';
const own = new Authenticator({ origin: ORIGIN });
let me: SignedInAs;

const told = ({ status, json }: Said): unknown[] => [status, json?.code];
const challenge = async () => (await held.sandbox.post('/passkeys/challenge')).json;

async function register(authenticator: Authenticator, as: SignedInAs): Promise<Said> {
  const { json } = await held.sandbox.post('/passkeys/options', {}, as);
  return held.sandbox.post(
    '/passkeys',
    { name: 'phone', response: authenticator.register(json as never) },
    as,
  );
}

test('a passkey is added with the registration options of the session, which work once', async () => {
  const { sandbox } = held;
  me = await sandbox.signUp();
  const { status, json } = await sandbox.post('/passkeys/options', {}, me);
  assert.equal(status, 200);
  const options = json as unknown as {
    challenge: string;
    rp: { id: string };
    attestation: string;
    authenticatorSelection: { residentKey: string; userVerification: string };
  };
  assert.deepEqual(
    [options.rp.id, options.attestation, options.authenticatorSelection.userVerification],
    ['localhost', 'none', 'required'],
  );
  const response = own.register(json as never);
  const added = await sandbox.post('/passkeys', { name: 'phone', response }, me);
  assert.equal(added.status, 201, JSON.stringify(added.json));
  assert.equal(added.json.id, own.id);
  const again = await sandbox.post('/passkeys', { name: 'phone', response }, me);
  assert.notEqual(again.status, 201);
  const { json: list } = await sandbox.get('/passkeys', me);
  assert.deepEqual(
    (list as unknown as readonly { name: string }[]).map(({ name }) => name),
    ['phone'],
  );
});

test('passkeys of another page, another site or another session, or without verification, are rejected', async () => {
  const { sandbox } = held;
  const wrong = [
    new Authenticator({ origin: 'https://evil.test' }),
    new Authenticator({ origin: ORIGIN, rpId: 'evil.test' }),
    new Authenticator({ origin: ORIGIN, isVerified: false }),
  ];
  for (const authenticator of wrong)
    assert.deepEqual(told(await register(authenticator, me)), [400, 'passkey']);
  const asserted = own.assert(await challenge());
  const other = (await sandbox.post('/sessions', { passkey: asserted })).json;
  const { json } = await sandbox.post('/passkeys/options', {}, me);
  const response = new Authenticator({ origin: ORIGIN }).register(json as never);
  assert.deepEqual(told(await sandbox.post('/passkeys', { name: 'x', response }, other)), [400, 'passkey']);
});

test("a passkey works at publicUrl and at the operators' listener, and at no other page", async () => {
  const settings = {
    publicUrl: 'https://exchange.example',
    operatorPublicUrl: 'https://ops.exchange.example:8443',
  };
  const keys = new VenueKeys(new SecretBox(Buffer.alloc(32, 7)));
  const identity = { keys, now: 1_800_000_000_000, settings } as unknown as Identity;
  const origins = [settings.publicUrl, settings.operatorPublicUrl, 'https://other.exchange.example'];
  const accepted = origins.map(async (origin) => {
    const open = { person: { id: 'p-1', passkeys: [] }, profile: { email: EMAIL, name: 'ada' } };
    const passkey = new Authenticator({ origin, rpId: 'exchange.example' });
    const options = await registrationOptions(identity, open as never, 's-1');
    const known = await checkRegistration(identity, passkey.register(options as never) as never, 's-1').catch(
      () => null,
    );
    if (known === null) return false;
    const owner = { person: { ...open.person, passkeys: [known], totp: '' } } as never;
    const response = passkey.assert((await requestOptions(identity)) as never) as never;
    return (await proveFactor(identity, owner, { passkey: response })).passkey?.id === passkey.id;
  });
  assert.deepEqual(await Promise.all(accepted), [true, true, false]);
});

test('a passkey alone is enough to sign in, once per challenge', async () => {
  const { sandbox } = held;
  const asked = await challenge();
  const passkey = own.assert(asked);
  const { status, json } = await sandbox.post('/sessions', { passkey });
  assert.equal(status, 201, JSON.stringify(json));
  assert.deepEqual(
    told(await sandbox.post('/sessions', { passkey })),
    [401, 'second-factor'],
    'the challenge is used',
  );
  const late = own.assert(await challenge());
  await sandbox.advance(5 * MINUTE + 1);
  assert.deepEqual(told(await sandbox.post('/sessions', { passkey: late })), [401, 'credentials']);
  const strangers = new Authenticator({ origin: ORIGIN });
  strangers.register({ challenge: '', user: { id: Buffer.from(me.session.id).toString('base64url') } });
  assert.deepEqual(told(await sandbox.post('/sessions', { passkey: strangers.assert(await challenge()) })), [
    401,
    'credentials',
  ]);
  const padded = { challenge: `${(await challenge()).challenge}=` };
  assert.deepEqual(
    told(await sandbox.post('/sessions', { passkey: own.assert(padded) })),
    [401, 'credentials'],
    'another spelling would work once more',
  );
  const self = { challenge: Buffer.alloc(38, 7).toString('base64url') };
  assert.deepEqual(told(await sandbox.post('/sessions', { passkey: own.assert(self) })), [
    401,
    'credentials',
  ]);
});

test('a passkey is a second factor for sign-in with a password and for a step-up', async () => {
  const { sandbox } = held;
  const missing = await sandbox.signIn();
  assert.deepEqual([...told(missing), missing.json.factors], [401, 'second-factor', ['passkey']]);
  const { status, json } = await sandbox.signIn({ passkey: own.assert(await challenge()) });
  assert.equal(status, 201);
  me = json;
  await sandbox.advance(6 * MINUTE);
  const late = await sandbox.post('/passkeys/options', {}, me);
  assert.deepEqual([...told(late), late.json.factors], [401, 'step-up', ['passkey']]);
  assert.equal((await sandbox.post('/step-up', { passkey: own.assert(await challenge()) }, me)).status, 200);
  assert.equal((await sandbox.post('/passkeys/options', {}, me)).status, 200);
});

test('a passkey still works while passwords are slowed down', async () => {
  const { sandbox } = held;
  const ip = sandbox.freshAddress();
  for (let at = 0; at < 5; at++)
    assert.equal((await sandbox.signIn({ password: `${PASSWORD} not` }, ip)).status, 401);
  const slow = await sandbox.signIn({}, ip);
  assert.deepEqual(told(slow), [429, 'slow-down']);
  assert.equal(slow.headers.get('retry-after'), '1');
  const body = { passkey: own.assert(await challenge()) };
  assert.equal((await sandbox.send('POST', '/sessions', body, { 'x-forwarded-for': ip })).status, 201);
});

test('passkey request options are the same for everybody', async () => {
  const { challenge: one, ...first } = await challenge();
  const { challenge: two, ...second } = await challenge();
  assert.deepEqual(first, second);
  assert.notEqual(one, two);
});

test('removing a passkey needs a step-up and locks withdrawals', async () => {
  const { sandbox } = held;
  assert.equal((await sandbox.delete(`/passkeys/${own.id}`, me)).status, 204);
  assert.equal((await sandbox.delete(`/passkeys/${own.id}`, me)).status, 404);
  const { json } = await sandbox.get('/session', me);
  assert.equal(json.withdrawalsLockedUntil, (await sandbox.now()) + 24 * 60 * MINUTE);
  assert.deepEqual(told(await sandbox.post('/sessions', { passkey: own.assert(await challenge()) })), [
    401,
    'credentials',
  ]);
  assert.equal(json.person.email, EMAIL);
});
