/** Fee rates. The most specific rule applies: user and symbol, user, symbol, everybody, then the default. */

import { RATE_DECIMALS, RATE_ONE, parseDecimal, toUnits } from '../values/amount.ts';
import type { RemoveFees, SetFees } from '../commands/commands.ts';
import type { EventBatch } from '../events/event-batch.ts';
import { type Rejection, reject } from '../commands/rejections.ts';
import { invalidValue } from '../values/checks.ts';

const ANY = -1;

/** In units of 10^-8. */
export interface Rates {
  readonly maker: number;
  readonly taker: number;
}

/** Apply where no rule does. */
export const DEFAULT_RATES: Rates = { maker: 100_000, taker: 100_000 };

export interface FeeRule extends Rates {
  /** -1: every user, every symbol. */
  readonly user: number;
  readonly symbol: number;
}

export class Fees {
  readonly #rules = new Map<string, FeeRule>();
  readonly #events: EventBatch;

  constructor(events: EventBatch) {
    this.#events = events;
  }

  /** `master` is the user whose rates apply: a sub-account has its master's. */
  ratesOf(master: number, symbol: number): Rates {
    return (
      this.#rules.get(key(master, symbol)) ??
      this.#rules.get(key(master, ANY)) ??
      this.#rules.get(key(ANY, symbol)) ??
      this.#rules.get(key(ANY, ANY)) ??
      DEFAULT_RATES
    );
  }

  /** The caller has checked user and symbol. */
  set(command: SetFees, isSubAccount: boolean): Rejection | null {
    const maker = parseRate(command.maker);
    if (maker < 0) return invalidRate('maker', command.maker);
    const taker = parseRate(command.taker);
    if (taker < 0) return invalidRate('taker', command.taker);
    const user = command.user ?? ANY;
    if (isSubAccount) return reject('not-a-master', { user });
    if (maker > taker) return reject('maker-above-taker', { maker: command.maker, taker: command.taker });
    const rule = { user, symbol: command.symbol ?? ANY, maker, taker };
    this.restore(rule);
    this.#events.rare({ kind: 'fees-set', ...rule });
    return null;
  }

  remove(command: RemoveFees): Rejection | null {
    const { user = ANY, symbol = ANY } = command;
    if (!this.#rules.has(key(user, symbol))) return reject('fee-rule-unknown', { user, symbol });
    this.#drop(user, symbol);
    return null;
  }

  /** Removes all rules for the symbol. */
  removeOf(symbol: number): void {
    for (const rule of this.list()) if (rule.symbol === symbol) this.#drop(rule.user, symbol);
  }

  #drop(user: number, symbol: number): void {
    this.#rules.delete(key(user, symbol));
    this.#events.rare({ kind: 'fees-removed', user, symbol });
  }

  restore(rule: FeeRule): void {
    this.#rules.set(key(rule.user, rule.symbol), rule);
  }

  /** By user, then symbol, so that the order does not depend on when they were set. */
  list(): FeeRule[] {
    return [...this.#rules.values()].toSorted((a, b) => a.user - b.user || a.symbol - b.symbol);
  }
}

const key = (user: number, symbol: number) => `${user} ${symbol}`;

function parseRate(text: string): number {
  const decimal = parseDecimal(text);
  const rate = decimal && toUnits(decimal, RATE_DECIMALS);
  return rate === null || rate > BigInt(RATE_ONE) ? -1 : Number(rate);
}

function invalidRate(field: string, value: string): Rejection {
  return invalidValue(field, value, `a decimal of at most ${RATE_DECIMALS} places, at most 1`);
}
