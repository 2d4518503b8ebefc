import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { inLongRunOnly, ofSize, shareOf } from '@bourse/test-kit/run-size.ts';
import { MUTANTS } from './list.ts';
import { mutate } from './mutant.ts';
import { AT_ONCE, Laboratory } from './run.ts';

const laboratory = new Laboratory();
after(() => laboratory.close());

test('the core as it is passes every check that the mutants must fail', { skip: inLongRunOnly }, async () => {
  assert.deepEqual((await laboratory.tryOriginal()).caughtBy, []);
});

test('no two mutants have the same name or do the same', () => {
  const keys = MUTANTS.flatMap(({ name, file, find, replace }) => [name, `${file} ${find} ${replace}`]);
  assert.deepEqual(
    keys.filter((key, index) => keys.indexOf(key) !== index),
    [],
  );
});

test('a mutant whose text is not there exactly once is an error that names it', () => {
  const mutant = { name: 'lost', rule: 'R1', file: 'some.ts', find: 'a < b', replace: 'a <= b' };
  assert.equal(mutate('if (a < b)', mutant), 'if (a <= b)');
  assert.throws(() => mutate('if (b > a)', mutant), /mutant 'lost': its text stands 0 times in some\.ts/);
  assert.throws(() => mutate('a < b && a < b', mutant), /mutant 'lost': its text stands 2 times in some\.ts/);
});

test('every text that a mutant of the core replaces is there, once', () => {
  const sources = new URL('../../packages/core/src/', import.meta.url);
  for (const mutant of MUTANTS) mutate(readFileSync(new URL(mutant.file, sources), 'utf8'), mutant);
});

/** Of so many one is tried: the whole list takes a quarter of an hour (`npm run sim -- mutants`). */
const ONE_OF = ofSize(60, 10);

describe('promise 17: every mutant is caught', { concurrency: AT_ONCE }, () => {
  for (const mutant of shareOf(MUTANTS, ONE_OF)) {
    test(`${mutant.rule}: ${mutant.name}`, async (context) => {
      const [first] = (await laboratory.try(mutant)).caughtBy;
      assert.ok(first, `'${mutant.name}' survives: the tests have a hole`);
      context.diagnostic(`caught by ${first.check}`);
    });
  }
});
