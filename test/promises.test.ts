import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkHeld, checkNamed, promisesPage } from './promise-rules.ts';
import { readTexts } from './repository.ts';

const texts = readTexts();
const page = texts.find(({ path }) => path === promisesPage)!.text;

// This file mentions promises that do not exist.
const others = texts.filter(
  ({ path }) => path !== 'test/promises.test.ts' && path !== 'test/promise-rules.ts',
);

test('every promise that is mentioned is on the page', () => {
  assert.deepEqual(
    others.flatMap((source) => checkNamed(page, source)),
    [],
  );
});

test('every promise on the page has a test that names it', () => {
  assert.deepEqual(checkHeld(page, others), []);
});

const small = '| 1 | a | [x](../sim/x.test.ts) |\n| 2 | b | [y](../sim/y.test.ts) |\n';

test('checkNamed', () => {
  const check = (text: string): number => checkNamed(small, { path: 'a.ts', text }).length;
  for (const text of [
    'promise 3',
    '// Promise 14: x',
    'promises 1 and 3',
    'promises 1 to 3',
    'promises 2, 7',
  ]) {
    assert.equal(check(text), 1, text);
  }
  for (const text of ['promise 1', 'promises 1 and 2', 'promises 1 to 2', 'a promise', 'compromise 9']) {
    assert.equal(check(text), 0, text);
  }
});

test('checkHeld', () => {
  const x = { path: 'sim/x.test.ts', text: "test('promise 1: x')" };
  const y = { path: 'sim/y.test.ts', text: '/** Promises 1 to 2 */' };
  assert.deepEqual(checkHeld(small, [x, y]), []);
  assert.equal(checkHeld(small, [x, { ...y, text: 'promise 1' }]).length, 1);
  assert.equal(checkHeld(small, [x]).length, 2);
});
