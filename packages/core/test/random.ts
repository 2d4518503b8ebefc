/** Random values for the tests of the core's small parts: the same from the same seed, with a liking for edges. */

import type { TestContext } from 'node:test';

const EDGE_BITS = [0, 1, 8, 16, 24, 26, 31, 32, 47, 48, 49, 50, 52, 53, 64, 72, 74, 75, 96, 99, 100];

export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed | 0;
  }

  /** 32 random bits (splitmix32). */
  bits(): number {
    this.state = (this.state + 0x9e3779b9) | 0;
    let mixed = this.state ^ (this.state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  }

  /** From 0 to below `end`, which is at most 2^53. */
  below(end: number): number {
    if (end <= 2 ** 32) return Math.floor((this.bits() / 2 ** 32) * end);
    const wide = (this.bits() >>> 11) * 2 ** 32 + this.bits();
    return wide % end;
  }

  range(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  chance(probability: number): boolean {
    return this.bits() < probability * 2 ** 32;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)];
  }

  /** At most 2^bitsMax: half the time of any length, half the time within 2 of a power of two. */
  big(bitsMax: number): bigint {
    const max = 1n << BigInt(bitsMax);
    if (this.chance(0.5)) {
      const near = (1n << BigInt(this.pick(EDGE_BITS))) + BigInt(this.below(5) - 2);
      return near < 0n ? 0n : near > max ? max - BigInt(this.below(3)) : near;
    }
    let value = 0n;
    for (let words = 0; words < 4; words++) value = (value << 32n) | BigInt(this.bits());
    return value >> BigInt(128 - this.range(0, bitsMax));
  }

  /** The same as a number below 2^bits; bits is at most 53. */
  units(bits: number): number {
    const value = Number(this.big(bits));
    return value < 2 ** bits ? value : 2 ** bits - 1;
  }
}

/** The seed of this test, told so that a failure can be seen again. */
export function seeded(context: TestContext, seed: number): Random {
  context.diagnostic(`seed ${seed}`);
  return new Random(seed);
}
