/** Sets and enforces withdrawal limits. */

import type { SetWithdrawalLimits } from '../commands/commands.ts';
import { type Rejection, reject } from '../commands/rejections.ts';
import type { State } from '../state.ts';
import { invalidValue } from '../values/text.ts';

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
    if (amount !== null && amount < 0n) return invalidValue('withdrawalPerDay', amount, 'not below 0');
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
