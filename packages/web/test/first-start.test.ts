// The first start after an install: the exchange is ready at once, and its pages later, built in the background.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeDirectory } from '@bourse/test-kit/directory.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const LOOK_MS = 100;
const BUILT_WITHIN_MS = 300_000;
const NOT_COPIED = /\/(?:node_modules|dist|test)(?:\/|$)/;

/** The repository after an install, without a build. */
function copyOfRepository(context: TestContext): string {
  const copy = makeDirectory(context);
  const isCopied = (path: string): boolean => !NOT_COPIED.test(path.slice(ROOT.length - 1));
  const files = readdirSync(ROOT).filter((name) => /^(?:package|tsconfig).*\.json$|\.md$/.test(name));
  for (const part of [...files, 'docs', 'packages', 'scripts']) {
    cpSync(join(ROOT, part), join(copy, part), { recursive: true, filter: isCopied });
  }
  linkModules(copy);
  return copy;
}

/** Links as npm does: libraries, and this copy's packages by their names. */
function linkModules(copy: string): void {
  const modules = join(copy, 'node_modules');
  mkdirSync(join(modules, '@bourse'), { recursive: true });
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (name !== '@bourse' && name !== 'bourse')
      symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  }
  for (const folder of readdirSync(join(copy, 'packages'))) {
    const manifest = readFileSync(join(copy, 'packages', folder, 'package.json'), 'utf8');
    const { name } = JSON.parse(manifest) as { readonly name: string };
    symlinkSync(join(copy, 'packages', folder), join(modules, name));
  }
}

async function start(context: TestContext, copy: string): Promise<string> {
  const program = join(copy, 'packages/bourse/bin/bourse.mjs');
  const args = [
    program,
    'start',
    '--json',
    '--market',
    'quiet',
    '--port',
    '0',
    '--data',
    makeDirectory(context),
  ];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  context.after(async () => {
    child.kill();
    if (child.exitCode === null) await once(child, 'exit');
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return (JSON.parse(line.toString()) as { readonly baseUrl: string }).baseUrl;
}

const askForPage = (url: string): Promise<Response> => fetch(`${url}/`, { headers: { accept: 'text/html' } });

test('missing pages are built once while the exchange runs, and the next start finds them', {
  timeout: BUILT_WITHIN_MS,
}, async (context) => {
  const copy = copyOfRepository(context);
  const dist = join(copy, 'packages/web/dist');
  const url = await start(context, copy);
  const meanwhile = await askForPage(url);
  assert.equal(meanwhile.status, 503);
  assert.equal(meanwhile.headers.get('retry-after'), '2');
  assert.match(await meanwhile.text(), /The pages are being built/);
  assert.equal((await fetch(`${url}/api/v1/timestamp`)).status, 200);

  // A manual build runs concurrently: one of the two builds, the other waits for it.
  const byHand = promisify(execFile)(process.execPath, [join(copy, 'scripts/build-web.mjs')]);
  let page = await askForPage(url);
  while (page.status === 503) {
    // The folder appears atomically, so it is complete.
    assert.equal(existsSync(dist) && !existsSync(join(dist, 'index.html')), false);
    await sleep(LOOK_MS);
    page = await askForPage(url);
  }
  assert.equal(page.status, 200);
  const [, script] = /<script type="module"[^>]* src="([^"]+)"/.exec(await page.text())!;
  assert.equal((await fetch(url + script)).status, 200);
  assert.match((await byHand).stdout, /^(?:built|up to date): /);
  // The second one checks once more and leaves no files behind.
  while (existsSync(join(copy, 'packages/web/node_modules/.pages-lock'))) await sleep(LOOK_MS);
  assert.ok(readFileSync(join(dist, 'licenses.txt'), 'utf8').includes('react '));

  const { mtimeMs } = statSync(join(dist, 'index.html'));
  assert.equal((await askForPage(await start(context, copy))).status, 200);
  const again = await promisify(execFile)(process.execPath, [join(copy, 'scripts/build-web.mjs')]);
  assert.match(again.stdout, /^up to date: /);
  assert.equal(statSync(join(dist, 'index.html')).mtimeMs, mtimeMs);
});
