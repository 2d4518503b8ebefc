// Links and file names of all pages, the version on the front pages, and the glossary.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, test } from 'node:test';
import { listFiles, root } from '../scripts/tree.mjs';

const files = new Set(listFiles());
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const pages = [...files].filter((path) => path.endsWith('.md'));
const { version } = JSON.parse(read('package.json')) as { version: string };

const withoutCode = (text: string): string =>
  text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '');

/** The anchor that a forge generates for a heading. */
const anchorOf = (heading: string): string =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

function anchorsOf(text: string): Set<string> {
  const headings = text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^#{1,6} (.+)$/gm);
  const ids = text.matchAll(/<a id="([^"]+)"/g);
  return new Set([
    ...Array.from(headings, ([, heading]) => anchorOf(heading!)),
    ...Array.from(ids, ([, id]) => id!),
  ]);
}

/** Links of a page whose file or heading does not exist. */
function brokenLinks(path: string, text: string): string[] {
  return Array.from(withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g), ([, link]) => link!).filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [target, anchor] = link.split('#') as [string, string?];
    const file = target === '' ? path : posix.join(posix.dirname(path), decodeURIComponent(target));
    if (!files.has(file)) return ![...files].some((each) => each.startsWith(`${file.replace(/\/$/, '')}/`));
    return anchor !== undefined && file.endsWith('.md') && !anchorsOf(read(file)).has(anchor);
  });
}

test('every link between pages leads to an existing file and heading', () => {
  assert.ok(pages.length > 80, `${pages.length} pages`);
  assert.deepEqual(
    pages.flatMap((path) => brokenLinks(path, read(path)).map((link) => `${path}: ${link}`)),
    [],
  );
});

/** Files that a reader creates. */
const READERS_OWN = new Set(['bot.mjs']);

test('every source file that a page names exists', () => {
  const sources = [...files].map((path) => `/${path}`);
  const named = pages
    .filter((path) => path !== 'CHANGELOG.md')
    .flatMap((path) =>
      Array.from(read(path).matchAll(/`((?:[\w.-]+\/)*[\w.-]+\.(?:tsx?|mjs))`/g), ([, name]) => ({
        path,
        name: name!,
      })),
    );
  assert.ok(named.length > 200, `${named.length} names`);
  const missing = named.filter(
    ({ name }) => !READERS_OWN.has(name) && !sources.some((each) => each.endsWith(`/${name}`)),
  );
  assert.deepEqual(missing, []);
});

test('brokenLinks', () => {
  const check = (text: string): string[] => brokenLinks('docs/README.md', text);
  assert.deepEqual(
    check('[a](glossary.md) [b](../README.md#start) [c](#decisions) [d](https://example.org)'),
    [],
  );
  assert.deepEqual(check('[a](../packages/core) `[b](no.md)`'), []);
  assert.deepEqual(check('[a](no.md) [b](../README.md#no)'), ['no.md', '../README.md#no']);
});

describe('files that forges and newcomers expect', () => {
  for (const path of [
    'CODE_OF_CONDUCT.md',
    'CITATION.cff',
    'SECURITY.md',
    'docs/roadmap.md',
    'docs/glossary.md',
    '.github/pull_request_template.md',
    '.github/ISSUE_TEMPLATE/config.yml',
  ]) {
    test(path, () => assert.ok(files.has(path), 'missing'));
  }

  test('every issue form has a name, a description and a required question', () => {
    const forms = [...files].filter((path) => /^\.github\/ISSUE_TEMPLATE\/(?!config)/.test(path));
    assert.ok(forms.length >= 3, `${forms}`);
    for (const form of forms) {
      for (const part of [/^name: \S/m, /^description: \S/m, /^body:$/m, /required: true/]) {
        assert.match(read(form), part, form);
      }
    }
  });

  test('the cited and the supported version are that of the packages', () => {
    assert.equal(/^version: (.+)$/m.exec(read('CITATION.cff'))?.[1], version);
    const line = version.split('.').slice(0, 2).join('.');
    assert.match(read('SECURITY.md'), new RegExp(`\\| ${line.replace('.', '\\.')}\\.x \\| yes`));
    const manifests = [...files].filter((path) => /^packages\/[^/]+\/package\.json$/.test(path));
    for (const path of manifests) {
      assert.equal((JSON.parse(read(path)) as { version: string }).version, version, path);
    }
  });
});

describe('the glossary', () => {
  const rows = Array.from(
    read('docs/glossary.md').matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm),
    ([, words]) => words!,
  ).slice(2);

  test('is in alphabetical order', () => {
    assert.ok(rows.length > 50, `${rows.length} rows`);
    assert.deepEqual(
      rows,
      rows.toSorted((a, b) => a.localeCompare(b, 'en')),
    );
  });

  test('has only words that are used', () => {
    const others = [...files].filter((path) => /\.(md|tsx?)$/.test(path) && path !== 'docs/glossary.md');
    const text = others.map(read).join('\n').toLowerCase();
    const unused = rows
      .flatMap((words) => words.split(', '))
      .filter((word) => !text.includes(word.toLowerCase()));
    assert.deepEqual(unused, []);
  });
});
