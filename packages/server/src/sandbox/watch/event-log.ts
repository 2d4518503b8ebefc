/** The last events, so that an expectation may look at what came after a record, and whoever listens to the next. */

import type { WatchedEvent } from './events.ts';

const EVENTS_KEPT = 50_000;

export class EventLog {
  #events: WatchedEvent[] = [];
  /** Events up to this record may be gone. */
  #goneThrough = 0;
  readonly #listeners = new Set<(event: WatchedEvent) => void>();

  /** Everything after this record is here. */
  get goneThrough(): number {
    return this.#goneThrough;
  }

  /** The world begins anew after this record: what came later has not happened. */
  begin(seq: number): void {
    this.#events = [];
    this.#goneThrough = seq;
  }

  add(event: WatchedEvent): void {
    this.#events.push(event);
    if (this.#events.length >= 2 * EVENTS_KEPT) {
      const gone = this.#events.splice(0, EVENTS_KEPT);
      this.#goneThrough = gone[gone.length - 1].seq;
    }
    for (const listener of this.#listeners) listener(event);
  }

  after(seq: number): readonly WatchedEvent[] {
    const { length } = this.#events;
    // Newest last: most ask for what came a moment ago.
    let from = length;
    while (from > 0 && this.#events[from - 1].seq > seq) from--;
    return this.#events.slice(from);
  }

  subscribe(listener: (event: WatchedEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }
}
