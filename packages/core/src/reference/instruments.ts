/** All instruments: adding symbols, changing their terms while orders rest, and their states. */

import { assert, pick, checkCode, checkPrintable, invalidValue } from '../values/checks.ts';
import type { AddSymbol, ChangeSymbol, MarketState, SymbolTerms } from '../commands/commands.ts';
import type { EventBatch } from '../events/event-batch.ts';
import type { SymbolSet } from '../events/events.ts';
import type { Book } from '../matching/book/book.ts';
import { SYMBOLS_END } from '../matching/orders/trader-table.ts';
import { firstOf, type Rejection, reject } from '../commands/rejections.ts';
import type { Currencies } from './currencies.ts';
import { checkDecimals, makeRules, Instrument, type Rules, type SymbolIdentity } from './instrument.ts';

const CODE_LENGTH_MAX = 41;
const NAME_LENGTH_MAX = 64;
const MARKET_LENGTH_MAX = 32;
const TERMS = [
  'name',
  'market',
  'baseMinSize',
  'baseMaxSize',
  'quoteMinSize',
  'quoteMaxSize',
  'quoteIncrement',
  'priceIncrement',
  'priceLimitRate',
  'minFunds',
  'isMarginEnabled',
  'enableTrading',
] as const satisfies readonly (keyof SymbolTerms)[];
/** States that an operator sets directly; `auction` has its own command. */
const STATES: readonly MarketState[] = ['open', 'post-only', 'cancel-only', 'halted', 'delisted'];

export class Instruments {
  readonly all: Instrument[] = [];
  isPaused = false;
  readonly #byCode = new Map<string, Instrument>();
  readonly #events: EventBatch;
  readonly #currencies: Currencies;
  readonly #makeBook: (symbol: number, tick: number) => Book;

  constructor(events: EventBatch, currencies: Currencies, makeBook: (symbol: number, tick: number) => Book) {
    this.#events = events;
    this.#currencies = currencies;
    this.#makeBook = makeBook;
  }

  numberOf(code: string): number {
    return this.#byCode.get(code)?.number ?? -1;
  }

  unknown(symbol: number): Rejection | null {
    const instrument = this.all[symbol];
    return instrument && !instrument.removed ? null : reject('symbol-unknown', { symbol });
  }

  add(command: AddSymbol): Rejection | number {
    const { code, base, quote, baseIncrement, state = 'open' } = command;
    const refused =
      this.#currencies.unknown(base) ??
      this.#currencies.unknown(quote) ??
      checkCode(code, CODE_LENGTH_MAX) ??
      checkNames(command) ??
      (base === quote ? invalidValue('quote', quote, 'a currency other than base') : null) ??
      this.checkState(state) ??
      checkDecimals(baseIncrement, command);
    if (refused) return refused;
    const number = this.all.length;
    if (number === SYMBOLS_END - 1) return invalidValue('code', code, `at most ${SYMBOLS_END} symbols`);
    const { all } = this.#currencies;
    const identity = { code, base: all[base], quote: all[quote], baseIncrement };
    const rules = makeRules(identity, command);
    const unfit = 'code' in rules ? rules : null;
    const taken = this.#byCode.has(code) ? reject('code-taken', { taken: code }) : null;
    const wrong = firstOf(unfit, taken);
    if (wrong) return wrong;
    this.#emit(this.restore(number, identity, termsOf(command), state));
    return number;
  }

  change(command: ChangeSymbol): Rejection | null {
    const changed = this.#changed(command);
    if ('code' in changed) return changed;
    const instrument = this.all[command.symbol];
    instrument.terms = changed.terms;
    instrument.rules = changed.rules;
    this.#emit(instrument);
    return null;
  }

  /** The rejection that the change would get now. */
  checkChange(command: ChangeSymbol): Rejection | null {
    const changed = this.#changed(command);
    return 'code' in changed ? changed : null;
  }

  #changed(command: ChangeSymbol): Rejection | { terms: SymbolTerms; rules: Rules } {
    const refused = this.unknown(command.symbol);
    if (refused) return refused;
    const { identity, terms: before } = this.all[command.symbol];
    const terms = termsOf({ ...before, ...pick(command, TERMS) });
    const wrong = checkNames(terms) ?? checkDecimals(identity.baseIncrement, terms);
    if (wrong) return wrong;
    const rules = makeRules(identity, terms);
    return 'code' in rules ? rules : { terms, rules };
  }

  checkState(state: MarketState): Rejection | null {
    return STATES.includes(state) ? null : invalidValue('state', state, STATES.join(', '));
  }

  enter(instrument: Instrument, state: MarketState): void {
    instrument.state = state;
    this.#emit(instrument);
  }

  /** The caller has checked that it was never used. */
  remove(instrument: Instrument): void {
    const { code } = instrument.identity;
    instrument.removed = true;
    this.#byCode.delete(code);
    this.#events.rare({ kind: 'symbol-removed', symbol: instrument.number, code });
  }

  /** Whether a symbol uses the currency. */
  names(currency: number): boolean {
    return this.all.some(
      ({ removed, identity: { base, quote } }) =>
        !removed && (base.number === currency || quote.number === currency),
    );
  }

  /** Adds an instrument, new or from a snapshot; its terms have been validated. */
  restore(
    number: number,
    identity: SymbolIdentity,
    terms: SymbolTerms,
    state: MarketState,
    removed = false,
  ): Instrument {
    const rules = makeRules(identity, terms);
    assert(!('code' in rules), 'a symbol that was accepted has rules');
    const instrument = new Instrument(
      number,
      identity,
      terms,
      rules,
      this.#makeBook(number, rules.priceIncrement),
    );
    instrument.state = state;
    instrument.isPaused = this.isPaused;
    instrument.removed = removed;
    this.all[number] = instrument;
    if (!removed) this.#byCode.set(identity.code, instrument);
    return instrument;
  }

  #emit(instrument: Instrument): void {
    this.#events.rare(describe(instrument));
  }
}

export function describe(instrument: Instrument): SymbolSet {
  const { code, base, quote, baseIncrement } = instrument.identity;
  return {
    kind: 'symbol-set',
    symbol: instrument.number,
    code,
    base: base.number,
    quote: quote.number,
    sizeDecimals: instrument.rules.sizeDecimals,
    priceDecimals: instrument.rules.priceDecimals,
    baseIncrement,
    state: instrument.state,
    ...instrument.terms,
  };
}

/** Only the terms, without other fields of the object. */
const termsOf = (from: SymbolTerms): SymbolTerms => pick(from, TERMS);

function checkNames(terms: SymbolTerms): Rejection | null {
  return (
    checkPrintable('name', terms.name, 1, NAME_LENGTH_MAX) ??
    checkPrintable('market', terms.market, 1, MARKET_LENGTH_MAX)
  );
}
