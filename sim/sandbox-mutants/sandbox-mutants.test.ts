import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { inLongRunOnly, ofSize, shareOf } from '@bourse/test-kit/run-size.ts';
import { AT_ONCE, tryMutant, tryOriginal } from '../engine-mutants/run.ts';
import { mutate } from '../mutants/mutant.ts';
import { SANDBOX_MUTANTS } from './list.ts';

const MINUTES = 60_000;
const root = new URL('../../', import.meta.url);

/**
 * The short run tries one, of a test that takes a moment; the long one tries a share. All of them take some minutes
 * (`npm run sim -- sandbox-mutants`).
 */
const SAMPLE = 'an advance does not wait for what it set off';
const TRIED = ofSize(
  SANDBOX_MUTANTS.filter(({ name }) => name === SAMPLE),
  shareOf(SANDBOX_MUTANTS, 8),
);

test('the sandbox as it is passes everything that the mutants must fail', {
  timeout: 15 * MINUTES,
  skip: inLongRunOnly,
}, async () => {
  for (const { caughtBy, output } of await tryOriginal(TRIED)) assert.equal(caughtBy, '', output);
});

test('every mutant has its place in the text and a test of that name, and no two do the same', () => {
  assert.ok(SANDBOX_MUTANTS.length >= 15);
  assert.ok(TRIED.length > 0, `no mutant is named '${SAMPLE}'`);
  const broken = SANDBOX_MUTANTS.map((mutant) => {
    const { name, file, test: path, only = '' } = mutant;
    assert.ok(path !== undefined && existsSync(new URL(path, root)), `${name}: ${path}`);
    assert.ok(readFileSync(new URL(path, root), 'utf8').includes(only), `${name}: ${only}`);
    return `${file} ${mutate(readFileSync(new URL(`packages/${file}`, root), 'utf8'), mutant)}`;
  });
  assert.equal(new Set(broken).size, broken.length);
  assert.equal(new Set(SANDBOX_MUTANTS.map(({ name }) => name)).size, broken.length);
});

describe('promise 17: every mutant of the sandbox is caught', { concurrency: AT_ONCE }, () => {
  for (const mutant of TRIED) {
    test(`${mutant.rule}: ${mutant.name}`, { timeout: 10 * MINUTES }, async (context) => {
      const { caughtBy } = await tryMutant(mutant);
      assert.notEqual(caughtBy, '', `'${mutant.name}' survives: the tests have a hole`);
      context.diagnostic(`caught by ${caughtBy}`);
    });
  }
});
