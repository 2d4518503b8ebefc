// Every row of docs/api/statements.md names a test that exists.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { test } from 'node:test';
import { root } from '../scripts/tree.mjs';

const PAGE = 'docs/api/statements.md';
const ROW = /^\| .+ \| \[[^\]]+\]\(([^)]+)\): (.+) \|$/;

test('every statement of the document names a test that exists', () => {
  const rows = readFileSync(join(root, PAGE), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (statement|---)/.test(line));
  assert.ok(rows.length > 70, `${rows.length} rows`);
  const missing = rows.filter((row) => {
    const [, path, name] = ROW.exec(row) ?? [];
    if (path === undefined || name === undefined) return true;
    const text = readFileSync(join(root, normalize(`docs/api/${path}`)), 'utf8');
    const source = text.replaceAll(/\btest\(\s+/g, 'test(');
    return !source.includes(`test('${name.replaceAll("'", "\\'")}'`) && !source.includes(`test("${name}"`);
  });
  assert.deepEqual(missing, []);
});
