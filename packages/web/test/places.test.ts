// Every call of the operator API has its place in the console, and docs/console.md names it.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { OPERATOR_ROUTES } from '../../api/src/gateway/operator/plugin.ts';
import { PLACES } from '../src/console/places.ts';

const sourceOf = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

test('each call of the API is at one place, and every place names only existing calls', () => {
  const placed = PLACES.flatMap(({ calls }) => calls);
  assert.deepEqual(placed.toSorted(), OPERATOR_ROUTES.map(({ id }) => id).toSorted());
});

test('the page about the console lists each call with its place', () => {
  const page = sourceOf('../../../docs/console.md');
  const rows = Array.from(page.matchAll(/^\| `(\w+) (\/\S+)` \| \[?([^|\]]+)/gm), ([, method, path, place]) =>
    [method, path, place!.trim()].join(' '),
  );
  const wanted = OPERATOR_ROUTES.map(({ id, method, path }) => {
    const place = PLACES.find(({ calls }) => calls.includes(id))!;
    return `${method} /operator${path} ${place.title}`;
  });
  assert.deepEqual(rows.toSorted(), wanted.toSorted());
});

test('each call that changes something is made somewhere in the console', () => {
  const folder = new URL('../src/console/', import.meta.url).pathname;
  const source = globSync('**/*.{ts,tsx}', { cwd: folder })
    .filter((name) => name !== 'places.ts')
    .map((name) => readFileSync(folder + name, 'utf8'))
    .join('\n');
  // Needs a file on the venue's machine, so it is only on the command line.
  const changes = OPERATOR_ROUTES.filter(({ id, method }) => method !== 'GET' && id !== 'rotate-secret').map(
    ({ id }) => id,
  );
  // Decisions on proposals are called by path.
  assert.deepEqual(
    changes.filter((id) => !id.endsWith('-proposal') && !source.includes(`'${id}'`)),
    [],
  );
});
