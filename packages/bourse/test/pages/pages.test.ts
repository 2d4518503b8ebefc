// How the built pages are served: bytes, encodings, caching and security headers.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { startServer } from '@bourse/test-kit/server.ts';

const SCRIPT = `console.log('${'x'.repeat(2000)}');`;
const DOCUMENT = '<!doctype html><title>Bourse</title><script src="/assets/main-1a2b.js"></script>';
const CONSOLE_DOCUMENT = '<!doctype html><title>Console</title><script src="/assets/main-1a2b.js"></script>';

/** The output of a build. */
function build(folder: string): void {
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(folder, 'assets/main-1a2b.js'), SCRIPT);
  writeFileSync(join(folder, 'assets/main-1a2b.js.br'), brotliCompressSync(SCRIPT));
  writeFileSync(join(folder, 'assets/main-1a2b.js.gz'), gzipSync(SCRIPT));
  writeFileSync(join(folder, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  mkdirSync(join(folder, 'docs/first-bot'), { recursive: true });
  for (const page of ['docs', 'docs/first-bot']) writeFileSync(join(folder, page, 'index.html'), page);
  writeFileSync(join(folder, 'console.html'), CONSOLE_DOCUMENT);
  writeFileSync(join(folder, 'index.html'), DOCUMENT);
}

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

/** Not `fetch`, which decodes the body. */
function ask(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  const { host, origin } = new URL(url);
  // As written, with its dots.
  const path = url.slice(origin.length);
  return new Promise((resolve, reject) => {
    const asked = request(`http://${host}`, { path, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          headers: response.headers as Record<string, string>,
          bytes: Buffer.concat(chunks),
        }),
      );
    });
    asked.on('error', reject);
    asked.end();
  });
}

