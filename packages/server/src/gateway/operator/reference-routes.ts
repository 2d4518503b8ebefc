/** Currencies, symbols, market states, fees and limits. */

import { formatUnits, type Currency, type FeeRule, type SymbolSet } from '@bourse/core';
import { Type } from '../schema.ts';
import { userId } from '../ids.ts';
import { findCurrency, findSymbol, findUser } from './resolve.ts';
import { type OperatorRoute, operatorRoute, type OperatorServices } from './route.ts';

const RATE_DECIMALS = 8;
const Text = Type.String();
const Decimal = Type.String({ pattern: '^[0-9]{1,40}([.][0-9]{1,40})?$' });

const ChainShape = Type.Object(
  {
    chainId: Text,
    chainName: Text,
    depositMinSize: Type.Union([Decimal, Type.Null()]),
    depositFeeRate: Text,
    withdrawalMinSize: Decimal,
    withdrawalMinFee: Decimal,
    withdrawFeeRate: Text,
    withdrawMaxFee: Text,
    isWithdrawEnabled: Type.Boolean(),
    isDepositEnabled: Type.Boolean(),
    confirms: Type.Integer({ minimum: 0 }),
    preConfirms: Type.Integer({ minimum: 0 }),
    contractAddress: Text,
  },
  { additionalProperties: false },
);

const CURRENCY_TERMS = {
  name: Text,
  fullName: Text,
  confirms: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
  contractAddress: Type.Union([Text, Type.Null()]),
  isMarginEnabled: Type.Boolean(),
  isDebitEnabled: Type.Boolean(),
  chains: Type.Array(ChainShape, { maxItems: 50 }),
};

const SYMBOL_TERMS = {
  name: Text,
  market: Text,
  baseMinSize: Decimal,
  baseMaxSize: Decimal,
  quoteMinSize: Decimal,
  quoteMaxSize: Decimal,
  quoteIncrement: Decimal,
  priceIncrement: Decimal,
  priceLimitRate: Decimal,
  minFunds: Decimal,
  isMarginEnabled: Type.Boolean(),
  enableTrading: Type.Boolean(),
};

const CURRENCY_CHANGES = Type.Partial(Type.Object(CURRENCY_TERMS)).properties;
const SYMBOL_CHANGES = Type.Partial(Type.Object(SYMBOL_TERMS)).properties;
const Places = Type.Integer({ minimum: 0, maximum: 18 });
const Count = Type.Optional(Type.Integer({ minimum: 0 }));

