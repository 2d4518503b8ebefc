/** Output of commands contains nothing that a terminal would execute. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printFields, printJson, printTable } from '../../src/cli/output.ts';
import { visibleLine, visibleLines } from '../../../engine/src/io/shown-text.ts';

const HOSTILE = 'a\u001b[2Jb\u009bc\u202eevil\u2066d\u200ef\u2028g\u007fh\r\n';

test('control characters and marks of direction are escaped, letters of all languages are not', () => {
  assert.equal(
    visibleLine(HOSTILE),
    'a\\u001b[2Jb\\u009bc\\u202eevil\\u2066d\\u200ef\\u2028g\\u007fh\\u000d\\u000a',
  );
  assert.equal(visibleLines('one\n\ttwo\u001b'), 'one\n\ttwo\\u001b');
  assert.equal(visibleLine('Zoë 日本 שלום 👍🏽 €'), 'Zoë 日本 שלום 👍🏽 €');
});

test('tables, fields and JSON are printed that way, and JSON means the same', (context) => {
  let printed = '';
  context.mock.method(process.stdout, 'write', (text: string) => {
    printed += text;
    return true;
  });
  printTable([{ remark: HOSTILE }], ['remark']);
  printFields({ remark: HOSTILE, answers: [{ name: HOSTILE }] });
  const before = printed.length;
  printJson({ remark: HOSTILE });
  context.mock.restoreAll();
  assert.doesNotMatch(printed, /(?!\n)\p{Cc}|[\u200e\u2028-\u202e\u2066-\u2069]/u);
  assert.deepEqual(JSON.parse(printed.slice(before)), { remark: HOSTILE });
});
