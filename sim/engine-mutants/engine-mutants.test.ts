import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { inLongRunOnly, ofSize, shareOf } from '@bourse/test-kit/run-size.ts';
import { ENGINE_MUTANTS } from './list.ts';
import { AT_ONCE, tryMutant, tryOriginal } from './run.ts';

const MINUTES = 60_000;

/** Of so many one is tried: the whole list takes a quarter of an hour (`npm run sim -- engine-mutants`). */
const TRIED = shareOf(ENGINE_MUTANTS, ofSize(30, 10));

test('the engine as it is passes everything that the mutants must fail', {
  timeout: 15 * MINUTES,
  skip: inLongRunOnly,
}, async () => {
  for (const { caughtBy, output } of await tryOriginal(TRIED)) assert.equal(caughtBy, '', output);
});

test('no two mutants of the engine have the same name or do the same', () => {
  const keys = ENGINE_MUTANTS.flatMap(({ name, file, find, replace }) => [
    name,
    `${file} ${find} ${replace}`,
  ]);
  assert.deepEqual(
    keys.filter((key, index) => keys.indexOf(key) !== index),
    [],
  );
});

test('every test that the list of mutants names is there', () => {
  const missing = ENGINE_MUTANTS.flatMap(({ test: file }) => file ?? []).filter(
    (file) => !existsSync(new URL(`../../${file}`, import.meta.url)),
  );
  assert.deepEqual(missing, []);
});

test('every text that a mutant of the engine replaces is there, once', () => {
  const sources = new URL('../../packages/', import.meta.url);
  const stale = ENGINE_MUTANTS.filter(
    ({ file, find }) => readFileSync(new URL(file, sources), 'utf8').split(find).length !== 2,
  );
  assert.deepEqual(
    stale.map(({ name }) => name),
    [],
  );
});

describe('promise 17: every mutant of the engine is caught', { concurrency: AT_ONCE }, () => {
  for (const mutant of TRIED) {
    test(`${mutant.rule}: ${mutant.name}`, { timeout: 10 * MINUTES }, async (context) => {
      const { caughtBy } = await tryMutant(mutant);
      assert.notEqual(caughtBy, '', `'${mutant.name}' survives: the tests have a hole`);
      context.diagnostic(`caught by ${caughtBy}`);
    });
  }
});
