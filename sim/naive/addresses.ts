/** Where a user's deposits arrive. */

import type { AddAddress } from '../../packages/core/src/commands/commands.ts';
import type { Outcome } from '../../packages/core/src/commands/outcomes.ts';
import {
  accepted,
  checkChain,
  checkCurrency,
  checkNotFrozen,
  checkText,
  checkUser,
  refuse,
  refused,
} from './refusal.ts';
import type { State } from './state.ts';

export function addAddress(state: State, command: AddAddress): Outcome {
  const { user, currency, chain, address, memo } = command;
  const unknown =
    checkUser(state, user) ??
    (state.rules < 6 ? null : checkNotFrozen(state, user)) ??
    checkCurrency(state, currency);
  if (unknown !== null) return refused(unknown);
  const { chains } = state.currencies[currency]!;
  const wrong =
    checkChain(state.currencies[currency]!, chain) ??
    checkText('address', address, 1, 128, 'printable') ??
    checkText('memo', memo, 0, 64, 'printable');
  if (wrong !== null) return refused(wrong);

  const own = state.addresses.filter((each) => each.user === user && each.currency === currency);
  const before = own.find((each) => each.chain === chain);
  if (before !== undefined) return refuse('address-taken', { currency, chain, address: before.address });
  if (!chains.find((each) => each.chainId === chain)!.isDepositEnabled) {
    return refuse('deposit-disabled', { currency, chain });
  }
  const added = { kind: 'address-set', user, currency, chain, address, memo } as const;
  state.addresses.push(added);
  state.events.push(added);
  return accepted;
}
