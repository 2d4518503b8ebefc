import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import answers from '../../src/gateway/docs/answers.json' with { type: 'json' };
import { DIALECTS } from '../../src/gateway/route.ts';
import { NODE_EXAMPLE } from '../../src/gateway/docs/page.ts';
import { COLOURS, DOCS_SCRIPT } from '../../src/gateway/docs/page-assets.ts';
import { LANGUAGES } from '../../src/gateway/docs/samples.ts';
import { TASKS } from '../../src/gateway/docs/tasks.ts';
import { allRoutes } from '../../src/gateway/routes/all.ts';
import { TOPIC_NAMES } from '../../src/feed/topics/topics.ts';
import { findProblem, type JsonSchema } from '../../src/gateway/schema.ts';
import type { Services } from '../../src/gateway/services.ts';
import { exampleOf } from '../../src/gateway/docs/examples.ts';
import { Client, credentials, startServer, type TestServer } from '@bourse/test-kit/server.ts';
import { makeDirectory } from '@bourse/test-kit/directory.ts';

const ROUTES = allRoutes({} as Services);
const run = promisify(execFile);
const NEEDING_OTHERS = ['get-liability-proof', 'get-withdrawal'];

interface Examples {
  readonly sandbox: { readonly summary: string; readonly value: unknown };
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters: readonly { name: string; in: string }[];
  readonly requestBody?: object;
  readonly responses: Record<string, { content: Record<string, { schema: object; examples?: Examples }> }>;
  readonly security: readonly Record<string, unknown>[];
}

