/**
 * Where the deposit addresses of a chain come from: a list that an operator loaded, an extended public key, a program
 * that an operator runs, or, in a sandbox, nowhere: they are play. A chain of a venue without a source has no addresses,
 * because money sent to an address whose key nobody has is lost. Each source is a note in the log, so that setting one
 * leaves the others as they are, even where it waits for approval.
 */

import type { Address, Reference } from '@bourse/core';
import { UnownedAddresses } from './custody.ts';

type SourceKind = 'list' | 'key' | 'program';

export interface AddressSource {
  readonly kind: SourceKind;
  /** Extended and public. */
  readonly key?: string;
}

const NOTE_PREFIX = 'address-source:';
/** Of loaded addresses: from here on operators are warned. */
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

/** The note that sets the source of a chain, or removes it. */
export const sourceNote = (chain: string, source: AddressSource | null) => ({
  name: NOTE_PREFIX + chain,
  text: source === null ? '' : JSON.stringify(source),
});

const play = new UnownedAddresses();

/** Whether nobody has its key: such addresses were given before venues had sources. */
export function isUnowned({ user, chain, address }: Address, currency: string): boolean {
  return play.address(user, currency, chain).address === address;
}
