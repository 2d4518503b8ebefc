// Remarks, names and answers of others are shown as they are written: nothing in them turns text round or hides in it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvText } from '../src/ui/saved-file.ts';
import { visible } from '../src/ui/visible.ts';

test('marks of direction and control characters are escaped, letters of all languages are not', () => {
  assert.equal(
    visible('pay\u202e001\u2066x\u200f\u001b[2J\u0085'),
    'pay\\u202e001\\u2066x\\u200f\\u001b[2J\\u0085',
  );
  assert.equal(visible('two\n\tlines'), 'two\n\tlines');
  assert.equal(visible('Zoë 日本 שלום 👍🏽 €'), 'Zoë 日本 שלום 👍🏽 €');
});

test('saved files have them escaped too', () => {
  assert.equal(csvText(['remark'], [['a\u202eb']]), 'remark\r\na\\u202eb\r\n');
});
