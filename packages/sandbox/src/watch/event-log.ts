/**
 * The latest events: expectations search those after a given record, and listeners get each new one. The events of a
 * record are created on demand.
 */

import type { WatchedEvent, WatchedRecord } from './events.ts';

const EVENTS_KEPT = 50_000;
/** Events scanned without yielding, about two milliseconds. */
const PIECE_EVENTS = 500;

interface Entry extends Pick<WatchedRecord, 'seq' | 'size'> {
  read: WatchedRecord['read'];
}

export class EventLog {
  #entries: Entry[] = [];
  #size = 0;
  /** Number of entries dropped so far. Positions count from the very first entry. */
  #gone = 0;
  /** Events up to this record may be gone. */
  #goneThrough = 0;
  readonly #listeners = new Set<(event: WatchedEvent) => void>();

  /** All events after this record are still kept. */
  get goneThrough(): number {
    return this.#goneThrough;
  }

  /** The world is reset to this record: drops later events. */
  begin(seq: number): void {
    this.#gone += this.#entries.length;
    this.#entries = [];
    this.#size = 0;
    this.#goneThrough = seq;
  }

  /** A large event counts as several, which bounds the bytes too. */
  add(event: WatchedEvent, size = 1): void {
    this.addRecord({ seq: event.seq, size, read: () => [event] });
  }

  addRecord({ seq, size, read }: WatchedRecord): void {
    const entry: Entry = { seq, size, read };
    this.#entries.push(entry);
    this.#size += size;
    if (this.#size >= 2 * EVENTS_KEPT) this.#cut();
    if (this.#listeners.size === 0) return;
    for (const event of eventsOf(entry)) for (const listener of this.#listeners) listener(event);
  }

  /** Drops the oldest entries, but never the newest, which an immediate query must find. */
  #cut(): void {
    let count = 0;
    while (this.#size > EVENTS_KEPT && count < this.#entries.length - 1) {
      this.#size -= this.#entries[count].size;
      this.#goneThrough = this.#entries[count++].seq;
    }
    this.#entries.splice(0, count);
    this.#gone += count;
  }

  /** The position of the first entry after this record. */
  placeAfter(seq: number): number {
    // From the end: most queries are about recent events.
    let from = this.#entries.length;
    while (from > 0 && this.#entries[from - 1].seq > seq) from--;
    return this.#gone + from;
  }

  /** Some events from this position on, and the position after them; null if there are none. */
  pieceAt(place: number): { readonly events: readonly WatchedEvent[]; readonly next: number } | null {
    const events: WatchedEvent[] = [];
    let at = Math.max(place - this.#gone, 0);
    if (at >= this.#entries.length) return null;
    while (at < this.#entries.length && events.length < PIECE_EVENTS) {
      for (const event of eventsOf(this.#entries[at++])) events.push(event);
    }
    return { events, next: this.#gone + at };
  }

  subscribe(listener: (event: WatchedEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }
}

/** Caches the decoded events: they are often read again. */
function eventsOf(entry: Entry): readonly WatchedEvent[] {
  const events = entry.read();
  entry.read = () => events;
  return events;
}
