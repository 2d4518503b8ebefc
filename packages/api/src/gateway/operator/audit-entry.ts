/**
 * Formats commands for people, in the audit trail, in proposals and in the policy: names instead of numbers, decimals
 * instead of units, no secrets.
 */

import type { Audited, Command, MoneySide, PolicyRule } from '@bourse/core';
import type { AuditRow } from '@bourse/engine';
import type { Catalogue } from '../../views/catalogue.ts';
import { permissionNames } from '../access/keys.ts';
import { formatMoney, formatSmall } from '../decimals.ts';
import { actorId, markedId, operatorId, userId } from '../ids.ts';

export interface AuditEntry {
  readonly id: number;
  readonly seq: number;
  readonly time: string;
  readonly by: string;
  /** The caller; null for the exchange itself. */
  readonly operator: { readonly id: string; readonly kind: 'root' | 'program' | 'person' } | null;
  /** Names of the approvers of a proposed command, which is listed when it is executed. */
  readonly approvedBy: readonly string[];
  readonly why: string;
  /** The operator's network address; null for the exchange itself. */
  readonly from: string | null;
  readonly action: string;
  readonly outcome: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** The replaced values, under the names of `details`; null if the command created something. */
  readonly before: Readonly<Record<string, unknown>> | null;
}

export function auditEntry(row: AuditRow, catalogue: Catalogue): AuditEntry {
  const { id, seq, time, by, why, command, outcome } = row;
  return {
    id,
    seq,
    time: new Date(time).toISOString(),
    by,
    operator: callerOf(command),
    approvedBy: (command as { approvedBy?: readonly string[] }).approvedBy ?? [],
    why,
    from: (command as Audited).ip ?? null,
    action: command.kind,
    outcome,
    details: detailsOf(command, catalogue),
    before: beforeOf(command, catalogue),
  };
}

/**
 * Omits `by`, `why` and `operator`, which are members of the entry itself; the encrypted secret of a key; and the candles
 * of an import, which are stored as candles.
 */
const LEFT_OUT: readonly string[] = [
  'kind',
  'by',
  'why',
  'operator',
  'isPerson',
  'call',
  'ip',
  'before',
  'approvedBy',
  'once',
  'secret',
  'token',
  'login',
  'candles',
];

function callerOf(command: Command): AuditEntry['operator'] {
  const { operator, isPerson, call } = command as Audited;
  if (operator !== undefined) return { id: operatorId(operator), kind: isPerson ? 'person' : 'program' };
  return call === undefined ? null : { id: 'root', kind: 'root' };
}

function beforeOf(command: Command, catalogue: Catalogue): AuditEntry['before'] {
  const { before } = command as { before?: object };
  if (before === undefined) return null;
  const shown = detailsOf({ ...command, ...before }, catalogue);
  return Object.fromEntries(Object.keys(before).map((name) => [name, shown[name]]));
}

export function detailsOf(command: Command, catalogue: Catalogue): Record<string, unknown> {
  const details: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(command)) {
    if (!LEFT_OUT.includes(name)) details[name] = value;
  }
  const { user, parent, symbol, currency, base, quote, amount, balance } = details;
  if (command.kind === 'begin-auction' && command.referencePrice !== undefined) {
    const decimals = catalogue.symbolAt(command.symbol)?.priceDecimals ?? 0;
    details['referencePrice'] = formatSmall(command.referencePrice, decimals);
  }
  if (typeof user === 'number')
    Object.assign(details, { user: nameOf(user, catalogue), userId: userId(user) });
  if (typeof parent === 'number') details['parent'] = nameOf(parent, catalogue);
  if (typeof symbol === 'number') details['symbol'] = catalogue.symbolAt(symbol)?.code ?? symbol;
  for (const [name, number] of Object.entries({ currency, base, quote })) {
    if (typeof number === 'number') details[name] = catalogue.currencyAt(number)?.code ?? number;
  }
  for (const [name, units] of Object.entries({ amount, balance })) {
    if (typeof units !== 'bigint') continue;
    const scale = catalogue.currencyAt(currency as number)?.scale ?? 0;
    details[name] = formatMoney(units, scale);
  }
  if ('permissions' in command && command.permissions) {
    details['permissions'] = permissionNames(command.permissions);
  }
  if (command.kind === 'decide-questionnaire') {
    details['questionnaire'] = markedId('questionnaire', command.questionnaire);
  }
  if (typeof details['deposit'] === 'number') details['deposit'] = markedId('deposit', details['deposit']);
  if (typeof details['correction'] === 'number')
    details['correction'] = markedId('correction', details['correction']);
  if (command.kind === 'set-withdrawal-limits') {
    details['limits'] = command.limits.map(({ currency: number, amount: units }) => {
      const { code, scale } = catalogue.currencyAt(number);
      return { currency: code, amount: units === null ? null : formatMoney(units, scale) };
    });
  }
  if (command.kind === 'move-money') {
    details['from'] = sideOf(command.from, catalogue);
    details['to'] = sideOf(command.to, catalogue);
  }
  if (typeof details['withdrawal'] === 'number')
    details['withdrawal'] = markedId('withdrawal', details['withdrawal']);
  if (command.kind === 'set-policy') details['rules'] = showRules(command.rules, catalogue);
  if (typeof details['proposal'] === 'number')
    details['proposal'] = markedId('proposal', details['proposal']);
  if (command.kind === 'assign-movement' || command.kind === 'release-movement') {
    details['id'] = markedId(command.what, command.id);
    if (typeof details['to'] === 'number') details['to'] = actorId(details['to']);
  }
  if (typeof details['changed'] === 'number') details['changed'] = operatorId(details['changed']);
  return details;
}

const sideOf = (side: MoneySide, catalogue: Catalogue): object =>
  'user' in side ? { user: nameOf(side.user, catalogue), account: side.account } : side;

const nameOf = (user: number, catalogue: Catalogue): string | number => catalogue.user(user)?.name ?? user;

export function showRules(rules: readonly PolicyRule[], catalogue: Catalogue): object[] {
  return rules.map(({ call, above, approvals, roles }) => ({
    call,
    ...(above && { above: showAmounts(above, catalogue) }),
    approvals,
    roles,
  }));
}

function showAmounts(above: NonNullable<PolicyRule['above']>, catalogue: Catalogue): object {
  return Object.fromEntries(
    above.map(({ currency, amount }) => {
      const { code, scale } = catalogue.currencyAt(currency);
      return [code, formatMoney(amount, scale)];
    }),
  );
}
