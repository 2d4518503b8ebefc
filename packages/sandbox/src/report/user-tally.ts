/** Counts one user's orders, fills, slippage and rejections, in total and by symbol. */

import type { Fill, Outcome, Trade } from '@bourse/core';
import type { Counted } from './report.ts';

export class Counts {
  readonly #counts = new Map<string, number>();

  add(code: string): void {
    this.#counts.set(code, (this.#counts.get(code) ?? 0) + 1);
  }

  /** The most frequent first. */
  list(): Counted[] {
    const counted = Array.from(this.#counts, ([code, count]) => ({ code, count }));
    return counted.toSorted((one, other) => other.count - one.count || (one.code < other.code ? -1 : 1));
  }
}

export class SlippageSum {
  fills = 0;
  /** In units of the currency: the cost against the mid price, and the turnover. */
  cost = 0n;
  traded = 0n;

  add(cost: bigint, traded: bigint): void {
    this.fills += 1;
    this.cost += cost;
    this.traded += traded;
  }
}

export class SymbolTally {
  orders = 0;
  maker = 0;
  taker = 0;
  /** In units of size. */
  bought = 0n;
  sold = 0n;
  /** In units of the quote currency, like everything below. */
  turnover = 0n;
  fees = 0n;
  takerSlippage = 0n;
  makerSlippage = 0n;
}

export class UserTally {
  readonly done = new Counts();
  readonly refused = new Counts();
  readonly symbols = new Map<number, SymbolTally>();
  readonly slippage = { taker: new SlippageSum(), maker: new SlippageSum() };
  placed = 0;
  /** The value of the trades, in the report's currency. */
  makerTurnover = 0n;
  takerTurnover = 0n;

  place(symbol: number): void {
    this.placed += 1;
    this.symbol(symbol).orders += 1;
  }

  fill({ symbol, size, funds }: Trade, { liquidity, fee }: Fill, isBuy: boolean, worth: bigint | null): void {
    const tally = this.symbol(symbol);
    const isMaker = liquidity === 'maker';
    if (isMaker) tally.maker += 1;
    else tally.taker += 1;
    if (isBuy) tally.bought += BigInt(size);
    else tally.sold += BigInt(size);
    tally.turnover += funds;
    tally.fees += fee;
    if (isMaker) this.makerTurnover += worth ?? 0n;
    else this.takerTurnover += worth ?? 0n;
  }

  refuse(outcome: Outcome): void {
    const outcomes = outcome.kind === 'orders' ? outcome.outcomes : [outcome];
    for (const each of outcomes) if (each.kind === 'rejected') this.refused.add(each.rejection.code);
  }

  symbol(number: number): SymbolTally {
    let tally = this.symbols.get(number);
    if (tally === undefined) this.symbols.set(number, (tally = new SymbolTally()));
    return tally;
  }
}
