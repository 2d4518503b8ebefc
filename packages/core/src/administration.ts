/** Operator commands: reference data, users, keys, deposits and withdrawals. */

import type {
  Administration,
  Audited,
  RemoveCurrency,
  RemoveFees,
  RemoveSymbol,
  ReportWallet,
  SetFees,
} from './commands/commands.ts';
import { acceptedUnless, added, orRejected, type Outcome, rejected } from './commands/outcomes.ts';
import type { Before } from './commands/reference-commands.ts';
import { reject, type Rejection } from './commands/rejections.ts';
import { importCandles } from './import-candles.ts';
import { moveMoney, reverseMovement } from './ledger/correct.ts';
import { OUTSIDE } from './ledger/ledger.ts';
import {
  addAddress,
  decideQuestionnaire,
  loadAddresses,
  reportDeposit,
  returnDeposit,
} from './ledger/money-in.ts';
import {
  advanceWithdrawal,
  claimWithdrawal,
  settleWithdrawal,
  unclaimWithdrawal,
} from './ledger/money-out.ts';
import { addAddressRule, removeAddressRule, setWithdrawalLimits } from './ledger/withdrawal-rules.ts';
import { beginAuction, cancelAuction, setMarketState, setPaused } from './matching/auction.ts';
import { cancelForOthers } from './matching/cancel-for-others.ts';
import { BUY, SELL } from './matching/orders/order-rows.ts';
import { decide, propose } from './operators/decide.ts';
import { checkCaller, operate } from './operators/operate.ts';
import { closeUser } from './people/freeze.ts';
import { identify } from './people/identity.ts';
import { addKey, changeKey, removeKey } from './people/sessions.ts';
import { publishNotice, removeNotice, scheduleCall, unscheduleCall } from './reference/announce.ts';
import type { Instrument } from './reference/instrument.ts';
import { describe } from './reference/instruments.ts';
import type { State } from './state.ts';
import { Amount } from './values/amount.ts';
import { checkLength, checkPrintable, invalidValue } from './values/checks.ts';

const BY_LENGTH_MAX = 64;
const WHY_LENGTH_MAX = 256;
const IP_LENGTH_MAX = 64;

/** Executes an operator's command, after checking `by` and `why`. */
export function administer(state: State, command: Administration): Outcome {
  const refused = checkAudit(command) ?? checkCaller(state, command, command.kind);
  if (refused) return rejected(refused);
  return propose(state, command) ?? executeAudited(state, command);
}

/** All three are for readers of the log; the core checks only length and characters. */
function checkAudit({ by = '', why = '', ip = '' }: Audited): Rejection | null {
  const wrong = checkPrintable('by', by, 0, BY_LENGTH_MAX) ?? checkLength('why', why, 0, WHY_LENGTH_MAX);
  return wrong ?? checkPrintable('ip', ip, 0, IP_LENGTH_MAX);
}

/** Executes the command, and keeps the values it replaced for the audit trail. */
export function executeAudited(state: State, command: Administration): Outcome {
  const before = command.by === undefined ? null : beforeOf(state, command);
  const outcome = execute(state, command);
  if (before !== null && outcome.kind !== 'rejected') state.befores.set(command, before);
  return outcome;
}

