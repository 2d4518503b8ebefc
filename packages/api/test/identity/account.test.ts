/** Keys, the address book, withdrawals, locks, freezing, activity and closing. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { EMAIL, PASSWORD, type Said, type SignedInAs, sandboxOfFile } from '@bourse/test-kit/identity.ts';
import { Client } from '@bourse/test-kit/server.ts';

const held = sandboxOfFile();
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const HOME = '0x52908400098527886E0F7030069857D2E4169EE7';
const AWAY = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';
let me: SignedInAs;
let userId = '';

const told = ({ status, json }: Said): unknown[] => [status, json?.code];
const withdraw = (client: Client, address: string) =>
  client.post('/api/v3/withdrawals', { currency: 'ETH', amount: '1', toAddress: address, chain: 'eth' });
const listOf = <T>({ json }: Said): readonly T[] => json as unknown as readonly T[];

async function stepUp(): Promise<void> {
  const said = await held.sandbox.post('/step-up', { password: PASSWORD }, me);
  assert.equal(said.status, 200, JSON.stringify(said.json));
}

test('a withdrawal with the signing key needs a step-up, and the error says so', async () => {
  const { sandbox } = held;
  me = await sandbox.signUp();
  ({ userId } = (await sandbox.get('/session', me)).json.user);
  await sandbox.control('POST', '/faucet', { user: userId, currency: 'ETH', amount: '100' });
  const first = await withdraw(sandbox.client(me), AWAY);
  assert.equal(first.status, 200, first.text);
  await sandbox.advance(5 * MINUTE);
  const late = await withdraw(sandbox.client(me), AWAY);
  assert.equal(late.json.code, '260210');
  assert.match(String(late.json.msg), /second factor is required/);
  await stepUp();
  assert.equal((await withdraw(sandbox.client(me), AWAY)).status, 200);
});

test('a statement covers the accounts of the caller, for a period', async () => {
  const { sandbox } = held;
  const until = (await sandbox.now()) + 1;
  const said = await sandbox.get(`/statement?from=0&until=${until}`, me);
  assert.equal(said.status, 200, JSON.stringify(said.json));
  assert.ok((said.json as unknown as { accounts: readonly object[] }).accounts.length > 0);
  assert.deepEqual(told(await sandbox.get('/statement?from=5&until=5', me)), [400, 'value-invalid']);
});

test('a stolen session cannot create a key of a sub-account, because that needs a step-up too', async () => {
  const { sandbox } = held;
  const client = sandbox.client(me);
  const created = await client.post('/api/v2/sub/user/created', {
    subName: 'bots1234',
    password: 'pass-word-1',
    access: 'Spot',
  });
  assert.equal(created.status, 200, created.text);
  const subName = 'bots1234';
  const passphrase = 'pass-phrase';
  const make = () =>
    client.post('/api/v1/sub/api-key', { subName, passphrase, remark: 'r', permission: 'General,Spot' });
  await stepUp();
  const first = await make();
  assert.equal(first.json.code, '200000', first.text);
  const { apiKey, apiSecret } = first.json.data as { apiKey: string; apiSecret: string };
  await sandbox.advance(5 * MINUTE);
  const stolen = await make();
  assert.deepEqual([stolen.status, stolen.json.code], [403, '400007'], stolen.text);
  assert.match(String(stolen.json.msg), /second factor is required/);
  const changed = await client.post('/api/v1/sub/api-key/update', { subName, apiKey, passphrase });
  assert.equal(changed.json.code, '400007', changed.text);
  const own = new Client(sandbox.url, {
    apiKey,
    apiSecret,
    apiPassphrase: passphrase,
  });
  assert.equal((await own.get('/api/v1/accounts')).status, 200, 'a key that was made before goes on');
  await stepUp();
  assert.equal((await make()).json.code, '200000');
});

test('API keys are created with a step-up, show their secret once, and need an IP allow list to withdraw', async () => {
  const { sandbox } = held;
  const make = (more: object) =>
    sandbox.post('/keys', { name: 'bot', permissions: ['General'], ...more }, me);
  assert.deepEqual(told(await make({ permissions: ['Withdrawal'] })), [400, 'ip-allow-list']);
  assert.deepEqual(told(await make({ permissions: ['Everything'] })), [400, 'value-invalid']);
  assert.deepEqual(told(await make({ colour: 'red' })), [400, 'field-unknown']);
  assert.deepEqual(told(await make({ ipAllowList: ['home'] })), [400, 'value-invalid']);
  const expires = (await sandbox.now()) + 60 * MINUTE;
  const made = await make({ expires });
  assert.equal(made.status, 201);
  const bot = new Client(sandbox.url, made.json);
  assert.equal((await bot.get('/api/v1/accounts')).status, 200);
  const [listed] = listOf<{ apiKey: string; apiSecret?: string }>(await sandbox.get('/keys', me));
  assert.deepEqual([listed.apiKey, listed.apiSecret], [made.json.apiKey, undefined]);
  assert.equal(listOf(await sandbox.get('/keys', me)).length, 1, 'signing keys are not among them');
  const change = await sandbox.post(`/keys/${listed.apiKey}`, { permissions: ['Spot', 'Withdrawal'] }, me);
  assert.deepEqual(told(change), [400, 'ip-allow-list']);
  assert.equal((await sandbox.post(`/keys/${me.key.apiKey}`, { name: 'x' }, me)).status, 404);
  assert.equal((await sandbox.delete(`/keys/${me.key.apiKey}`, me)).status, 404);
  await sandbox.advance(20 * MINUTE);
  await sandbox.get('/session', me);
  await sandbox.advance(20 * MINUTE);
  await sandbox.get('/session', me);
  await sandbox.advance(20 * MINUTE);
  assert.equal((await bot.get('/api/v1/accounts')).json.code, '400003', 'it has expired');
  await sandbox.get('/session', me);
  await stepUp();
  const second = (await make({})).json;
  assert.equal((await sandbox.delete(`/keys/${second.apiKey}`, me)).status, 204);
  assert.equal((await new Client(sandbox.url, second).get('/api/v1/accounts')).json.code, '400003');
});

test('with `only` on, withdrawals go only to addresses of the address book; switching it off takes a day', async () => {
  const { sandbox } = held;
  await stepUp();
  const entry = { label: 'my wallet', currency: 'ETH', chain: 'eth', address: HOME };
  assert.deepEqual(told(await sandbox.post('/addresses', { ...entry, address: 'nonsense' }, me)), [
    400,
    'value-invalid',
  ]);
  assert.deepEqual(told(await sandbox.post('/addresses', { ...entry, chain: 'moon' }, me)), [
    400,
    'chain-unknown',
  ]);
  const added = await sandbox.post('/addresses', entry, me);
  assert.equal(added.status, 201, JSON.stringify(added.json));
  assert.equal(added.json.usableFrom, await sandbox.now(), 'at once in a sandbox');
  assert.equal((await sandbox.post('/addresses/only', { on: true }, me)).status, 200);
  assert.equal((await withdraw(sandbox.client(me), HOME)).status, 200);
  const away = await withdraw(sandbox.client(me), AWAY);
  assert.deepEqual([away.json.code, /address book/.test(String(away.json.msg))], ['260210', true]);
  const off = await sandbox.post('/addresses/only', { on: false }, me);
  assert.equal(off.json.until, (await sandbox.now()) + DAY);
  assert.equal((await withdraw(sandbox.client(me), AWAY)).json.code, '260210');
  assert.equal((await sandbox.delete(`/addresses/${added.json.id}`, me)).status, 204);
  assert.equal((await sandbox.delete(`/addresses/${added.json.id}`, me)).status, 404);
});

test('activity is listed newest first, in pages', async () => {
  const { sandbox } = held;
  await sandbox.signIn({ password: `${PASSWORD} no` });
  await sandbox.advance(1);
  const all = listOf<{ id: string; kind: string; address: string; sessionId: string | null }>(
    await sandbox.get('/activity?limit=200', me),
  );
  const kinds = all.map(({ kind }) => kind);
  assert.equal(kinds[0], 'sign-in-failed');
  for (const kind of [
    'sign-up',
    'sign-in',
    'withdrawal',
    'key-added',
    'key-removed',
    'address-added',
    'step-up',
  ]) {
    assert.ok(kinds.includes(kind), `${kind} in ${kinds.join(' ')}`);
  }
  assert.equal(all.at(-1)?.kind, 'sign-up');
  assert.equal(all.find(({ kind }) => kind === 'key-added')?.address, '127.0.0.1');
  const pages: string[] = [];
  for (let after = ''; ; ) {
    const page = listOf<{ id: string }>(
      await sandbox.get(`/activity?limit=3${after && `&after=${after}`}`, me),
    );
    if (page.length === 0) break;
    pages.push(...page.map(({ id }) => id));
    after = pages.at(-1) ?? '';
  }
  assert.deepEqual(
    pages,
    all.map(({ id }) => id),
  );
  assert.equal((await sandbox.get('/activity?after=nothing', me)).status, 400);
});

test('nobody can change a locked account, including support', async () => {
  const { sandbox } = held;
  await sandbox.advance(DAY);
  me = (await sandbox.signIn()).json;
  const key = (await sandbox.post('/keys', { name: 'bot', permissions: ['General'] }, me)).json;
  const { json } = await sandbox.post('/lock', { days: 2 }, me);
  assert.equal(json.until, (await sandbox.now()) + 2 * DAY);
  const calls: readonly [string, string, object?][] = [
    ['POST', '/password', { current: PASSWORD, next: 'a different password here' }],
    ['POST', '/recovery-codes', {}],
    ['POST', '/keys', { name: 'x', permissions: [] }],
    ['POST', `/keys/${key.apiKey}`, { name: 'x' }],
    ['DELETE', `/keys/${key.apiKey}`],
    ['POST', '/addresses', { label: 'x', currency: 'ETH', chain: 'eth', address: HOME }],
    ['POST', '/addresses/only', { on: false }],
    ['POST', '/email', { email: 'x@example.test' }],
    ['POST', '/close', {}],
  ];
  for (const [method, path, body] of calls) {
    const said = await sandbox.send(method, path, body, { authorization: `Bearer ${me.sessionToken}` });
    assert.deepEqual(told(said), [403, 'locked'], `${method} ${path}`);
  }
  await sandbox.post('/password/reset', { email: EMAIL });
  const token = await sandbox.tokenOf('reset');
  assert.deepEqual(
    told(await sandbox.post('/password/reset/confirm', { token, password: 'a different password here' })),
    [403, 'locked'],
  );
  await assert.rejects(sandbox.operator('DELETE', `/v1/keys/${key.apiKey}?reason=support`), /person-locked/);
  assert.equal((await withdraw(sandbox.client(me), AWAY)).json.code, '260210');
  await sandbox.advance(2 * DAY);
});

test('an API key that expires during a lock loses its private feed', async () => {
  const { sandbox } = held;
  me = (await sandbox.signIn()).json;
  const expires = (await sandbox.now()) + 60 * MINUTE;
  const bot = (await sandbox.post('/keys', { name: 'bot', permissions: ['General'], expires }, me)).json;
  assert.equal((await sandbox.post('/lock', { days: 1 }, me)).status, 200);
  const { data } = (await new Client(sandbox.url, bot).post('/api/v1/bullet-private')).json as {
    data: { token: string; instanceServers: { endpoint: string }[] };
  };
  const open = () => new WebSocket(`${data.instanceServers[0]?.endpoint}?token=${data.token}`);
  const messageOf = async (feed: WebSocket) => {
    const { data: text } = await new Promise<MessageEvent>((resolve) =>
      feed.addEventListener('message', resolve, { once: true }),
    );
    return JSON.parse(text as string) as { type: string; data?: string };
  };
  const feed = open();
  assert.equal((await messageOf(feed)).type, 'welcome');
  const ended = new Promise<string>((resolve) =>
    feed.addEventListener('close', ({ code, reason }) => resolve(`${code} ${reason}`)),
  );
  await sandbox.advance(60 * MINUTE);
  const late = new Promise<string>((resolve) => setTimeout(resolve, 5000, 'still open').unref());
  assert.equal(await Promise.race([ended, late]), '1008 token is invalid: the API key has expired');
  assert.equal((await messageOf(open())).data, 'token is invalid: the API key has expired');
  await sandbox.advance(DAY);
});

test('the freeze link of any mail works once, and an operator can lift the freeze', async () => {
  const { sandbox } = held;
  me = (await sandbox.signIn()).json;
  const key = (await sandbox.post('/keys', { name: 'bot', permissions: ['General'] }, me)).json;
  const token = await sandbox.tokenOf('freeze');
  assert.deepEqual(told(await sandbox.post('/freeze', { token: `${token}x` })), [400, 'token']);
  assert.equal((await sandbox.post('/freeze', { token })).status, 204);
  assert.equal((await sandbox.get('/session', me)).status, 401);
  assert.equal((await new Client(sandbox.url, key).get('/api/v1/accounts')).json.code, '400003');
  assert.deepEqual(told(await sandbox.signIn()), [403, 'frozen']);
  assert.deepEqual(told(await sandbox.signIn({ password: `${PASSWORD} no` })), [401, 'credentials']);
  await sandbox.operator('POST', `/v1/users/${userId}`, { frozen: false, reason: 'the owner called' });
  assert.deepEqual(told(await sandbox.post('/freeze', { token })), [400, 'token']);
  me = (await sandbox.signIn()).json;
  assert.ok(me.sessionToken);
  assert.equal(
    (await new Client(sandbox.url, key).get('/api/v1/accounts')).json.code,
    '400003',
    'keys stay dead',
  );
});

test('an account with money cannot be closed; an empty one is erased, and its e-mail address can sign up again', async () => {
  const { sandbox, dir } = held;
  assert.deepEqual(told(await sandbox.post('/close', {}, me)), [409, 'not-empty']);
  const grace = await sandbox.signUp('grace@example.test');
  const { id } = (await sandbox.get('/session', grace)).json.person;
  assert.ok(readFileSync(join(dir, 'keyring'), 'utf8').includes(id));
  assert.equal((await sandbox.post('/close', {}, grace)).status, 204);
  assert.ok(
    !readFileSync(join(dir, 'keyring'), 'utf8').includes(id),
    'the key is gone, and with it what it sealed',
  );
  assert.equal((await sandbox.get('/session', grace)).status, 401);
  assert.deepEqual(told(await sandbox.signIn({ email: 'grace@example.test' }, sandbox.freshAddress())), [
    401,
    'credentials',
  ]);
  const again = await sandbox.signUp('grace@example.test');
  assert.notEqual((await sandbox.get('/session', again)).json.person.id, id);
});
