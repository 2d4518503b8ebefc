import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { applied, changeOf, editOf } from '@bourse/test-kit/changed-sources.ts';
import { Random } from '@bourse/test-kit/random.ts';
import { inLongRunOnly, ofSize } from '@bourse/test-kit/run-size.ts';
import { parseSync } from 'rolldown/utils';
import { root } from '../../scripts/tree.mjs';
import { EQUIVALENT, mutantsOfTarget, sampleOf, TARGETS } from './targets.ts';
import { FAULTS } from './faults.ts';
import { checks, judge, longChecks } from './judges.ts';
import { describe as nameOf, keyOf, mutantsOf } from './mutant.ts';
import { AT_ONCE, tryAll, tryFault, tryMutant } from './run.ts';

const MINUTE_MS = 60_000;

/** A new sample each time; `TEST_SEED` repeats one. */
const SEED = Number(process.env['TEST_SEED'] ?? Date.now() % 1_000_000);

/** The mutants of a statement, each as `operator: text`. */
const mutantsIn = (statement: string): string[] => {
  const source = `async function f() {\n${statement}\n}`;
  return mutantsOf('a.ts', source).map(
    ({ operator, edit }) =>
      `${operator}: ${applied(source, edit).slice('async function f() {'.length, -1).trim()}`,
  );
};

describe('the operators', () => {
  const cases: readonly (readonly [statement: string, ...mutants: string[]])[] = [
    ['return a < b;', 'boundary moved: return a <= b;', 'comparison turned: return a >= b;'],
    ['return a === b;', 'comparison turned: return a !== b;'],
    ['return a /* - */ + b;', 'arithmetic changed: return a /* - */ - b;'],
    ["return 'a' + b;"],
    ['a += b;', 'statement removed: ;', 'assignment changed: a -= b;'],
    ['a++;', 'statement removed: ;', 'assignment changed: a--;'],
    ['for (const a of b) c(a);', 'statement removed: for (const a of b) ;'],
    ['if (a) return;', 'condition negated: if (!(a)) return;', 'exit removed: ;'],
    [
      'if (!a) b(); else c();',
      'else removed: if (!a) b();',
      'negation removed: if ((a)) b(); else c();',
      'statement removed: if (!a) ; else c();',
      'statement removed: if (!a) b(); else ;',
    ],
    ['return a && b;', 'and, or: return ((a) || (b));'],
    ['return a ?? b;', 'fall-back removed: return (a);'],
    [
      'return [1, 7, 3n];',
      'constant changed: return [0, 7, 3n];',
      'constant changed: return [1, 8, 3n];',
      'constant changed: return [1, 7, 4n];',
    ],
    ['return true;', 'boolean turned: return false;'],
    ['await a();', 'statement removed: ;', 'not awaited: Promise.resolve(a()).catch(() => undefined);'],
    ['return a(b, c);', 'arguments swapped: return a(c, b);'],
    ['return Math.min(a);', 'method exchanged: return Math.max(a);'],
    ['throw new RangeError(a + 1);'],
    ['assert(a > 1, `${a + 1}`);'],
    ['const a = b as 1 | 2;'],
  ];
  for (const [statement, ...mutants] of cases)
    test(statement, () => assert.deepEqual(mutantsIn(statement), mutants));

  test('leave numbers outside of functions alone', () =>
    assert.deepEqual(mutantsOf('a.ts', 'const A = 5;'), []));
});

test('a mutant keeps its key when the code is reformatted, and has another key in another function', () => {
  const [one] = mutantsOf('a.ts', 'class A { b() { return c(d, e) } }');
  const [other] = mutantsOf('a.ts', 'class A {\n  b() {\n    return c(\n      d,\n      e,\n    );\n  }\n}');
  const [elsewhere] = mutantsOf('a.ts', 'class A { f() { return c(d, e) } }');
  assert.ok(one && other && elsewhere);
  assert.equal(one.scope, 'A.b');
  assert.equal(keyOf(one), keyOf(other));
  assert.notEqual(keyOf(one), keyOf(elsewhere));
  const twins = mutantsOf('a.ts', 'function f() { a(); a(); }');
  assert.deepEqual(
    twins.map(({ nth }) => nth),
    [1, 2],
  );
});

