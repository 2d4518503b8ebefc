/**
 * Deposit addresses: one for each user, currency and chain, given once and kept for ever. None is given to two users.
 * An operator loads lists of them, has them derived from a key, or has a program make them for users who asked.
 */

import type { AddAddress, AskAddress, LoadAddresses } from '../commands/commands.ts';
import type { AddressSet } from '../events/events.ts';
import { pick } from '../values/pick.ts';
import { type Rejection, reject } from '../commands/rejections.ts';
import type { State } from '../state.ts';
import { checkPrintable, invalidValue } from '../values/text.ts';
import { findChain, unknownChain } from './chains.ts';

const ADDRESS_LENGTH_MAX = 128;
const MEMO_LENGTH_MAX = 64;
const CHAIN_LENGTH_MAX = 64;
const LOADED_MAX = 1000;
/** Of all chains together. */
const FREE_MAX = 100_000;
const FIELDS = [
  'user',
  'currency',
  'chain',
  'address',
  'memo',
  'index',
] as const satisfies readonly (keyof AddAddress)[];

export type Address = Omit<AddressSet, 'kind'>;

/** Loaded, and not given to anybody yet. */
export interface FreeAddress {
  readonly chain: string;
  readonly address: string;
  readonly memo: string;
}

export type AskedAddress = Omit<AskAddress, 'kind'>;

export class Addresses {
  /** By user and currency, then by chain. */
  private readonly byOwner = new Map<string, Map<string, Address>>();
  /** Whose a place is. */
  private readonly owners = new Map<string, number>();
  /** By chain, then by place, in the order they were loaded. */
  private readonly free = new Map<string, Map<string, FreeAddress>>();
  private freeTotal = 0;
  private readonly asked = new Map<string, AskedAddress>();
  private readonly nextIndexes = new Map<string, number>();

  find(user: number, currency: number, chain: string): Address | null {
    return this.byOwner.get(key(user, currency))?.get(chain) ?? null;
  }

  /** The user who has it, or undefined. */
  ownerOf(place: FreeAddress): number | undefined {
    return this.owners.get(placeKey(place));
  }

  isFree(place: FreeAddress): boolean {
    return this.free.get(place.chain)?.has(placeKey(place)) ?? false;
  }

  get freeCount(): number {
    return this.freeTotal;
  }

  freeOf(chain: string): { readonly count: number; readonly first: FreeAddress | null } {
    const free = this.free.get(chain);
    return { count: free?.size ?? 0, first: free?.values().next().value ?? null };
  }

  /** Of the next address that is derived from the chain's key. */
  nextIndex(chain: string): number {
    return this.nextIndexes.get(chain) ?? 0;
  }

  add(address: Address): void {
    const { user, currency, chain, index } = address;
    const owner = key(user, currency);
    const own = this.byOwner.get(owner);
    const before = own?.get(chain);
    if (own) own.set(chain, address);
    else this.byOwner.set(owner, new Map([[chain, address]]));
    if (before) this.forget(before);
    const place = placeKey(address);
    this.owners.set(place, user);
    if (this.free.get(chain)?.delete(place)) this.freeTotal -= 1;
    this.asked.delete(`${owner} ${chain}`);
    if (index !== undefined) this.nextIndexes.set(chain, Math.max(this.nextIndex(chain), index + 1));
  }

  /** What was replaced belongs to nobody, unless the user has it for another currency. */
  private forget(before: Address): void {
    const place = placeKey(before);
    if (!this.list().some((each) => placeKey(each) === place)) this.owners.delete(place);
  }

  load(place: FreeAddress): void {
    const free = this.free.get(place.chain);
    if (free) free.set(placeKey(place), place);
    else this.free.set(place.chain, new Map([[placeKey(place), place]]));
    this.freeTotal += 1;
  }

  ask(asked: AskedAddress): void {
    this.asked.set(`${key(asked.user, asked.currency)} ${asked.chain}`, asked);
  }

  /** By user, currency and chain. */
  listAsked(): AskedAddress[] {
    return [...this.asked.values()].toSorted(inOrder);
  }

  /** By chain, then in the order in which they are given. */
  listFree(): FreeAddress[] {
    const chains = [...this.free.keys()].toSorted((a, b) => (a < b ? -1 : 1));
    return chains.flatMap((chain) => [...(this.free.get(chain)?.values() ?? [])]);
  }

  /** By chain. */
  of(user: number, currency: number): Address[] {
    return [...(this.byOwner.get(key(user, currency))?.values() ?? [])].toSorted(byChain);
  }

  /** Whether anybody was given an address for it. */
  hasAny(currency: number): boolean {
    return this.list().some((address) => address.currency === currency);
  }

  /** By user, currency and chain. */
  list(): Address[] {
    return [...this.byOwner.values()].flatMap((own) => [...own.values()]).toSorted(inOrder);
  }
}

interface Owned {
  readonly user: number;
  readonly currency: number;
  readonly chain: string;
}

const key = (user: number, currency: number) => `${user} ${currency}`;
/** A chain's id has no line break in it. */
const placeKey = ({ chain, address, memo }: FreeAddress) => `${chain}\n${address}\n${memo}`;
const byChain = (a: Owned, b: Owned) => (a.chain < b.chain ? -1 : 1);
const inOrder = (a: Owned, b: Owned) => a.user - b.user || a.currency - b.currency || byChain(a, b);

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
  // An address of the key keeps its index for ever.
  const isReplaced = before?.index === undefined && before?.address === replaces;
  if (before && !isReplaced) {
    return reject('address-taken', { currency, chain, address: before.address });
  }
  if (state.rules >= 6) {
    const owner = addresses.ownerOf(command);
    if (owner !== undefined && owner !== user) return reject('address-in-use', { chain, address });
    const next = addresses.nextIndex(chain);
    if (index !== undefined && index !== next) return reject('address-index', { chain, next });
  }
  const disabled = checkEnabled(state, command);
  if (disabled) return disabled;
  const added = addressOf(command);
  addresses.add(added);
  state.events.rare({ kind: 'address-set', ...added });
  return null;
}

/** All of them, or none. */
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

/** The same again changes nothing. */
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
  (state.rules < 6 ? null : state.users.frozen(user, state.rules)) ??
  state.currencies.unknown(currency) ??
  unknownChain(state.currencies.all[currency], chain);

function checkEnabled(state: State, { currency, chain }: Owned): Rejection | null {
  const isEnabled = findChain(state.currencies.all[currency], chain)?.isDepositEnabled ?? false;
  return isEnabled ? null : reject('deposit-disabled', { currency, chain });
}
