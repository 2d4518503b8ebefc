/**
 * A hash table from whole numbers to rows, in typed arrays: open addressing, linear probing, deletion by shifting back.
 * A Map would do the same with three times the memory and a garbage collector that has to walk it.
 *
 * Users have a say in some of the keys: which accounts there are, which orders expire. Somebody who knew which slot a key
 * goes to could bring about keys that all go to the same one and make every search long. So the slot depends on a secret hash key, which each process draws
 * at random. Nothing that can be seen depends on it.
 */

const EMPTY = -1;

/**
 * Two whole numbers below 2^32, unknown to users. The core cannot draw them, because it has no randomness; the caller
 * passes them in.
 */
export type HashKey = readonly [number, number];

/** For tests and tools, where nobody attacks. */
export const OPEN_HASH_KEY: HashKey = [0x9e3779b1, 0x85ebca6b];

export class IndexTable {
  /** Key and value side by side, so that finding both costs one cache line. */
  private slots: Float64Array;
  private mask: number;
  private shift: number;
  private count = 0;
  private readonly lowFactor: number;
  private readonly highFactor: number;

  constructor(capacity: number, [low, high]: HashKey) {
    this.lowFactor = low | 1;
    this.highFactor = high | 1;
    this.slots = new Float64Array(capacity * 2).fill(EMPTY);
    this.mask = capacity - 1;
    this.shift = Math.clz32(this.mask);
  }

  get size(): number {
    return this.count;
  }

  /** -1 when the key is not there; keys are never negative. */
  get(key: number): number {
    if (key < 0) return EMPTY;
    const { slots } = this;
    const at = this.find(key);
    return slots[at << 1] === key ? slots[(at << 1) | 1] | 0 : EMPTY;
  }

  set(key: number, value: number): void {
    const at = this.find(key);
    if (this.slots[at << 1] !== key) {
      this.slots[at << 1] = key;
      this.count++;
    }
    this.slots[(at << 1) | 1] = value;
    if (this.count * 2 > this.mask) this.grow();
  }

  delete(key: number): void {
    const { slots, mask } = this;
    let hole = this.find(key);
    if (key < 0 || slots[hole << 1] !== key) return;
    this.count--;
    // Every later entry of the run that may move closer to its home moves into the hole.
    for (let at = (hole + 1) & mask; slots[at << 1] !== EMPTY; at = (at + 1) & mask) {
      const home = this.home(slots[at << 1]);
      if (((at - home) & mask) >= ((at - hole) & mask)) {
        slots[hole << 1] = slots[at << 1];
        slots[(hole << 1) | 1] = slots[(at << 1) | 1];
        hole = at;
      }
    }
    slots[hole << 1] = EMPTY;
  }

  /** Where the key is, or the free place where it would go. */
  private find(key: number): number {
    const { slots, mask } = this;
    let at = this.home(key);
    while (slots[at << 1] !== key && slots[at << 1] !== EMPTY) at = (at + 1) & mask;
    return at;
  }

  /**
   * Both halves of the key times secret odd numbers, so that nobody can tell which keys have the same sum; then the upper
   * bits of a product with the golden ratio, so that keys side by side come to lie far from each other.
   */
  private home(key: number): number {
    const low = key | 0;
    let sum = Math.imul(low, this.lowFactor);
    // Few keys reach beyond 32 bits.
    if (low !== key) sum = (sum + Math.imul((key / 4294967296) | 0, this.highFactor)) | 0;
    return Math.imul(sum ^ (sum >>> 16), 0x9e3779b1) >>> this.shift;
  }

  private grow(): void {
    const { slots } = this;
    this.slots = new Float64Array(slots.length * 2).fill(EMPTY);
    this.mask = slots.length - 1;
    this.shift = Math.clz32(this.mask);
    for (let i = 0; i < slots.length; i += 2) {
      if (slots[i] === EMPTY) continue;
      const at = this.find(slots[i]);
      this.slots[at << 1] = slots[i];
      this.slots[(at << 1) | 1] = slots[i + 1];
    }
  }
}
