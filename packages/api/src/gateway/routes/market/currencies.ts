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

const CURRENCY_SCHEMA = Type.Object({
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

function findCurrency(catalogue: Services['catalogue'], code: string): Currency {
  const currency = catalogue.currency(code);
  if (currency) return currency;
  throw new Refusal('currency-unknown', `There is no currency '${shortened(code)}'.`);
}

/** With `chain`, an id or a name, only that chain; the list is empty if none matches. */
function currencyDetail(currency: Currency, chain: string | undefined, isLiteral: boolean) {
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

const { currency, name, fullName, precision, confirms, contractAddress, isMarginEnabled, isDebitEnabled } =
  CURRENCY_SCHEMA.properties;

/**
 * Version 1 has a single chain per currency: the first. A currency without chains allows no deposits or withdrawals.
 */
const FLAT_SCHEMA = Type.Object({
  currency,
  name,
  fullName,
  precision,
  confirms,
  contractAddress,
  withdrawalMinSize: Type.String(),
  withdrawalMinFee: Type.String(),
  isWithdrawEnabled: Type.Boolean(),
  isDepositEnabled: Type.Boolean(),
  isMarginEnabled,
  isDebitEnabled,
});

const NO_CHAIN = {
  withdrawalMinSize: '0',
  withdrawalMinFee: '0',
  isWithdrawEnabled: false,
  isDepositEnabled: false,
};

/** Currencies in the format of older clients: versions 1 and 2 of the paths. */
export function oldCurrencyRoutes({ catalogue }: Services): Route[] {
  const open = { method: 'GET', access: 'public', pool: 'public', weight: 3, shape: 'A' } as const;
  return [
    route({
      ...open,
      id: 'list-currencies-v1',
      path: '/api/v1/currencies',
      summary: 'Every currency, with the terms of its first chain.',
      answer: Type.Array(FLAT_SCHEMA),
      handle: () => catalogue.currencies().map(flat),
    }),
    route({
      ...open,
      id: 'get-currency-v1',
      path: '/api/v1/currencies/:currency',
      summary: 'One currency, with the terms of its first chain.',
      params: { currency: Type.String() },
      answer: FLAT_SCHEMA,
      handle: ({ params }) => flat(findCurrency(catalogue, params.currency)),
    }),
    route({
      ...open,
      id: 'get-currency-v2',
      path: '/api/v2/currencies/:currency',
      summary: 'One currency with its chains, or with one of them.',
      params: { currency: Type.String() },
      query: { chain: Type.Optional(Type.String()) },
      answer: CURRENCY_SCHEMA,
      handle: ({ params, query, dialect }) =>
        currencyDetail(findCurrency(catalogue, params.currency), query.chain, dialect.isLiteral),
    }),
  ];
}

function flat(of: Currency) {
  const { chains, ...detail } = currencyDetail(of, undefined, true);
  const { withdrawalMinSize, withdrawalMinFee, isWithdrawEnabled, isDepositEnabled } = chains[0] ?? NO_CHAIN;
  return { ...detail, withdrawalMinSize, withdrawalMinFee, isWithdrawEnabled, isDepositEnabled };
}
