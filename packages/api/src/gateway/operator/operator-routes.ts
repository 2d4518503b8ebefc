/** Named operators, their roles and tokens, and closing root. */

import { createHash, randomBytes } from 'node:crypto';
import { BREAK_GLASS_MS, type Operator, ROLES, type Role } from '@bourse/core';
import type { Clock } from '@bourse/engine';
import { operatorId } from '../ids.ts';
import { Type } from '../schema.ts';
import { WithStatus } from '../json-interface.ts';
import { operatorRefusal } from './operator-errors.ts';
import { findMarked, unknownId } from './resolve.ts';
import { HeldCall, type OperatorRoute, operatorRoute, type OperatorServices } from './route.ts';

const TOKEN_BYTES = 32;
const TOKEN_PREFIX = 'bourse-operator-';
/** Names that the shared tokens have in the audit trail, whatever the case. */
const RESERVED: readonly string[] = ['root', 'reader', 'operator'];

const Text = Type.String();
const Name = Type.String({
  pattern: '^[\\x21-\\x7e](?:[\\x20-\\x7e]{0,62}[\\x21-\\x7e])?$',
  expects: '1 to 64 printable ASCII characters without spaces at the ends',
});
const Roles = Type.Array(Type.Union(ROLES.map((role) => Type.Literal(role))), {
  minItems: 1,
  maxItems: ROLES.length,
});
const Email = Type.String({
  minLength: 3,
  maxLength: 254,
  // As for people, who sign up with it.
  pattern: '^[^\\s@<>()\\[\\]\\\\,;:"\\p{C}]{1,64}@[^\\s@<>()\\[\\]\\\\,;:"\\p{C}]{1,189}$',
  expects: 'an e-mail address',
});

export const OPERATOR_ACCOUNTS: readonly OperatorRoute[] = [
  operatorRoute({
    id: 'list-operators',
    method: 'GET',
    path: '/v1/operators',
    summary: 'All operators with their roles.',
    handle: async ({ services }) => (await listOperators(services)).map(showOperator),
  }),
  operatorRoute({
    id: 'add-operator',
    method: 'POST',
    path: '/v1/operators',
    roles: ['admin'],
    summary:
      'Adds an operator. Only this response contains its token. With `email`, the person with this address can also act as the operator, and gets a mail with a link to set a password or, without an account, to sign up.',
    body: { name: Name, roles: Roles, email: Type.Optional(Email) },
    async handle({ services, body, caller, from, act, gone }) {
      const { name, roles, email } = body;
      if (RESERVED.includes(name.toLowerCase())) {
        throw operatorRefusal('code-taken', `name: '${name}' is reserved for a shared token.`);
      }
      const login = email === undefined ? {} : { login: loginOf(services, email) };
      const token = makeToken();
      const terms = { name, roles: asRoles(roles), token: hashOf(token), ...login };
      // A closed root has no roles, and reaches this call only for break-glass access.
      const isBreakGlass = caller.roles.length === 0;
      const kind = isBreakGlass ? 'break-glass' : 'add-operator';
      const welcome = (): void => (email === undefined ? undefined : services.welcome?.(email, from));
      const outcome = await act({ kind, ...terms }, { token }).catch((error: unknown) => {
        // The proposal does not contain the address. Without roles the link gives no more than an invitation.
        if (error instanceof HeldCall) welcome();
        throw error;
      });
      if (outcome.kind !== 'added') throw new Error(`unexpected outcome '${outcome.kind}' of an operator`);
      if (isBreakGlass) await breakGlass(services, outcome.id, gone);
      welcome();
      return new WithStatus(201, { ...showOperator(await findOperator(services, outcome.id)), token });
    },
  }),
  operatorRoute({
    id: 'change-operator',
    method: 'POST',
    path: '/v1/operators/:operatorId',
    roles: ['admin'],
    summary: 'Sets the roles of an operator. The last admin must stay one.',
    params: { operatorId: Text },
    body: { roles: Roles },
    async handle({ services, params, body, act }) {
      const changed = findMarked('operator', params.operatorId);
      await act({ kind: 'change-operator', changed, roles: asRoles(body.roles) });
      return showOperator(await findOperator(services, changed));
    },
  }),
  operatorRoute({
    id: 'renew-operator-token',
    method: 'POST',
    path: '/v1/operators/:operatorId/token',
    roles: ['admin'],
    summary: 'Creates a new token, which only this response contains. The old one stops working immediately.',
    params: { operatorId: Text },
    body: {},
    async handle({ services, params, act }) {
      const changed = findMarked('operator', params.operatorId);
      const token = makeToken();
      await act({ kind: 'set-operator-token', changed, token: hashOf(token) }, { token });
      return { ...showOperator(await findOperator(services, changed)), token };
    },
  }),
  operatorRoute({
    id: 'remove-operator',
    method: 'DELETE',
    path: '/v1/operators/:operatorId',
    roles: ['admin'],
    summary: 'Removes an operator; its token stops working immediately. The last admin cannot be removed.',
    params: { operatorId: Text },
    async handle({ params, act }) {
      const { operatorId: id } = params;
      await act({ kind: 'remove-operator', changed: findMarked('operator', id) });
      return { id, removed: true };
    },
  }),
  operatorRoute({
    id: 'close-root',
    method: 'POST',
    path: '/v1/root/close',
    roles: ['admin'],
    summary:
      'Permanently closes root: the start-up token may then only add an operator, on the machine itself and after ten minutes of exchange time.',
    body: {},
    async handle({ act }) {
      await act({ kind: 'close-root' });
      return { root: 'closed' };
    },
  }),
];

/** Each once. */
const asRoles = (roles: readonly string[]): Role[] => ROLES.filter((role) => roles.includes(role));
const makeToken = (): string => TOKEN_PREFIX + randomBytes(TOKEN_BYTES).toString('base64url');
const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

function loginOf({ loginOf: hash }: OperatorServices, email: string): string {
  if (hash) return hash(email);
  throw operatorRefusal('no-identity', 'People cannot sign in to this exchange.');
}

export function showOperator({ id, name, roles, login, createdAt, usableFrom }: Operator) {
  return { id: operatorId(id), name, roles, isPerson: login !== '', created: createdAt, usableFrom };
}

const listOperators = ({ port }: OperatorServices): Promise<readonly Operator[]> =>
  port.read(({ reference }) => reference.operators.list());

async function findOperator({ port }: OperatorServices, id: number): Promise<Operator> {
  const found = await port.read(({ reference }) => reference.operators.get(id));
  if (found) return found;
  throw unknownId('operator', operatorId(id));
}

/** The token is returned after the delay, so that an admin can notice and remove the operator. */
async function breakGlass(services: OperatorServices, id: number, gone: AbortSignal): Promise<void> {
  const { name, usableFrom } = await findOperator(services, id);
  services.warn?.(
    `BREAK GLASS: the closed start-up token adds the operator '${name}'. Its token works in ${BREAK_GLASS_MS / 60_000} ` +
      'minutes of exchange time; an admin can remove the operator before',
  );
  await until(services.clock, usableFrom, gone);
}

function until(clock: Clock, time: number, gone: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    let cancel = (): void => undefined;
    gone.addEventListener('abort', () => {
      cancel();
      reject(operatorRefusal('gone', 'The client has closed the connection.'));
    });
    const check = (): void => {
      const left = time - clock.now();
      if (left <= 0) resolve();
      else cancel = clock.after(left, check);
    };
    check();
  });
}
