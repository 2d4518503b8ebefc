/** Currencies with their chains. Code, precision and scale are permanent; the rest may change. */

import type { AddCurrency, Chain, ChangeCurrency, CurrencyTerms } from '../commands/commands.ts';
import { parseDecimal, RATE_DECIMALS, toUnits } from '../values/amount.ts';
import type { EventBatch } from '../events/event-batch.ts';
import { CURRENCIES_END } from '../events/event-rows.ts';
import { pick, checkCode, checkPrintable, invalidValue } from '../values/checks.ts';
import { type Rejection, reject } from '../commands/rejections.ts';

const SCALE_MAX = 18;
const CODE_LENGTH_MAX = 20;
const NAME_LENGTH_MAX = 64;

const TERMS = [
  'name',
  'fullName',
  'confirms',
  'contractAddress',
  'isMarginEnabled',
  'isDebitEnabled',
] as const satisfies readonly (keyof CurrencyTerms)[];
const CHAIN = [
  'chainId',
  'chainName',
  'depositMinSize',
  'depositFeeRate',
  'withdrawalMinSize',
  'withdrawalMinFee',
  'withdrawFeeRate',
  'withdrawMaxFee',
  'isWithdrawEnabled',
  'isDepositEnabled',
  'confirms',
  'preConfirms',
  'contractAddress',
] as const satisfies readonly (keyof Chain)[];

export interface Currency extends CurrencyTerms {
  readonly number: number;
  readonly code: string;
  readonly precision: number;
  readonly scale: number;
  /** Removed, which is possible only if it was never used. Its entry stays, so that numbers stay valid. */
  readonly removed?: true;
}

/** Deposits, withdrawals and transfers are multiples of this many units. */
export function movementUnit(currency: Currency): bigint {
  return 10n ** BigInt(currency.scale - currency.precision);
}

/** A decimal of reference data that has been validated; '' and null count as 0. */
export function amountOf(text: string | null, scale: number): bigint {
  const decimal = parseDecimal(text || '0');
  return (decimal && toUnits(decimal, scale)) ?? 0n;
}

export const rateOf = (text: string): bigint => amountOf(text, RATE_DECIMALS);

export class Currencies {
  readonly all: Currency[] = [];
  readonly #byCode = new Map<string, Currency>();
  readonly #events: EventBatch;

  constructor(events: EventBatch) {
    this.#events = events;
  }

  numberOf(code: string): number {
    return this.#byCode.get(code)?.number ?? -1;
  }

  unknown(currency: number): Rejection | null {
    const found = this.all[currency];
    return found && !found.removed ? null : reject('currency-unknown', { currency });
  }

  add(command: AddCurrency): Rejection | number {
    const { code, precision, scale } = command;
    const refused =
      checkCode(code, CODE_LENGTH_MAX) ??
      checkNames(command) ??
      checkPrecision('precision', precision, 0) ??
      checkPrecision('scale', scale, precision) ??
      checkChains(command.chains, scale);
    if (refused) return refused;
    if (this.#byCode.has(code)) return reject('code-taken', { taken: code });
    if (this.all.length === CURRENCIES_END - 1)
      return invalidValue('code', code, `at most ${CURRENCIES_END} currencies`);
    const number = this.all.length;
    this.#set({ number, code, precision, scale, ...termsOf(command) });
    return number;
  }

  change(command: ChangeCurrency): Rejection | null {
    const refused = this.unknown(command.currency);
    if (refused) return refused;
    const currency = this.all[command.currency];
    const changed = { ...currency, ...termsOf({ ...currency, ...pick(command, [...TERMS, 'chains']) }) };
    const wrong = checkNames(changed) ?? checkChains(changed.chains, currency.scale);
    if (wrong) return wrong;
    this.#set(changed);
    return null;
  }

  /** The caller has checked that nothing refers to it. */
  remove(number: number): void {
    const { code } = this.all[number];
    this.#byCode.delete(code);
    this.all[number] = { ...this.all[number], removed: true };
    this.#events.rare({ kind: 'currency-removed', currency: number, code });
  }

  /** Restores a currency from a snapshot. */
  restore(currency: Currency): void {
    this.all[currency.number] = currency;
    if (!currency.removed) this.#byCode.set(currency.code, currency);
  }

  #set(currency: Currency): void {
    this.restore(currency);
    const { number, code, precision, scale } = currency;
    this.#events.rare({
      kind: 'currency-set',
      currency: number,
      code,
      precision,
      scale,
      ...termsOf(currency),
    });
  }
}

/** Only the terms, without other fields of the object. */
function termsOf(from: CurrencyTerms): CurrencyTerms {
  return { ...pick(from, TERMS), chains: from.chains.map((chain) => pick(chain, CHAIN)) };
}

function checkNames(terms: CurrencyTerms): Rejection | null {
  return (
    checkPrintable('name', terms.name, 1, NAME_LENGTH_MAX) ??
    checkPrintable('fullName', terms.fullName, 1, NAME_LENGTH_MAX)
  );
}

function checkPrecision(field: string, value: number, min: number): Rejection | null {
  return Number.isInteger(value) && value >= min && value <= SCALE_MAX
    ? null
    : invalidValue(field, value, `an integer from ${min} to ${SCALE_MAX}`);
}

function checkChains(chains: readonly Chain[], scale: number): Rejection | null {
  for (const chain of chains) {
    const amounts: [string, string | null, number][] = [
      ['depositMinSize', chain.depositMinSize, scale],
      ['depositFeeRate', chain.depositFeeRate || null, RATE_DECIMALS],
      ['withdrawalMinSize', chain.withdrawalMinSize, scale],
      ['withdrawalMinFee', chain.withdrawalMinFee, scale],
      ['withdrawFeeRate', chain.withdrawFeeRate || null, RATE_DECIMALS],
      ['withdrawMaxFee', chain.withdrawMaxFee || null, scale],
    ];
    for (const [field, text, places] of amounts) {
      if (text === null) continue;
      const decimal = parseDecimal(text);
      if (!decimal || decimal.decimals > places) {
        return invalidValue(field, text, `a decimal of at most ${places} places`);
      }
    }
  }
  return null;
}

/** The chains of a currency, by id. */
export function findChain(currency: Currency, chainId: string): Chain | undefined {
  return currency.chains.find((chain) => chain.chainId === chainId);
}

export function unknownChain(currency: Currency, chain: string): Rejection | null {
  if (findChain(currency, chain)) return null;
  return reject('chain-unknown', { chain, known: currency.chains.map((known) => known.chainId) });
}
