/**
 * Allowed formats of currencies, symbols and limits when an operator sets them. The core accepts more, because it
 * must replay logs of earlier versions identically; these formats are checked before anything becomes a command.
 */

import { type Chain, type Currency, DAY_MS, HOUR_MS } from '@bourse/core';
import { shortened } from '@bourse/engine';
import { type Static, Type } from '../schema.ts';
import type { Refusal } from '../errors/refusal.ts';
import { type OperatorErrorName, operatorRefusal } from './operator-errors.ts';

const CHAINS_MAX = 50;
const CONFIRMS_MAX = 1_000_000;

export const Text = Type.String();
const text = (pattern: string, expects: string) => Type.String({ pattern, expects });

const CurrencyCode = text('^[A-Z0-9]{1,20}$', '1 to 20 capital letters and digits');
const SymbolCode = text(
  '^[A-Z0-9]{1,20}-[A-Z0-9]{1,20}$',
  'the codes of base and quote currency with a hyphen between',
);
export const Decimal = text('^[0-9]{1,40}([.][0-9]{1,40})?$', 'a decimal such as "0.01"');
/** From 0 to 1. */
const RATE_PATTERN = '(0([.][0-9]{1,8})?|1([.]0{1,8})?)';
export const Rate = text(`^${RATE_PATTERN}$`, 'a decimal from 0 to 1, with at most 8 places');
const OptionalRate = text(`^(${RATE_PATTERN})?$`, 'a decimal from 0 to 1, with at most 8 places, or empty');
const OptionalDecimal = text('^([0-9]{1,40}([.][0-9]{1,40})?)?$', 'a decimal such as "0.01", or empty');
const Name = text('^[ -~]{1,64}$', '1 to 64 printable ASCII characters');
const ContractAddress = text('^[!-~]{0,128}$', 'at most 128 printable ASCII characters without blanks');
const Confirms = Type.Integer({ minimum: 0, maximum: CONFIRMS_MAX });

const CHAIN_NAMES = {
  chainId: text('^[a-z0-9][a-z0-9-]{0,31}$', '1 to 32 small letters, digits and hyphens'),
  chainName: text('^[A-Za-z0-9][A-Za-z0-9 ._-]{0,31}$', '1 to 32 letters, digits, blanks, points, _ and -'),
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
  market: text('^[!-~]{1,32}$', '1 to 32 printable ASCII characters without blanks'),
  isMarginEnabled: Type.Boolean(),
  enableTrading: Type.Boolean(),
};

const Places = Type.Integer({ minimum: 0, maximum: 18 });

/** What is left out of a new currency or symbol is filled in by reference-routes.ts. */
export const NEW_CURRENCY = {
  currency: CurrencyCode,
  precision: Places,
  scale: Places,
  ...Type.Partial(Type.Object({ ...NAMES, ...OTHER_CURRENCY_TERMS })).properties,
  chains: Type.Optional(Type.Array(NewChain, { maxItems: CHAINS_MAX })),
};
/** A changed chain must state all its terms: an omitted one would silently fall back to its default. */
export const CURRENCY_CHANGES = Type.Partial(
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
export const NEW_SYMBOL = {
  symbol: SymbolCode,
  baseCurrency: Text,
  quoteCurrency: Text,
  baseIncrement: Decimal,
  state: Type.Optional(MarketStates),
  ...SYMBOL_BOUNDS,
  ...Type.Partial(Type.Object({ name: Name, ...OTHER_SYMBOL_TERMS })).properties,
};
export const SYMBOL_CHANGES = Type.Partial(
  Type.Object({ name: Name, ...SYMBOL_BOUNDS, ...OTHER_SYMBOL_TERMS }),
).properties;

export type NewCurrency = Static<ReturnType<typeof Type.Object<typeof NEW_CURRENCY>>>;
export type NewSymbol = Static<ReturnType<typeof Type.Object<typeof NEW_SYMBOL>>>;

const count = (maximum: number) => Type.Optional(Type.Integer({ minimum: 1, maximum }));

export const LIMIT_CHANGES = {
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
export function checkChains(chains: readonly Chain[] = []): void {
  const seen = new Set<string>();
  for (const { chainId, chainName, withdrawalMinFee, withdrawMaxFee, confirms, preConfirms } of chains) {
    for (const name of new Set([chainId.toLowerCase(), chainName.toLowerCase()])) {
      if (seen.has(name))
        throw wrong(
          `chains: two chains are called '${shortened(name)}'; each needs an id and a name of its own.`,
        );
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
export function checkSymbolCode(code: string, base: Currency, quote: Currency): void {
  if (base.number === quote.number) {
    throw wrong(`quoteCurrency: ${quote.code} is the base currency; a symbol has two.`);
  }
  const follows = `${base.code}-${quote.code}`;
  if (code === follows) return;
  throw wrong(
    `symbol: '${shortened(code)}' is no symbol of ${base.code} and ${quote.code}; it must be ${follows}.`,
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
