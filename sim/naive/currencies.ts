/** Currencies and their chains. */

import type {
  AddCurrency,
  ChangeCurrency,
  Chain,
  RemoveCurrency,
} from '../../packages/core/src/commands/commands.ts';
import type { Outcome } from '../../packages/core/src/commands/outcomes.ts';
import type { Rejection } from '../../packages/core/src/commands/rejections.ts';
import { parseDecimal } from './decimal.ts';
import {
  accepted,
  checkCurrency,
  checkInteger,
  checkText,
  refuse,
  refused,
  valueInvalid,
} from './refusal.ts';
import type { Currency, State } from './state.ts';

const SCALE_MAX = 18;
const RATE_PLACES = 8;

export function addCurrency(state: State, command: AddCurrency): Outcome {
  const { code, precision, scale } = command;
  const wrong =
    checkText('code', code, 1, 20, 'code') ??
    checkText('name', command.name, 1, 64, 'printable') ??
    checkText('fullName', command.fullName, 1, 64, 'printable') ??
    checkInteger('precision', precision, 0, SCALE_MAX) ??
    checkInteger('scale', scale, precision, SCALE_MAX) ??
    checkChains(command.chains, scale);
  if (wrong !== null) return refused(wrong);
  if (state.currencies.some((each) => each.code === code && !each.removed))
    return refuse('code-taken', { taken: code });

  const currency: Currency = {
    number: state.currencies.length,
    code,
    precision,
    scale,
    name: command.name,
    fullName: command.fullName,
    confirms: command.confirms,
    contractAddress: command.contractAddress,
    isMarginEnabled: command.isMarginEnabled,
    isDebitEnabled: command.isDebitEnabled,
    chains: command.chains.map((chain) => ({ ...chain })),
    removed: false,
  };
  state.currencies.push(currency);
  emitCurrency(state, currency);
  return { kind: 'added', id: currency.number };
}

export function changeCurrency(state: State, command: ChangeCurrency): Outcome {
  const unknown = checkCurrency(state, command.currency);
  if (unknown !== null) return refused(unknown);
  const currency = state.currencies[command.currency]!;
  const { name, fullName, confirms, contractAddress, isMarginEnabled, isDebitEnabled, chains } = command;
  const wrong =
    (name === undefined ? null : checkText('name', name, 1, 64, 'printable')) ??
    (fullName === undefined ? null : checkText('fullName', fullName, 1, 64, 'printable')) ??
    (chains === undefined ? null : checkChains(chains, currency.scale));
  if (wrong !== null) return refused(wrong);

  if (name !== undefined) currency.name = name;
  if (fullName !== undefined) currency.fullName = fullName;
  // null is a valid value here: it removes the number of confirmations or the address.
  if (confirms !== undefined) currency.confirms = confirms;
  if (contractAddress !== undefined) currency.contractAddress = contractAddress;
  if (isMarginEnabled !== undefined) currency.isMarginEnabled = isMarginEnabled;
  if (isDebitEnabled !== undefined) currency.isDebitEnabled = isDebitEnabled;
  if (chains !== undefined) currency.chains = chains.map((chain) => ({ ...chain }));
  emitCurrency(state, currency);
  return accepted;
}

export function removeCurrency(state: State, { currency: number }: RemoveCurrency): Outcome {
  const unknown = checkCurrency(state, number);
  if (unknown !== null) return refused(unknown);
  const currency = state.currencies[number]!;
  const used = currency.code;
  const isTraded = state.instruments.some(
    (instrument) => !instrument.removed && (instrument.base === number || instrument.quote === number),
  );
  if (isTraded) return refuse('code-in-use', { used, by: 'symbols' });
  if (state.usedCurrencies.has(number)) return refuse('code-in-use', { used, by: 'accounts' });
  if (state.addresses.some((address) => address.currency === number)) {
    return refuse('code-in-use', { used, by: 'addresses' });
  }
  currency.removed = true;
  state.events.push({ kind: 'currency-removed', currency: number, code: used });
  return accepted;
}

function checkChains(chains: readonly Chain[], scale: number): Rejection | null {
  for (const chain of chains) {
    const wrong =
      (chain.depositMinSize === null
        ? null
        : checkDecimal('depositMinSize', chain.depositMinSize, scale, false)) ??
      checkDecimal('depositFeeRate', chain.depositFeeRate, RATE_PLACES, true) ??
      checkDecimal('withdrawalMinSize', chain.withdrawalMinSize, scale, false) ??
      checkDecimal('withdrawalMinFee', chain.withdrawalMinFee, scale, false) ??
      checkDecimal('withdrawFeeRate', chain.withdrawFeeRate, RATE_PLACES, true) ??
      checkDecimal('withdrawMaxFee', chain.withdrawMaxFee, scale, true);
    if (wrong !== null) return wrong;
  }
  return null;
}

function checkDecimal(
  field: string,
  text: string,
  placesMax: number,
  emptyIsFine: boolean,
): Rejection | null {
  if (emptyIsFine && !text) return null;
  const decimal = parseDecimal(text);
  if (decimal !== null && decimal.places <= placesMax) return null;
  return valueInvalid(field, text, `a decimal of at most ${placesMax} places`);
}

function emitCurrency(state: State, currency: Currency): void {
  state.events.push({
    kind: 'currency-set',
    currency: currency.number,
    code: currency.code,
    precision: currency.precision,
    scale: currency.scale,
    name: currency.name,
    fullName: currency.fullName,
    confirms: currency.confirms,
    contractAddress: currency.contractAddress,
    isMarginEnabled: currency.isMarginEnabled,
    isDebitEnabled: currency.isDebitEnabled,
    chains: currency.chains.map((chain) => ({ ...chain })),
  });
}
