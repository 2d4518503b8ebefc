/**
 * A cache of rarely changing facts for the agents: their user numbers, and the symbols' terms. It
 * is filled once; its owner invalidates it after a change.
 */

import type { Exchange } from '@bourse/core';
import { AGENTS, capitalIn } from './agents.ts';
import { LivingSymbol } from './living-symbol.ts';
import { WrittenStates } from './market-state.ts';

export class Surroundings {
  readonly exchange: Exchange;
  readonly written = new WrittenStates();
  #users: ReadonlyMap<string, number> | null = null;
  readonly #symbols = new Map<string, LivingSymbol>();
  readonly #capitals = new Map<string, number>();

  constructor(exchange: Exchange) {
    this.exchange = exchange;
  }

  /** Users or symbols have changed. */
  forget(): void {
    this.#users = null;
    this.#symbols.clear();
  }

  /** The agent's number as a user. */
  user(name: string): number {
    this.#users ??= new Map(this.exchange.reference.users.map((user, number) => [user.name, number]));
    const number = this.#users.get(name);
    if (number === undefined) throw new Error(`there is no user ${name}: the market has not begun`);
    return number;
  }

  symbol(code: string): LivingSymbol {
    let symbol = this.#symbols.get(code);
    if (symbol === undefined) {
      symbol = new LivingSymbol(this.exchange, this.exchange.reference.symbolNumber(code));
      this.#symbols.set(code, symbol);
    }
    return symbol;
  }

  /** A maker's initial amount of the currency, in its units. */
  makerCapital(code: string): number {
    let capital = this.#capitals.get(code);
    if (capital === undefined) {
      capital = Number(capitalIn(this.exchange, code, AGENTS[0].capital));
      this.#capitals.set(code, capital);
    }
    return capital;
  }
}
