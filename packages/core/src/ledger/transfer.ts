/** Transfers between accounts of one user, or between a master and a sub-account. */

import { NO_WITHDRAWALS } from '../access/users.ts';
import { Amount } from '../values/amount.ts';
import type { Transfer } from '../commands/commands.ts';
import type { AddedOutcome } from '../commands/outcomes.ts';
import { type Rejection, reject } from '../commands/rejections.ts';
import type { State } from '../state.ts';
import { checkPrintable, invalidValue } from '../values/checks.ts';
import { CAUSE, MAIN, TRADE } from './ledger.ts';
import { checkMovement } from './money-in.ts';
import { rememberMovement, isSameTransfer } from './movements.ts';

const CLIENT_ID_LENGTH_MAX = 128;
const TYPES = ['internal', 'parent-to-sub', 'sub-to-parent'];
const ACCOUNTS = ['main', 'trade'];

const amount = new Amount();
const available = new Amount();

const typeCode = (account: string) => (account === 'main' ? MAIN : TRADE);

export function transfer(state: State, command: Transfer): AddedOutcome | Rejection {
  const { user, type, clientId, from, to } = command;
  const refused = checkShape(state, command);
  if (refused) return refused;
  const before = state.transfers.find(user, clientId);
  if (before) {
    if (isSameTransfer(before.command, command)) return { kind: 'added', id: before.id };
    return reject('transfer-conflict', { clientId, transfer: before.id });
  }
  const fromUser = type === 'sub-to-parent' ? (command.fromUser as number) : user;
  const toUser = type === 'parent-to-sub' ? (command.toUser as number) : user;
  const wrong = checkRelation(state, command);
  if (wrong) return wrong;
  const currency = command.currency ?? onlyCurrency(state, fromUser, typeCode(from));
  if (typeof currency !== 'number') return currency;
  const short =
    checkMovement(state.currencies.all[currency], command.amount) ??
    checkFunds(state, fromUser, from, currency, command.amount);
  if (short) return short;

  const id = state.newId();
  state.transfers.add({ id, command });
  rememberMovement(state, user, id);
  state.events.rare({
    kind: 'transfer-made',
    transfer: id,
    user,
    type,
    clientId,
    currency,
    amount: command.amount,
    from,
    to,
    fromUser,
    toUser,
  });
  const { ledger } = state;
  amount.setBigInt(command.amount);
  ledger.debit(ledger.account(fromUser, typeCode(from), currency), amount, CAUSE.transfer, id);
  ledger.credit(ledger.account(toUser, typeCode(to), currency), amount, CAUSE.transfer, id, 0);
  return { kind: 'added', id };
}

function checkShape(state: State, command: Transfer): Rejection | null {
  const { user, type, clientId, currency, from, to, fromUser, toUser } = command;
  const refused =
    state.users.unknown(user) ??
    (fromUser === undefined ? null : state.users.unknown(fromUser)) ??
    (toUser === undefined ? null : state.users.unknown(toUser)) ??
    state.users.frozen(user) ??
    (fromUser === undefined ? null : state.users.frozen(fromUser)) ??
    (toUser === undefined ? null : state.users.frozen(toUser)) ??
    (type === 'internal' ? null : state.users.barred(fromUser ?? user, NO_WITHDRAWALS)) ??
    (currency === undefined ? null : state.currencies.unknown(currency)) ??
    checkPrintable('clientId', clientId, 1, CLIENT_ID_LENGTH_MAX);
  if (refused) return refused;
  if (!TYPES.includes(type)) return invalidValue('type', type, TYPES.join(', '));
  if (!ACCOUNTS.includes(from)) return invalidValue('from', from, ACCOUNTS.join(', '));
  if (!ACCOUNTS.includes(to)) return invalidValue('to', to, ACCOUNTS.join(', '));
  if (type === 'parent-to-sub' && toUser === undefined) {
    return reject('field-missing', { field: 'toUser', because: type });
  }
  if (type === 'sub-to-parent' && fromUser === undefined) {
    return reject('field-missing', { field: 'fromUser', because: type });
  }
  return null;
}

/** Only a master moves money between itself and its sub-accounts; an internal transfer stays with the caller. */
function checkRelation(state: State, command: Transfer): Rejection | null {
  const { user, type, from, to, fromUser = user, toUser = user } = command;
  if (type !== 'internal' && state.users.isSubAccount(user)) return reject('not-a-master', { user });
  if (type !== 'sub-to-parent' && fromUser !== user) return reject('not-a-master', { user: fromUser });
  if (type !== 'parent-to-sub' && toUser !== user) return reject('not-a-master', { user: toUser });
  if (type === 'internal') return from === to ? reject('same-account', { account: from }) : null;
  const sub = type === 'parent-to-sub' ? toUser : fromUser;
  return state.users.all[sub].parent === user
    ? null
    : reject('not-a-sub-account', { user: sub, parent: user });
}

function onlyCurrency(state: State, user: number, type: number): number | Rejection {
  const currencies: number[] = [];
  for (let currency = 0; currency < state.currencies.all.length; currency++) {
    const account = state.ledger.find(user, type, currency);
    if (account < 0) continue;
    state.ledger.readAvailable(account, available);
    if (!available.isZero()) currencies.push(currency);
  }
  return currencies.length === 1 ? currencies[0] : reject('currency-ambiguous', { currencies });
}

function checkFunds(
  state: State,
  user: number,
  account: 'main' | 'trade',
  currency: number,
  need: bigint,
): Rejection | null {
  state.ledger.readAvailable(state.ledger.account(user, typeCode(account), currency), available);
  const has = available.toBigInt();
  return need <= has ? null : reject('funds-insufficient', { user, account, currency, need, available: has });
}
