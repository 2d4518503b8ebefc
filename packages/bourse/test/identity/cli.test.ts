/** `bourse people`: every call has a command, and the commands take a person from sign-up to sign-out. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { EMAIL, PASSWORD, sandboxOfFile } from '@bourse/test-kit/identity.ts';
import { PEOPLE_CALLS } from '../../src/cli/people.ts';
import { IDENTITY_ROUTES } from '../../../api/src/identity/plugin.ts';

const held = sandboxOfFile();
const MAIN = new URL('../../bin/bourse.mjs', import.meta.url).pathname;
const PAGE = new URL('../../../../docs/api/identity.md', import.meta.url);

function bourse(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ code: number | null; out: string }> {
  const child = spawn(process.execPath, [MAIN, 'people', ...args], {
    env: { ...process.env, BOURSE_URL: held.sandbox.url, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  child.stdout.on('data', (piece: Buffer) => (out += piece));
  child.stderr.on('data', (piece: Buffer) => (out += piece));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out })));
}

test('every call has a command and a line in the documentation', () => {
  const page = readFileSync(PAGE, 'utf8');
  const ids = new Set([...PEOPLE_CALLS.values()].map(({ id }) => id));
  assert.deepEqual(
    IDENTITY_ROUTES.filter(({ id }) => !ids.has(id)).map(({ id }) => id),
    [],
  );
  assert.equal(ids.size, IDENTITY_ROUTES.length);
  for (const { method, path, access } of IDENTITY_ROUTES) {
    assert.ok(page.includes(`| \`${method} ${path}\` | ${access} |`), `${method} ${path} | ${access}`);
  }
});

test('from sign-up to sign-out on the command line', async () => {
  const secrets = { BOURSE_PASSWORD: PASSWORD };
  assert.equal((await bourse(['sign-up', `email=${EMAIL}`], secrets)).code, 0);
  const { out: mail } = await bourse(['mail', EMAIL]);
  const token = /verify\?token=(\S+)/.exec(mail)?.[1] ?? '';
  const { out: verified } = await bourse(['verify', `token=${token}`, '--json']);
  const { sessionToken } = JSON.parse(verified) as { sessionToken: string };
  const session = { BOURSE_SESSION: sessionToken };
  assert.match((await bourse(['show'], session)).out, /ada@example\.test/);
  const again = await bourse(['verify', `token=${token}`]);
  assert.equal(again.code, 1);
  assert.match(again.out, /\(token\)/);
  assert.match((await bourse(['keys', 'add', 'name=bot', 'permissions=General'], session)).out, /apiSecret/);
  assert.match((await bourse(['invite'])).out, /^invitation /);
  assert.equal((await bourse(['sign-out'], session)).code, 0);
  assert.match((await bourse(['show'], session)).out, /no-session/);
});

test('a wrong file in --connect is reported without a word of its content', async (context) => {
  const dir = makeDirectory(context);
  const path = join(dir, 'connection.json');
  const missing = await bourse(['show', '--connect', path]);
  assert.deepEqual([missing.code, /no such file/i.test(missing.out)], [2, true], missing.out);
  writeFileSync(path, '{"operatorToken":"secret-of-the-venue",');
  const broken = await bourse(['show', '--connect', path]);
  assert.deepEqual([broken.code, /not JSON/.test(broken.out)], [2, true], broken.out);
  assert.doesNotMatch(broken.out, /secret-of-the-venue|\n\s+at /);
});
