/** Events in order, kept until every cursor has passed them. */

/** Items are dropped in lots, so that dropping costs little. */
const LOT = 512;

export class Timeline<T> {
  #items: T[] = [];
  #dropped = 0;
  readonly #cursors: Cursor<T>[] = [];

  get end(): number {
    return this.#dropped + this.#items.length;
  }

  push(item: T): void {
    this.#items.push(item);
    if (this.#items.length % LOT === 0) this.#drop();
  }

  at(index: number): T | undefined {
    return this.#items[index - this.#dropped];
  }

  /** From now on. */
  follow(): Cursor<T> {
    const cursor = new Cursor(this);
    this.#cursors.push(cursor);
    return cursor;
  }

  #drop(): void {
    const done = Math.min(this.end, ...this.#cursors.map((each) => each.place)) - this.#dropped;
    this.#items = this.#items.slice(done);
    this.#dropped += done;
  }
}

/** One reader's place in it. */
export class Cursor<T> {
  place: number;
  readonly #timeline: Timeline<T>;

  constructor(timeline: Timeline<T>) {
    this.#timeline = timeline;
    this.place = timeline.end;
  }

  get behind(): number {
    return this.#timeline.end - this.place;
  }

  /** The next item of this kind; items before it count as past. Throws if there is none. */
  next(isWanted: (item: T) => boolean = () => true): T {
    for (;;) {
      const item = this.#timeline.at(this.place);
      if (item === undefined) throw new Error('a message of something that has not happened');
      this.place++;
      if (isWanted(item)) return item;
    }
  }

  /** The first matching item from here on, which stays the next one; undefined if there is none. */
  seek(isWanted: (item: T) => boolean): T | undefined {
    for (let place = this.place; place < this.#timeline.end; place++) {
      const item = this.#timeline.at(place)!;
      if (!isWanted(item)) continue;
      this.place = place;
      return item;
    }
    return undefined;
  }

  /** Whether an item of this kind is outstanding. */
  isDue(isWanted: (item: T) => boolean = () => true): boolean {
    for (let place = this.place; place < this.#timeline.end; place++) {
      if (isWanted(this.#timeline.at(place)!)) return true;
    }
    return false;
  }
}
