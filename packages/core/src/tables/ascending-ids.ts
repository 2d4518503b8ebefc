/** A part of a list: its newest rows, or those with an id below `after`. */
export interface NewestFirst {
  readonly after?: number;
  readonly limit: number;
  readonly skip?: number;
}

/** Ids in the order in which they were given: the cost of a page does not depend on the number of rows. */
export class AscendingIds {
  readonly #ids: number[] = [];

  get count(): number {
    return this.#ids.length;
  }

  get all(): readonly number[] {
    return this.#ids;
  }

  /** Greater than all ids before it. */
  add(id: number): void {
    this.#ids.push(id);
  }

  newest({ after = Infinity, limit, skip = 0 }: NewestFirst): number[] {
    const end = Math.max(0, this.#countBelow(after) - skip);
    return this.#ids.slice(Math.max(0, end - limit), end).toReversed();
  }

  #countBelow(id: number): number {
    let [low, high] = [0, this.#ids.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#ids[middle] < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
