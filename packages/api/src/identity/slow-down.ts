/**
 * Delays after failed sign-ins: from the fifth on they double from 1 s to 15 min, per person and per network address.
 * An address that the person has signed in from is counted separately, so others' failures cannot lock anybody out.
 * In memory and bounded; lost at a restart. Nodes of a cluster report attempts to each other.
 */

import { identityRefusal, type IdentityRefusal } from './identity-errors.ts';

const FREE_FAILURES = 4;
const WAIT_MS_MIN = 1000;
const WAIT_MS_MAX = 15 * 60_000;
/** Failures are forgotten this long after the latest. */
const FORGET_MS = 60 * 60_000;
const ENTRIES_MAX = 100_000;
const ABOUT_MAX = 32;

interface Entry {
  failures: number;
  /** Failures per person, for the first few persons. */
  readonly about: Map<string, number>;
  inFlight: number;
  waitsUntil: number;
  latest: number;
}

export interface Attempt {
  /** `nothing`: the credentials were not checked. */
  end(result: 'right' | 'wrong' | 'nothing'): void;
}

export class SlowDown {
  readonly #entries = new Map<string, Entry>();
  readonly #now: () => number;
  #onEnded: (names: readonly string[], isRight: boolean) => void = () => undefined;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** `names`: the counters of this attempt, the person's first. Throws while one of them requires waiting. */
  begin(names: readonly string[]): Attempt {
    const now = this.#now();
    const entries = names.map((name) => this.#find(name, now));
    entries.forEach(({ failures, inFlight, waitsUntil }, at) => {
      if (waitsUntil > now) throw slowDown(waitsUntil - now);
      // Concurrent attempts for one person: as many as may fail before the first wait, then one. Many people may share
      // an address and sign in concurrently, so addresses have no such limit before the first wait.
      const most =
        at === 0 || failures > FREE_FAILURES ? Math.max(1, FREE_FAILURES + 1 - failures) : Infinity;
      if (inFlight >= most) throw slowDown(WAIT_MS_MIN);
    });
    entries.forEach((entry, at) => {
      entry.inFlight++;
      this.#keep(names[at] ?? '', entry);
    });
    return {
      end: (result) => {
        entries.forEach((entry, at) => {
          entry.inFlight--;
          if (result !== 'nothing') this.#count(entry, names[0] ?? '', result === 'right');
          this.#forget(names[at] ?? '', entry);
        });
        if (result !== 'nothing') this.#onEnded(names, result === 'right');
      },
    };
  }

  /** Called for each attempt at this node. */
  onEnded(listener: (names: readonly string[], isRight: boolean) => void): void {
    this.#onEnded = listener;
  }

  /** An attempt at another node. */
  noteEnded(names: readonly string[], isRight: boolean): void {
    const now = this.#now();
    for (const name of names) {
      const entry = this.#find(name, now);
      this.#keep(name, entry);
      this.#count(entry, names[0] ?? '', isRight);
      this.#forget(name, entry);
    }
  }

  /** Success resets only the same person's failures: an attacker's own account must not reset those of a victim. */
  #count(entry: Entry, person: string, isRight: boolean): void {
    const now = this.#now();
    const before = entry.about.get(person) ?? 0;
    if (isRight) {
      entry.failures -= before;
      entry.about.delete(person);
      return;
    }
    entry.failures++;
    entry.latest = now;
    if (before > 0 || entry.about.size < ABOUT_MAX) entry.about.set(person, before + 1);
    if (entry.failures > FREE_FAILURES) {
      const doublings = Math.min(30, entry.failures - FREE_FAILURES - 1);
      entry.waitsUntil = now + Math.min(WAIT_MS_MAX, WAIT_MS_MIN * 2 ** doublings);
    }
  }

  #find(name: string, now: number): Entry {
    const entry = this.#entries.get(name);
    const isKept = entry && (entry.inFlight > 0 || entry.latest + FORGET_MS >= now);
    return isKept ? entry : { failures: 0, about: new Map(), inFlight: 0, waitsUntil: 0, latest: now };
  }

  /** An attempt without failures leaves no entry: many of them would evict entries that have to wait. */
  #forget(name: string, entry: Entry): void {
    const isEmpty = entry.failures === 0 && entry.inFlight === 0 && entry.waitsUntil <= this.#now();
    if (isEmpty && this.#entries.get(name) === entry) this.#entries.delete(name);
  }

  #keep(name: string, entry: Entry): void {
    // Least recently used first; these are evicted first.
    this.#entries.delete(name);
    this.#entries.set(name, entry);
    if (this.#entries.size > ENTRIES_MAX) {
      const [oldest] = this.#entries.keys();
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
  }
}

function slowDown(waitMs: number): IdentityRefusal {
  const seconds = Math.ceil(waitMs / 1000);
  return identityRefusal('slow-down', `Too many failed sign-ins. Try again in ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  });
}

const ROWS_MAX = 50;
const PEOPLE_MAX = 10_000;

/** Where a call comes from. */
export interface Origin {
  readonly ip: string;
  readonly device: string;
}

/** Recent failed sign-ins, for the activity list: traffic, so they are in memory and bounded. */
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
