/**
 * Default terms of a new currency, chain or symbol. Sizes and increments of a symbol have no defaults, because only
 * the operator knows what one unit of the currencies is worth.
 */

import type { Chain, Currency } from '@bourse/core';
import type { NewCurrency, NewSymbol } from './reference-terms.ts';

export function currencyTerms({ currency: code, ...named }: NewCurrency) {
  const { name = code, fullName = name, chains = [], ...terms } = named;
  return {
    code,
    name,
    fullName,
    confirms: null,
    contractAddress: null,
    isMarginEnabled: false,
    isDebitEnabled: false,
    ...terms,
    chains: chains.map(chainTerms),
  };
}

function chainTerms(named: NonNullable<NewCurrency['chains']>[number]): Chain {
  const { confirms = 1 } = named;
  return {
    depositMinSize: null,
    depositFeeRate: '',
    withdrawalMinSize: '0',
    withdrawalMinFee: '0',
    withdrawFeeRate: '',
    withdrawMaxFee: '',
    isWithdrawEnabled: true,
    isDepositEnabled: true,
    preConfirms: confirms,
    contractAddress: '',
    ...named,
    confirms,
  };
}

/** A new symbol is halted, so that the operator can check it before anybody trades. */
export function symbolTerms(named: NewSymbol, base: Currency, quote: Currency) {
  const { symbol: code, baseCurrency: _base, quoteCurrency: _quote, ...terms } = named;
  return {
    code,
    base: base.number,
    quote: quote.number,
    name: `${base.name}-${quote.name}`,
    market: quote.code,
    isMarginEnabled: false,
    enableTrading: true,
    state: 'halted' as const,
    ...terms,
  };
}
