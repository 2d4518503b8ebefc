/** Resolves the currency and chain of a request. */

import type { Chain, Currency } from '@bourse/core';
import { shortened } from '@bourse/engine';
import type { Catalogue } from '../../../views/catalogue.ts';
import { Refusal } from '../../errors/refusal.ts';

export function currencyNamed(catalogue: Catalogue, code: string): Currency {
  const currency = catalogue.currency(code);
  if (!currency) throw new Refusal('currency-unknown', `There is no currency '${shortened(code)}'.`);
  return currency;
}

export function chainOrFirst(currency: Currency, name: string | undefined): Chain {
  const chain = name ? chainNamed(currency, name) : currency.chains[0];
  if (chain) return chain;
  const known = currency.chains.map(({ chainId }) => chainId).join(', ');
  if (known === '')
    throw new Refusal('chain-unknown', `${currency.code} has no chain: none of it moves in or out.`);
  throw new Refusal(
    'chain-unknown',
    `${currency.code} has no chain '${shortened(name ?? '')}': it has ${known}.`,
  );
}

/** By id or by name. */
export const chainNamed = (currency: Currency, name: string): Chain | undefined =>
  currency.chains.find(({ chainId, chainName }) => chainId === name || chainName === name);

/** The currency's chain may have been removed since the address was created. */
export function chainOf(
  currency: Currency,
  chainId: string,
): Pick<Chain, 'chainId' | 'chainName' | 'contractAddress'> {
  return chainNamed(currency, chainId) ?? { chainId, chainName: chainId, contractAddress: '' };
}
