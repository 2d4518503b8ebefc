/** Currencies with their chains. */

import type { Chain, Currency } from '@bourse/core';
import { shortened } from '@bourse/engine';
import { Type } from '../../schema.ts';
import { CHAINS_WITH_MEMO } from '../../money/custody.ts';
import { Refusal } from '../../errors/refusal.ts';
import { route, type Route } from '../../route.ts';
import type { Services } from '../../services.ts';

const text = Type.String();
const textOrNull = Type.Union([text, Type.Null()]);

const CHAIN_SCHEMA = Type.Object({
  chainId: text,
  chainName: text,
  depositMinSize: textOrNull,
  depositFeeRate: text,
  withdrawalMinSize: text,
  withdrawalMinFee: text,
  withdrawFeeRate: text,
  withdrawMaxFee: text,
  isWithdrawEnabled: Type.Boolean(),
  isDepositEnabled: Type.Boolean(),
  confirms: Type.Integer(),
  preConfirms: Type.Integer(),
  contractAddress: text,
});

export const CURRENCY_SCHEMA = Type.Object({
  currency: text,
  name: text,
  fullName: text,
  precision: Type.Integer(),
  confirms: Type.Union([Type.Integer(), Type.Null()]),
  contractAddress: textOrNull,
  isMarginEnabled: Type.Boolean(),
  isDebitEnabled: Type.Boolean(),
  chains: Type.Array(CHAIN_SCHEMA),
});

export function currencyRoutes({ catalogue }: Services): Route[] {
  return [
    route({
      id: 'get-currency',
      method: 'GET',
      path: '/api/v3/currencies/:currency',
      summary: 'One currency with its chains, or with one of them.',
      access: 'public',
      pool: 'public',
      weight: 3,
      shape: 'A',
      params: { currency: text },
      query: { chain: Type.Optional(text) },
      answer: CURRENCY_SCHEMA,
      handle({ params, query, dialect }) {
        return currencyDetail(findCurrency(catalogue, params.currency), query.chain, dialect.isLiteral);
      },
    }),
    route({
      id: 'list-currencies',
      method: 'GET',
      path: '/api/v3/currencies',
      summary: 'Every currency with its chains.',
      access: 'public',
      pool: 'public',
      weight: 3,
      shape: 'A',
      answer: Type.Array(CURRENCY_SCHEMA),
      handle: ({ dialect }) =>
        catalogue.currencies().map((currency) => currencyDetail(currency, undefined, dialect.isLiteral)),
    }),
  ];
}

export function findCurrency(catalogue: Services['catalogue'], code: string): Currency {
  const currency = catalogue.currency(code);
  if (currency) return currency;
  throw new Refusal('currency-unknown', `There is no currency '${shortened(code)}'.`);
}

/** With `chain`, an id or a name, only that chain; the list is empty if none matches. */
export function currencyDetail(currency: Currency, chain: string | undefined, isLiteral: boolean) {
  const chains = currency.chains.filter(
    ({ chainId, chainName }) => !chain || chainId === chain || chainName === chain,
  );
  return {
    currency: currency.code,
    name: currency.name,
    fullName: currency.fullName,
    precision: currency.precision,
    confirms: currency.confirms,
    contractAddress: currency.contractAddress,
    isMarginEnabled: currency.isMarginEnabled,
    isDebitEnabled: currency.isDebitEnabled,
    chains: isLiteral ? chains : chains.map((each) => familyChain(each, currency)),
  };
}

function familyChain(chain: Chain, currency: Currency) {
  return {
    ...chain,
    withdrawPrecision: currency.precision,
    maxWithdraw: null,
    maxDeposit: null,
    needTag: CHAINS_WITH_MEMO.has(chain.chainId),
  };
}
