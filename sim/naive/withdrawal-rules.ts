/** Daily withdrawal limits and address rules. */

import type {
  AddAddressRule,
  RemoveAddressRule,
  ReportWallet,
  SetWithdrawalLimits,
} from '../../packages/core/src/commands/commands.ts';
import type { Outcome } from '../../packages/core/src/commands/outcomes.ts';
import { reject, type Rejection } from '../../packages/core/src/commands/rejections.ts';
import {
  accepted,
  checkCurrency,
  checkInteger,
  checkOneOf,
  checkText,
  checkUser,
  refuse,
  refused,
  valueInvalid,
} from './refusal.ts';
import { masterOf, type State } from './state.ts';

const DAY_MS = 86_400_000;

export function setWithdrawalLimits(state: State, command: SetWithdrawalLimits): Outcome {
  const { user, tier, limits } = command;
  const unknown = user === undefined ? null : checkUser(state, user);
  if (unknown !== null) return refused(unknown);
  for (const { currency } of limits) {
    const wrong = checkCurrency(state, currency);
    if (wrong !== null) return refused(wrong);
  }
  if ((user === undefined) === (tier === undefined)) {
    return refuse('field-missing', { field: 'tier', because: 'one of the two' });
  }
  const wrong = tier === undefined ? null : checkInteger('tier', tier, 0, 12);
  if (wrong !== null) return refused(wrong);
  for (const { amount } of limits) {
    if (amount !== null && amount < 0n) return refused(valueInvalid('withdrawalPerDay', amount, ''));
  }
  if (user !== undefined && state.users[user]!.parent >= 0) return refuse('not-a-master', { user });
  for (const { currency, amount } of limits) {
    const key = `${user === undefined ? `tier ${tier}` : `user ${user}`} ${currency}`;
    if (amount === null) state.withdrawalLimits.delete(key);
    else state.withdrawalLimits.set(key, amount);
  }
  return accepted;
}

export function checkLimit(state: State, user: number, currency: number, amount: bigint): Rejection | null {
  const master = masterOf(state, user);
  const limit =
    state.withdrawalLimits.get(`user ${master} ${currency}`) ??
    state.withdrawalLimits.get(`tier ${state.users[master]!.tier} ${currency}`);
  if (limit === undefined) return null;
  const today = Math.floor(state.time / DAY_MS);
  let used = 0n;
  for (const each of state.requested) {
    const isSame = masterOf(state, each.user) === master && each.currency === currency;
    const isOver = each.withdrawal.state === 'failed' || each.withdrawal.state === 'cancelled';
    if (isSame && !isOver && Math.floor(each.time / DAY_MS) === today) used += each.withdrawal.amount;
  }
  const left = used < limit ? limit - used : 0n;
  return amount > left ? reject('withdrawal-limit', { currency, limit, left }) : null;
}

export function addAddressRule(state: State, command: AddAddressRule): Outcome {
  const { action, address, currency, chain } = command;
  const wrong =
    (currency === undefined ? null : checkCurrency(state, currency)) ??
    checkText('address', address, 1, 256, 'printable') ??
    (chain === undefined ? null : checkText('chain', chain, 1, 64, 'printable')) ??
    checkOneOf('rule', action, ['block', 'allow']);
  if (wrong !== null) return refused(wrong);
  const isThere = [...state.addressRules.values()].some(
    (each) =>
      each.address.toLowerCase() === address.toLowerCase() &&
      each.currency === currency &&
      each.chain === chain,
  );
  if (isThere) return refuse('code-taken', { taken: address });
  state.lastAddressRule += 1;
  state.addressRules.set(state.lastAddressRule, command);
  return { kind: 'added', id: state.lastAddressRule };
}

export function removeAddressRule(state: State, { rule }: RemoveAddressRule): Outcome {
  return state.addressRules.delete(rule) ? accepted : refuse('address-rule-unknown', { rule });
}

/** The most specific matching rule. */
export function checkAddress(
  state: State,
  currency: number,
  chain: string,
  address: string,
  payee = address,
): Rejection | null {
  const same = [...state.addressRules.values()].filter(
    (each) => each.address.toLowerCase() === payee.toLowerCase(),
  );
  const both = same.filter((each) => each.currency === currency && each.chain === chain);
  const one = same.filter(
    (each) =>
      (each.currency === currency && each.chain === undefined) ||
      (each.currency === undefined && each.chain === chain),
  );
  const any = same.filter((each) => each.currency === undefined && each.chain === undefined);
  const deciding = [both, one, any].find((each) => each.length > 0) ?? [];
  const isBlocked = deciding.some((each) => each.action === 'block');
  return isBlocked ? reject('address-blocked', { chain, address }) : null;
}

/** The text of a note has no effect. */
export function reportWallet(state: State, { currency, balance, at }: ReportWallet): Outcome {
  const wrong =
    checkCurrency(state, currency) ??
    (balance < 0n ? valueInvalid('balance', balance, 'at least 0') : null) ??
    checkInteger('at', at, 0, state.time);
  return wrong === null ? accepted : refused(wrong);
}
