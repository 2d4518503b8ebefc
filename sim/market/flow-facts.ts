/** The market orders of one symbol: sizes and sides. */

import type { Command, Exchange } from '@bourse/core';
import type { Bands } from './bands.ts';
import { autocorrelation, mean } from './statistics.ts';

/** The share of the largest sizes that is used to estimate the tail exponent (Hill). */
const TAIL_SHARE = 0.02;

type Named = readonly [name: string, value: number, band: readonly [number, number]];

export class OrderFlow {
  readonly #code: string;
  readonly #symbol: number;
  readonly #sizes: number[] = [];
  readonly #sides: number[] = [];

  constructor({ reference }: Exchange, code: string) {
    this.#code = code;
    this.#symbol = reference.symbolNumber(code);
  }

  see(commands: readonly Command[]): void {
    for (const command of commands) {
      if (command.kind !== 'place-order' || command.symbol !== this.#symbol) continue;
      if (command.type !== 'market' || command.size === undefined) continue;
      this.#sizes.push(command.size);
      this.#sides.push(command.side === 'buy' ? 1 : -1);
    }
  }

  facts(bands: Bands): Named[] {
    const round = this.#sizes.filter((size) => /^[1-9]\d?0*$/.test(String(size))).length / this.#sizes.length;
    const signs = (from: number, to: number) =>
      mean(Array.from({ length: to - from + 1 }, (_, at) => autocorrelation(this.#sides, from + at)));
    const of = (name: string) => `${this.#code} market orders: ${name}`;
    return [
      [of('exponent of the tail of sizes'), tailExponent(this.#sizes), bands.tail],
      [of('sizes with one or two digits'), round, bands.round],
      [of('autocorrelation of sides, lag 1'), signs(1, 1), bands.signs1],
      [of('the same, mean of lags 5 to 15'), signs(5, 15), bands.signs10],
      [of('the same, mean of lags 50 to 150'), signs(50, 150), bands.signs100],
    ];
  }
}

function tailExponent(sizes: readonly number[]): number {
  const sorted = sizes.toSorted((one, other) => other - one);
  const count = Math.max(2, Math.floor(sorted.length * TAIL_SHARE));
  const least = sorted[count] as number;
  return 1 / mean(sorted.slice(0, count).map((size) => Math.log(size / least)));
}
