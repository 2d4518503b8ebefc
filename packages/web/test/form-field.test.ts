// Fields of the console's forms: those that an action requires beyond the API, and those that it omits.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entryOf, formFieldsOf, valueOf } from '../src/console/action/action.ts';
import type { Call } from '../src/console/operator/queries.tsx';
import { formLabelOf, plainly } from '../src/console/words.ts';

const settle: Call = {
  id: 'settle-withdrawal',
  method: 'POST',
  path: '/v1/withdrawals/{withdrawalId}/settle',
  summary: '',
  parameters: [],
  roles: [],
  policy: 'always',
  body: {
    properties: {
      sent: { type: 'boolean' },
      txId: { type: 'string' },
      failureReason: { type: 'string' },
      reason: { type: 'string' },
    },
    required: ['sent', 'reason'],
  },
};

test('milliseconds of the API are minutes and dates in a form, and its labels say so', () => {
  const call: Call = {
    ...settle,
    body: {
      properties: {
        lookupWindowMs: { type: 'integer', minimum: 1, maximum: 604_800_000 },
        at: { type: 'integer', minimum: 0, maximum: 8e15 },
      },
    },
  };
  const [window, at] = formFieldsOf(call, new Set());
  assert.deepEqual([entryOf(259_200_000, window!), valueOf(window!, '4320')], ['4320', 259_200_000]);
  assert.equal(formLabelOf(window!.name), 'Lookup window, minutes');
  assert.deepEqual([window!.hint, at!.hint], ['from 1 to 10080', '']);
  assert.deepEqual([entryOf(0, at!), valueOf(at!, '1970-01-01T00:00')], ['1970-01-01T00:00', 0]);
});

test('descriptions from the API use the names of the form, not those of the API', () => {
  assert.equal(
    plainly('Freezes `all`, `post-only`, with `withSubAccounts`; the same txId again after `endsInMs`.'),
    'Freezes “Everything: only cancelling”, “Post only”, with “With sub-accounts”; the same transaction id again after “Lasts, minutes”.',
  );
});

test('a withdrawal marked as sent needs its transaction id, and has no failure reason', () => {
  const fields = formFieldsOf(settle, new Set(['sent', 'failureReason']), ['txId']);
  assert.deepEqual(
    fields.map(({ name, isRequired }) => [name, isRequired]),
    [['txId', true]],
  );
  assert.throws(() => valueOf(fields[0]!, ''), /Transaction id is needed/);
  assert.equal(formFieldsOf(settle, new Set(['sent']))[0]?.isRequired, false);
});
