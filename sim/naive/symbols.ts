/** Symbols: their terms as text, the rules derived from them in units, and the state of their market. */

import type {
  AddSymbol,
  ChangeSymbol,
  MarketState,
  RemoveSymbol,
  SetMarketState,
  SymbolTerms,
} from '../../packages/core/src/commands/commands.ts';
import type { Outcome } from '../../packages/core/src/commands/outcomes.ts';
import { reject, type Rejection } from '../../packages/core/src/commands/rejections.ts';
import { inUnits, parseDecimal, power10, type Decimal } from './decimal.ts';
import type { Instrument, Rules } from './instrument.ts';
import {
  accepted,
  checkCurrency,
  checkOneOf,
  checkSymbol,
  checkText,
  refuse,
  refused,
  valueInvalid,
} from './refusal.ts';
import type { State } from './state.ts';

const UNITS_END = 2n ** 50n;
const FUNDS_END = 2n ** 100n;

export function addSymbol(state: State, command: AddSymbol): Outcome {
  const { code, base, quote, baseIncrement, state: first = 'open' } = command;
  const wrong =
    checkCurrency(state, base) ??
    checkCurrency(state, quote) ??
    checkText('code', code, 1, 41, 'code') ??
    checkNames(command) ??
    (quote === base ? valueInvalid('quote', quote, 'a currency other than the base') : null) ??
    checkState(first) ??
    checkDecimals(baseIncrement, command);
  if (wrong !== null) return refused(wrong);
  const rules = rulesOf(state, base, quote, baseIncrement, command);
  if ('code' in rules && rules.code === 'value-invalid') return refused(rules);
  if (state.instruments.some((each) => each.code === code && !each.removed))
    return refuse('code-taken', { taken: code });
  if ('code' in rules) return refused(rules);

  const instrument: Instrument = {
    symbol: state.instruments.length,
    code,
    base,
    quote,
    baseIncrement,
    terms: command,
    rules,
    state: first,
    auction: null,
    paused: state.paused,
    removed: false,
    bids: [],
    asks: [],
    stops: [],
    lastPrice: null,
    trades: 0,
    bookChanges: 0,
  };
  state.instruments.push(instrument);
  emitSymbol(state, instrument);
  return { kind: 'added', id: instrument.symbol };
}

/** Why a change would be rejected now. */
export function checkChange(state: State, command: ChangeSymbol): Rejection | null {
  const changed = changedTerms(state, command);
  return 'code' in changed ? changed : null;
}

export function changeSymbol(state: State, command: ChangeSymbol): Outcome {
  const changed = changedTerms(state, command);
  if ('code' in changed) return refused(changed);
  const instrument = state.instruments[command.symbol]!;
  instrument.terms = changed.terms;
  instrument.rules = changed.rules;
  state.stirred.add(instrument.symbol);
  emitSymbol(state, instrument);
  return accepted;
}

function changedTerms(
  state: State,
  command: ChangeSymbol,
): Rejection | { readonly terms: SymbolTerms; readonly rules: Rules } {
  const unknown = checkSymbol(state, command.symbol);
  if (unknown !== null) return unknown;
  const instrument = state.instruments[command.symbol]!;
  const old = instrument.terms;
  const terms: SymbolTerms = {
    name: command.name ?? old.name,
    market: command.market ?? old.market,
    baseMinSize: command.baseMinSize ?? old.baseMinSize,
    baseMaxSize: command.baseMaxSize ?? old.baseMaxSize,
    quoteMinSize: command.quoteMinSize ?? old.quoteMinSize,
    quoteMaxSize: command.quoteMaxSize ?? old.quoteMaxSize,
    quoteIncrement: command.quoteIncrement ?? old.quoteIncrement,
    priceIncrement: command.priceIncrement ?? old.priceIncrement,
    priceLimitRate: command.priceLimitRate ?? old.priceLimitRate,
    minFunds: command.minFunds ?? old.minFunds,
    isMarginEnabled: command.isMarginEnabled ?? old.isMarginEnabled,
    enableTrading: command.enableTrading ?? old.enableTrading,
  };
  const wrong = checkNames(terms) ?? checkDecimals(instrument.baseIncrement, terms);
  if (wrong !== null) return wrong;
  const rules = rulesOf(state, instrument.base, instrument.quote, instrument.baseIncrement, terms);
  return 'code' in rules ? rules : { terms, rules };
}

