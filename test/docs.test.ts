import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pages } from '../scripts/docs.mjs';
import { root } from '../scripts/tree.mjs';

for (const [path, text] of pages()) {
  test(`${path} is what \`npm run docs\` writes`, () => {
    assert.equal(readFileSync(join(root, path), 'utf8'), text, 'stale: run npm run docs');
  });
}
