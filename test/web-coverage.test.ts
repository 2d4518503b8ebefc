// docs/web-coverage.md names the pages of every endpoint, and the pages call it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { startWhole } from '@bourse/test-kit/server.ts';
import { readTexts } from './repository.ts';

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
}

interface Row {
  readonly id: string;
  readonly request: string;
  readonly where: string;
}

const texts = readTexts();

const rows: readonly Row[] = Array.from(
  texts
    .find(({ path }) => path === 'docs/web-coverage.md')!
    .text.matchAll(/^\| `([\w-]+)` \| `([^`]+)` \| (.+) \|$/gm),
  ([, id, request, where]) => ({ id: id!, request: request!, where: where! }),
);

test('every route of the API and of the sandbox has a row, and no other row exists', async (context) => {
  const running = await startWhole(makeDirectory(context), { market: 'quiet' });
  try {
    const response = await fetch(`${running.connection.baseUrl}/openapi.json`);
    const { paths } = (await response.json()) as Document;
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`,
      ),
    );
    assert.ok(routes.length > 100);
    assert.deepEqual(rows.map(({ id, request }) => `${id} ${request}`).toSorted(), routes.toSorted());
  } finally {
    await running.close();
  }
});

test('the pages, or their client, call the path of every row', () => {
  const source = texts
    .filter(({ path }) => /^packages\/(web|client)\/src\/.*\.tsx?$/.test(path))
    .map(({ text }) => text)
    .join('\n')
    // The client builds these paths from parts.
    .replaceAll('${ORDERS}', '/api/v1/hf/orders')
    .replaceAll(/bullet-\$\{[^}]*\}/g, 'bullet-public /api/v1/bullet-private')
    .replaceAll('level2_${levels}', 'level2_100');
  for (const { id, request, where } of rows.filter((row) => row.where !== 'Docs')) {
    const path = request.split(' ')[1]!;
    const fixed = path.replace(/^\/sandbox\/v1/, '').replace(/\{.*$/, '');
    assert.ok(source.includes(fixed), `${id} is said to be at "${where}", and nothing there asks ${path}`);
  }
});

test('every call of the sandbox has a row for the drawer', () => {
  const calls = rows.filter(({ request }) => request.includes(' /sandbox/v1/'));
  assert.ok(calls.length > 30);
  for (const { id, where } of calls) {
    assert.match(where, id === 'get-sandbox' ? /^The flask/ : /^(?:Drawer: |Report$)/, id);
  }
});
