/**
 * A hash table from whole numbers to rows, in typed arrays: open addressing, linear probing, deletion by shifting
 * back. A Map would do the same with three times the memory and a garbage collector that has to walk it.
 */

const EMPTY = -1;

export class IndexTable {
  /** Key and value side by side, so that finding both costs one cache line. */
  private slots: Float64Array;
  private mask: number;
  private shift: number;
  private count = 0;

  constructor(capacity = 16) {
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

  /** The upper bits of a product with the golden ratio: keys side by side come to lie far from each other. */
  private home(key: number): number {
    const low = key | 0;
    // Few keys reach beyond 32 bits; their upper part is folded in.
    const folded = low === key ? low : low ^ Math.imul((key / 4294967296) | 0, 0x85ebca6b);
    return Math.imul(folded, 0x9e3779b1) >>> this.shift;
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
