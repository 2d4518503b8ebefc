/** Deposit addresses of users. */

import type { AddAddress, AskAddress, LoadAddresses } from '../../packages/core/src/commands/commands.ts';
import type { Outcome } from '../../packages/core/src/commands/outcomes.ts';
import type { Rejection } from '../../packages/core/src/commands/rejections.ts';
import {
  accepted,
  checkChain,
  checkCurrency,
  checkNotFrozen,
  checkText,
  checkUser,
  refuse,
  refused,
  valueInvalid,
} from './refusal.ts';
import type { State } from './state.ts';

function checkOwner(state: State, { user, currency, chain }: AskAddress | AddAddress): Rejection | null {
  return (
    checkUser(state, user) ??
    checkNotFrozen(state, user) ??
    checkCurrency(state, currency) ??
    checkChain(state.currencies[currency]!, chain)
  );
}

const checkPlace = (address: string, memo: string): Rejection | null =>
  checkText('address', address, 1, 128, 'printable') ?? checkText('memo', memo, 0, 64, 'printable');

const isEnabled = (state: State, { currency, chain }: AskAddress | AddAddress): boolean =>
  state.currencies[currency]!.chains.find((each) => each.chainId === chain)!.isDepositEnabled;

const isPlace =
  (chain: string, address: string, memo: string) =>
  (each: { chain: string; address: string; memo: string }): boolean =>
    each.chain === chain && each.address === address && each.memo === memo;

export function addAddress(state: State, command: AddAddress): Outcome {
  const { user, currency, chain, address, memo, index, replaces } = command;
  const wrong = checkOwner(state, command) ?? checkPlace(address, memo);
  if (wrong !== null) return refused(wrong);

  const isSame = (each: { user: number; currency: number; chain: string }): boolean =>
    each.user === user && each.currency === currency && each.chain === chain;
  const before = state.addresses.find(isSame);
  if (before !== undefined && (before.index !== undefined || before.address !== replaces)) {
    return refuse('address-taken', { currency, chain, address: before.address });
  }
  const others = state.addresses.filter(isPlace(chain, address, memo)).some((each) => each.user !== user);
  if (others) return refuse('address-in-use', { chain, address });
  const indexes = state.addresses.filter((each) => each.chain === chain).map((each) => each.index ?? -1);
  const next = Math.max(-1, ...indexes) + 1;
  if (index !== undefined && index !== next) return refuse('address-index', { chain, next });
  if (!isEnabled(state, command)) return refuse('deposit-disabled', { currency, chain });
  const added = {
    kind: 'address-set',
    user,
    currency,
    chain,
    address,
    memo,
    ...(index !== undefined && { index }),
  } as const;
  if (before !== undefined) state.addresses.splice(state.addresses.indexOf(before), 1);
  state.addresses.push(added);
  state.freeAddresses = state.freeAddresses.filter((each) => !isPlace(chain, address, memo)(each));
  state.events.push(added);
  return accepted;
}

export function loadAddresses(state: State, { chain, addresses }: LoadAddresses): Outcome {
  const badChain = checkText('chain', chain, 1, 64, 'printable');
  if (badChain !== null) return refused(badChain);
  const count = addresses.length;
  if (count < 1 || count > 1000) return refused(valueInvalid('addresses', count, '1 to 1000'));
  if (state.freeAddresses.length + count > 100_000) return refused(valueInvalid('addresses', count, 'fewer'));
  for (const { address, memo } of addresses) {
    const wrong = checkPlace(address, memo);
    if (wrong !== null) return refused(wrong);
  }
  const loaded: { chain: string; address: string; memo: string }[] = [];
  for (const { address, memo } of addresses) {
    const known = [...state.addresses, ...state.freeAddresses, ...loaded];
    if (known.some(isPlace(chain, address, memo))) return refuse('address-in-use', { chain, address });
    loaded.push({ chain, address, memo });
  }
  state.freeAddresses.push(...loaded);
  return accepted;
}

/** The naive exchange does not track requests for addresses. */
export function askAddress(state: State, command: AskAddress): Outcome {
  const { user, currency, chain } = command;
  const wrong = checkOwner(state, command);
  if (wrong !== null) return refused(wrong);
  const before = state.addresses.find(
    (each) => each.user === user && each.currency === currency && each.chain === chain,
  );
  if (before !== undefined) return refuse('address-taken', { currency, chain, address: before.address });
  return isEnabled(state, command) ? accepted : refuse('deposit-disabled', { currency, chain });
}
