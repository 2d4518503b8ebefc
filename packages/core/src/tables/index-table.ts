/**
 * A hash table from integers to rows, in typed arrays: open addressing, linear probing, backward-shift deletion. A Map
 * would take three times the memory and garbage collector time.
 *
 * Users influence some of the keys: which accounts exist, which orders expire. With a known hash they could create keys
 * that collide and make every look-up long. So the slot depends on a secret hash key, which each process draws at random.
 * Nothing observable depends on it.
 */

const EMPTY = -1;

/** Two integers below 2^32, unknown to users. The caller draws them, because the core has no randomness. */
export type HashKey = readonly [number, number];

/** For tests and tools, which nobody attacks. */
export const OPEN_HASH_KEY: HashKey = [0x9e3779b1, 0x85ebca6b];

export class IndexTable {
  /** Key and value side by side, so that a look-up costs one cache line. */
  #slots: Float64Array;
  #mask: number;
  #shift: number;
  #count = 0;
  readonly #lowFactor: number;
  readonly #highFactor: number;

  constructor(capacity: number, [low, high]: HashKey) {
    this.#lowFactor = low | 1;
    this.#highFactor = high | 1;
    this.#slots = new Float64Array(capacity * 2).fill(EMPTY);
    this.#mask = capacity - 1;
    this.#shift = Math.clz32(this.#mask);
  }

  get size(): number {
    return this.#count;
  }

  /** -1 if the key does not exist; keys are never negative. */
  get(key: number): number {
    if (key < 0) return EMPTY;
    const slots = this.#slots;
    const at = this.#find(key);
    return slots[at << 1] === key ? slots[(at << 1) | 1] | 0 : EMPTY;
  }

  set(key: number, value: number): void {
    const at = this.#find(key);
    if (this.#slots[at << 1] !== key) {
      this.#slots[at << 1] = key;
      this.#count++;
    }
    this.#slots[(at << 1) | 1] = value;
    if (this.#count * 2 > this.#mask) this.#grow();
  }

  delete(key: number): void {
    const slots = this.#slots;
    const mask = this.#mask;
    let hole = this.#find(key);
    if (key < 0 || slots[hole << 1] !== key) return;
    this.#count--;
    // Move every later entry of the run that can move closer to its home into the hole.
    for (let at = (hole + 1) & mask; slots[at << 1] !== EMPTY; at = (at + 1) & mask) {
      const home = this.#home(slots[at << 1]);
      if (((at - home) & mask) >= ((at - hole) & mask)) {
        slots[hole << 1] = slots[at << 1];
        slots[(hole << 1) | 1] = slots[(at << 1) | 1];
        hole = at;
      }
    }
    slots[hole << 1] = EMPTY;
  }

  /** The position of the key, or the free one where it would go. */
  #find(key: number): number {
    const slots = this.#slots;
    const mask = this.#mask;
    let at = this.#home(key);
    while (slots[at << 1] !== key && slots[at << 1] !== EMPTY) at = (at + 1) & mask;
    return at;
  }

  /**
   * Multiplies both halves of the key by secret odd numbers, so that collisions cannot be predicted; then takes the upper
   * bits of a product with the golden ratio, which spreads adjacent keys.
   */
  #home(key: number): number {
    const low = key | 0;
    let sum = Math.imul(low, this.#lowFactor);
    // Few keys exceed 32 bits.
    if (low !== key) sum = (sum + Math.imul((key / 4294967296) | 0, this.#highFactor)) | 0;
    return Math.imul(sum ^ (sum >>> 16), 0x9e3779b1) >>> this.#shift;
  }

  #grow(): void {
    const slots = this.#slots;
    this.#slots = new Float64Array(slots.length * 2).fill(EMPTY);
    this.#mask = slots.length - 1;
    this.#shift = Math.clz32(this.#mask);
    for (let i = 0; i < slots.length; i += 2) {
      if (slots[i] === EMPTY) continue;
      const at = this.#find(slots[i]);
      this.#slots[at << 1] = slots[i];
      this.#slots[(at << 1) | 1] = slots[i + 1];
    }
  }
}
