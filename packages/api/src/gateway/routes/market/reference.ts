/** Reference data: symbols with their terms, currencies with their chains, and a user's fee rates. */

import type { Chain, Currency, SymbolSet } from '@bourse/core';
import type { Catalogue } from '../../../views/catalogue.ts';
import { formatSmall } from '../../decimals.ts';
import { Refusal } from '../../errors/refusal.ts';
import { currencyOf, symbolOf } from '../../members.ts';
import { CHAINS_WITH_MEMO } from '../../money/address-sources.ts';
import { route, type Route, type Shape } from '../../route.ts';
import { Type } from '../../schema.ts';
import type { Services } from '../../services.ts';

const FEE_DECIMALS = 8;
const FEE_SYMBOLS_MAX = 10;

const text = Type.String();

const SYMBOL_SCHEMA = Type.Object({
  symbol: text,
  name: text,
  baseCurrency: text,
  quoteCurrency: text,
  feeCurrency: text,
  market: text,
  baseMinSize: text,
  baseMaxSize: text,
  quoteMinSize: text,
  quoteMaxSize: text,
  baseIncrement: text,
  quoteIncrement: text,
  priceIncrement: text,
  priceLimitRate: text,
  minFunds: text,
  isMarginEnabled: Type.Boolean(),
  enableTrading: Type.Boolean(),
});

const FEE_SCHEMA = Type.Object({ symbol: text, takerFeeRate: text, makerFeeRate: text });

export function symbolRoutes({ catalogue }: Services): Route[] {
  const list = (id: string, path: string, shape: Shape) =>
    route({
      id,
      method: 'GET',
      path,
      summary: 'Every symbol with its terms, or those of one trading market.',
      access: 'public',
      pool: 'public',
      weight: 4,
      shape,
      query: { market: Type.Optional(text) },
      answer: Type.Array(SYMBOL_SCHEMA),
      handle({ query, dialect }) {
        return catalogue
          .symbols()
          .filter(({ market }) => !query.market || market === query.market)
          .map((symbol) => symbolDetail(symbol, catalogue, dialect.isLiteral));
      },
    });
  return [
    list('list-symbols', '/api/v2/symbols', 'bare'),
    // Older clients of the family still use this path.
    list('old-list-symbols', '/api/v1/symbols', 'A'),
    route({
      id: 'get-symbol',
      method: 'GET',
      path: '/api/v2/symbols/:symbol',
      summary: 'One symbol with its terms.',
      access: 'public',
      pool: 'public',
      weight: 4,
      shape: 'A',
      params: { symbol: text },
      answer: SYMBOL_SCHEMA,
      handle: ({ params, dialect }) =>
        symbolDetail(symbolOf(catalogue, params.symbol), catalogue, dialect.isLiteral),
    }),
    route({
      id: 'get-trade-fees',
      method: 'GET',
      path: '/api/v1/trade-fees',
      summary: 'The caller’s effective fee rates in up to ten symbols.',
      access: 'general',
      pool: 'spot',
      weight: 3,
      shape: 'A',
      query: { symbols: text },
      answer: Type.Array(FEE_SCHEMA),
      handle({ query, user }) {
        return symbolsNamed(query.symbols, catalogue).map(({ code, symbol }) => {
          const { maker, taker } = catalogue.rates(user, symbol);
          return {
            symbol: code,
            takerFeeRate: formatSmall(taker, FEE_DECIMALS),
            makerFeeRate: formatSmall(maker, FEE_DECIMALS),
          };
        });
      },
    }),
  ];
}

function symbolDetail(symbol: SymbolSet, catalogue: Catalogue, isLiteral: boolean) {
  const quote = catalogue.currencyAt(symbol.quote).code;
  const detail = {
    symbol: symbol.code,
    name: symbol.name,
    baseCurrency: catalogue.currencyAt(symbol.base).code,
    quoteCurrency: quote,
    feeCurrency: quote,
    market: symbol.market,
    baseMinSize: symbol.baseMinSize,
    baseMaxSize: symbol.baseMaxSize,
    quoteMinSize: symbol.quoteMinSize,
    quoteMaxSize: symbol.quoteMaxSize,
    baseIncrement: symbol.baseIncrement,
    quoteIncrement: symbol.quoteIncrement,
    priceIncrement: symbol.priceIncrement,
    priceLimitRate: symbol.priceLimitRate,
    minFunds: symbol.minFunds,
    isMarginEnabled: symbol.isMarginEnabled,
    enableTrading: catalogue.takesOrders(symbol),
  };
  return isLiteral ? detail : { ...detail, ...FAMILY_FIELDS };
}

/** Fields that clients of the family expect; none of the features exist here. */
const FAMILY_FIELDS = {
  feeCategory: 1,
  makerFeeCoefficient: '1.00',
  takerFeeCoefficient: '1.00',
  st: false,
  callauctionIsEnabled: false,
  callauctionPriceFloor: null,
  callauctionPriceCeiling: null,
  callauctionFirstStageStartTime: null,
  callauctionSecondStageStartTime: null,
  callauctionThirdStageStartTime: null,
  tradingStartTime: null,
} as const;

function symbolsNamed(list: string, catalogue: Catalogue): SymbolSet[] {
  const codes = list.split(',');
  if (codes.length > FEE_SYMBOLS_MAX) {
    throw new Refusal(
      'parameter-invalid',
      `symbols names ${codes.length} trading pairs: at most ${FEE_SYMBOLS_MAX} are answered at a time.`,
    );
  }
  return codes.map((code) => symbolOf(catalogue, code));
}

// Currencies with their chains.

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
        return currencyDetail(currencyOf(catalogue, params.currency), query.chain, dialect.isLiteral);
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
      handle: ({ params }) => flat(currencyOf(catalogue, params.currency)),
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
        currencyDetail(currencyOf(catalogue, params.currency), query.chain, dialect.isLiteral),
    }),
  ];
}

function flat(of: Currency) {
  const { chains, ...detail } = currencyDetail(of, undefined, true);
  const { withdrawalMinSize, withdrawalMinFee, isWithdrawEnabled, isDepositEnabled } = chains[0] ?? NO_CHAIN;
  return { ...detail, withdrawalMinSize, withdrawalMinFee, isWithdrawEnabled, isDepositEnabled };
}