export function setMarketState(state: State, command: SetMarketState): Outcome {
  const wrong = checkSymbol(state, command.symbol) ?? checkState(command.state);
  if (wrong !== null) return refused(wrong);
  const instrument = state.instruments[command.symbol]!;
  const { symbol } = instrument;
  if (instrument.auction !== null) return refuse('in-auction', { symbol });
  const doesMatch = command.state === 'open' || command.state === 'post-only';
  if (doesMatch && isBookCrossed(instrument)) return refuse('book-crossed', { symbol });
  instrument.state = command.state;
  state.stirred.add(symbol);
  emitSymbol(state, instrument);
  return accepted;
}

export function isBookCrossed({ bids, asks }: Instrument): boolean {
  return bids.length > 0 && asks.length > 0 && bids[0]!.price >= asks[0]!.price;
}

export function setPaused(state: State, paused: boolean): Outcome {
  if (state.paused === paused) return refuse(paused ? 'paused-already' : 'not-paused', {});
  state.paused = paused;
  for (const instrument of state.instruments) {
    instrument.paused = paused;
    if (!paused) state.stirred.add(instrument.symbol);
  }
  state.events.push({ kind: 'pause-set', isPaused: paused });
  return accepted;
}

/** Only without pending stop orders, and if its book never changed. */
export function removeSymbol(state: State, { symbol }: RemoveSymbol): Outcome {
  const unknown = checkSymbol(state, symbol);
  if (unknown !== null) return refused(unknown);
  const instrument = state.instruments[symbol]!;
  const waiting = instrument.bids.length + instrument.asks.length + instrument.stops.length;
  if (waiting > 0 || instrument.trades > 0 || instrument.bookChanges > 0) {
    return refuse('code-in-use', { used: instrument.code, by: 'orders' });
  }
  if (instrument.auction !== null) return refuse('in-auction', { symbol });
  const rules = [...state.rates.keys()].filter((key) => key.endsWith(`/${symbol}`));
  const users = rules.map((key) => Number(key.split('/')[0])).toSorted((one, other) => one - other);
  for (const user of users) {
    state.rates.delete(`${user}/${symbol}`);
    state.events.push({ kind: 'fees-removed', user, symbol });
  }
  instrument.removed = true;
  state.events.push({ kind: 'symbol-removed', symbol, code: instrument.code });
  return accepted;
}

function checkState(state: MarketState): Rejection | null {
  return checkOneOf('state', state, ['open', 'post-only', 'cancel-only', 'halted', 'delisted']);
}

function checkNames(terms: SymbolTerms): Rejection | null {
  return (
    checkText('name', terms.name, 1, 64, 'printable') ?? checkText('market', terms.market, 1, 32, 'printable')
  );
}

function checkDecimals(baseIncrement: string, terms: SymbolTerms): Rejection | null {
  return (
    checkDecimal('baseIncrement', baseIncrement) ??
    checkDecimal('baseMinSize', terms.baseMinSize) ??
    checkDecimal('baseMaxSize', terms.baseMaxSize) ??
    checkDecimal('quoteMinSize', terms.quoteMinSize) ??
    checkDecimal('quoteMaxSize', terms.quoteMaxSize) ??
    checkDecimal('quoteIncrement', terms.quoteIncrement) ??
    checkDecimal('priceIncrement', terms.priceIncrement) ??
    checkDecimal('priceLimitRate', terms.priceLimitRate) ??
    checkDecimal('minFunds', terms.minFunds)
  );
}

function checkDecimal(field: string, text: string): Rejection | null {
  return parseDecimal(text) === null ? valueInvalid(field, text, 'a decimal') : null;
}

/** Whether a value is below 2^50 units, even if it is finer than a unit or the unit is above 1. */
function isBelowEnd(value: Decimal, decimals: number): boolean {
  if (decimals < 0) return value.digits < UNITS_END * power10(value.places - decimals);
  return value.digits * power10(decimals) < UNITS_END * power10(value.places);
}

/**
 * The terms in units, or the rejection: first values out of range, then inexact amounts. They are known to be
 * decimals.
 */
