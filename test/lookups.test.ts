import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkLookups } from './lookup-rules.ts';
import { readSources } from './repository.ts';

test('no text from outside is looked up in a plain object', () => {
  assert.deepEqual(readSources().flatMap(checkLookups), []);
});

describe('checkLookups', () => {
  const check = (text: string): number => checkLookups({ path: 'packages/api/src/a.ts', text }).length;
  for (const text of [
    "const TYPES: Readonly<Record<string, AccountType>> = { MAIN: 'main' };",
    'function oneOf<T>(values: Readonly<Record<string, T>>): T {}',
    'type Writers = Record<string, (bytes: Uint8Array) => string>;',
    "export const NAMES: Record<string, string> = { a: 'b' };",
    'if (name in query) return;',
    'return !(call.name in properties);',
  ]) {
    test(`refuses ${text}`, () => assert.equal(check(text), 1));
  }
  for (const text of [
    "const TYPES: ReadonlyMap<string, AccountType> = new Map([['MAIN', 'main']]);",
    "const TYPES = { main: 'MAIN' } as const satisfies Record<string, string>;",
    'function show(members: Readonly<Record<string, unknown>>): string {}',
    'const details: Record<string, unknown> = {};',
    "if ('kind' in command) return;",
    'for (const name in members) {}',
    'type Limits<T> = { readonly [name in keyof T]: number };',
    '// a word in a comment: name in query, Record<string, Thing>',
  ]) {
    test(`allows ${text}`, () => assert.equal(check(text), 0));
  }
  test('looks at pages too', () => {
    const text = 'if (name in query) return;';
    assert.equal(checkLookups({ path: 'packages/web/src/a.tsx', text }).length, 1);
    const shown = '<p>money in both {name} accounts in all</p>';
    assert.deepEqual(checkLookups({ path: 'packages/web/src/a.tsx', text: shown }), []);
  });
  test('looks at the packages only', () => {
    assert.deepEqual(checkLookups({ path: 'test/a.ts', text: 'if (name in query) return;' }), []);
  });
});
