import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkCycles, checkDeclared, checkOrder, checkUnused, type Packages } from './import-rules.ts';
import { readPackages, readSources } from './repository.ts';
import { codeOnly, importsOf, type Source } from './source-text.ts';
import { checkCoreTokens, checkServerSeams } from './token-rules.ts';

const packages: Packages = {
  '@bourse/core': {
    folder: 'packages/core',
    exports: { '.': 'packages/core/src/index.ts' },
    declares: [],
  },
  '@bourse/engine': { folder: 'packages/engine', exports: {}, declares: ['@bourse/core'] },
  '@bourse/test-kit': {
    folder: 'packages/test-kit',
    exports: { './*.ts': 'packages/test-kit/src/*.ts' },
    declares: [],
  },
};

function file(path: string, ...lines: string[]): Source {
  return { path, text: lines.join('\n') };
}

describe('the repository', () => {
  const sources = readSources();
  const found = readPackages();
  test('has sources and packages to check', () => {
    assert.ok(sources.length > 0);
    assert.ok('@bourse/core' in found);
  });
  test('imports declared packages only', () => assert.deepEqual(checkDeclared(sources, found), []));
  test('has no circular dependency of packages', () => assert.deepEqual(checkOrder(found), []));
  test('has no import cycle', () => assert.deepEqual(checkCycles(sources, found), []));
  test('has no unreachable file', () => assert.deepEqual(checkUnused(sources, found), []));
  test('keeps the core free of clock, randomness and waiting', () =>
    assert.deepEqual(checkCoreTokens(sources), []));
  test('touches clock and disk only in io/', () => assert.deepEqual(checkServerSeams(sources), []));
});

describe('codeOnly', () => {
  const cases: [name: string, text: string, code: string][] = [
    ['line comment', 'a // try', 'a       '],
    ['block comment', 'a /* try\n*/ b', 'a       \n   b'],
    ['strings', `f('try', "it's")`, `f('   ', "    ")`],
    ['escaped quote', String.raw`f('a\'try')`, `f('      ')`],
    ['template', '`try ${ Date({ a: `x${b}` }) } try`', '`    ${ Date({ a: ` ${b}` }) }    `'],
    ['regular expression', "x = /'[/']/; try", 'x = /     /; try'],
    ['closing tag', "<b>'a'</b>; try", "<b>' '</b>; try"],
    ['division', "a / b; 'try' / c", "a / b; '   ' / c"],
    ['comment mark in a string', "'//'; try", "'  '; try"],
  ];
  for (const [name, text, code] of cases) test(name, () => assert.equal(codeOnly(text), code));
});

describe('importsOf', () => {
  test('finds every form, and its line', () => {
    const { text } = file(
      'a.ts',
      "import a from './a.ts';",
      'import {',
      '  type B,',
      '} from "b";',
      "export * from './c.ts';",
      "import './d.ts';",
      "const e = import('./e.ts');",
      "new Worker(new URL('./f.ts', import.meta.url));",
    );
    const found = importsOf(text).map(({ specifier, line }) => `${line} ${specifier}`);
    assert.deepEqual(found.toSorted(), ['1 ./a.ts', '4 b', '5 ./c.ts', '6 ./d.ts', '7 ./e.ts', '8 ./f.ts']);
  });
  test('ignores comments, strings and methods', () => {
    const { text } = file(
      'a.ts',
      "// from './a.ts'",
      '`import "b"`;',
      "Array.from('cd');",
      'f("import \'./e.ts\'")',
    );
    assert.deepEqual(importsOf(text), []);
  });
});

test('checkCycles finds a cycle, even through a package name and through types', () => {
  const sources = [
    file('packages/core/src/index.ts', "export * from './a.ts';"),
    file('packages/core/src/a.ts', "import type { B } from './b.ts';"),
    file('packages/core/src/b.ts', "import { A } from '@bourse/core';"),
  ];
  assert.deepEqual(checkCycles(sources, packages), [
    'import cycle: packages/core/src/index.ts -> packages/core/src/a.ts -> packages/core/src/b.ts -> packages/core/src/index.ts',
  ]);
  assert.deepEqual(checkCycles(sources.slice(0, 2), packages), []);
});

test('checkUnused finds files imported by no file, only by each other, or only by a test', () => {
  const sources = [
    file('packages/core/src/index.ts', "import './used.ts';"),
    file('packages/core/src/used.ts'),
    file('packages/core/src/alone.ts'),
    file('packages/core/src/island.ts', "import './islet.ts';"),
    file('packages/core/src/islet.ts'),
    file('packages/core/src/tested.ts'),
    file('packages/core/test/tested.test.ts', "import '../src/tested.ts';", "import './table.ts';"),
    file('packages/core/test/table.ts'),
    file('sim/unused.ts'),
    file('bench/place/main.ts'),
  ];
  assert.deepEqual(
    checkUnused(sources, packages).map((complaint) => complaint.split(':')[0]),
    ['alone', 'island', 'islet', 'tested']
      .map((name) => `packages/core/src/${name}.ts`)
      .concat('sim/unused.ts'),
  );
});

describe('checkCoreTokens', () => {
  const refused = [
    'const now = Date.now();',
    'const d: Date = x;',
    'Math.random();',
    'Math\n  .random();',
    'async function f() {}',
    'await f();',
    'setTimeout(f, 1);',
    'try { f(); } finally { g(); }',
    'process.exit(1);',
    'f(...process.argv);',
    'console.log(1);',
    'globalThis.f();',
    'a.localeCompare(b);',
    'n.toLocaleString();',
    'f(`${Date}`);',
  ];
  for (const code of refused) {
    test(`refuses ${JSON.stringify(code)}`, () => {
      assert.equal(checkCoreTokens([file('packages/core/src/a.ts', code)]).length, 1);
    });
  }
  test('allows the same words in comments, strings, names and members, and in other folders', () => {
    const fine = [
      '// try the Date',
      "f('process');",
      'retry();',
      'asyncLike;',
      'batch.process();',
      'myDate;',
    ];
    assert.deepEqual(checkCoreTokens([file('packages/core/src/a.ts', ...fine)]), []);
    assert.deepEqual(checkCoreTokens([file('packages/engine/src/io/a.ts', 'Date.now();')]), []);
  });
});

describe('checkServerSeams', () => {
  const refused = [
    'Date.now();',
    'new Date();',
    'new Date;',
    'performance.now();',
    'setTimeout(f, 1);',
    'setImmediate(f);',
    'process.nextTick(f);',
    'process.hrtime.bigint();',
    "import fs from 'node:fs';",
    "import { open } from 'node:fs/promises';",
    "import { DatabaseSync } from 'node:sqlite';",
  ];
  for (const code of refused) {
    test(`refuses ${code}`, () => {
      assert.equal(checkServerSeams([file('packages/engine/src/a.ts', code)]).length, 1);
      assert.deepEqual(checkServerSeams([file('packages/engine/src/io/a.ts', code)]), []);
    });
  }
  test('allows a date of a given time, and the database in history', () => {
    assert.deepEqual(checkServerSeams([file('packages/api/src/gateway/a.ts', 'new Date(time);')]), []);
    const sqlite = file(
      'packages/engine/src/history/sqlite/a.ts',
      "import { DatabaseSync } from 'node:sqlite';",
    );
    assert.deepEqual(checkServerSeams([sqlite]), []);
  });
});
