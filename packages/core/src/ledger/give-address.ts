/** Commands about deposit addresses: assign one to a user, request one, load a list. */

import type { AddAddress, AskAddress, LoadAddresses } from '../commands/commands.ts';
import { type Rejection, reject } from '../commands/rejections.ts';
import type { State } from '../state.ts';
import { pick } from '../values/pick.ts';
import { checkPrintable, invalidValue } from '../values/text.ts';
import { type Address, type Owned, placeKey } from './addresses.ts';
import { findChain, unknownChain } from '../reference/currencies.ts';

const ADDRESS_LENGTH_MAX = 128;
const MEMO_LENGTH_MAX = 64;
const CHAIN_LENGTH_MAX = 64;
const LOADED_MAX = 1000;
/** For all chains together. */
const FREE_MAX = 100_000;
const FIELDS = [
  'user',
  'currency',
  'chain',
  'address',
  'memo',
  'index',
] as const satisfies readonly (keyof AddAddress)[];

const checkAddress = ({ address, memo }: Pick<AddAddress, 'address' | 'memo'>): Rejection | null =>
  checkPrintable('address', address, 1, ADDRESS_LENGTH_MAX) ??
  checkPrintable('memo', memo, 0, MEMO_LENGTH_MAX);

const addressOf = (command: AddAddress): Address => pick(command, FIELDS);

export function addAddress(state: State, command: AddAddress): Rejection | null {
  const { user, currency, chain, address, index, replaces } = command;
  const refused = unknownOwner(state, command) ?? checkAddress(command);
  if (refused) return refused;
  const { addresses } = state;
  const before = addresses.find(user, currency, chain);
  // An address derived from the key keeps its index permanently.
  const isReplaced = before?.index === undefined && before?.address === replaces;
  if (before && !isReplaced) {
    return reject('address-taken', { currency, chain, address: before.address });
  }
  const owner = addresses.ownerOf(command);
  if (owner !== undefined && owner !== user) return reject('address-in-use', { chain, address });
  const next = addresses.nextIndex(chain);
  if (index !== undefined && index !== next) return reject('address-index', { chain, next });
  const disabled = checkEnabled(state, command);
  if (disabled) return disabled;
  const added = addressOf(command);
  addresses.add(added);
  state.events.rare({ kind: 'address-set', ...added });
  return null;
}

/** Loads all of them or none. */
export function loadAddresses(state: State, { chain, addresses }: LoadAddresses): Rejection | null {
  const wrong = checkPrintable('chain', chain, 1, CHAIN_LENGTH_MAX);
  if (wrong) return wrong;
  const { length } = addresses;
  if (length < 1 || length > LOADED_MAX) {
    return invalidValue('addresses', length, `from 1 to ${LOADED_MAX} addresses`);
  }
  if (state.addresses.freeCount + length > FREE_MAX) {
    return invalidValue('addresses', length, `at most ${FREE_MAX} addresses that nobody has yet`);
  }
  const places = addresses.map(({ address, memo }) => ({ chain, address, memo }));
  for (const place of places) {
    const refused = checkAddress(place);
    if (refused) return refused;
  }
  const seen = new Set<string>();
  for (const place of places) {
    const isKnown = state.addresses.ownerOf(place) !== undefined || state.addresses.isFree(place);
    if (isKnown || seen.has(placeKey(place)))
      return reject('address-in-use', { chain, address: place.address });
    seen.add(placeKey(place));
  }
  for (const place of places) state.addresses.load(place);
  return null;
}

/** Idempotent. */
export function askAddress(state: State, { user, currency, chain }: AskAddress): Rejection | null {
  const asked = { user, currency, chain };
  const refused = unknownOwner(state, asked);
  if (refused) return refused;
  const before = state.addresses.find(user, currency, chain);
  if (before) return reject('address-taken', { currency, chain, address: before.address });
  const disabled = checkEnabled(state, asked);
  if (disabled) return disabled;
  state.addresses.ask(asked);
  return null;
}

const unknownOwner = (state: State, { user, currency, chain }: Owned): Rejection | null =>
  state.users.unknown(user) ??
  state.users.frozen(user) ??
  state.currencies.unknown(currency) ??
  unknownChain(state.currencies.all[currency], chain);

function checkEnabled(state: State, { currency, chain }: Owned): Rejection | null {
  const isEnabled = findChain(state.currencies.all[currency], chain)?.isDepositEnabled ?? false;
  return isEnabled ? null : reject('deposit-disabled', { currency, chain });
}