interface Document {
  readonly openapi: string;
  readonly servers: readonly { url: string }[];
  readonly tags: readonly { name: string }[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { securitySchemes: Record<string, { type: string; in: string; name: string }> };
}

describe('the documentation', () => {
  let server: TestServer;
  let document: Document;
  before(async () => {
    server = await startServer();
    document = (await (await fetch(`${server.url}/openapi.json`)).json()) as Document;
  });
  after(() => server.close());

  const operations = () => Object.values(document.paths).flatMap((methods) => Object.values(methods));

  test('has every route once, and nothing else', () => {
    assert.equal(document.openapi, '3.1.0');
    const ids = operations().map(({ operationId }) => operationId);
    assert.deepEqual(ids.toSorted(), ROUTES.map(({ id }) => id).toSorted());
    assert.equal(new Set(ids).size, ids.length);
    for (const { id, method, path } of ROUTES) {
      const found = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')][method.toLowerCase()];
      assert.equal(found.operationId, id);
    }
  });

  test('every route belongs to one task, and its title is not its id', () => {
    const listed = TASKS.flatMap(({ calls }) => Object.keys(calls));
    assert.deepEqual(listed.toSorted(), ROUTES.map(({ id }) => id).toSorted());
    const titles = TASKS.flatMap(({ calls }) => Object.values(calls));
    assert.equal(new Set(titles).size, titles.length);
    for (const { operationId, summary, tags } of operations()) {
      assert.match(summary, /^[A-Z].*[^.]$/, operationId);
      assert.ok(TASKS.some(({ name, calls }) => tags[0] === name && Object.hasOwn(calls, operationId)));
    }
  });

  test('needs no scripts to show every call with its title, parameters and code', async () => {
    const page = await (await fetch(`${server.url}/docs/reference`)).text();
    for (const { operationId, summary } of operations()) {
      const [, article = ''] = page.split(`<article class="call" id="${operationId}">`);
      assert.ok(article.startsWith(`\n<h3>${summary.replaceAll('"', '&#34;')}</h3>`), operationId);
      const [own] = article.split('</article>');
      assert.equal(own?.match(/<details class="code"/g)?.length, LANGUAGES.length, operationId);
    }
  });

  test('has the colours of the terminal', () => {
    const file = new URL('../../../web/src/styles/colours.css', import.meta.url);
    const [dark = '', light = ''] = readFileSync(file, 'utf8').split(":root[data-theme='light']");
    for (const [name, [inDark, inLight]] of COLOURS) {
      assert.ok(dark.includes(`--${name}: ${inDark};`), name);
      assert.ok(light.includes(`--${name}: ${inLight};`), name);
    }
  });

  test('names every path parameter, tag and security header', () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const operation of Object.values(methods)) {
        const parts = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name);
        const named = operation.parameters.filter((each) => each.in === 'path').map(({ name }) => name);
        assert.deepEqual(named.toSorted(), parts.toSorted(), operation.operationId);
        for (const tag of operation.tags) assert.ok(document.tags.some(({ name }) => name === tag));
        for (const name of operation.security.flatMap(Object.keys)) {
          assert.equal(document.components.securitySchemes[name].name, name);
        }
        assert.ok(operation.responses['200'].content['application/json'].schema);
      }
    }
  });

  test('has no dangling references', () => {
    const references = Array.from(
      JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g),
      ([, path]) => path,
    );
    assert.ok(references.length > 0);
    for (const path of references) {
      let target: unknown = document;
      for (const part of path.split('/')) target = (target as Record<string, unknown>)[part];
      assert.equal(typeof target, 'object', path);
    }
  });

  test('requires the headers of both dialects on private routes, and none on public ones', () => {
    for (const route of ROUTES) {
      const { security } = operations().find(({ operationId }) => operationId === route.id)!;
      const names = security.flatMap(Object.keys);
      const expected = route.access === 'public' ? [] : DIALECTS.map(({ prefix }) => `${prefix}-API-SIGN`);
      assert.deepEqual(
        names.filter((name) => name.endsWith('-SIGN')),
        expected,
        route.id,
      );
    }
  });

  test('shows a recorded response of every endpoint of the document, which matches the schema beside it', () => {
    const shown = operations().flatMap(({ operationId, responses }) => {
      const { schema, examples } = responses['200'].content['application/json'];
      if (examples === undefined) return [];
      assert.equal(findProblem(schema, examples.sandbox.value), undefined, operationId);
      return [operationId];
    });
    assert.deepEqual(shown.toSorted(), Object.keys(answers).toSorted());
    assert.equal(shown.length, 23);
  });

  test('describes the response of every operation', () => {
    const isSaid = (schema: JsonSchema | undefined): boolean => {
      if (schema === undefined || Object.keys(schema).length === 0) return false;
      if (schema.anyOf) return schema.anyOf.every(isSaid);
      if (schema.type === 'array') return isSaid(schema.items);
      if (schema.type !== 'object') return true;
      return Object.values(schema.properties ?? {}).every(isSaid);
    };
    const unsaid = operations().filter(
      ({ responses }) => !isSaid(responses['200'].content['application/json'].schema),
    );
    assert.deepEqual(
      unsaid.map(({ operationId }) => operationId),
      [],
    );
  });

  test('has an example of each operation that a fresh sandbox accepts unchanged, unless it has a placeholder for an id', async (context) => {
    const own = await startServer();
    const client = new Client(own.url, 'alice');
    try {
      const missing: string[] = [];
      for (const route of ROUTES) {
        const { method, path, body } = exampleOf(route);
        if (/\b[A-Z]+(_[A-Z]+)+\b/.test(path + body)) continue;
        const { json, text, status } = await client.send(method, path, body || undefined);
        if (status === 200 && /^200(000)?$/.test(json.code ?? '200')) continue;
        context.diagnostic(text);
        missing.push(route.id);
      }
      // They name liabilities and a withdrawal, which other requests make first.
      assert.deepEqual(missing, NEEDING_OTHERS);
    } finally {
      await own.close();
    }
  });

  test('responds to HEAD, and to paths with a trailing slash', async () => {
    for (const path of [
      '/docs/reference',
      '/docs/reference/',
      '/docs/reference.js',
      '/openapi.json',
      '/asyncapi.json',
    ]) {
      const headers = { 'accept-encoding': 'identity' };
      const whole = await fetch(server.url + path, { headers });
      const length = Buffer.byteLength(await whole.text());
      const head = await fetch(server.url + path, { method: 'HEAD', headers });
      assert.deepEqual([whole.status, head.status], [200, 200], path);
      assert.equal(head.headers.get('content-length'), String(length));
      assert.equal(head.headers.get('content-type'), whole.headers.get('content-type'));
    }
  });

  test('is rendered once: equal bytes for everybody, compressed on request, and 304 for a matching ETag', async () => {
    for (const path of ['/docs/reference', '/docs/reference.js', '/openapi.json', '/asyncapi.json']) {
      const ask = (headers: Record<string, string>) => fetch(server.url + path, { headers });
      const plain = await ask({ 'accept-encoding': 'identity' });
      const zipped = await ask({ 'accept-encoding': 'br, gzip' });
      const tag = plain.headers.get('etag') ?? '';
      assert.match(tag, /^"[\w-]{22}"$/);
      assert.equal(zipped.headers.get('content-encoding'), 'gzip');
      assert.ok(
        Number(zipped.headers.get('content-length')) < Number(plain.headers.get('content-length')) / 2,
      );
      assert.equal(await zipped.text(), await plain.text(), path);
      for (const known of [tag, `"other", W/${tag}`]) {
        const same = await ask({ 'if-none-match': known });
        assert.deepEqual([same.status, await same.text(), same.headers.get('etag')], [304, '', tag]);
      }
    }
  });

  test('shows the topics of the feed, and links to their document', async () => {
    const page = await (await fetch(`${server.url}/docs/reference`)).text();
    assert.match(page, /<a href="\/asyncapi\.json">/);
    const feed = (await (await fetch(`${server.url}/asyncapi.json`)).json()) as {
      channels: { feed: { messages: Record<string, { title?: string; payload: { properties: object } }> } };
    };
    const topics = Object.values(feed.channels.feed.messages).filter(({ title }) => title !== undefined);
    assert.equal(topics.length, TOPIC_NAMES.length);
    for (const { title = '', payload } of topics) {
      assert.ok('data' in payload.properties, title);
      assert.ok(page.includes(`<h3><code>${title}</code></h3>`), title);
    }
  });

  test('loads nothing from other origins', async () => {
    const response = await fetch(`${server.url}/docs/reference`);
    const page = await response.text();
    const script = await (await fetch(`${server.url}/docs/reference.js`)).text();
    assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
    assert.match(response.headers.get('content-security-policy') ?? '', /default-src 'none'/);
    // The code for bots names a sandbox on this machine; the script puts the address of the page there.
    const addresses = new Set((page + script).match(/https?:\\?\/\\?\/[^\s'"/)]*/g));
    assert.deepEqual([...addresses], ['http://127.0.0.1:8080', String.raw`http:\/\/127.0.0.1:8080`]);
    assert.equal(script, DOCS_SCRIPT);
    assert.doesNotThrow(() => new Function(script));
    const ids = Array.from(script.matchAll(/\$\('([\w-]+)'\)/g), ([, id]) => id);
    assert.ok(ids.length > 5, `only ${ids.length}`);
    for (const id of ids) assert.ok(page.includes(`id="${id}"`), id);
  });

  test('has an example for Node that runs', async (context) => {
    const { apiKey: KEY, apiSecret: SECRET, apiPassphrase: PASS } = credentials('alice');
    const env = { ...process.env, BASE: server.url, KEY, SECRET, PASS };
    const file = join(makeDirectory(context), 'example.mjs');
    writeFileSync(file, NODE_EXAMPLE);
    const listed = await run(process.execPath, [file], { env, timeout: 30_000 });
    assert.equal(JSON.parse(listed.stdout).code, '200000', listed.stdout);
  });
});
