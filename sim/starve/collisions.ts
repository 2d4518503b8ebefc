/**
 * Keys that collide in a hash table with a known hash: the two hashes here have no secret, as the exchange's once had
 * none. With a secret per process or database these keys behave like any others, which the attack verifies.
 */

import { OPEN_HASH_KEY } from '../../packages/core/src/tables/index-table.ts';

const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const GOLDEN = 0x9e3779b1;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrs';
const SUFFIX_LENGTH = 4;
const SUFFIXES = ALPHABET.length ** SUFFIX_LENGTH;
const SLOTS = 2 ** 24;

/**
 * Client ids of the user with the same FNV-1a hash. Meet in the middle: all states from which four characters lead to
 * the wanted hash are known, and prefixes are tried until one reaches such a state.
 */
export function collidingClientIds(user: number, count: number): string[] {
  const wanted = 0x12345678;
  const states = new Int32Array(SLOTS);
  const suffixes = new Int32Array(SLOTS).fill(-1);
  for (let suffix = 0; suffix < SUFFIXES; suffix++) {
    const state = stateBefore(suffix, wanted);
    let at = slotOf(state);
    while (suffixes[at] >= 0) at = (at + 1) % SLOTS;
    states[at] = state;
    suffixes[at] = suffix;
  }
  const start = Math.imul(FNV_START ^ user, FNV_PRIME);
  const ids: string[] = [];
  for (let serial = 0; ids.length < count; serial++) {
    const prefix = serial.toString(36);
    let state = start;
    for (let i = 0; i < prefix.length; i++) state = Math.imul(state ^ prefix.charCodeAt(i), FNV_PRIME);
    for (let at = slotOf(state); suffixes[at] >= 0; at = (at + 1) % SLOTS) {
      if (states[at] === state) ids.push(prefix + textOf(suffixes[at]));
    }
  }
  return ids.slice(0, count);
}

const slotOf = (state: number): number => Math.imul(state, GOLDEN) >>> 8;

/** The last character is the lowest digit. */
function textOf(suffix: number): string {
  let text = '';
  for (let i = 0, rest = suffix; i < SUFFIX_LENGTH; i++, rest = Math.floor(rest / ALPHABET.length)) {
    text = ALPHABET[rest % ALPHABET.length] + text;
  }
  return text;
}

const INVERSE = inverseOf(FNV_PRIME);

/** The modular inverse of an odd number, modulo 2^32. */
function inverseOf(odd: number): number {
  let inverse = odd;
  for (let i = 0; i < 5; i++) inverse = Math.imul(inverse, 2 - Math.imul(odd, inverse));
  return inverse;
}

function stateBefore(suffix: number, after: number): number {
  let state = after;
  for (let i = 0, rest = suffix; i < SUFFIX_LENGTH; i++, rest = Math.floor(rest / ALPHABET.length)) {
    state = Math.imul(state, INVERSE) ^ ALPHABET.charCodeAt(rest % ALPHABET.length);
  }
  return state;
}

/** The size of the table; its collisions are also collisions in every smaller one. */
const PLACE_BITS = 15;

/**
 * Prices, as units and steps from the first on, that share a slot in the table of levels if its hash key is the
 * published one.
 */
export function collidingPrices(first: number, step: number, count: number): number[] {
  const [lowFactor, highFactor] = OPEN_HASH_KEY;
  const prices: number[] = [];
  for (let price = first; prices.length < count; price += step) {
    const high = Math.floor(price / 2 ** 32);
    const sum = (Math.imul(price | 0, lowFactor | 1) + Math.imul(high, highFactor | 1)) | 0;
    if (Math.imul(sum ^ (sum >>> 16), GOLDEN) >>> (32 - PLACE_BITS) === 0) prices.push(price);
  }
  return prices;
}
