/** Operator commands about operators; operator-commands.ts describes each. */

import type {
  AddOperator,
  BreakGlass,
  ChangeOperator,
  OperatorCommand,
  ProposalCommand,
  NoteCall,
  RefuseCall,
  RemoveOperator,
  Role,
  SetOperatorToken,
  AssignMovement,
  QueueKind,
  ReleaseMovement,
} from '../commands/operator-commands.ts';
import type { Audited } from '../commands/reference-commands.ts';
import { acceptedUnless, added, type Outcome, rejected } from '../commands/outcomes.ts';
import { type Rejection, reject } from '../commands/rejections.ts';
import type { State } from '../state.ts';
import { checkPrintable, invalidValue } from '../values/checks.ts';
import type { Operator } from './operators.ts';
import { isOpen as isOpenDeposit } from '../ledger/deposits.ts';
import { isOpen as isOpenWithdrawal } from '../ledger/movements.ts';

export const ROLES: readonly Role[] = [
  'viewer',
  'support',
  'finance',
  'listing',
  'compliance',
  'custodian',
  'admin',
];
export const BREAK_GLASS_MS = 10 * 60_000;
const OPERATORS_MAX = 1000;
const NAME_LENGTH_MAX = 64;
const HASH_LENGTH_MAX = 64;
const CALL_LENGTH_MAX = 64;

export function operate(state: State, command: Exclude<OperatorCommand, ProposalCommand>): Outcome {
  switch (command.kind) {
    case 'add-operator':
      return added(addOperator(state, command, state.time));
    case 'break-glass':
      return added(breakGlass(state, command));
    case 'change-operator':
      return acceptedUnless(changeOperator(state, command));
    case 'set-operator-token':
      return acceptedUnless(setToken(state, command));
    case 'assign-movement':
      return acceptedUnless(assignMovement(state, command));
    case 'release-movement':
      return acceptedUnless(releaseMovement(state, command));
    case 'remove-operator':
      return acceptedUnless(removeOperator(state, command));
    case 'close-root':
      return acceptedUnless(closeRoot(state));
    case 'refuse-call':
      return rejected(refuseCall(command));
    case 'note-call':
      return acceptedUnless(noteCall(command));
  }
}

/**
 * The caller must still exist when the command is applied: an operator removed meanwhile, or root after it was closed,
 * changes nothing.
 */
export function checkCaller(state: State, { operator, call }: Audited, kind: string): Rejection | null {
  if (call === undefined) return null;
  if (operator !== undefined)
    return state.operators.get(operator) ? null : reject('operator-unknown', { operator });
  return state.operators.isRootClosed && kind !== 'break-glass' ? reject('root-closed', {}) : null;
}

function addOperator(
  state: State,
  command: AddOperator | BreakGlass,
  usableFrom: number,
): Rejection | number {
  const { name, roles, token, login = '' } = command;
  const { operators, time } = state;
  const wrong =
    checkPrintable('name', name, 1, NAME_LENGTH_MAX) ??
    checkRoles(roles) ??
    checkPrintable('token', token, 1, HASH_LENGTH_MAX) ??
    checkPrintable('login', login, 0, HASH_LENGTH_MAX);
  if (wrong) return wrong;
  const isTaken = operators.ofName(name) ?? operators.ofToken(token) ?? operators.ofLogin(login);
  if (isTaken) return reject('code-taken', { taken: name });
  if (operators.size >= OPERATORS_MAX) return reject('operators-in-all', { max: OPERATORS_MAX });
  const id = ++operators.last;
  const isBrokenGlass = command.kind === 'break-glass';
  operators.set({
    id,
    name,
    roles: sorted(roles),
    token,
    login,
    createdAt: time,
    usableFrom,
    ...(isBrokenGlass && { isBrokenGlass }),
  });
  emitChanged(state, id);
  return id;
}

/**
 * Root may repeat break-glass, because the token may be lost with the response: the operator gets the new token, and
 * the delay starts again.
 */
function breakGlass(state: State, command: BreakGlass): Rejection | number {
  const usableFrom = state.time + BREAK_GLASS_MS;
  const found = state.operators.ofName(command.name);
  const { roles, token, login = '' } = command;
  const isAgain =
    found?.isBrokenGlass === true &&
    found.login === login &&
    (roles.includes('admin') || !found.roles.includes('admin'));
  if (!isAgain) return addOperator(state, command, usableFrom);
  const wrong = checkRoles(roles) ?? checkPrintable('token', token, 1, HASH_LENGTH_MAX);
  if (wrong) return wrong;
  if (state.operators.ofToken(token)) return reject('code-taken', { taken: found.name });
  state.operators.set({ ...found, roles: sorted(roles), token, usableFrom });
  emitChanged(state, found.id);
  return found.id;
}

function changeOperator(state: State, command: ChangeOperator): Rejection | null {
  const found = state.operators.get(command.changed);
  if (!found) return unknown(command.changed);
  const { roles } = command;
  const refused = checkRoles(roles) ?? (roles.includes('admin') ? null : checkLastAdmin(state, found));
  if (refused) return refused;
  state.operators.set({ ...confirmed(found), roles: sorted(roles) });
  emitChanged(state, found.id);
  return null;
}

