/**
 * A hash table from whole numbers to rows, in typed arrays: open addressing, linear probing, deletion by shifting
 * back. A Map would do the same with three times the memory and a garbage collector that has to walk it.
 */

const EMPTY = -1;

export class IndexTable {
  private keys: Float64Array;
  private values: Int32Array;
  private mask: number;
  private count = 0;

  constructor(capacity = 16) {
    this.keys = new Float64Array(capacity).fill(EMPTY);
    this.values = new Int32Array(capacity);
    this.mask = capacity - 1;
  }

  get size(): number {
    return this.count;
  }

  /** -1 when the key is not there; keys are never negative. */
  get(key: number): number {
    if (key < 0) return EMPTY;
    const at = this.find(key);
    return this.keys[at] === key ? this.values[at] : EMPTY;
  }

  set(key: number, value: number): void {
    const at = this.find(key);
    if (this.keys[at] !== key) {
      this.keys[at] = key;
      this.count++;
    }
    this.values[at] = value;
    if (this.count * 2 > this.mask) this.grow();
  }

  delete(key: number): void {
    const keys = this.keys;
    let hole = this.find(key);
    if (keys[hole] !== key) return;
    this.count--;
    // Every later entry of the run that may move closer to its home moves into the hole.
    for (let at = (hole + 1) & this.mask; keys[at] !== EMPTY; at = (at + 1) & this.mask) {
      const home = this.home(keys[at]);
      if (((at - home) & this.mask) >= ((at - hole) & this.mask)) {
        keys[hole] = keys[at];
        this.values[hole] = this.values[at];
        hole = at;
      }
    }
    keys[hole] = EMPTY;
  }

  /** Where the key is, or the free place where it would go. */
  private find(key: number): number {
    const keys = this.keys;
    const mask = this.mask;
    let at = this.home(key);
    while (keys[at] !== key && keys[at] !== EMPTY) at = (at + 1) & mask;
    return at;
  }

  private home(key: number): number {
    // Keys reach beyond 32 bits: fold the upper part in before mixing.
    const folded = (key | 0) ^ Math.imul((key / 4294967296) | 0, 0x85ebca6b);
    const mixed = Math.imul(folded, 0x9e3779b1);
    return (mixed ^ (mixed >>> 15)) & this.mask;
  }

  private grow(): void {
    const { keys, values } = this;
    const capacity = keys.length * 2;
    this.keys = new Float64Array(capacity).fill(EMPTY);
    this.values = new Int32Array(capacity);
    this.mask = capacity - 1;
    for (let i = 0; i < keys.length; i++) {
      if (keys[i] === EMPTY) continue;
      const at = this.find(keys[i]);
      this.keys[at] = keys[i];
      this.values[at] = values[i];
    }
  }
}