test('mutants are valid programs, and no two are equal', (context) => {
  context.diagnostic(`seed ${SEED}`);
  for (const target of TARGETS) {
    const all = mutantsOfTarget(target);
    assert.ok(all.length > 500, `${target.name}: ${all.length} mutants`);
    assert.equal(new Set(all.map(keyOf)).size, all.length);
    for (const mutant of new Random(SEED).shuffle(all).slice(0, 100)) {
      const text = applied(readFileSync(join(root, mutant.file), 'utf8'), mutant.edit);
      assert.deepEqual(parseSync(mutant.file, text, { lang: 'ts' }).errors, [], nameOf(mutant));
    }
  }
});

test('every mutant on the list of equivalent ones exists; delete the line of one that does not', () => {
  const gone = EQUIVALENT.filter((place) => {
    const source = readFileSync(join(root, place.file), 'utf8');
    return !mutantsOf(place.file, source).some((mutant) => keyOf(mutant) === keyOf(place));
  });
  assert.deepEqual(gone, []);
});

test('every text that a fault replaces exists exactly once', () => {
  for (const fault of FAULTS) changeOf(fault);
  const lost = { file: 'some.ts', find: 'a < b', replace: 'a <= b' };
  assert.deepEqual(editOf(lost, 'if (a\n  < b) c;'), { from: 4, to: 11, text: 'a <= b' });
  for (const text of ['b > a', 'a < b && a < b'])
    assert.throws(() => editOf(lost, text), /must be in some\.ts exactly once: a < b/);
});

/** The short run tries only the first ones; the others are drawn. */
const FAULTS_TRIED = ofSize(FAULTS.slice(0, 2), new Random(SEED).shuffle(FAULTS).slice(0, 4));

describe('promise 17: every fault is caught', { concurrency: AT_ONCE }, () => {
  for (const fault of FAULTS_TRIED) {
    test(fault.name, { timeout: 10 * MINUTE_MS }, async (context) => {
      const { caughtBy } = await tryFault(fault);
      assert.notEqual(caughtBy, '', `'${fault.name}' survives: the tests have a hole`);
      context.diagnostic(`caught by ${caughtBy}`);
    });
  }
});

test('the unchanged core passes every check that mutants must fail', {
  skip: inLongRunOnly,
  timeout: 10 * MINUTE_MS,
}, async () => {
  const { caughtBy, output } = await judge([checks, longChecks]);
  assert.equal(caughtBy, '', output);
});

/** Number of mutants per target. */
const COUNTS = new Map([
  ['core', 6],
  ['engine', 2],
  ['cluster', 2],
  ['sandbox', 1],
  ['api', 1],
]);
/** Minimum share of caught mutants; docs/internals/simulation.md says how it was chosen. */
const CAUGHT_MIN = 0.5;

test('promise 17: most new mutants are caught', {
  skip: inLongRunOnly,
  timeout: 30 * MINUTE_MS,
}, async (context) => {
  context.diagnostic(`seed ${SEED}: TEST_SEED=${SEED} repeats this sample`);
  let [caught, all] = [0, 0];
  for (const target of TARGETS) {
    const sample = sampleOf(target, SEED, COUNTS.get(target.name) ?? 0);
    await tryAll(
      sample,
      (mutant) => tryMutant(mutant, target),
      ({ tried, caughtBy }) => {
        if (caughtBy === '') context.diagnostic(`survives: ${nameOf(tried)}`);
        else caught += 1;
        all += 1;
      },
    );
  }
  context.diagnostic(`${caught} of ${all} mutants caught`);
  assert.ok(caught >= CAUGHT_MIN * all, `seed ${SEED}: only ${caught} of ${all} mutants were caught`);
});
