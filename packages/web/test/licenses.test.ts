// The built pages carry the licenses of all third-party software in them.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { buildPages } from '@bourse/test-kit/browser/chromium.ts';

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
}

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

test('every direct and indirect dependency of the pages is listed with the text of its license', async () => {
  await buildPages();
  const parts = read('../dist/licenses.txt').split(`\n${'='.repeat(80)}\n`);
  const { dependencies } = JSON.parse(read('../package.json')) as Manifest;
  const direct = Object.entries(dependencies)
    .filter(([name]) => !name.startsWith('@bourse/'))
    .map(([name, version]) => `${name} ${version} (`);
  assert.ok(direct.length > 5);
  const brought = [
    'scheduler ',
    'fancy-canvas ',
    '@radix-ui/react-dialog ',
    '@floating-ui/core ',
    'tailwindcss ',
  ];
  for (const name of [...direct, ...brought]) {
    const part = parts.find((each) => each.includes(`\n${name}`));
    assert.ok(part !== undefined, name);
    assert.match(
      part,
      /Permission is hereby granted|Apache License|SIL OPEN FONT LICENSE|public domain/,
      name,
    );
  }
});
