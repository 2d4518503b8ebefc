/** The exchange's money at its custodians: users' deposit addresses, and the reported balances of the wallets. */

import type { AskAddress } from '../commands/commands.ts';
import type { AddressSet } from '../events/events.ts';

export type Address = Omit<AddressSet, 'kind'>;

/** Loaded, and not assigned yet. */
export interface FreeAddress {
  readonly chain: string;
  readonly address: string;
  readonly memo: string;
}

export type AskedAddress = Omit<AskAddress, 'kind'>;

/**
 * Deposit addresses: one for each user, currency and chain, assigned permanently and to one user only. An operator loads
 * lists of them, has them derived from a key, or has a program create them on request.
 */
export class Addresses {
  /** By user and currency, then by chain. */
  readonly #byOwner = new Map<string, Map<string, Address>>();
  /** The owner of each address, and for how many currencies it has it. */
  readonly #owners = new Map<string, { readonly user: number; readonly uses: number }>();
  /** By chain, then by address, in loading order. */
  readonly #free = new Map<string, Map<string, FreeAddress>>();
  #freeTotal = 0;
  readonly #asked = new Map<string, AskedAddress>();
  readonly #nextIndexes = new Map<string, number>();

  find(user: number, currency: number, chain: string): Address | null {
    return this.#byOwner.get(key(user, currency))?.get(chain) ?? null;
  }

  /** The user it is assigned to, or undefined. */
  ownerOf(place: FreeAddress): number | undefined {
    return this.#owners.get(placeKey(place))?.user;
  }

  isFree(place: FreeAddress): boolean {
    return this.#free.get(place.chain)?.has(placeKey(place)) ?? false;
  }

  get freeCount(): number {
    return this.#freeTotal;
  }

  freeOf(chain: string): { readonly count: number; readonly first: FreeAddress | null } {
    const free = this.#free.get(chain);
    return { count: free?.size ?? 0, first: free?.values().next().value ?? null };
  }

  /** The index of the next address derived from the chain's key. */
  nextIndex(chain: string): number {
    return this.#nextIndexes.get(chain) ?? 0;
  }

  add(address: Address): void {
    const { user, currency, chain, index } = address;
    const owner = key(user, currency);
    const own = this.#byOwner.get(owner);
    const before = own?.get(chain);
    if (own) own.set(chain, address);
    else this.#byOwner.set(owner, new Map([[chain, address]]));
    if (before) this.#forget(before);
    const place = placeKey(address);
    this.#owners.set(place, { user, uses: (this.#owners.get(place)?.uses ?? 0) + 1 });
    if (this.#free.get(chain)?.delete(place)) this.#freeTotal -= 1;
    this.#asked.delete(`${owner} ${chain}`);
    if (index !== undefined) this.#nextIndexes.set(chain, Math.max(this.nextIndex(chain), index + 1));
  }

  /** A replaced address becomes unowned, unless the user has it for another currency. */
  #forget(before: Address): void {
    const place = placeKey(before);
    const { user, uses } = this.#owners.get(place) as { user: number; uses: number };
    if (uses > 1) this.#owners.set(place, { user, uses: uses - 1 });
    else this.#owners.delete(place);
  }

  load(place: FreeAddress): void {
    const free = this.#free.get(place.chain);
    if (free) free.set(placeKey(place), place);
    else this.#free.set(place.chain, new Map([[placeKey(place), place]]));
    this.#freeTotal += 1;
  }

  ask(asked: AskedAddress): void {
    this.#asked.set(`${key(asked.user, asked.currency)} ${asked.chain}`, asked);
  }

  /** By user, currency and chain. */
  listAsked(): AskedAddress[] {
    return [...this.#asked.values()].toSorted(inOrder);
  }

  /** By chain, then in the order of assignment. */
  listFree(): FreeAddress[] {
    const chains = [...this.#free.keys()].toSorted((a, b) => (a < b ? -1 : 1));
    return chains.flatMap((chain) => [...(this.#free.get(chain)?.values() ?? [])]);
  }

  /** By chain. */
  of(user: number, currency: number): Address[] {
    return [...(this.#byOwner.get(key(user, currency))?.values() ?? [])].toSorted(byChain);
  }

  /** Whether any address was assigned for it. */
  hasAny(currency: number): boolean {
    return this.list().some((address) => address.currency === currency);
  }

  /** By user, currency and chain. */
  list(): Address[] {
    return [...this.#byOwner.values()].flatMap((own) => [...own.values()]).toSorted(inOrder);
  }
}

export interface Owned {
  readonly user: number;
  readonly currency: number;
  readonly chain: string;
}

const key = (user: number, currency: number) => `${user} ${currency}`;
/** Chain ids contain no line breaks. */
export const placeKey = ({ chain, address, memo }: FreeAddress) => `${chain}\n${address}\n${memo}`;
const byChain = (a: Owned, b: Owned) => (a.chain < b.chain ? -1 : 1);
const inOrder = (a: Owned, b: Owned) => a.user - b.user || a.currency - b.currency || byChain(a, b);

/** Per currency; the oldest is dropped. More than a year of daily reports. */
const REPORTS_MAX = 400;

export interface WalletReport {
  readonly currency: number;
  readonly balance: bigint;
  /** Sum of users' balances, fees, suspense and pending deposits when it was reported. */
  readonly liabilities: bigint;
  /** When the custodian read the balance; `time` is when it was reported. Both in milliseconds. */
  readonly at: number;
  readonly time: number;
  readonly by: string;
}

/**
 * Wallet balances reported by custodians, each with the exchange's liabilities as of the report's record. The record is
 * slightly later than the reading (`at`), so a payment in between shows up as a false difference.
 */
export class Wallets {
  readonly #reports = new Map<number, WalletReport[]>();

  add(report: WalletReport): void {
    const before = this.#reports.get(report.currency) ?? [];
    this.#reports.set(report.currency, [...before, report].slice(-REPORTS_MAX));
  }

  /** The report with the latest `at` up to `time`; null for none. */
  until(currency: number, time: number): WalletReport | null {
    let latest: WalletReport | null = null;
    for (const each of this.#reports.get(currency) ?? []) {
      if (each.at <= time && each.at >= (latest?.at ?? 0)) latest = each;
    }
    return latest;
  }

  /** By currency, oldest first. */
  list(): WalletReport[] {
    const currencies = [...this.#reports.keys()].toSorted((a, b) => a - b);
    return currencies.flatMap((currency) => this.#reports.get(currency) ?? []);
  }
}