function execute(state: State, command: Administration): Outcome {
  switch (command.kind) {
    case 'add-currency':
      return added(state.currencies.add(command));
    case 'change-currency':
      return acceptedUnless(state.currencies.change(command));
    case 'remove-currency':
      return acceptedUnless(removeCurrency(state, command));
    case 'add-symbol':
      return added(state.instruments.add(command));
    case 'change-symbol': {
      const refused = state.instruments.change(command);
      if (!refused) state.touch(command.symbol);
      return acceptedUnless(refused);
    }
    case 'remove-symbol':
      return acceptedUnless(removeSymbol(state, command));
    case 'set-market-state':
      return acceptedUnless(setMarketState(state, command));
    case 'begin-auction':
      return acceptedUnless(beginAuction(state, command));
    case 'cancel-auction':
      return acceptedUnless(cancelAuction(state, command));
    case 'pause-exchange':
      return acceptedUnless(setPaused(state, true));
    case 'resume-exchange':
      return acceptedUnless(setPaused(state, false));
    case 'schedule-call':
      return added(scheduleCall(state, command));
    case 'unschedule-call':
      return acceptedUnless(unscheduleCall(state, command));
    case 'set-fees':
      return acceptedUnless(setFees(state, command));
    case 'remove-fees':
      return acceptedUnless(removeFees(state, command));
    case 'set-limits':
      return acceptedUnless(state.limits.set(command));
    case 'add-user':
      return added(state.users.add(command, state.time));
    case 'change-user':
      return acceptedUnless(state.users.change(command));
    case 'freeze-user':
      return acceptedUnless(state.users.freeze(command));
    case 'unfreeze-user':
      return acceptedUnless(state.users.unfreeze(command));
    case 'close-user':
      return acceptedUnless(closeUser(state, command));
    case 'add-user-note':
      return acceptedUnless(state.userNotes.add(state.users, command, state.time));
    case 'cancel-for-others':
      return orRejected(cancelForOthers(state, command));
    case 'add-key':
      return acceptedUnless(addKey(state, command));
    case 'change-key':
      return acceptedUnless(changeKey(state, command));
    case 'remove-key':
      return acceptedUnless(removeKey(state, command));
    case 'add-address':
      return acceptedUnless(addAddress(state, command));
    case 'load-addresses':
      return acceptedUnless(loadAddresses(state, command));
    case 'report-deposit':
      return orRejected(reportDeposit(state, command));
    case 'decide-questionnaire':
      return acceptedUnless(decideQuestionnaire(state, command));
    case 'claim-withdrawal':
      return acceptedUnless(claimWithdrawal(state, command));
    case 'unclaim-withdrawal':
      return acceptedUnless(unclaimWithdrawal(state, command));
    case 'advance-withdrawal':
      return acceptedUnless(advanceWithdrawal(state, command));
    case 'settle-withdrawal':
      return acceptedUnless(settleWithdrawal(state, command));
    case 'return-deposit':
      return acceptedUnless(returnDeposit(state, command));
    case 'reverse-movement':
      return added(reverseMovement(state, command));
    case 'move-money':
      return added(moveMoney(state, command));
    case 'set-withdrawal-limits':
      return acceptedUnless(setWithdrawalLimits(state, command));
    case 'add-address-rule':
      return added(addAddressRule(state, command));
    case 'remove-address-rule':
      return acceptedUnless(removeAddressRule(state, command));
    case 'report-wallet':
      return acceptedUnless(reportWallet(state, command));
    case 'import-candles':
      return acceptedUnless(importCandles(state, command));
    case 'set-note':
      return acceptedUnless(state.notes.set(command));
    case 'publish-notice':
      return added(publishNotice(state, command));
    case 'remove-notice':
      return acceptedUnless(removeNotice(state, command));
    case 'set-policy':
    case 'approve-proposal':
    case 'refuse-proposal':
    case 'withdraw-proposal':
      return decide(state, command, executeAudited);
    case 'add-operator':
    case 'break-glass':
    case 'change-operator':
    case 'set-operator-token':
    case 'remove-operator':
    case 'close-root':
    case 'refuse-call':
    case 'note-call':
    case 'assign-movement':
    case 'release-movement':
      return operate(state, command);
    default:
      return identify(state, command);
  }
}

function setFees(state: State, command: SetFees): Rejection | null {
  const { user } = command;
  const refused =
    unknownParty(state, command) ??
    state.fees.set(command, user !== undefined && state.users.isSubAccount(user));
  if (!refused) state.traders.forgetRates();
  return refused;
}

function removeFees(state: State, command: RemoveFees): Rejection | null {
  const refused = unknownParty(state, command) ?? state.fees.remove(command);
  if (!refused) state.traders.forgetRates();
  return refused;
}

/** The unknown user or symbol of a fee rule. */
function unknownParty(state: State, { user, symbol }: Pick<RemoveFees, 'user' | 'symbol'>): Rejection | null {
  return (
    (user === undefined ? null : state.users.unknown(user)) ??
    (symbol === undefined ? null : state.instruments.unknown(symbol))
  );
}

/**
 * Removes what was added by mistake: only unused entries, because history, balances and addresses refer to the others
 * permanently. The number stays taken; the code is free again.
 */
function removeCurrency(state: State, { currency }: RemoveCurrency): Rejection | null {
  const refused = state.currencies.unknown(currency);
  if (refused) return refused;
  const by = findUse(state, currency);
  if (by !== null) return reject('code-in-use', { used: state.currencies.all[currency].code, by });
  state.currencies.remove(currency);
  return null;
}

/** The first kind of object that refers to the currency; null if none does. */
function findUse(state: State, currency: number): 'symbols' | 'accounts' | 'addresses' | null {
  if (state.instruments.names(currency)) return 'symbols';
  if (state.ledger.hasUsed(currency)) return 'accounts';
  return state.addresses.hasAny(currency) ? 'addresses' : null;
}

