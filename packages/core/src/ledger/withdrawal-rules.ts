/** Checks of a withdrawal: limits per day, address rules, and the person's locks and address book. */

import type {
  SetWithdrawalLimits,
  AddAddressRule,
  RemoveAddressRule,
  RequestWithdrawal,
} from '../commands/commands.ts';
import { type Rejection, reject } from '../commands/rejections.ts';
import type { State } from '../state.ts';
import { invalidValue, checkPrintable } from '../values/checks.ts';
import type { AddressRule } from './withdrawal-limits.ts';
import type { Withdrawal } from './movements.ts';
import { recordActivity, personOf } from '../people/checks.ts';
import { checkStepUp } from '../people/sessions.ts';

const TIER_MAX = 12;
const NOBODY = -1;

export function setWithdrawalLimits(state: State, command: SetWithdrawalLimits): Rejection | null {
  const { user, tier, limits } = command;
  const unknown = user === undefined ? null : state.users.unknown(user);
  if (unknown) return unknown;
  for (const { currency } of limits) {
    const refused = state.currencies.unknown(currency);
    if (refused) return refused;
  }
  if ((user === undefined) === (tier === undefined)) {
    return reject('field-missing', { field: 'tier', because: 'user-or-tier' });
  }
  if (tier !== undefined && !(Number.isInteger(tier) && tier >= 0 && tier <= TIER_MAX)) {
    return invalidValue('tier', tier, `an integer from 0 to ${TIER_MAX}`);
  }
  for (const { amount } of limits) {
    if (amount !== null && amount < 0n) return invalidValue('withdrawalPerDay', amount, 'at least 0');
  }
  if (user !== undefined && state.users.isSubAccount(user)) return reject('not-a-master', { user });
  for (const { currency, amount } of limits) {
    const of = { user: user ?? NOBODY, tier: tier ?? NOBODY, currency };
    if (amount === null) state.withdrawalLimits.remove(of);
    else state.withdrawalLimits.set({ ...of, amount });
  }
  return null;
}

/** The amount that the user may still withdraw today (UTC); null without a limit. */
export function leftToday(
  state: State,
  user: number,
  currency: number,
): { readonly limit: bigint; readonly used: bigint; readonly left: bigint; readonly isOwn: boolean } | null {
  const master = state.users.masterOf(user);
  const found = state.withdrawalLimits.of(master, state.users.all[master].tier, currency);
  if (found === null) return null;
  const { amount: limit } = found;
  const isOwn = found.user === master;
  const used = state.withdrawalLimits.used(master, currency, state.time);
  return { limit, used, left: used < limit ? limit - used : 0n, isOwn };
}

export function checkLimit(state: State, user: number, currency: number, amount: bigint): Rejection | null {
  const today = leftToday(state, user, currency);
  if (today === null || amount <= today.left) return null;
  return reject('withdrawal-limit', { currency, limit: today.limit, left: today.left });
}

const ADDRESS_LENGTH_MAX = 256;
const CHAIN_LENGTH_MAX = 64;
const RULES_MAX = 10_000;

/** Adds, removes and enforces address rules. */
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

/** The person's locks and address book. Users without a person have neither. */
export function checkPerson(state: State, command: RequestWithdrawal): Rejection | null {
  const person = personOf(state, command.user);
  if (!person) return null;
  const { session: name, address, memo, chain, currency } = command;
  const { time } = state;
  const refused = name === undefined ? null : checkStepUp(state, person.id, name);
  if (refused) return refused;
  const { withdrawalsLockedUntil: until, lockedUntil, onlyUntil, book } = person;
  if (time < until) return reject('withdrawals-locked', { until });
  if (time >= lockedUntil && time >= onlyUntil) return null;
  const isKnown = book.some(
    (each) =>
      each.currency === currency &&
      each.chain === chain &&
      each.address === address &&
      each.memo === memo &&
      each.usableFrom <= time,
  );
  return isKnown ? null : reject('address-not-listed', { chain, address });
}

export function recordWithdrawal(state: State, { user, session = '' }: RequestWithdrawal): void {
  const person = personOf(state, user);
  if (person) recordActivity(state, person.id, 'withdrawal', session, '');
}
