/** Everything that an exchange has in its directory belongs to the world that a restore opened, after a restart too. */

import assert from 'node:assert/strict';
import { cpSync, readdirSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { EMAIL, IdentitySandbox, PASSWORD } from '@bourse/test-kit/identity.ts';
import { makeLog } from '../../../api/src/gateway/http/log.ts';
import { settingsOf } from '@bourse/test-kit/limits.ts';
import { startExchange } from '../../src/startup/start.ts';
import { Operator } from '../startup/exchange.ts';

const OTHER = 'grace@example.test';
/** No server listens there, so mails stay in the outbox. */
const SMTP_URL = 'smtp://127.0.0.1:1';

async function start(dir: string, lines: string[] = []): Promise<IdentitySandbox> {
  const settings = settingsOf({
    data: dir,
    port: '0',
    market: 'quiet',
    clock: 'manual',
    logLevel: 'warn',
  });
  const log = makeLog('warn', { write: (line) => void lines.push(line) });
  return new IdentitySandbox(await startExchange(settings, { log }));
}

const restore = (sandbox: IdentitySandbox, id: string): Promise<unknown> =>
  sandbox.control('POST', `/snapshots/${id}/restore`);

const snapshot = async (sandbox: IdentitySandbox): Promise<string> =>
  (await sandbox.control<{ id: string }>('POST', '/snapshots')).id;

/** The status of a sign-in with the password. */
const signIn = async (sandbox: IdentitySandbox, email: string): Promise<number> =>
  (await sandbox.signIn({ email }, sandbox.freshAddress())).status;

/** A copy of the directory of a running sandbox, as a kill would leave it. */
function killed(context: TestContext, dir: string): string {
  for (;;) {
    const copy = `${makeDirectory(context)}/killed`;
    try {
      cpSync(dir, copy, { recursive: true });
      return copy;
    } catch (error) {
      // The follower of the replaced world removes files of its database when it closes.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

/** The files of an exchange's directory, without the auxiliary files of its database. */
const filesOf = (dir: string): string[] =>
  readdirSync(dir)
    .filter((name) => name !== 'sandbox' && name !== 'lock.db' && !name.startsWith('history.db-'))
    .toSorted();

test('people who signed up after a restore are there after a stop and after a kill', async (context) => {
  const dir = makeDirectory(context);
  const first = await start(dir);
  const id = await snapshot(first);
  await first.signUp(OTHER);
  await restore(first, id);
  await first.signUp();
  const copy = killed(context, dir);
  await first.close();
  for (const left of [dir, copy]) {
    const again = await start(left);
    assert.equal(await signIn(again, EMAIL), 201);
    assert.equal(await signIn(again, OTHER), 401, 'signed up only in the replaced world');
    await again.close();
  }
});

test('a restore brings back a closed account, and a restart keeps it', async (context) => {
  const dir = makeDirectory(context);
  const first = await start(dir);
  const me = await first.signUp();
  const id = await snapshot(first);
  assert.equal((await first.post('/close', {}, me)).status, 204);
  await restore(first, id);
  assert.equal(await signIn(first, EMAIL), 201);
  await first.close();
  const again = await start(dir);
  assert.equal(await signIn(again, EMAIL), 201);
  await again.close();
});

test('checkpoints and liabilities after a restore and a restart are of the restored log', async (context) => {
  const dir = makeDirectory(context);
  const first = await start(dir);
  const id = await snapshot(first);
  for (let day = 1; day <= 3; day++) {
    await first.control('POST', '/faucet', { user: 'alice', currency: 'USDT', amount: String(day) });
  }
  assert.equal((await new Operator(first.running).post('/v1/liabilities', {})).status, 200);
  await first.close();
  const second = await start(dir);
  await restore(second, id);
  await second.close();
  assert.ok(!readdirSync(dir).includes('liabilities'), 'the restored exchange has published none');

  const lines: string[] = [];
  const third = await start(dir, lines);
  await third.control('POST', '/faucet', { user: 'alice', currency: 'USDT', amount: '1' });
  const { status, body } = await new Operator(third.running).post('/v1/liabilities', {});
  assert.equal(status, 200, JSON.stringify(body));
  await third.close();
  assert.deepEqual(lines, []);
});

test('every file of an exchange has moved to its place after a restore and a stop', async (context) => {
  const dir = makeDirectory(context);
  const settings = settingsOf({ data: dir, port: '0', market: 'quiet', clock: 'manual', logLevel: 'silent' });
  const running = await startExchange({ ...settings, smtpUrl: SMTP_URL, mailFrom: 'bourse@example.test' });
  const sandbox = new IdentitySandbox(running);
  const world = `${dir}/sandbox/worlds/1`;
  await restore(sandbox, await snapshot(sandbox));
  assert.equal((await sandbox.post('/sign-up', { email: EMAIL, password: PASSWORD })).status, 202);
  assert.equal((await new Operator(running).post('/v1/liabilities', {})).status, 200);
  const there = filesOf(world);
  assert.ok(there.includes('outbox') && there.includes('liabilities'), there.join(' '));
  await running.close();
  assert.deepEqual(filesOf(dir), there);
});
