// Fields of the console's forms: what an action needs beyond the interface, and what it leaves out.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formFieldsOf, valueOf } from '../src/console/action/form-field.ts';
import type { Call } from '../src/console/operator/calls.ts';

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

test('a withdrawal that was sent needs its transaction, and has no failure', () => {
  const fields = formFieldsOf(settle, new Set(['sent', 'failureReason']), ['txId']);
  assert.deepEqual(
    fields.map(({ name, isRequired }) => [name, isRequired]),
    [['txId', true]],
  );
  assert.throws(() => valueOf(fields[0]!, ''), /Transaction id is needed/);
  assert.equal(formFieldsOf(settle, new Set(['sent']))[0]?.isRequired, false);
});
