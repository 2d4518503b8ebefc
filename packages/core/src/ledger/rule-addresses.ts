/** Adds, removes and enforces address rules. */

import type { AddAddressRule, RemoveAddressRule } from '../commands/commands.ts';
import { type Rejection, reject } from '../commands/rejections.ts';
import type { State } from '../state.ts';
import { checkPrintable, invalidValue } from '../values/text.ts';
import type { AddressRule } from './address-rules.ts';
import type { Withdrawal } from './withdrawals.ts';

const ADDRESS_LENGTH_MAX = 256;
const CHAIN_LENGTH_MAX = 64;
const RULES_MAX = 10_000;

export function addAddressRule(state: State, command: AddAddressRule): Rejection | number {
  const { action, address, currency, chain, by = '', why = '' } = command;
  const { addressRules: rules } = state;
  const wrong =
    (currency === undefined ? null : state.currencies.unknown(currency)) ??
    checkPrintable('address', address, 1, ADDRESS_LENGTH_MAX) ??
    (chain === undefined ? null : checkPrintable('chain', chain, 1, CHAIN_LENGTH_MAX));
  if (wrong) return wrong;
  if (action !== 'block' && action !== 'allow') return invalidValue('rule', action, 'block or allow');
  if (rules.of(address).some((each) => each.currency === currency && each.chain === chain)) {
    return reject('code-taken', { taken: address });
  }
  if (rules.size >= RULES_MAX) return reject('address-rules-in-all', { max: RULES_MAX });
  const rule = ++rules.last;
  const about = { ...(currency !== undefined && { currency }), ...(chain !== undefined && { chain }) };
  rules.add({ rule, action, address, ...about, by, why, time: state.time });
  return rule;
}

export function removeAddressRule(state: State, { rule }: RemoveAddressRule): Rejection | null {
  const found = state.addressRules.get(rule);
  if (!found) return reject('address-rule-unknown', { rule });
  state.addressRules.remove(found);
  return null;
}

export function checkAddressRules(
  { addressRules }: State,
  { currency, chain, address, payee = address }: Pick<Withdrawal, 'currency' | 'chain' | 'address' | 'payee'>,
): Rejection | null {
  const fitting = addressRules
    .of(payee)
    .filter(
      (each) =>
        (each.currency === undefined || each.currency === currency) &&
        (each.chain === undefined || each.chain === chain),
    );
  const narrowest = Math.max(...fitting.map(narrowness));
  const deciding = fitting.filter((each) => narrowness(each) === narrowest);
  return deciding.some(({ action }) => action === 'block')
    ? reject('address-blocked', { chain, address })
    : null;
}

const narrowness = ({ currency, chain }: AddressRule): number =>
  (currency === undefined ? 0 : 1) + (chain === undefined ? 0 : 1);