test('built pages', async (context) => {
  const pageFolder = makeDirectory(context);
  build(pageFolder);
  const { url, close } = await startServer({ pageFolder });
  context.after(close);

  await context.test('a browser gets the page at its own paths, and at those of its router', async () => {
    for (const path of [
      '/',
      '/console',
      '/console/users/alice%2Fsub',
      '/trade/BTC-USDT',
      '/?market=BTC-USDT',
    ]) {
      const { status, headers, bytes } = await ask(url + path, HTML);
      assert.equal(status, 200, path);
      assert.equal(headers['content-type'], 'text/html; charset=utf-8');
      assert.equal(bytes.toString(), path.startsWith('/console') ? CONSOLE_DOCUMENT : DOCUMENT);
      assert.equal(headers['cache-control'], 'no-cache');
    }
  });

  await context.test(
    'a program that does not accept HTML gets 404 at /, as at any unknown path',
    async () => {
      for (const accept of ['*/*', 'application/json']) {
        const { status, headers, bytes } = await ask(`${url}/`, { accept });
        assert.equal(status, 404);
        assert.equal(headers['content-type'], 'application/json');
        assert.match(bytes.toString(), /Unknown path \/\. See \/docs/);
      }
      assert.equal((await ask(`${url}/`, {}, 'POST')).status, 404);
      assert.equal((await ask(`${url}/consoles`, HTML)).status, 404);
      assert.equal((await ask(`${url}/assets/other.js`, HTML)).status, 404);
    },
  );

  await context.test(
    'no path leads out of the folder, and compressed files have no separate address',
    async () => {
      for (const path of ['/assets/../index.html', '/..%2f..%2fpackage.json', '/assets/main-1a2b.js.br']) {
        assert.equal((await ask(url + path)).status, 404, path);
      }
    },
  );

  await context.test('each file is sent in the smallest encoding that the client accepts', async () => {
    const script = `${url}/assets/main-1a2b.js`;
    const br = await ask(script, { 'accept-encoding': 'gzip, deflate, br' });
    assert.equal(br.headers['content-encoding'], 'br');
    assert.deepEqual(br.bytes, brotliCompressSync(SCRIPT));
    const gzip = await ask(script, { 'accept-encoding': 'gzip, br;q=0' });
    assert.equal(gzip.headers['content-encoding'], 'gzip');
    const plain = await ask(script, { 'accept-encoding': 'identity' });
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.equal(plain.bytes.toString(), SCRIPT);
    assert.equal(plain.headers['vary'], 'accept-encoding');
  });

  await context.test(
    'files with hashed names are cached forever, and others are revalidated with 304',
    async () => {
      const script = await ask(`${url}/assets/main-1a2b.js`);
      assert.equal(script.headers['cache-control'], 'public, max-age=31536000, immutable');
      assert.equal(script.headers['content-type'], 'text/javascript; charset=utf-8');
      const icon = await ask(`${url}/icon.svg`);
      assert.equal(icon.headers['cache-control'], 'no-cache');
      const again = await ask(`${url}/icon.svg`, { 'if-none-match': icon.headers['etag']! });
      assert.equal(again.status, 304);
      assert.equal(again.bytes.length, 0);
      assert.equal((await ask(`${url}/icon.svg`, { 'if-none-match': '*' })).status, 304);
      const other = await ask(`${url}/icon.svg`, {
        'if-none-match': '"x",'.repeat(1000),
        range: 'bytes=0-1',
      });
      assert.deepEqual([other.status, other.bytes.length], [200, icon.bytes.length], 'there are no parts');
    },
  );

  await context.test('a page of the documentation is a folder, with or without the slash', async () => {
    for (const path of ['/docs', '/docs/', '/docs/first-bot', '/docs/first-bot/']) {
      const { status, bytes } = await ask(url + path);
      assert.deepEqual([status, bytes.toString()], [200, path.slice(1).replace(/\/$/, '')], path);
    }
    for (const path of ['/docs/other', '/docs/index', '/docsx'])
      assert.equal((await ask(url + path)).status, 404);
  });

  await context.test('HEAD returns the headers of GET without the body', async () => {
    const get = await ask(`${url}/console`);
    const head = await ask(`${url}/console`, {}, 'HEAD');
    assert.equal(head.status, 200);
    assert.equal(head.headers['content-length'], get.headers['content-length']);
    assert.equal(head.headers['etag'], get.headers['etag']);
    assert.equal(head.bytes.length, 0);
  });

  await context.test(
    'pages run no inline script, no eval and nothing from other origins, and cannot be framed',
    async () => {
      for (const path of ['/', '/console', '/docs', '/docs/reference']) {
        const { headers } = await ask(url + path, HTML);
        const policy = new Map(
          headers['content-security-policy']!.split('; ').map((each) => {
            const [name, ...values] = each.split(' ');
            return [name!, values.join(' ')];
          }),
        );
        assert.equal(policy.get('default-src'), "'none'", path);
        assert.equal(policy.get('script-src'), "'self'");
        assert.equal(policy.get('connect-src'), "'self'");
        assert.equal(policy.get('frame-ancestors'), "'none'");
        assert.equal(policy.get('base-uri'), "'none'");
        assert.equal(policy.get('form-action'), "'none'");
        assert.doesNotMatch(headers['content-security-policy']!, /https?:|\*|unsafe-eval/);
        assert.equal(headers['x-content-type-options'], 'nosniff');
        assert.equal(headers['referrer-policy'], 'no-referrer');
        assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
      }
      for (const path of ['/assets/main-1a2b.js', '/docs/reference.js']) {
        const { headers } = await ask(url + path);
        assert.equal(headers['x-content-type-options'], 'nosniff', path);
        assert.equal(headers['cross-origin-resource-policy'], 'same-origin', path);
      }
    },
  );

  await context.test('a later build does not change pages that are already served', async () => {
    writeFileSync(join(pageFolder, 'index.html'), 'another');
    assert.equal((await ask(`${url}/trade/BTC-USDT`)).bytes.toString(), DOCUMENT);
  });
});

test('if the websockets have another address, the page is allowed to connect there', async (context) => {
  const pageFolder = makeDirectory(context);
  build(pageFolder);
  const { url, close } = await startServer({ pageFolder, settings: { publicUrl: 'https://bourse.example' } });
  context.after(close);
  const { headers } = await ask(`${url}/console`);
  assert.match(headers['content-security-policy']!, /connect-src 'self' wss:\/\/bourse\.example;/);
});

test('a page that is not built yet says so, retries by itself, and appears when it is built', async (context) => {
  const pageFolder = makeDirectory(context);
  const { url, close } = await startServer({ pageFolder });
  context.after(close);
  const before = await ask(`${url}/`, HTML);
  assert.equal(before.status, 503);
  assert.equal(before.headers['cache-control'], 'no-store');
  assert.match(before.bytes.toString(), /being built/);
  assert.match(before.bytes.toString(), /http-equiv="refresh" content="2"/);
  build(pageFolder);
  const built = await ask(`${url}/`, HTML);
  assert.equal(built.status, 200);
  assert.equal(built.bytes.toString(), DOCUMENT);
});
