import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import answers from '../../src/gateway/docs/answers.json' with { type: 'json' };
import { DIALECTS } from '../../src/gateway/dialects.ts';
import { NODE_EXAMPLE, SHELL_EXAMPLE } from '../../src/gateway/docs/page.ts';
import { DOCS_SCRIPT } from '../../src/gateway/docs/page-script.ts';
import { allRoutes } from '../../src/gateway/routes/all.ts';
import { findProblem } from '../../src/gateway/schema.ts';
import type { Services } from '../../src/gateway/services.ts';
import { credentials, startServer, type TestServer } from '@bourse/test-tools/server.ts';
import { makeDirectory } from '@bourse/test-tools/directory.ts';

const ROUTES = allRoutes({} as Services);
const run = promisify(execFile);

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

  test('names every part of a path, each tag and each security header', () => {
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

  test('has references that lead somewhere', () => {
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

  test('asks for the headers of both dialects on private routes, for none on public ones', () => {
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

  test('shows a recorded answer of every endpoint of the document, and it fits the schema beside it', () => {
    const shown = operations().flatMap(({ operationId, responses }) => {
      const { schema, examples } = responses['200'].content['application/json'];
      if (examples === undefined) return [];
      assert.equal(findProblem(schema, examples.sandbox.value), undefined, operationId);
      return [operationId];
    });
    assert.deepEqual(shown.toSorted(), Object.keys(answers).toSorted());
    assert.equal(shown.length, 23);
  });

  test('is a page that needs nothing from elsewhere', async () => {
    const response = await fetch(`${server.url}/docs`);
    const page = await response.text();
    const script = await (await fetch(`${server.url}/docs/script.js`)).text();
    assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
    assert.match(response.headers.get('content-security-policy') ?? '', /default-src 'none'/);
    assert.doesNotMatch(page + script, /https?:\/\//);
    assert.equal(script, DOCS_SCRIPT);
    assert.doesNotThrow(() => new Function(script));
    for (const [, id] of script.matchAll(/\$\('([\w-]+)'\)/g)) assert.ok(page.includes(`id="${id}"`), id);
  });

  test('has examples that run', async (context) => {
    const { apiKey: KEY, apiSecret: SECRET, apiPassphrase: PASS } = credentials('alice');
    const env = { ...process.env, BASE: server.url, KEY, SECRET, PASS };
    const file = join(makeDirectory(context), 'example.mjs');
    writeFileSync(file, NODE_EXAMPLE);
    const listed = await run(process.execPath, [file], { env, timeout: 30_000 });
    assert.equal(JSON.parse(listed.stdout).code, '200000', listed.stdout);

    const tools = await run('sh', ['-c', 'command -v curl && command -v openssl']).catch(() => undefined);
    if (!tools) {
      context.diagnostic('no curl or openssl here: the shell example was not run');
      return;
    }
    const placed = await run('sh', ['-c', SHELL_EXAMPLE], { env, timeout: 30_000 });
    assert.equal(JSON.parse(placed.stdout).code, '200000', placed.stdout);
  });
});
