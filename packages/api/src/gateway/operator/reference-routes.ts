/** Currencies, symbols, fees and limits. */

import { formatUnits, type Currency, type FeeRule, type SymbolSet, type Chain } from '@bourse/core';
import { Type } from '../schema.ts';
import { userId } from '../ids.ts';
import {
  checkChains,
  checkSymbolCode,
  CURRENCY_CHANGES,
  LIMIT_CHANGES,
  NEW_CURRENCY,
  NEW_SYMBOL,
  Rate,
  SYMBOL_CHANGES,
  Text,
  type NewCurrency,
  type NewSymbol,
} from './reference-terms.ts';
import { operatorRefusal } from './operator-errors.ts';
import { findCurrency, findSymbol, findUser } from './resolve.ts';
import { type OperatorRoute, operatorRoute, type OperatorServices } from './route.ts';
import { limitsOf, PerDay, readTierLimits } from './withdrawal-rule-routes.ts';

const RATE_DECIMALS = 8;

/** The user and symbol of a fee rule; neither: everybody. */
const FEE_RULE = { userId: Type.Optional(Text), symbol: Type.Optional(Text) };

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
    roles: ['listing'],
    summary: 'Adds a currency. Its code, precision and scale never change.',
    body: NEW_CURRENCY,
    async handle({ services, body, act }) {
      const terms = currencyTerms(body);
      checkChains(terms.chains);
      await act({ kind: 'add-currency', ...terms });
      return showCurrency(findCurrency(services, terms.code));
    },
  }),
  operatorRoute({
    id: 'change-currency',
    method: 'POST',
    path: '/v1/currencies/:currency',
    roles: ['listing'],
    summary: 'Changes what is named; chains are replaced as a whole.',
    params: { currency: Text },
    body: CURRENCY_CHANGES,
    async handle({ services, params, body, act }) {
      checkChains(body.chains);
      const currency = findCurrency(services, params.currency).number;
      await act({ kind: 'change-currency', currency, ...body });
      return showCurrency(findCurrency(services, params.currency));
    },
  }),
  operatorRoute({
    id: 'remove-currency',
    method: 'DELETE',
    path: '/v1/currencies/:currency',
    roles: ['listing'],
    summary:
      'Removes a currency that was never used: no symbol names it, and nobody has an account or address.',
    params: { currency: Text },
    async handle({ services, params, act }) {
      await act({ kind: 'remove-currency', currency: findCurrency(services, params.currency).number });
      return { currency: params.currency, removed: true };
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
    roles: ['listing'],
    summary: 'Adds a symbol, `halted` unless `state` says otherwise, so that it can be looked at first.',
    body: NEW_SYMBOL,
    async handle({ services, body, act }) {
      const base = findCurrency(services, body.baseCurrency);
      const quote = findCurrency(services, body.quoteCurrency);
      checkSymbolCode(body.symbol, base, quote);
      await act({ kind: 'add-symbol', ...symbolTerms(body, base, quote) });
      return showSymbol(services, findSymbol(services, body.symbol));
    },
  }),
  operatorRoute({
    id: 'change-symbol',
    method: 'POST',
    path: '/v1/symbols/:symbol',
    roles: ['listing'],
    summary: 'Changes what is named. Orders that rest stay as they are.',
    params: { symbol: Text },
    body: SYMBOL_CHANGES,
    async handle({ services, params, body, act }) {
      await act({ kind: 'change-symbol', symbol: findSymbol(services, params.symbol).symbol, ...body });
      return showSymbol(services, findSymbol(services, params.symbol));
    },
  }),
  operatorRoute({
    id: 'remove-symbol',
    method: 'DELETE',
    path: '/v1/symbols/:symbol',
    roles: ['listing'],
    summary:
      'Removes a symbol in which nothing was ever traded or shown and nothing waits, with its fee rules.',
    params: { symbol: Text },
    async handle({ services, params, act }) {
      await act({ kind: 'remove-symbol', symbol: findSymbol(services, params.symbol).symbol });
      return { symbol: params.symbol, removed: true };
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
    roles: ['listing'],
    summary:
      'Sets the rates of a user, a symbol, both, or with neither of everybody. Orders keep the rates they came with.',
    body: { ...FEE_RULE, maker: Rate, taker: Rate },
    async handle({ services, body, act }) {
      const { maker, taker } = body;
      await act({ kind: 'set-fees', ...partiesOf(services, body), maker, taker });
      return listFees(services);
    },
  }),
  operatorRoute({
    id: 'remove-fees',
    method: 'DELETE',
    path: '/v1/fees',
    roles: ['listing'],
    summary:
      'Removes the rule of exactly this user, symbol, both or neither; the next special one counts then.',
    query: FEE_RULE,
    async handle({ services, query, act }) {
      await act({ kind: 'remove-fees', ...partiesOf(services, query) });
      return listFees(services);
    },
  }),
  operatorRoute({
    id: 'get-limits',
    method: 'GET',
    path: '/v1/limits',
    summary: 'The limits of the exchange.',
    handle: readAllLimits,
  }),
  operatorRoute({
    id: 'set-limits',
    method: 'POST',
    path: '/v1/limits',
    roles: ['compliance', 'admin'],
    summary:
      'Changes the given limits; or, with `tier`, the daily withdrawal limits (UTC) of its users by currency, null for no limit.',
    body: {
      ...LIMIT_CHANGES,
      tier: Type.Optional(Type.Integer({ minimum: 0, maximum: 12 })),
      withdrawalPerDay: Type.Optional(PerDay),
    },
    async handle({ services, body, act }) {
      const { tier, withdrawalPerDay, ...limits } = body;
      if (tier === undefined && withdrawalPerDay === undefined) await act({ kind: 'set-limits', ...limits });
      else {
        if (tier === undefined || withdrawalPerDay === undefined || Object.keys(limits).length > 0) {
          const msg = 'Give tier and withdrawalPerDay together, without limits of the exchange.';
          throw operatorRefusal('field-missing', msg);
        }
        const perDay = limitsOf(services, withdrawalPerDay);
        await act({ kind: 'set-withdrawal-limits', tier, limits: perDay });
      }
      return readAllLimits({ services });
    },
  }),
];

async function readAllLimits({ services }: { readonly services: OperatorServices }) {
  const limits = await services.port.read((exchange) => exchange.reference.limits);
  return { ...limits, tiers: await readTierLimits(services) };
}

function partiesOf(
  services: OperatorServices,
  named: { readonly userId?: string; readonly symbol?: string },
) {
  return {
    ...(named.userId === undefined ? {} : { user: findUser(services, named.userId).number }),
    ...(named.symbol === undefined ? {} : { symbol: findSymbol(services, named.symbol).symbol }),
  };
}

function showCurrency(currency: Currency) {
  const { number: _, code, removed: _removed, ...terms } = currency;
  return { currency: code, ...terms };
}

export function showSymbol({ catalogue }: OperatorServices, set: SymbolSet) {
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

/**
 * Default terms of a new currency, chain or symbol. Sizes and increments of a symbol have no defaults, because only
 * the operator knows what one unit of the currencies is worth.
 */
function currencyTerms({ currency: code, ...named }: NewCurrency) {
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
function symbolTerms(named: NewSymbol, base: Currency, quote: Currency) {
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