export const REFERENCE_ROUTES: readonly OperatorRoute[] = [
  operatorRoute({
    id: 'list-currencies',
    method: 'GET',
    path: '/v1/currencies',
    summary: 'All currencies with their chains.',
    handle: ({ services }) => services.catalogue.currencies().map(showCurrency),
  }),
  operatorRoute({
    id: 'add-currency',
    method: 'POST',
    path: '/v1/currencies',
    summary: 'Adds a currency. Its code, precision and scale never change.',
    body: { currency: Text, precision: Places, scale: Places, ...CURRENCY_TERMS },
    async handle({ services, body, act }) {
      const { currency: code, reason: _, ...terms } = body;
      await act({ kind: 'add-currency', code, ...terms });
      return showCurrency(findCurrency(services, code));
    },
  }),
  operatorRoute({
    id: 'change-currency',
    method: 'POST',
    path: '/v1/currencies/:currency',
    summary: 'Changes what is named; chains are replaced as a whole.',
    params: { currency: Text },
    body: CURRENCY_CHANGES,
    async handle({ services, params, body, act }) {
      const { reason: _, ...terms } = body;
      await act({
        kind: 'change-currency',
        currency: findCurrency(services, params.currency).number,
        ...terms,
      });
      return showCurrency(findCurrency(services, params.currency));
    },
  }),
  operatorRoute({
    id: 'list-symbols',
    method: 'GET',
    path: '/v1/symbols',
    summary: 'All symbols with their terms and market states.',
    handle: ({ services }) => services.catalogue.symbols().map((symbol) => showSymbol(services, symbol)),
  }),
  operatorRoute({
    id: 'add-symbol',
    method: 'POST',
    path: '/v1/symbols',
    summary: 'Adds a symbol; it is open at once where `enableTrading` is true.',
    body: { symbol: Text, baseCurrency: Text, quoteCurrency: Text, baseIncrement: Decimal, ...SYMBOL_TERMS },
    async handle({ services, body, act }) {
      const { symbol: code, baseCurrency, quoteCurrency, reason: _, ...terms } = body;
      const base = findCurrency(services, baseCurrency).number;
      const quote = findCurrency(services, quoteCurrency).number;
      await act({ kind: 'add-symbol', code, base, quote, ...terms });
      return showSymbol(services, findSymbol(services, code));
    },
  }),
  operatorRoute({
    id: 'change-symbol',
    method: 'POST',
    path: '/v1/symbols/:symbol',
    summary: 'Changes what is named. Orders that rest stay as they are.',
    params: { symbol: Text },
    body: SYMBOL_CHANGES,
    async handle({ services, params, body, act }) {
      const { reason: _, ...terms } = body;
      await act({ kind: 'change-symbol', symbol: findSymbol(services, params.symbol).symbol, ...terms });
      return showSymbol(services, findSymbol(services, params.symbol));
    },
  }),
  operatorRoute({
    id: 'set-market-state',
    method: 'POST',
    path: '/v1/symbols/:symbol/state',
    summary: 'Opens a market, lets only cancels through, or halts it.',
    params: { symbol: Text },
    body: { state: Type.Union([Type.Literal('open'), Type.Literal('cancel-only'), Type.Literal('halted')]) },
    async handle({ services, params, body, act }) {
      const { symbol } = findSymbol(services, params.symbol);
      await act({ kind: 'set-market-state', symbol, state: body.state });
      return showSymbol(services, findSymbol(services, params.symbol));
    },
  }),
  operatorRoute({
    id: 'list-fees',
    method: 'GET',
    path: '/v1/fees',
    summary: 'All fee rules that are set; the most special one counts.',
    handle: ({ services }) => listFees(services),
  }),
  operatorRoute({
    id: 'set-fees',
    method: 'POST',
    path: '/v1/fees',
    summary:
      'Sets the rates of a user, a symbol, both, or with neither of everybody. Orders keep the rates they came with.',
    body: { userId: Type.Optional(Text), symbol: Type.Optional(Text), maker: Decimal, taker: Decimal },
    async handle({ services, body, act }) {
      const { maker, taker } = body;
      await act({
        kind: 'set-fees',
        ...(body.userId === undefined ? {} : { user: findUser(services, body.userId).number }),
        ...(body.symbol === undefined ? {} : { symbol: findSymbol(services, body.symbol).symbol }),
        maker,
        taker,
      });
      return listFees(services);
    },
  }),
  operatorRoute({
    id: 'get-limits',
    method: 'GET',
    path: '/v1/limits',
    summary: 'The limits of the exchange.',
    handle: ({ services }) => services.port.read((exchange) => exchange.reference.limits),
  }),
  operatorRoute({
    id: 'set-limits',
    method: 'POST',
    path: '/v1/limits',
    summary: 'Changes the limits that are named.',
    body: {
      lookupWindowMs: Count,
      activeOrdersPerSymbolMax: Count,
      activeOrdersPerUserMax: Count,
      stopOrdersPerSymbolMax: Count,
      stepsPerRecordMax: Count,
      clientIdsPerUserMax: Count,
      clientIdsMax: Count,
      movementWindowMs: Count,
      movementsPerUserMax: Count,
      movementsMax: Count,
    },
    async handle({ services, body, act }) {
      const { reason: _, ...limits } = body;
      await act({ kind: 'set-limits', ...limits });
      return services.port.read((exchange) => exchange.reference.limits);
    },
  }),
];

function showCurrency(currency: Currency) {
  const { number: _, code, ...terms } = currency;
  return { currency: code, ...terms };
}

function showSymbol({ catalogue }: OperatorServices, set: SymbolSet) {
  const {
    kind: _,
    symbol: _number,
    code,
    base,
    quote,
    sizeDecimals: _size,
    priceDecimals: _price,
    ...terms
  } = set;
  return {
    symbol: code,
    baseCurrency: catalogue.currencyAt(base).code,
    quoteCurrency: catalogue.currencyAt(quote).code,
    ...terms,
  };
}

async function listFees({ port, catalogue }: OperatorServices) {
  const rules = await port.read((exchange) => [...exchange.reference.feeRules()]);
  const rate = (units: number) => formatUnits(BigInt(units), RATE_DECIMALS);
  return rules.map(({ user, symbol, maker, taker }: FeeRule) => ({
    userId: user < 0 ? null : userId(user),
    symbol: symbol < 0 ? null : catalogue.symbolAt(symbol).code,
    maker: rate(maker),
    taker: rate(taker),
  }));
}
