/** The values that an operator's command replaces, for the audit trail. */

import type { Administration } from '../commands/commands.ts';
import type { Before } from '../commands/reference-commands.ts';
import { describe } from '../reference/instruments.ts';
import type { State } from '../state.ts';

const NOBODY = -1;

/** null for commands that create something, and for unknown objects. */
export function beforeOf(state: State, command: Administration): Before | null {
  switch (command.kind) {
    case 'change-user':
      return same(command, state.users.all[command.user]);
    case 'freeze-user':
    case 'unfreeze-user':
    case 'close-user':
      return some(state.users.all[command.user], ['frozen', 'freeze']);
    case 'change-key':
      return same(command, state.users.findKey(command.key));
    case 'remove-key':
      return some(state.users.findKey(command.key), ['permissions', 'ipAllowList']);
    case 'change-currency':
      return same(command, state.currencies.all[command.currency]);
    case 'change-symbol':
    case 'set-market-state': {
      const found = state.instruments.all[command.symbol];
      return found ? same(command, describe(found)) : null;
    }
    case 'set-limits':
      return same(command, state.limits.values);
    case 'set-note':
      return { text: state.notes.get(command.name) };
    case 'claim-withdrawal':
    case 'unclaim-withdrawal':
    case 'advance-withdrawal':
    case 'settle-withdrawal':
      return some(state.withdrawals.get(command.withdrawal), ['state', 'claimedBy', 'payment', 'txId']);
    case 'assign-movement':
    case 'release-movement': {
      const to = state.assignments.get(command.id);
      return to === undefined ? null : { to };
    }
    case 'return-deposit':
      return some(state.deposits.get(command.deposit), ['state', 'user', 'currency', 'amount', 'txId']);
    case 'set-withdrawal-limits': {
      const { user = NOBODY, tier = NOBODY } = command;
      const limits = command.limits.map(({ currency }) => ({
        currency,
        amount: state.withdrawalLimits.get({ user, tier, currency })?.amount ?? null,
      }));
      return { limits };
    }
    case 'remove-address-rule':
      return some(state.addressRules.get(command.rule), ['action', 'address', 'currency', 'chain']);
    case 'decide-questionnaire':
      return some(state.deposits.questionnaire(command.questionnaire), ['state', 'failureCode']);
    case 'change-operator':
    case 'set-operator-token':
    case 'remove-operator':
      return some(state.operators.get(command.changed), ['name', 'roles']);
    case 'set-policy':
      return { ...state.proposals.policy };
    default:
      return null;
  }
}

/** Fields that identify the object; all others are changes. */
const NAMING: readonly string[] = ['kind', 'user', 'key', 'currency', 'symbol'];

function same(command: Administration, found: object | null | undefined): Before | null {
  const names = Object.keys(command).filter((name) => !NAMING.includes(name));
  return some(found, names);
}

function some(found: object | null | undefined, names: readonly string[]): Before | null {
  if (!found) return null;
  const fields = names.map((name) => [name, (found as Before)[name]] as const);
  const known = fields.filter(([, value]) => value !== undefined);
  return known.length === 0 ? null : Object.fromEntries(known);
}
