/**
 * Currencies, symbols, fees and limits: the allowed formats of their terms, and the calls that set them. The core
 * accepts more formats, because it must replay logs of earlier versions identically; these are checked before anything
 * becomes a command.
 */

import {
  type Chain,
  type Currency,
  DAY_MS,
  type FeeRule,
  formatUnits,
  HOUR_MS,
  RATE_DECIMALS,
  type SymbolSet,
} from '@bourse/core';
import { shortened } from '@bourse/engine';
import type { Refusal } from '../errors/refusal.ts';
import { userId } from '../ids.ts';
import { type Static, Type } from '../schema.ts';
import { type OperatorErrorName, operatorRefusal } from './operator-errors.ts';
import { findCurrency, findSymbol, findUser } from './resolve.ts';
import { type OperatorRoute, operatorRoute, type OperatorServices } from './route.ts';
import { limitsOf, PerDay, readTierLimits } from './withdrawal-rule-routes.ts';

const CHAINS_MAX = 50;
const CONFIRMS_MAX = 1_000_000;

export const Text = Type.String();
const text = (pattern: string, expects: string) => Type.String({ pattern, expects });

const CurrencyCode = text('^[A-Z0-9]{1,20}$', '1 to 20 upper-case letters and digits');
const SymbolCode = text(
  '^[A-Z0-9]{1,20}-[A-Z0-9]{1,20}$',
  'the codes of base and quote currency with a hyphen between',
);
export const Decimal = text('^[0-9]{1,40}([.][0-9]{1,40})?$', 'a decimal such as "0.01"');
/** From 0 to 1. */
const RATE_PATTERN = '(0([.][0-9]{1,8})?|1([.]0{1,8})?)';
const Rate = text(`^${RATE_PATTERN}$`, 'a decimal from 0 to 1, with at most 8 places');
const OptionalRate = text(`^(${RATE_PATTERN})?$`, 'a decimal from 0 to 1, with at most 8 places, or empty');
const OptionalDecimal = text('^([0-9]{1,40}([.][0-9]{1,40})?)?$', 'a decimal such as "0.01", or empty');
const Name = text('^[ -~]{1,64}$', '1 to 64 printable ASCII characters');
const ContractAddress = text('^[!-~]{0,128}$', 'at most 128 printable ASCII characters without spaces');
const Confirms = Type.Integer({ minimum: 0, maximum: CONFIRMS_MAX });

const CHAIN_NAMES = {
  chainId: text('^[a-z0-9][a-z0-9-]{0,31}$', '1 to 32 lower-case letters, digits and hyphens'),
  chainName: text('^[A-Za-z0-9][A-Za-z0-9 ._-]{0,31}$', '1 to 32 letters, digits, spaces, points, _ and -'),
};
const CHAIN_TERMS = {
  depositMinSize: Type.Union([Decimal, Type.Null()]),
  depositFeeRate: OptionalRate,
  withdrawalMinSize: Decimal,
  withdrawalMinFee: Decimal,
  withdrawFeeRate: OptionalRate,
  withdrawMaxFee: OptionalDecimal,
  isWithdrawEnabled: Type.Boolean(),
  isDepositEnabled: Type.Boolean(),
  confirms: Confirms,
  preConfirms: Confirms,
  contractAddress: ContractAddress,
};
const closed = { additionalProperties: false };
const ChainShape = Type.Object({ ...CHAIN_NAMES, ...CHAIN_TERMS }, closed);
const NewChain = Type.Object(
  { ...CHAIN_NAMES, ...Type.Partial(Type.Object(CHAIN_TERMS)).properties },
  closed,
);

const NAMES = { name: Name, fullName: Name };
const OTHER_CURRENCY_TERMS = {
  confirms: Type.Union([Confirms, Type.Null()]),
  contractAddress: Type.Union([ContractAddress, Type.Null()]),
  isMarginEnabled: Type.Boolean(),
  isDebitEnabled: Type.Boolean(),
};
const SYMBOL_BOUNDS = {
  baseMinSize: Decimal,
  baseMaxSize: Decimal,
  quoteMinSize: Decimal,
  quoteMaxSize: Decimal,
  quoteIncrement: Decimal,
  priceIncrement: Decimal,
  priceLimitRate: text('^[0-9]([.][0-9]{1,6})?$', 'a decimal below 10, with at most 6 places'),
  minFunds: Decimal,
};
const OTHER_SYMBOL_TERMS = {
  market: text('^[!-~]{1,32}$', '1 to 32 printable ASCII characters without spaces'),
  isMarginEnabled: Type.Boolean(),
  enableTrading: Type.Boolean(),
};

const Places = Type.Integer({ minimum: 0, maximum: 18 });

/** Omitted fields get the defaults of `currencyTerms` and `symbolTerms`. */
const NEW_CURRENCY = {
  currency: CurrencyCode,
  precision: Places,
  scale: Places,
  ...Type.Partial(Type.Object({ ...NAMES, ...OTHER_CURRENCY_TERMS })).properties,
  chains: Type.Optional(Type.Array(NewChain, { maxItems: CHAINS_MAX })),
};
/** A changed chain must state all its terms: an omitted one would silently fall back to its default. */
const CURRENCY_CHANGES = Type.Partial(
  Type.Object({
    ...NAMES,
    ...OTHER_CURRENCY_TERMS,
    chains: Type.Array(ChainShape, { maxItems: CHAINS_MAX }),
  }),
).properties;

