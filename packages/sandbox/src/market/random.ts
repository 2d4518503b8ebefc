/**
 * Random numbers derived from the seed and the number of the step (sfc32): the same pair gives the same numbers, and
 * the generator has no state between steps.
 */

const ROUNDS = 12;
const WORD = 2 ** 32;
const POISSON_MAX = 64;

export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter: number;

  constructor(seed: number, step: number) {
    this.#a = seed | 0;
    this.#b = Math.floor(seed / WORD) | 0;
    this.#c = step | 0;
    this.#counter = Math.floor(step / WORD) | 1;
    // Neighbouring seeds and steps would begin with similar numbers, so the first few rounds are discarded.
    for (let round = 0; round < ROUNDS; round++) this.bits();
  }

  /** 32 random bits. */
  bits(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** At least 0, below 1. */
  fraction(): number {
    return this.bits() / WORD;
  }

  /** From 0 to below `count`. */
  below(count: number): number {
    return Math.floor(this.fraction() * count);
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.fraction();
  }

  /** Approximately normal, with mean 0 and deviation 1: the sum of twelve 16-bit numbers. */
  normal(): number {
    // Inlines `bits` six times with its state in local variables, because most draws of a market are normal.
    let a = this.#a;
    let b = this.#b;
    let c = this.#c;
    let counter = this.#counter;
    let total = 0;
    for (let i = 0; i < 6; i++) {
      const sum = (((a + b) | 0) + counter) | 0;
      counter = (counter + 1) | 0;
      a = b ^ (b >>> 9);
      b = (c + (c << 3)) | 0;
      c = (((c << 21) | (c >>> 11)) + sum) | 0;
      total += (sum >>> 16) + (sum & 0xffff);
    }
    this.#a = a;
    this.#b = b;
    this.#c = c;
    this.#counter = counter;
    return (total + 6) / 65_536 - 6;
  }

  /** Draws from a Poisson distribution. */
  poisson(mean: number): number {
    const end = exp(-mean);
    let count = 0;
    for (let product = this.fraction(); product > end && count < POISSON_MAX; count++)
      product *= this.fraction();
    return count;
  }
}

/** From 0 to below 1, always the same for the same three numbers: for values that are needed again but not stored. */
export function fixedFraction(one: number, two: number, three: number): number {
  let hash = Math.imul(one ^ 0x9e3779b9, 0x85ebca6b);
  hash = Math.imul((hash ^ (hash >>> 13) ^ two) | 0, 0xc2b2ae35);
  hash = Math.imul((hash ^ (hash >>> 16) ^ three) | 0, 0x27d4eb2f);
  return ((hash ^ (hash >>> 15)) >>> 0) / WORD;
}

// Exponential and logarithm from the four basic operations. Those of the machine may differ in the last bit from one
// to the next, and the market must be the same to the byte wherever its seed is played.

const TERMS = 18;

/** e^x, for |x| below 700. */
export function exp(x: number): number {
  const doublings = Math.round(x / Math.LN2);
  const rest = x - doublings * Math.LN2;
  let sum = 1;
  for (let term = TERMS; term > 0; term--) sum = 1 + (sum * rest) / term;
  for (let left = doublings; left > 0; left--) sum *= 2;
  for (let left = doublings; left < 0; left++) sum /= 2;
  return sum;
}

const STEPS_MAX = 12;

/** The natural logarithm of a number above 0. */
export function log(value: number): number {
  let rest = value;
  let result = 0;
  for (; rest > 1.5; rest /= 2) result += Math.LN2;
  for (; rest < 0.75; rest *= 2) result -= Math.LN2;
  let y = 0;
  for (let step = 0; step < STEPS_MAX; step++) {
    const next = y + rest / exp(y) - 1;
    if (next === y) break;
    y = next;
  }
  return result + y;
}
