/**
 * Searches everything that is stored for each secret that a person sends or receives: the data directory with log,
 * snapshots, history and keyring, a backup and an export of it, the log lines, and the lists of operators and the
 * sandbox.
 */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { appCode, IdentitySandbox } from '@bourse/test-kit/identity.ts';
import { Client } from '@bourse/test-kit/server.ts';
import { backUp } from '../../src/tools/backup.ts';
import { open } from '../startup/exchange.ts';

const EMAIL = 'ada.lovelace@example.test';
const PASSWORD = 'analytical engines weave patterns';
const NEXT_PASSWORD = 'numbers like a jacquard loom';
const WRONG = 'a guess that fails for sure';

function filesIn(dir: string): string[] {
  const names = readdirSync(dir, { recursive: true, withFileTypes: true });
  return names.filter((each) => each.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

test('personal secrets appear neither in stored files nor in what others can see', async (t) => {
  const dir = makeDirectory(t);
  const [data, backup] = [join(dir, 'data'), join(dir, 'backup')];
  const lines: string[] = [];
  const running = await open({
    data,
    flags: { clock: 'manual', trustedProxies: '127.0.0.1' },
    logLines: (line) => void lines.push(line),
    logLevel: 'debug',
  });
  const sandbox = new IdentitySandbox(running);
  const secrets = new Map<string, string>();
  let isClosed = false;
  t.after(() => (isClosed ? undefined : running.close()));

  const verifyToken = async () => sandbox.tokenOf('verify', EMAIL);
  const me = await sandbox.signUp(EMAIL, PASSWORD);
  secrets
    .set('e-mail address', EMAIL)
    .set('password', PASSWORD)
    .set('link', await verifyToken());
  secrets.set('session token', me.sessionToken).set('signing secret', me.key.apiSecret);
  secrets.set('signing passphrase', me.key.apiPassphrase);
  const { secret } = (await sandbox.post('/totp', {}, me)).json;
  const time = await sandbox.now();
  const confirmed = await sandbox.post('/totp/confirm', { code: appCode(secret, time) }, me);
  const codes = confirmed.json.recoveryCodes;
  secrets.set('TOTP secret', secret).set('recovery code', codes[0]!).set('used recovery code', codes[1]!);
  const made = await sandbox.post('/keys', { name: 'bot', permissions: ['General'] }, me);
  secrets.set('API secret', made.json.apiSecret).set('API passphrase', made.json.apiPassphrase);
  assert.equal((await new Client(sandbox.url, made.json).get('/api/v1/accounts')).status, 200);
  assert.equal((await sandbox.signIn({ email: EMAIL, password: WRONG })).status, 401);
  secrets.set('wrong password', WRONG);
  const again = await sandbox.signIn({ email: EMAIL, password: PASSWORD, recoveryCode: codes[1] });
  assert.equal(again.status, 201, JSON.stringify(again.json));
  const changed = await sandbox.post('/password', { current: PASSWORD, next: NEXT_PASSWORD }, again.json);
  assert.equal(changed.status, 204, JSON.stringify(changed.json));
  secrets.set('next password', NEXT_PASSWORD);
  await sandbox.post('/password/reset', { email: EMAIL });
  secrets.set('reset link', await sandbox.tokenOf('reset', EMAIL));
  for (const wrong of [
    { email: EMAIL, password: WRONG, more: PASSWORD },
    { email: EMAIL, password: [PASSWORD] },
  ]) {
    const refused = await sandbox.post('/sessions', wrong);
    assert.equal(refused.status, 400);
    lines.push(JSON.stringify(refused.json));
  }

  const shown: [string, string][] = [['log lines and errors', lines.join('\n')]];
  for (const path of ['/v1/audit?limit=500', '/v1/users', '/v1/proposals'])
    shown.push([path, JSON.stringify(await sandbox.operator('GET', path))]);
  shown.push(['/requests', JSON.stringify(await sandbox.control('GET', '/requests?limit=500'))]);
  const metrics = await fetch(`${sandbox.url}/metrics`, {
    headers: { authorization: `Bearer ${running.connection.operatorToken}` },
  });
  shown.push(['/metrics', await metrics.text()]);
  await backUp(data, backup);
  await running.close();
  isClosed = true;
  for (const path of [...filesIn(data), ...filesIn(backup)])
    shown.push([path.slice(dir.length), readFileSync(path, 'latin1')]);
  assert.ok(shown.some(([name]) => name.includes('keyring')));
  assert.ok(shown.some(([name]) => name.includes('backup/')));

  const found: string[] = [];
  for (const [place, text] of shown) {
    for (const [name, value] of secrets) if (text.includes(value)) found.push(`${name} in ${place}`);
  }
  assert.deepEqual(found, []);
});