function setToken(state: State, command: SetOperatorToken): Rejection | null {
  const { token } = command;
  const found = state.operators.get(command.changed);
  if (!found) return unknown(command.changed);
  const wrong = checkPrintable('token', token, 1, HASH_LENGTH_MAX);
  if (wrong) return wrong;
  if (state.operators.ofToken(token)) return reject('code-taken', { taken: found.name });
  state.operators.set({ ...confirmed(found), token });
  emitChanged(state, found.id);
  return null;
}

function removeOperator(state: State, command: RemoveOperator): Rejection | null {
  const found = state.operators.get(command.changed);
  if (!found) return unknown(command.changed);
  const refused = checkLastAdmin(state, found);
  if (refused) return refused;
  state.operators.remove(found);
  releaseAll(state, found.id);
  emitChanged(state, found.id);
  return null;
}

function closeRoot(state: State): Rejection | null {
  if (state.operators.isRootClosed) return reject('root-closed', {});
  state.operators.isRootClosed = true;
  emitChanged(state, 0);
  return null;
}

function refuseCall({ refused, roles }: RefuseCall): Rejection {
  return (
    checkPrintable('refused', refused, 1, CALL_LENGTH_MAX) ?? checkRoles(roles) ?? reject('role', { roles })
  );
}

function noteCall({ noted }: NoteCall): Rejection | null {
  return checkPrintable('noted', noted, 1, CALL_LENGTH_MAX);
}

/** An admin whose token does not work yet does not count. */
function checkLastAdmin(state: State, operator: Operator): Rejection | null {
  const isAdmin = ({ roles, usableFrom }: Operator): boolean =>
    roles.includes('admin') && usableFrom <= state.time;
  if (!isAdmin(operator)) return null;
  const others = state.operators.list().filter((each) => each.id !== operator.id && isAdmin(each));
  return others.length > 0 ? null : reject('last-admin', { operator: operator.id });
}

export function checkRoles(roles: readonly Role[]): Rejection | null {
  if (!Array.isArray(roles) || roles.length === 0 || roles.length > ROLES.length) {
    return invalidValue('roles', roles, `1 to ${ROLES.length} roles`);
  }
  const strange = roles.find((role, at) => !ROLES.includes(role) || roles.indexOf(role) !== at);
  return strange === undefined ? null : invalidValue('roles', strange, `each once, of ${ROLES.join(', ')}`);
}

/** An admin has changed or renewed it, so root can no longer take it over. */
function confirmed({ id, name, roles, token, login, createdAt, usableFrom }: Operator): Operator {
  return { id, name, roles, token, login, createdAt, usableFrom };
}

const sorted = (roles: readonly Role[]): Role[] => ROLES.filter((role) => roles.includes(role));
const unknown = (operator: number): Rejection => reject('operator-unknown', { operator });

function emitChanged(state: State, operator: number): void {
  state.events.rare({ kind: 'operators-changed', operator });
}

const ROOT = 0;

/**
 * Assigns pending deposits, withdrawals and questionnaires to operators. Assignments are informational: anyone with the
 * role may still act on the entry. An assignment ends when the entry is completed or the operator is removed.
 */
export interface Assignment {
  readonly id: number;
  /** The operator's number; 0 is root. */
  readonly to: number;
}

function assignMovement(state: State, command: AssignMovement): Rejection | null {
  const { what, id, to, operator = ROOT } = command;
  const missing = to === ROOT || state.operators.get(to) ? null : unknown(to);
  if (missing) return missing;
  const refused = checkWaits(state, what, id);
  if (refused) return refused;
  const before = state.assignments.get(id);
  if (before !== undefined && before !== to && before !== operator) {
    return reject('assigned', { id, to: before });
  }
  state.assignments.set(id, to);
  return null;
}

function releaseMovement(state: State, { what, id }: ReleaseMovement): Rejection | null {
  const refused = checkWaits(state, what, id);
  if (refused) return refused;
  return state.assignments.delete(id) ? null : reject('not-assigned', { id });
}

/** Drops all assignments of a removed operator. */
function releaseAll(state: State, operator: number): void {
  for (const [id, to] of state.assignments) if (to === operator) state.assignments.delete(id);
}

function checkWaits(state: State, what: QueueKind, id: number): Rejection | null {
  switch (what) {
    case 'deposit': {
      const found = state.deposits.get(id);
      if (!found) return reject('deposit-unknown', { deposit: id });
      return isOpenDeposit(found) ? null : reject('not-in-queue', { id, state: found.state });
    }
    case 'withdrawal': {
      const found = state.withdrawals.get(id);
      if (!found) return reject('withdrawal-unknown', { withdrawal: id });
      return isOpenWithdrawal(found) ? null : reject('not-in-queue', { id, state: found.state });
    }
    case 'questionnaire': {
      const found = state.deposits.questionnaire(id);
      if (!found) return reject('questionnaire-unknown', { questionnaire: id });
      return found.state === 'pending' ? null : reject('not-in-queue', { id, state: found.state });
    }
    default:
      return invalidValue('what', what, 'deposit, withdrawal or questionnaire');
  }
}
