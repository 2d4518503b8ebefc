// Saved files: every spreadsheet reads them, and none runs what a user wrote into a remark.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvText } from '../src/ui/saved-file.ts';

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

test('what a spreadsheet would take for a formula stays a text; a negative number stays one', () => {
  assert.equal(
    csvText(['remark'], [['=1+1'], ['@x'], ['-2+3'], ['-1.5']]),
    "remark\r\n'=1+1\r\n'@x\r\n'-2+3\r\n-1.5\r\n",
  );
});
