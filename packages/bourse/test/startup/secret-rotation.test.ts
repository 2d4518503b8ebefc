/** Rotation of the venue's secret while it runs: nothing stops, and at every moment exactly one secret starts it. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { ofSize } from '@bourse/test-kit/run-size.ts';
import { Client, type Credentials } from '@bourse/test-kit/server.ts';
import { openCheckpoint } from '../../../engine/src/transparency/checkpoint.ts';
import type { RunningExchange } from '../../src/startup/running-exchange.ts';
import { backUp, restoreBackup } from '../../src/tools/backup.ts';
import { codeOf, open, Operator } from './exchange.ts';
import { run, serve } from './process.ts';

const TOKEN = 'cd'.repeat(20);

const openVenue = (data: string, secretKeyFile: string): Promise<RunningExchange> =>
  open({ data, flags: { venue: true, secretKeyFile }, env: { BOURSE_OPERATOR_TOKEN: TOKEN } });

function makeSecret(path: string): string {
  writeFileSync(path, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 });
  return path;
}

async function addKey(operator: Operator, user: string): Promise<Credentials> {
  const { status, body } = await operator.post(`/v1/users/${user}/keys`, { permissions: ['General'] });
  assert.equal(status, 200, JSON.stringify(body));
  return body as Credentials;
}

async function addUser(operator: Operator, name: string): Promise<string> {
  const { status, body } = await operator.post('/v1/users', { name });
  assert.equal(status, 200, JSON.stringify(body));
  return (body as { userId: string }).userId;
}

async function assertWorks({ connection }: RunningExchange, ...keys: Credentials[]): Promise<void> {
  for (const key of keys) {
    const { status, text } = await new Client(connection.baseUrl, key).get('/api/v1/accounts');
    assert.equal(status, 200, text);
  }
}

const rotate = (running: RunningExchange, newSecretKeyFile: string) =>
  new Operator(running).post('/v1/secret', { newSecretKeyFile });

const textOf = async ({ connection }: RunningExchange, path: string): Promise<string> =>
  (await fetch(`${connection.baseUrl}/transparency/${path}`)).text();

test('the secret can be rotated while the venue runs, and afterwards only the new one starts it', async (t) => {
  const dir = makeDirectory(t);
  const data = `${dir}/data`;
  const [first, second, third] = ['first', 'second', 'third'].map((name) => makeSecret(`${dir}/${name}`));
  let running = await openVenue(data, first);
  t.after(() => running.close());
  const operator = new Operator(running);
  const user = await addUser(operator, 'alice');
  const before = await addKey(operator, user);
  const oldKey = await textOf(running, 'key');
  assert.equal((await operator.post('/v1/checkpoints', {})).status, 200);
  await operator.post('/v1/currencies', { code: 'BTC', decimals: 8 });
  assert.equal((await operator.post('/v1/liabilities', {})).status, 200);
  await backUp(data, `${dir}/old-backup`);

  assert.deepEqual(await rotate(running, second), { status: 200, body: { rotated: true } });
  const [noted] = (await operator.get('/v1/audit?limit=1')).body as Record<string, unknown>[];
  assert.deepEqual([noted['action'], noted['details']], ['note-call', { noted: 'rotate-secret' }]);
  const after = await addKey(operator, user);
  await assertWorks(running, before, after);

  // A holder of the old verifier key learns the new one from a checkpoint that both have signed.
  const newKey = await textOf(running, 'key');
  assert.notEqual(newKey, oldKey);
  const both = await textOf(running, 'checkpoint');
  assert.ok(openCheckpoint(both, oldKey).lines.includes(`next-key ${newKey.trim()}`));
  assert.equal(openCheckpoint(both, newKey).origin, openCheckpoint(both, oldKey).origin);
  // The current key verifies checkpoints signed before the rotation, and the old key still does.
  const { items } = JSON.parse(await textOf(running, 'checkpoints')) as { items: { note: string }[] };
  assert.ok(items.length >= 3);
  for (const { note } of items) assert.ok(openCheckpoint(note, newKey));
  const published = JSON.parse(await textOf(running, 'liabilities')) as { items: { checkpoint: string }[] };
  for (const key of [oldKey, newKey]) {
    assert.ok(openCheckpoint(items[0].note, key));
    assert.ok(openCheckpoint(published.items[0].checkpoint, key));
  }
  const { body: reloaded } = await operator.post('/v1/reload', {});
  assert.deepEqual((reloaded as { restart: string[] }).restart, ['secretKey'], 'the file was not moved yet');
  await addUser(operator, 'bob');
  const { body: taken } = await operator.post('/v1/checkpoints', {});
  assert.throws(() => openCheckpoint((taken as { note: string }).note, oldKey), /Nobody signed this note/);

  assert.deepEqual(await rotate(running, third), { status: 200, body: { rotated: true } });
  const assertRefused = async (file: string, why: RegExp): Promise<void> => {
    const answer = await rotate(running, file);
    assert.deepEqual(codeOf(answer), [400, 'settings-wrong'], file);
    assert.match((answer.body as { msg: string }).msg, why);
  };
  const keysFile = readFileSync(`${data}/secret-keys`, 'utf8');
  await assertRefused(third, /^Nothing has changed\. .*third contains the current secret\./);
  for (const old of [first, second]) {
    await assertRefused(old, new RegExp(`^Nothing has changed\\. ${old} contains an earlier secret of this`));
  }
  assert.equal(readFileSync(`${data}/secret-keys`, 'utf8'), keysFile);
  for (const old of [first, second]) assert.ok(!keysFile.includes(readFileSync(old, 'utf8').trim()));
  await backUp(data, `${dir}/new-backup`);
  await running.close();
  for (const old of [first, second]) {
    await assert.rejects(openVenue(data, old), (error: Error) => {
      assert.equal(error.name, 'WrongDirectory');
      assert.match(
        error.message,
        /encrypted with a different secret.*Use the secret of the last `bourse secret/,
      );
      return true;
    });
  }
  running = await openVenue(data, third);
  await assertWorks(running, before, after, await addKey(new Operator(running), user));
  for (const old of [first, second]) await assertRefused(old, /contains an earlier secret/);

  // A restored exchange starts with the secret of the time of the backup, and with no other.
  for (const [backup, right, wrong] of [
    ['old-backup', first, third],
    ['new-backup', third, first],
  ]) {
    await restoreBackup(`${dir}/${backup}`, `${dir}/from-${backup}`);
    await assert.rejects(openVenue(`${dir}/from-${backup}`, wrong), { name: 'WrongDirectory' });
    const restored = await openVenue(`${dir}/from-${backup}`, right);
    await assertWorks(restored, before);
    await restored.close();
  }
});

test('an unusable secret is rejected with the reason, and changes nothing', async (t) => {
  const dir = makeDirectory(t);
  const data = `${dir}/data`;
  mkdirSync(data);
  const first = makeSecret(`${dir}/first`);
  const running = await openVenue(data, first);
  t.after(() => running.close());
  writeFileSync(`${dir}/short`, 'abc\n');
  execFileSync('mkfifo', [`${dir}/pipe`]);
  for (const [file, why] of [
    [first, /contains the current secret/],
    [`${dir}/nowhere`, /nowhere is not a file/],
    // Reading a pipe would wait for a writer.
    [`${dir}/pipe`, /pipe is not a file/],
    [`${dir}/short`, /short does not hold/],
    [makeSecret(`${data}/inside`), /is inside the data directory/],
  ] as const) {
    const answer = await rotate(running, file);
    assert.deepEqual(codeOf(answer), [400, 'settings-wrong'], file);
    assert.match((answer.body as { msg: string }).msg, why);
    assert.match((answer.body as { msg: string }).msg, /^Nothing has changed\. /);
  }
  assert.equal(existsSync(`${data}/secret-keys`), false);
  const sandbox = await open({ data: makeDirectory(t) });
  t.after(() => sandbox.close());
  assert.deepEqual(codeOf(await rotate(sandbox, first)), [409, 'rotation-unavailable']);
});

test('after a kill during a rotation, the venue starts with either the old or the new secret', async (t) => {
  const dir = makeDirectory(t);
  const data = `${dir}/data`;
  let current = makeSecret(`${dir}/secret-0`);
  const env = { BOURSE_OPERATOR_TOKEN: TOKEN };
  const args = (file: string): string[] => ['--venue', '--data', data, '--secret-key-file', file];
  let key: Credentials | undefined;
  let rotated = 0;
  const rounds = ofSize(2, 10);
  for (let round = 1; round <= rounds; round++) {
    const { connection, stop } = await serve(t, args(current), env);
    const operator = new Operator({ connection } as RunningExchange);
    key ??= await addKey(operator, await addUser(operator, 'alice'));
    const next = makeSecret(`${dir}/secret-${round}`);
    // The first round waits for the answer, the others do not.
    const answered = operator.post('/v1/secret', { newSecretKeyFile: next }).catch(() => undefined);
    await (round === 1 ? answered : new Promise((resolve) => setTimeout(resolve, (round * 7) % 20)));
    await stop('SIGKILL');
    await answered;
    const isRotated = existsSync(`${data}/secret-keys`) && (await starts(data, next, key));
    const [right, wrong] = isRotated ? [next, current] : [current, next];
    if (!isRotated) assert.equal(await starts(data, right, key), true, `round ${round}`);
    else assert.equal(await starts(data, wrong, key), false, `round ${round}`);
    current = right;
    if (isRotated) rotated++;
  }
  assert.ok(rotated >= 1, 'a rotation that was answered is there');
});

async function starts(data: string, file: string, key: Credentials): Promise<boolean> {
  try {
    const running = await openVenue(data, file);
    await assertWorks(running, key).finally(() => running.close());
    return true;
  } catch (error) {
    if ((error as Error).name !== 'WrongDirectory') throw error;
    return false;
  }
}

test('bourse secret rotate prints the next steps', async (t) => {
  const dir = makeDirectory(t);
  const running = await openVenue(`${dir}/data`, makeSecret(`${dir}/first`));
  t.after(() => running.close());
  const next = makeSecret(`${dir}/next`);
  const args = ['secret', 'rotate', '--new-secret-key-file', next, '--reason', 'a test'];
  const ended = await run([...args, '--url', running.connection.operatorUrl], {
    BOURSE_OPERATOR_TOKEN: TOKEN,
  });
  assert.equal(ended.code, 0, ended.err);
  assert.match(
    ended.out,
    /is now the one in .*next\. The old one decrypts only data encrypted before\.\nBefore the next start, set secretKeyFile/,
  );
});