function rulesOf(
  state: State,
  base: number,
  quote: number,
  baseIncrement: string,
  terms: SymbolTerms,
): Rules | Rejection {
  const baseScale = state.currencies[base]!.scale;
  const quoteScale = state.currencies[quote]!.scale;
  const { priceIncrement: priceText } = terms;
  const sizeDecimals = parseDecimal(baseIncrement)!.places;
  const priceDecimals = quoteScale - sizeDecimals;

  const increment = inUnits(parseDecimal(baseIncrement)!, sizeDecimals)!;
  if (increment === 0n || increment >= UNITS_END) {
    return valueInvalid('baseIncrement', baseIncrement, 'above 0 and below 2^50 units');
  }
  const priceStep = parseDecimal(priceText)!;
  if (priceStep.digits === 0n || !isBelowEnd(priceStep, priceDecimals)) {
    return valueInvalid('priceIncrement', priceText, 'above 0 and below 2^50 units');
  }
  const quoteIncrement = inUnits(parseDecimal(terms.quoteIncrement)!, quoteScale);
  if (quoteIncrement === null || quoteIncrement === 0n || quoteIncrement >= 2n ** 100n) {
    return valueInvalid('quoteIncrement', terms.quoteIncrement, 'above 0, no finer than the quote scale');
  }

  const sizeMin = inUnits(parseDecimal(terms.baseMinSize)!, sizeDecimals);
  if (sizeMin === null || sizeMin === 0n || sizeMin % increment !== 0n) {
    return valueInvalid('baseMinSize', terms.baseMinSize, 'a positive multiple of baseIncrement');
  }
  const sizeMax = inUnits(parseDecimal(terms.baseMaxSize)!, sizeDecimals);
  if (sizeMax === null || sizeMax < sizeMin || sizeMax % increment !== 0n || sizeMax >= UNITS_END) {
    return valueInvalid(
      'baseMaxSize',
      terms.baseMaxSize,
      'a multiple of baseIncrement, from baseMinSize to below 2^50 units',
    );
  }

  const expected = 'no finer than the quote scale, below 2^100 units';
  const fundsMin = inUnits(parseDecimal(terms.quoteMinSize)!, quoteScale);
  if (fundsMin === null || fundsMin >= FUNDS_END) {
    return valueInvalid('quoteMinSize', terms.quoteMinSize, expected);
  }
  const fundsMax = inUnits(parseDecimal(terms.quoteMaxSize)!, quoteScale);
  if (fundsMax === null || fundsMax < fundsMin || fundsMax >= FUNDS_END) {
    return valueInvalid('quoteMaxSize', terms.quoteMaxSize, `at least quoteMinSize, ${expected}`);
  }
  const minFunds = inUnits(parseDecimal(terms.minFunds)!, quoteScale);
  if (minFunds === null || minFunds >= FUNDS_END) return valueInvalid('minFunds', terms.minFunds, expected);
  const priceLimitRate = inUnits(parseDecimal(terms.priceLimitRate)!, 6);
  if (priceLimitRate === null || priceLimitRate > 1_000_000_000n) {
    return valueInvalid('priceLimitRate', terms.priceLimitRate, 'at most 1000, at most 6 places');
  }

  const priceIncrement = inUnits(priceStep, priceDecimals);
  if (priceDecimals < 0 || priceIncrement === null || sizeDecimals > baseScale) {
    return reject('amounts-inexact', { priceIncrement: priceText, baseIncrement, quoteScale });
  }
  return {
    sizeDecimals,
    priceDecimals,
    sizeUnit: power10(baseScale - sizeDecimals),
    sizeIncrement: Number(increment),
    sizeMin: Number(sizeMin),
    sizeMax: Number(sizeMax),
    priceIncrement: Number(priceIncrement),
    fundsIncrement: quoteIncrement,
    fundsMin,
    fundsMax,
    minFunds,
    priceLimitRate,
  };
}

export function emitSymbol(state: State, instrument: Instrument): void {
  const { terms, rules } = instrument;
  state.events.push({
    kind: 'symbol-set',
    symbol: instrument.symbol,
    code: instrument.code,
    base: instrument.base,
    quote: instrument.quote,
    sizeDecimals: rules.sizeDecimals,
    priceDecimals: rules.priceDecimals,
    baseIncrement: instrument.baseIncrement,
    state: instrument.state,
    name: terms.name,
    market: terms.market,
    baseMinSize: terms.baseMinSize,
    baseMaxSize: terms.baseMaxSize,
    quoteMinSize: terms.quoteMinSize,
    quoteMaxSize: terms.quoteMaxSize,
    quoteIncrement: terms.quoteIncrement,
    priceIncrement: terms.priceIncrement,
    priceLimitRate: terms.priceLimitRate,
    minFunds: terms.minFunds,
    isMarginEnabled: terms.isMarginEnabled,
    enableTrading: terms.enableTrading,
  });
}
