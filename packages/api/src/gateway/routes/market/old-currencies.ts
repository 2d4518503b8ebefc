/** Currencies in the format of older clients: versions 1 and 2 of the paths. */

import type { Currency } from '@bourse/core';
import { Type } from '../../schema.ts';
import { route, type Route } from '../../route.ts';
import type { Services } from '../../services.ts';
import { CURRENCY_SCHEMA, currencyDetail, findCurrency } from './currencies.ts';

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
