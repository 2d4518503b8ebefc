/** Timers by due time; ties fire in the order they were set. */

export interface Timer {
  readonly due: number;
  readonly order: number;
  readonly action: () => void;
  isCancelled: boolean;
}

export class TimerHeap {
  readonly #heap: Timer[] = [];
  #orders = 0;

  add(due: number, action: () => void): Timer {
    const timer = { due, order: this.#orders++, action, isCancelled: false };
    this.#heap.push(timer);
    this.#raise(this.#heap.length - 1);
    return timer;
  }

  /** The next timer that was not cancelled; undefined for none. */
  get first(): Timer | undefined {
    while (this.#heap[0]?.isCancelled) this.#remove();
    return this.#heap[0];
  }

  /** Removes and returns the first if it is due by then. */
  take(time: number): Timer | undefined {
    const { first } = this;
    if (first === undefined || first.due > time) return undefined;
    this.#remove();
    return first;
  }

  clear(): void {
    this.#heap.length = 0;
  }

  #remove(): void {
    const last = this.#heap.pop()!;
    if (this.#heap.length === 0) return;
    this.#heap[0] = last;
    this.#sink();
  }

  #raise(from: number): void {
    const heap = this.#heap;
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!isBefore(heap[at], heap[parent])) return;
      [heap[at], heap[parent]] = [heap[parent], heap[at]];
      at = parent;
    }
  }

  #sink(): void {
    const heap = this.#heap;
    for (let at = 0; ; ) {
      const left = 2 * at + 1;
      if (left >= heap.length) return;
      const right = left + 1;
      const child = right < heap.length && isBefore(heap[right], heap[left]) ? right : left;
      if (!isBefore(heap[child], heap[at])) return;
      [heap[at], heap[child]] = [heap[child], heap[at]];
      at = child;
    }
  }
}

const isBefore = (a: Timer, b: Timer): boolean => a.due < b.due || (a.due === b.due && a.order < b.order);
