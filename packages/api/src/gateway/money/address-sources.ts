/**
 * Sources of a chain's deposit addresses: a list loaded by an operator, an extended public key, an operator's
 * program, or, in a sandbox, none, because its addresses are not real. A venue's chain without a source has no
 * addresses, because money sent to an address whose key nobody has is lost. Each source is a note in the log, so that
 * setting one leaves the others unchanged, even if it waits for approval.
 */

import type { Address, Reference } from '@bourse/core';
import { UnownedAddresses } from './custody.ts';

type SourceKind = 'list' | 'key' | 'program';

export interface AddressSource {
  readonly kind: SourceKind;
  /** An extended public key. */
  readonly key?: string;
}

const NOTE_PREFIX = 'address-source:';
/** Operators are warned when no more than this many loaded addresses are left. */
export const FEW_ADDRESSES = 20;

export function sourceOf(reference: Reference, chain: string): AddressSource | undefined {
  const text = reference.note(NOTE_PREFIX + chain);
  return text === '' ? undefined : (JSON.parse(text) as AddressSource);
}

/** By chain. */
export function sourcesOf(reference: Reference): ReadonlyMap<string, AddressSource> {
  const chains = new Set(reference.currencies.flatMap((each) => each.chains.map(({ chainId }) => chainId)));
  return new Map(
    [...chains].flatMap((chain) => {
      const source = sourceOf(reference, chain);
      return source ? [[chain, source] as const] : [];
    }),
  );
}

/** The note that sets or removes the source of a chain. */
export const sourceNote = (chain: string, source: AddressSource | null) => ({
  name: NOTE_PREFIX + chain,
  text: source === null ? '' : JSON.stringify(source),
});

const play = new UnownedAddresses();

/** Whether nobody has its key: such addresses were assigned before venues had sources. */
export function isUnowned({ user, chain, address }: Address, currency: string): boolean {
  return play.address(user, currency, chain).address === address;
}
