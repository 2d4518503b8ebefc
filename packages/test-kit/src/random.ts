import type { TestContext } from 'node:test';

/** Lengths in bits near which arithmetic on limbs, doubles and words may go wrong. */
const EDGE_BITS = [0, 1, 8, 16, 24, 26, 31, 32, 47, 48, 49, 50, 52, 53, 64, 72, 74, 75, 96, 99, 100];

/**
 * A small seeded random number generator (sfc32). Everything the simulator does follows from one seed, so the generator
 * is our own: a change in a third-party generator would turn every kept seed into a different run.
 */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: number) {
    this.#a = seed | 0;
    this.#b = Math.floor(seed / 2 ** 32) | 0;
    this.#c = 0x9e3779b9 | 0;
    // Adjacent seeds start with similar states; a few rounds separate them.
    for (let round = 0; round < 12; round += 1) this.bits();
  }

  /** 32 random bits. */
  bits(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return sum >>> 0;
  }

  /** At least 0, less than 1. */
  fraction(): number {
    return this.bits() / 2 ** 32;
  }

  /** An integer from 0 to below `count`, which may be as large as 2^52. */
  below(count: number): number {
    if (count <= 0x100000) return Math.floor(this.fraction() * count);
    const wide = (this.bits() & 0x1fffff) * 2 ** 32 + this.bits();
    return Math.min(count - 1, Math.floor((wide / 2 ** 53) * count));
  }

  /** An integer from `low` to `high`, both included. */
  range(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  /** An integer from 0n to below `count`; coarse above 2^32, which is fine for amounts of money. */
  belowBig(count: bigint): bigint {
    if (count <= 0n) return 0n;
    if (count <= 0xffffffffn) return BigInt(this.below(Number(count)));
    return (((count >> 32n) * BigInt(this.bits())) | BigInt(this.bits())) % count;
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

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new Error('pick from an empty list');
    return list[this.below(list.length)] as T;
  }

  shuffle<T>(list: readonly T[]): T[] {
    const shuffled = [...list];
    for (let last = shuffled.length - 1; last > 0; last -= 1) {
      const other = this.below(last + 1);
      [shuffled[last], shuffled[other]] = [shuffled[other] as T, shuffled[last] as T];
    }
    return shuffled;
  }
}

/** Picks by weight; the sum is computed once, because every command picks. */
export class Weighted<T> {
  readonly #choices: readonly T[];
  readonly #upTo: readonly number[];

  constructor(choices: readonly (readonly [weight: number, choice: T])[]) {
    let sum = 0;
    this.#choices = choices.map(([, choice]) => choice);
    this.#upTo = choices.map(([weight]) => (sum += weight));
  }

  pick(random: Random): T {
    const point = random.fraction() * (this.#upTo.at(-1) ?? 0);
    let index = 0;
    while (index < this.#upTo.length - 1 && (this.#upTo[index] as number) <= point) index += 1;
    return this.#choices[index] as T;
  }
}

/** Prints the seed of this test, so that a failure can be reproduced. */
export function seeded(context: TestContext, seed: number): Random {
  context.diagnostic(`seed ${seed}`);
  return new Random(seed);
}
