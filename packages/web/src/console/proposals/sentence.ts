/** A sentence for each proposed command, and its changes, before and after. */

import { formatExact } from '../../decimal/decimal.ts';
import { visible } from '../../ui/text.ts';
import { anyOf, labelOf, spanOf, valueLabel, wordsOf } from '../words.ts';
import type { Facts } from './proposal.ts';

export interface Rule {
  readonly call: string;
  readonly above?: Readonly<Record<string, string>>;
  readonly approvals: number;
  readonly roles: readonly string[];
}

export interface ChangedFact {
  readonly name: string;
  /** Undefined if it did not exist before, or is unknown. */
  readonly before: string | undefined;
  readonly after: string;
}

/** `before`: the current state of the command's subject, if known. */
export function sentenceOf(command: Facts & { readonly kind: string }, before: Facts | null = null): string {
  const text = (name: string, from: Facts | null = command): string => visible(String(from?.[name] ?? ''));
  const money = (from: Facts | null): string =>
    `${formatExact(text('amount', from))} ${text('currency', from)}`;
  const withdrawal = (): string =>
    before === null
      ? `the withdrawal ${text('withdrawal')}`
      : `the withdrawal of ${money(before)} to ${text('address', before)}`;
  const operator = (): string => (before === null ? text('changed') : text('name', before));
  switch (command.kind) {
    case 'report-deposit':
      return command['travelRule'] === true
        ? `Hold ${money(command)} for ${text('user')} until a questionnaire is accepted.`
        : `Credit ${money(command)} to ${text('user')}.`;
    case 'claim-withdrawal':
      return `Claim ${withdrawal()} for payment.`;
    case 'unclaim-withdrawal':
      return `Unclaim ${withdrawal()}, so that anybody may claim it.`;
    case 'advance-withdrawal':
      return `Report ${withdrawal()} as ${text('payment')}.`;
    case 'settle-withdrawal':
      return command['sent'] === true
        ? `Report ${withdrawal()} as sent, in transaction ${text('txId')}.`
        : `Report ${withdrawal()} as failed: ${text('failureReason')}. The user gets the money back.`;
    case 'decide-questionnaire':
      return command['accepted'] === true
        ? `Accept the questionnaire ${text('questionnaire')} and credit its deposit.`
        : `Refuse the questionnaire ${text('questionnaire')}: ${text('failureCode')}.`;
    case 'return-deposit':
      return before === null
        ? `Report the deposit ${text('deposit')} as returned to its sender.`
        : `Report the deposit of ${money(before)} as returned to its sender.`;
    case 'reverse-movement':
      return `Reverse the ${reversedOf(command)}.`;
    case 'move-money':
      return `Move ${money(command)} from ${sideOf(command['from'])} to ${sideOf(command['to'])}.`;
    case 'freeze-user':
      return `Freeze ${text('user')}. ${valueLabel(text('level'))}.`;
    case 'unfreeze-user':
      return `Unfreeze ${text('user')}.`;
    case 'close-user':
      return `Close ${text('user')} for good.`;
    case 'set-withdrawal-limits':
      return `Limit the daily withdrawals of ${command['user'] === undefined ? `tier ${text('tier')}` : text('user')}.`;
    case 'add-address-rule':
      return `${wordsOf(text('action'))} withdrawals to ${text('address')}.`;
    case 'cancel-for-others':
      return `Cancel orders of ${party(command)}.`;
    case 'change-user':
      return changeOfUser(command, text('user'));
    case 'add-user':
      return `Add the user ${text('name')}.`;
    case 'add-key':
      return `Add an API key of ${text('user')} that may: ${listed(command['permissions'])}.`;
    case 'change-key':
    case 'remove-key':
      return `${command.kind === 'change-key' ? 'Change' : 'Remove'} the API key ${text('key')}.`;
    case 'set-market-state':
      return `Set ${text('symbol')} to ${text('state')}.`;
    case 'add-symbol':
    case 'add-currency':
      return `Add the ${command.kind.slice(4)} ${text('code')}.`;
    case 'change-symbol':
    case 'remove-symbol':
      return `${wordsOf(command.kind.split('-')[0]!)} the symbol ${text('symbol')}.`;
    case 'change-currency':
    case 'remove-currency':
      return `${wordsOf(command.kind.split('-')[0]!)} the currency ${text('currency')}.`;
    case 'set-fees':
      return `Set the fees of ${party(command)} to ${text('maker')} maker and ${text('taker')} taker.`;
    case 'remove-fees':
      return `Remove the fee rule of ${party(command)}.`;
    case 'set-limits':
      return 'Change the limits of the exchange.';
    case 'set-note':
      return `Change where deposit addresses come from (${text('name')}).`;
    case 'load-addresses':
      return `Load ${(command['addresses'] as readonly unknown[]).length} deposit addresses of ${text('chain')}.`;
    case 'add-address':
      return `Give ${text('user')} the deposit address ${text('address')} on ${text('chain')}.`;
    case 'publish-notice':
      return `Publish the notice “${text('title')}”.`;
    case 'add-operator':
      return `Add the operator ${text('name')} with the roles ${listed(command['roles'])}.`;
    case 'change-operator':
      return `Give ${operator()} the roles ${listed(command['roles'])}.`;
    case 'set-operator-token':
      return `Replace the token of ${operator()}.`;
    case 'remove-operator':
      return `Remove the operator ${operator()}.`;
    case 'close-root':
      return 'Close root for good: the start-up token may then only break the glass.';
    case 'set-policy': {
      const rules = command['rules'] as readonly Rule[];
      if (rules.length === 0) return 'Remove the policy: no call needs approval any more.';
      return `Replace the policy: ${rules.length} ${rules.length === 1 ? 'rule' : 'rules'}.`;
    }
    default:
      return `${wordsOf(command.kind)}.`;
  }
}

