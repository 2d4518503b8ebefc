// Text that users wrote, on the page and in saved files: nothing in it hides, reorders other text, or runs in a spreadsheet.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvText, visible } from '../src/ui/text.ts';

test('marks of direction and control characters are escaped, letters of all languages are not', () => {
  assert.equal(
    visible('pay\u202e001\u2066x\u200f\u001b[2J\u0085'),
    'pay\\u202e001\\u2066x\\u200f\\u001b[2J\\u0085',
  );
  assert.equal(visible('two\n\tlines'), 'two\n\tlines');
  assert.equal(visible('Zoë 日本 שלום 👍🏽 €'), 'Zoë 日本 שלום 👍🏽 €');
});

test('saved files have these characters escaped too', () => {
  assert.equal(csvText(['remark'], [['a\u202eb']]), 'remark\r\na\\u202eb\r\n');
});

test('commas, quotes and line ends are quoted', () => {
  assert.equal(
    csvText(
      ['a', 'b'],
      [
        ['1,5', 'say "x"'],
        ['two\nlines', ''],
      ],
    ),
    'a,b\r\n"1,5","say ""x"""\r\n"two\nlines",\r\n',
  );
});

test('text that a spreadsheet would read as a formula stays text, and a negative number stays a number', () => {
  assert.equal(
    csvText(['remark'], [['=1+1'], ['@x'], ['-2+3'], ['-1.5']]),
    "remark\r\n'=1+1\r\n'@x\r\n'-2+3\r\n-1.5\r\n",
  );
});
