/**
 * Where the deposit addresses of a chain come from: a list that an operator loaded, an extended public key, a program
 * that an operator runs, or, in a sandbox, nowhere: they are play. A chain of a venue without a source has no addresses,
 * because money sent to an address whose key nobody has is lost. The sources are a note in the log.
 */

import type { Address, Reference } from '@bourse/core';
import { UnownedAddresses } from './custody.ts';

type SourceKind = 'list' | 'key' | 'program';

export interface AddressSource {
  readonly kind: SourceKind;
  /** Extended and public. */
  readonly key?: string;
}

export const SOURCES_NOTE = 'address-sources';
/** Of loaded addresses: from here on operators are warned. */
export const FEW_ADDRESSES = 20;

export function sourcesOf(reference: Reference): ReadonlyMap<string, AddressSource> {
  const text = reference.note(SOURCES_NOTE);
  return new Map(text === '' ? [] : (JSON.parse(text) as [string, AddressSource][]));
}

export const sourcesText = (sources: ReadonlyMap<string, AddressSource>): string =>
  sources.size === 0 ? '' : JSON.stringify([...sources]);

const play = new UnownedAddresses();

/** Whether nobody has its key: such addresses were given before venues had sources. */
export function isUnowned({ user, chain, address }: Address, currency: string): boolean {
  return play.address(user, currency, chain).address === address;
}
