// Permissions: every call with every role, compared with the rows of the API.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROLES, type Role } from '@bourse/core';
import { OPERATOR_ROUTES } from '../../../api/src/gateway/operator/plugin.ts';
import { READERS } from '../../../api/src/gateway/operator/route.ts';
import { addOperator, codeOf, openFor, Operator, withToken } from './exchange.ts';

const DECIDING: readonly string[] = ['approve-proposal', 'refuse-proposal', 'withdraw-proposal'];

/** The documented roles, independently of the rows. */
const OF_ROLES: Readonly<Record<Exclude<Role, 'viewer'>, readonly string[]>> = {
  support: [
    ...DECIDING,
    'freeze-user',
    'unfreeze-user',
    'close-user',
    'add-user-note',
    'end-user-sessions',
    'cancel-user-orders',
    'cancel-order',
    'cancel-symbol-orders',
    'add-user',
    'change-user',
    'add-key',
    'change-key',
    'remove-key',
    'add-invitation',
  ],
  finance: [
    ...DECIDING,
    'report-deposit',
    'claim-withdrawal',
    'unclaim-withdrawal',
    'settle-withdrawal',
    'assign-deposit',
    'release-deposit',
    'assign-withdrawal',
    'release-withdrawal',
    'return-deposit',
    'correct',
    'report-wallet',
    'add-user-note',
    'set-address-source',
    'load-addresses',
    'give-address',
    'take-liabilities',
  ],
  listing: [
    ...DECIDING,
    'add-currency',
    'change-currency',
    'remove-currency',
    'add-symbol',
    'change-symbol',
    'remove-symbol',
    'set-market-state',
    'begin-auction',
    'cancel-auction',
    'pause-exchange',
    'resume-exchange',
    'schedule-call',
    'unschedule-call',
    'import-candles',
    'cancel-symbol-orders',
    'set-fees',
    'remove-fees',
    'publish-notice',
    'remove-notice',
  ],
  compliance: [
    ...DECIDING,
    'decide-questionnaire',
    'assign-questionnaire',
    'release-questionnaire',
    'change-user',
    'freeze-user',
    'unfreeze-user',
    'close-user',
    'add-user-note',
    'set-user-limits',
    'add-address-rule',
    'remove-address-rule',
    'set-limits',
  ],
  custodian: [
    'report-deposit',
    'report-wallet',
    'claim-withdrawal',
    'unclaim-withdrawal',
    'advance-withdrawal',
    'withdraw-proposal',
    'get-caller',
  ],
  admin: [
    ...DECIDING,
    'set-policy',
    'add-invitation',
    'add-operator',
    'change-operator',
    'renew-operator-token',
    'remove-operator',
    'close-root',
    'set-limits',
    'pause-exchange',
    'resume-exchange',
    'schedule-call',
    'unschedule-call',
    'set-leader',
    'reload',
    'take-checkpoint',
    'take-liabilities',
    'rotate-secret',
    'accept-clock',
  ],
};

test('the routes give each role the documented calls', () => {
  for (const { id, method, roles } of OPERATOR_ROUTES) {
    const changing = ROLES.filter((role) => role !== 'viewer' && OF_ROLES[role].includes(id));
    const reading = method === 'GET' ? READERS : [];
    const wanted = ROLES.filter((role) => changing.includes(role) || reading.includes(role));
    assert.deepEqual([id, ...ROLES.filter((role) => roles.includes(role))], [id, ...wanted]);
  }
});

test('each role can make exactly its calls, and rejected calls are in the audit trail', async (t) => {
  const running = await openFor(t);
  const root = new Operator(running);
  let refused = 0;
  for (const role of ROLES) {
    const { id: ownId, token } = await addOperator(root, `an ${role}`, role);
    const operator = withToken(running, token);
    const allowed: string[] = [];
    for (const { id, method, path, roles } of OPERATOR_ROUTES) {
      // Without a reason nothing changes, whatever the role.
      const body = method === 'POST' ? '{}' : undefined;
      const reply = await operator.send(method, path.replaceAll(/:\w+/g, 'x'), body);
      const [status, code] = codeOf(reply);
      if (roles.includes(role)) {
        allowed.push(id);
        assert.ok(status !== 403 && status !== 401, `${role} ${id}: ${status} ${String(code)}`);
        continue;
      }
      refused++;
      assert.deepEqual([status, code], [403, 'role'], `${role} ${id}`);
      const { msg } = reply.body as { msg: string };
      assert.ok(msg.endsWith(`It needs one of: ${roles.join(', ')}.`), msg);
    }
    const { body } = await operator.get('/v1/caller');
    const mayChange = role !== 'viewer';
    assert.deepEqual(body, { id: ownId, name: `an ${role}`, roles: [role], mayChange, calls: allowed });
  }
  const { body } = await root.get('/v1/audit?limit=500');
  const rows = body as { action: string; outcome: string; by: string; operator: unknown; details: unknown }[];
  const trail = rows.filter(({ action }) => action === 'refuse-call');
  assert.equal(trail.length, Math.min(refused, rows.length));
  assert.ok(trail.every(({ outcome }) => outcome === 'role'));
  const { by, operator } = trail[0]!;
  assert.equal(by, 'an admin');
  assert.equal((operator as { kind: string }).kind, 'program');
});
