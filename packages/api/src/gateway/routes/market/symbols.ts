/** Symbols with their terms, and a user's fee rates. */

import type { SymbolSet } from '@bourse/core';
import { Type } from '../../schema.ts';
import type { Catalogue } from '../../../views/catalogue.ts';
import { formatSmall } from '../../decimals.ts';
import { symbolOf } from '../../members.ts';
import { Refusal } from '../../errors/refusal.ts';
import { route, type Route, type Shape } from '../../route.ts';
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
