/** Times on the command line are UTC, like the times that it prints. */

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { timeOption } from '../../src/cli/operator-client.ts';

const { TZ } = process.env;
process.env['TZ'] = 'America/New_York';
after(() => {
  if (TZ === undefined) delete process.env['TZ'];
  else process.env['TZ'] = TZ;
});

test('a time on the command line is the same moment in every zone', () => {
  const noon = Date.UTC(2026, 0, 31, 12);
  for (const [text, time] of [
    [String(noon), noon],
    ['2026-01-31', Date.UTC(2026, 0, 31)],
    ['2026-01-31T12:00Z', noon],
    ['2026-01-31T12:00:00Z', noon],
    ['2026-01-31 12:00:00.000Z', noon],
    ['2026-01-31T13:00:00+01:00', noon],
    ['2026-01-31T06:30:00.000-05:30', noon],
  ] as const) {
    assert.equal(timeOption('at', text), time, text);
  }
  assert.equal(timeOption('at', undefined), undefined);
});

test('a time without a zone is rejected, and the message says what is valid', () => {
  for (const text of [
    '2026-01-31T12:00:00',
    '2026-01-31 12:00',
    '2026/01/31',
    'Jan 31 2026',
    '2026-13-01',
    '',
  ]) {
    assert.throws(() => timeOption('at', text), {
      name: 'CommandFailed',
      message: `--at: '${text}' is not a time. Give milliseconds, a date (2026-01-01, in UTC), or a time with its zone (2026-01-01T12:00:00Z).`,
    });
  }
});