/** States that an operator can set; `auction` has its own call. */
export const MarketStates = Type.Union([
  Type.Literal('open'),
  Type.Literal('post-only'),
  Type.Literal('cancel-only'),
  Type.Literal('halted'),
  Type.Literal('delisted'),
]);
const NEW_SYMBOL = {
  symbol: SymbolCode,
  baseCurrency: Text,
  quoteCurrency: Text,
  baseIncrement: Decimal,
  state: Type.Optional(MarketStates),
  ...SYMBOL_BOUNDS,
  ...Type.Partial(Type.Object({ name: Name, ...OTHER_SYMBOL_TERMS })).properties,
};
const SYMBOL_CHANGES = Type.Partial(
  Type.Object({ name: Name, ...SYMBOL_BOUNDS, ...OTHER_SYMBOL_TERMS }),
).properties;

type NewCurrency = Static<ReturnType<typeof Type.Object<typeof NEW_CURRENCY>>>;
type NewSymbol = Static<ReturnType<typeof Type.Object<typeof NEW_SYMBOL>>>;

const count = (maximum: number) => Type.Optional(Type.Integer({ minimum: 1, maximum }));

const LIMIT_CHANGES = {
  // Below an hour, a client that retries after a lost response could place its order twice.
  lookupWindowMs: Type.Optional(Type.Integer({ minimum: HOUR_MS, maximum: 31 * DAY_MS })),
  activeOrdersPerSymbolMax: count(100_000),
  activeOrdersPerUserMax: count(100_000),
  stopOrdersPerSymbolMax: count(1000),
  // More steps make longer records, and everybody waits for a record.
  stepsPerRecordMax: count(10_000),
  clientIdsPerUserMax: count(100_000_000),
  clientIdsMax: count(100_000_000),
  // Below a day, a transfer retried after a lost response could move its money twice.
  movementWindowMs: Type.Optional(Type.Integer({ minimum: DAY_MS, maximum: 366 * DAY_MS })),
  movementsPerUserMax: count(100_000_000),
  movementsMax: count(100_000_000),
};

/** Chains are named by id or by name, so no two may share one; and the maximum fee must not be below the minimum. */
function checkChains(chains: readonly Chain[] = []): void {
  const seen = new Set<string>();
  for (const { chainId, chainName, withdrawalMinFee, withdrawMaxFee, confirms, preConfirms } of chains) {
    for (const name of new Set([chainId.toLowerCase(), chainName.toLowerCase()])) {
      if (seen.has(name))
        throw wrong(`chains: two chains are called '${shortened(name)}'; each needs its own id and name.`);
      seen.add(name);
    }
    if (withdrawMaxFee !== '' && compareDecimals(withdrawMaxFee, withdrawalMinFee) < 0) {
      throw wrong(
        `chains: withdrawMaxFee ${withdrawMaxFee} of ${chainId} is below withdrawalMinFee ${withdrawalMinFee}.`,
      );
    }
    if (preConfirms > confirms) {
      throw wrong(`chains: preConfirms ${preConfirms} of ${chainId} is above confirms ${confirms}.`);
    }
  }
}

/** The code of a symbol follows from its currencies; only its name may differ. */
function checkSymbolCode(code: string, base: Currency, quote: Currency): void {
  if (base.number === quote.number) {
    throw wrong(`quoteCurrency: ${quote.code} is also the base currency. Choose two different ones.`);
  }
  const follows = `${base.code}-${quote.code}`;
  if (code === follows) return;
  throw wrong(
    `symbol: '${shortened(code)}' is not the symbol of ${base.code} and ${quote.code}. Expected ${follows}.`,
  );
}

const wrong = (message: string): Refusal<OperatorErrorName> => operatorRefusal('value-invalid', message);

/** Unsigned decimals of any length. */
function compareDecimals(a: string, b: string): number {
  const [wholeA, partA = ''] = a.split('.');
  const [wholeB, partB = ''] = b.split('.');
  const places = Math.max(partA.length, partB.length);
  const difference = BigInt(wholeA + partA.padEnd(places, '0')) - BigInt(wholeB + partB.padEnd(places, '0'));
  return difference < 0n ? -1 : Number(difference > 0n);
}

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
    summary: 'Changes the given fields; chains are replaced completely.',
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
    summary: 'Removes a currency that was never used: without symbols, accounts and addresses.',
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
    summary: 'Adds a symbol. It is `halted` unless `state` is given, so that it can be checked first.',
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
    summary: 'Changes the given fields. Resting orders are not affected.',
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
      'Removes a symbol with its fee rules. It must never have had a trade or a visible order, and have no pending orders.',
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
    summary: 'All fee rules; the most specific one applies.',
    handle: ({ services }) => listFees(services),
  }),
  operatorRoute({
    id: 'set-fees',
    method: 'POST',
    path: '/v1/fees',
    roles: ['listing'],
    summary:
      'Sets the rates of a user, of a symbol, of a user in a symbol, or, with neither, of everybody. Existing orders keep their rates.',
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
      'Removes the rule of exactly this user, symbol, both or neither; then the next most specific rule applies.',
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