/** "deposit d-1". */
function reversedOf(command: Facts): string {
  const kind = ['deposit', 'withdrawal', 'correction'].find((each) => command[each] !== undefined) ?? '';
  return visible(`${kind} ${String(command[kind] ?? '')}`);
}

/** "alice (MAIN)", or "suspense". */
function sideOf(value: unknown): string {
  const { user, account, system } = (value ?? {}) as Facts;
  if (user === undefined) return visible(String(system ?? ''));
  return visible(`${String(user)} (${String(account).toUpperCase()})`);
}

function changeOfUser({ frozen, tier }: Facts, user: string): string {
  const parts = [
    ...(frozen === undefined ? [] : [frozen === true ? `freeze ${user}` : `unfreeze ${user}`]),
    ...(tier === undefined ? [] : [`move ${user} to tier ${String(tier)}`]),
  ];
  return `${wordsOf(parts.join(' and '))}.`;
}

const party = ({ user, symbol }: Facts): string =>
  [user ?? 'everybody', ...(symbol === undefined ? [] : [symbol])].map(String).join(', ');

const listed = (values: unknown): string => (values as readonly string[]).join(', ');

/** "Every deposit needs …", as the policy page and the proposal of a policy say it. */
export function sentenceOfRule({ call, above, approvals, roles }: Rule): string {
  const amounts = Object.entries(above ?? {}).map(([code, amount]) => `${formatExact(amount)} ${code}`);
  const which =
    above === undefined
      ? 'always'
      : amounts.length === 0
        ? 'whatever the amount'
        : `above ${amounts.join(', ')}; of other currencies always`;
  return `${wordsOf(call)}: ${which}. ${approvals} ${approvals === 1 ? 'approval' : 'approvals'} by ${anyOf(roles)}`;
}

/** Fields that mean nothing to people, and those that the sentence already has. */
const HIDDEN: ReadonlySet<string> = new Set(['kind', 'userId', 'travelRule', 'version']);

/** The changed fields; all fields for something new or of unknown state. */
export function changesOf(before: Facts | null, after: Facts): ChangedFact[] {
  return Object.entries(after)
    .filter(([name, value]) => !HIDDEN.has(name) && value !== undefined)
    .map(([name, value]) => {
      const has = before !== null && Object.hasOwn(before, name);
      return {
        name: labelOf(name),
        before: has ? shown(name, before[name]) : undefined,
        after: shown(name, value),
      };
    })
    .filter((fact) => fact.before !== fact.after);
}

function shown(name: string, value: unknown): string {
  if (name === 'rules') return (value as readonly Rule[]).map(sentenceOfRule).join('\n') || 'none';
  if (name === 'expiryMs') return spanOf(Number(value));
  if (value === null || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value) && value.every((each) => typeof each === 'string'))
    return visible(value.join(', ')) || 'none';
  return visible(typeof value === 'object' ? JSON.stringify(value, null, 1) : String(value));
}
