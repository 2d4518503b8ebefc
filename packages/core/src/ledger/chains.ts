/** The chains of a currency, by id. */

import type { Chain } from '../commands/commands.ts';
import { type Rejection, reject } from '../commands/rejections.ts';
import type { Currency } from '../reference/currencies.ts';

export function findChain(currency: Currency, chainId: string): Chain | undefined {
  return currency.chains.find((chain) => chain.chainId === chainId);
}

export function unknownChain(currency: Currency, chain: string): Rejection | null {
  if (findChain(currency, chain)) return null;
  return reject('chain-unknown', { chain, known: currency.chains.map((known) => known.chainId) });
}
