/** Recent failed sign-ins, for the activity list: traffic, so they are in memory and bounded. */

const ROWS_MAX = 50;
const PEOPLE_MAX = 10_000;

/** Where a call comes from. */
export interface Origin {
  readonly ip: string;
  readonly device: string;
}

export interface Failure {
  readonly time: number;
  readonly kind: 'sign-in-failed';
  readonly origin: Origin;
}

export class Failures {
  readonly #rows = new Map<string, Failure[]>();
  #onNoted: (person: string, time: number, origin: Origin) => void = () => undefined;

  /** Called for each failure at this node. */
  onNoted(listener: (person: string, time: number, origin: Origin) => void): void {
    this.#onNoted = listener;
  }

  note(person: string, time: number, origin: Origin): void {
    this.add(person, time, origin);
    this.#onNoted(person, time, origin);
  }

  /** A failure reported by another node; it is not reported again. */
  add(person: string, time: number, origin: Origin): void {
    const rows = this.#rows.get(person) ?? [];
    rows.push({ time, kind: 'sign-in-failed', origin });
    if (rows.length > ROWS_MAX) rows.shift();
    this.#rows.delete(person);
    this.#rows.set(person, rows);
    const [oldest] = this.#rows.keys();
    if (this.#rows.size > PEOPLE_MAX && oldest !== undefined) this.#rows.delete(oldest);
  }

  of(person: string): readonly Failure[] {
    return this.#rows.get(person) ?? [];
  }

  forget(person: string): void {
    this.#rows.delete(person);
  }
}
