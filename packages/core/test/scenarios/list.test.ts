import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAbout, RULES } from './list.ts';
import { collectScenarios, runScenario } from './runner.ts';

const all = await collectScenarios();

test('every rule, every row of the state table and every limit has a scenario', () => {
  const bare = RULES.filter((rule) => !all.some((scenario) => isAbout(scenario, rule)));
  assert.deepEqual(bare, []);
});

test('no two scenarios have the same name', () => {
  const names = all.map((scenario) => scenario.name);
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  );
});

test('a wrong scenario fails with its name, line, expected and actual result', async () => {
  const { newEngine } = await import('./engine.ts');
  const fails = (line: string, message: RegExp): void => {
    const steps = [
      { line: 1, text: 'A: alice sell 5 @ 100' },
      { line: 2, text: line },
    ];
    assert.throws(() => runScenario({ name: 'R1 wrong', steps }, newEngine), message, line);
  };
  fails(
    'book ask 100: 4',
    /^Error: R1 wrong\n {2}line 2: book ask 100: 4\n {2}expected: 4\n {2}actual: {3}5$/,
  );
  fails('book asks 100: 5, 101: 1', /actual: {3}100: 5$/);
  fails('alice BTC 95 + 4 held', /expected: BTC 95 \+ 4 held\n {2}actual: {3}BTC 95 \+ 5 held$/);
  fails('order A open remaining 4', /expected: remaining 4\n {2}actual: {3}remaining 5$/);
  fails('bob buy 1 @ 100 -> open', /expected: open\n {2}actual: {3}done filled/);
  fails('bob buy 1 @ 100.05', /expected: no rejection\n {2}actual: {3}rejected price-increment/);
  fails('bob buy 1 @ 100.05 -> rejected price-increment below=99', /expected: below=99/);
  fails('* received B', /expected: received B\n {2}actual: {3}received A$/);
  fails('* received A', /expected: no more events/);
  fails('trade 1 @ 100 buy', /expected: a trade\n {2}actual: {3}no more trades$/);
  fails('bob dance', /unknown word: dance/);
  fails('dance', /unknown word: dance/);
  fails('bob buy 1 @ 100 quickly', /unknown word: quickly/);
  fails('bob buy 1 @ 100 -> happy', /unknown word: happy/);
  fails('bob cancel X', /unknown label: X/);
  fails('order A open sideways 3', /unknown word: sideways/);
});