function removeSymbol(state: State, { symbol }: RemoveSymbol): Rejection | null {
  const refused = state.instruments.unknown(symbol);
  if (refused) return refused;
  const instrument = state.instruments.all[symbol];
  if (!isUntouched(instrument) || state.stops.waitsIn(symbol)) {
    return reject('code-in-use', { used: instrument.identity.code, by: 'orders' });
  }
  if (instrument.auction !== null) return reject('in-auction', { symbol });
  state.fees.removeOf(symbol);
  state.traders.forgetRates();
  state.instruments.remove(instrument);
  return null;
}

/** Nothing rests in the book, even hidden; nothing was ever visible in it or traded. */
function isUntouched({ book }: Instrument): boolean {
  const isEmpty = book.bestPrice(BUY) === 0 && book.bestPrice(SELL) === 0;
  return isEmpty && book.sequence === 0 && book.trades === 0;
}

const outside = new Amount();

/** Stores a report of the external wallets' balance, with the exchange's liabilities as of the same record. */
function reportWallet(state: State, command: ReportWallet): Rejection | null {
  const { currency, balance, at, by = '' } = command;
  const refused = state.currencies.unknown(currency);
  if (refused) return refused;
  if (balance < 0n) return invalidValue('balance', balance, 'at least 0');
  if (!Number.isSafeInteger(at) || at < 0 || at > state.time) {
    return invalidValue('at', at, 'milliseconds, not after now');
  }
  state.ledger.readAvailable(state.ledger.system(OUTSIDE, currency), outside);
  const liabilities = -outside.toBigInt();
  state.wallets.add({ currency, balance, liabilities, at, time: state.time, by });
  return null;
}

const NOBODY = -1;

/** The values that the command replaces, for the audit trail; null if it creates something or its object is unknown. */
function beforeOf(state: State, command: Administration): Before | null {
  switch (command.kind) {
    case 'change-user':
      return replacedFields(command, state.users.all[command.user]);
    case 'freeze-user':
    case 'unfreeze-user':
    case 'close-user':
      return pickFields(state.users.all[command.user], ['frozen', 'freeze']);
    case 'change-key':
      return replacedFields(command, state.users.findKey(command.key));
    case 'remove-key':
      return pickFields(state.users.findKey(command.key), ['permissions', 'ipAllowList']);
    case 'change-currency':
      return replacedFields(command, state.currencies.all[command.currency]);
    case 'change-symbol':
    case 'set-market-state': {
      const found = state.instruments.all[command.symbol];
      return found ? replacedFields(command, describe(found)) : null;
    }
    case 'set-limits':
      return replacedFields(command, state.limits.values);
    case 'set-note':
      return { text: state.notes.get(command.name) };
    case 'claim-withdrawal':
    case 'unclaim-withdrawal':
    case 'advance-withdrawal':
    case 'settle-withdrawal':
      return pickFields(state.withdrawals.get(command.withdrawal), ['state', 'claimedBy', 'payment', 'txId']);
    case 'assign-movement':
    case 'release-movement': {
      const to = state.assignments.get(command.id);
      return to === undefined ? null : { to };
    }
    case 'return-deposit':
      return pickFields(state.deposits.get(command.deposit), ['state', 'user', 'currency', 'amount', 'txId']);
    case 'set-withdrawal-limits': {
      const { user = NOBODY, tier = NOBODY } = command;
      const limits = command.limits.map(({ currency }) => ({
        currency,
        amount: state.withdrawalLimits.get({ user, tier, currency })?.amount ?? null,
      }));
      return { limits };
    }
    case 'remove-address-rule':
      return pickFields(state.addressRules.get(command.rule), ['action', 'address', 'currency', 'chain']);
    case 'decide-questionnaire':
      return pickFields(state.deposits.questionnaire(command.questionnaire), ['state', 'failureCode']);
    case 'change-operator':
    case 'set-operator-token':
    case 'remove-operator':
      return pickFields(state.operators.get(command.changed), ['name', 'roles']);
    case 'set-policy':
      return { ...state.proposals.policy };
    default:
      return null;
  }
}

/** Fields that identify the object; all others are changes. */
const NAMING: readonly string[] = ['kind', 'user', 'key', 'currency', 'symbol'];

function replacedFields(command: Administration, found: object | null | undefined): Before | null {
  const names = Object.keys(command).filter((name) => !NAMING.includes(name));
  return pickFields(found, names);
}

function pickFields(found: object | null | undefined, names: readonly string[]): Before | null {
  if (!found) return null;
  const fields = names.map((name) => [name, (found as Before)[name]] as const);
  const known = fields.filter(([, value]) => value !== undefined);
  return known.length === 0 ? null : Object.fromEntries(known);
}
