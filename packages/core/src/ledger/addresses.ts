/** Deposit addresses: one for each user, currency and chain, given once and kept for ever. */

import type { AddAddress } from '../commands/commands.ts';
import type { AddressSet } from '../events/events.ts';
import { pick } from '../values/pick.ts';
import type { Rejection } from '../commands/rejections.ts';
import { checkPrintable } from '../values/text.ts';

const ADDRESS_LENGTH_MAX = 128;
const MEMO_LENGTH_MAX = 64;
const FIELDS = [
  'user',
  'currency',
  'chain',
  'address',
  'memo',
] as const satisfies readonly (keyof AddAddress)[];

export type Address = Omit<AddressSet, 'kind'>;

export class Addresses {
  /** By user and currency, then by chain. */
  private readonly byOwner = new Map<string, Map<string, Address>>();

  find(user: number, currency: number, chain: string): Address | null {
    return this.byOwner.get(key(user, currency))?.get(chain) ?? null;
  }

  add(address: Address): void {
    const owner = key(address.user, address.currency);
    const own = this.byOwner.get(owner);
    if (own) own.set(address.chain, address);
    else this.byOwner.set(owner, new Map([[address.chain, address]]));
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
    return [...this.byOwner.values()]
      .flatMap((own) => [...own.values()])
      .toSorted((a, b) => a.user - b.user || a.currency - b.currency || byChain(a, b));
  }
}

const key = (user: number, currency: number) => `${user} ${currency}`;
const byChain = (a: Address, b: Address) => (a.chain < b.chain ? -1 : 1);

export function checkAddress({ address, memo }: AddAddress): Rejection | null {
  return (
    checkPrintable('address', address, 1, ADDRESS_LENGTH_MAX) ??
    checkPrintable('memo', memo, 0, MEMO_LENGTH_MAX)
  );
}

export const addressOf = (command: AddAddress): Address => pick(command, FIELDS);
