/**
 * A copy of a book, kept as the documentation tells clients to: gather changes, fetch the book, leave out what it has
 * already, apply the rest in order. A change that does not follow throws.
 */

export interface Changes {
  readonly changes: { readonly asks: readonly Change[]; readonly bids: readonly Change[] };
  readonly sequenceStart: number;
  readonly sequenceEnd: number;
}

type Change = readonly [price: string, size: string, sequence: string];

export interface BookAnswer {
  readonly sequence: string;
  readonly asks: readonly (readonly [string, string])[];
  readonly bids: readonly (readonly [string, string])[];
}

export class BookCopy {
  /** 0 until the book was fetched. */
  sequence = -1;
  /** Messages that changed the copy. */
  applied = 0;
  private readonly asks = new Map<string, string>();
  private readonly bids = new Map<string, string>();
  private gathered: Changes[] = [];

  get isReady(): boolean {
    return this.sequence >= 0;
  }

  forget(): void {
    this.sequence = -1;
    this.gathered = [];
    this.asks.clear();
    this.bids.clear();
  }

  fill(book: BookAnswer): void {
    for (const [price, size] of book.asks) this.asks.set(price, size);
    for (const [price, size] of book.bids) this.bids.set(price, size);
    this.sequence = Number(book.sequence);
    const { gathered } = this;
    this.gathered = [];
    for (const changes of gathered) this.take(changes);
  }

  /** Whether the copy stands somewhere new. */
  take(message: Changes): boolean {
    if (!this.isReady) {
      this.gathered.push(message);
      return false;
    }
    const { sequenceStart, sequenceEnd, changes } = message;
    if (sequenceEnd <= this.sequence) return false;
    if (sequenceStart > this.sequence + 1) throw new Error(`a gap: ${this.sequence}, then ${sequenceStart}`);
    const all = [
      ...changes.asks.map((change) => [this.asks, change] as const),
      ...changes.bids.map((change) => [this.bids, change] as const),
    ].toSorted(([, a], [, b]) => Number(a[2]) - Number(b[2]));
    const count = sequenceEnd - sequenceStart + 1;
    if (all.length !== count) throw new Error(`${all.length} changes for ${count} sequence numbers`);
    all.forEach(([side, [price, size, sequence]], i) => {
      if (Number(sequence) !== sequenceStart + i) throw new Error(`change ${sequence} is out of its place`);
      if (Number(sequence) <= this.sequence || price === '0') return;
      if (size === '0') side.delete(price);
      else side.set(price, size);
    });
    this.sequence = sequenceEnd;
    this.applied++;
    return true;
  }

  /** The whole book in one text, best prices first. */
  toString(): string {
    const sorted = (side: Map<string, string>, sign: number) =>
      [...side]
        .toSorted(([a], [b]) => sign * (Number(a) - Number(b)))
        .map(([price, size]) => `${price}x${size}`);
    return `${sorted(this.asks, 1).join(' ')} | ${sorted(this.bids, -1).join(' ')}`;
  }
}
