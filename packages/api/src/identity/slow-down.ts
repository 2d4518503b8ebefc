/**
 * Failed sign-ins cost time: from the fifth on the wait doubles from 1 s to 15 min, per person and per network address.
 * Addresses that the person has signed in from before count by themselves, so nobody is locked out by others' failures.
 * In memory and bounded: a restart forgets it.
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
  /** Of an address: whom they were about, as long as there are few. */
  readonly about: Map<string, number>;
  inFlight: number;
  waitsUntil: number;
  latest: number;
}

export interface Attempt {
  /** `isRight`: what was tried worked. */
  end(isRight: boolean): void;
}

export class SlowDown {
  readonly #entries = new Map<string, Entry>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** `names`: whose failures count together with it, the person first. Refuses while one of them has to wait. */
  begin(names: readonly string[]): Attempt {
    const now = this.#now();
    const entries = names.map((name) => this.#entryOf(name, now));
    entries.forEach(({ failures, inFlight, waitsUntil }, at) => {
      if (waitsUntil > now) throw slowDown(waitsUntil - now);
      // Guesses about one person at the same time are as many as may fail before the first wait, and after it one. Many
      // people may share an address, and sign in at the same time.
      const most =
        at === 0 || failures > FREE_FAILURES ? Math.max(1, FREE_FAILURES + 1 - failures) : Infinity;
      if (inFlight >= most) throw slowDown(WAIT_MS_MIN);
    });
    for (const entry of entries) entry.inFlight++;
    return { end: (isRight) => entries.forEach((entry) => this.#end(entry, names[0] ?? '', isRight)) };
  }

  /** Success forgives failures about the same person only: with an account of one's own nobody else's are undone. */
  #end(entry: Entry, person: string, isRight: boolean): void {
    const now = this.#now();
    const before = entry.about.get(person) ?? 0;
    entry.inFlight--;
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

  #entryOf(name: string, now: number): Entry {
    let entry = this.#entries.get(name);
    if (!entry || (entry.inFlight === 0 && entry.latest + FORGET_MS < now)) {
      entry = { failures: 0, about: new Map(), inFlight: 0, waitsUntil: 0, latest: now };
    }
    // The least recently used come first, and go first.
    this.#entries.delete(name);
    this.#entries.set(name, entry);
    if (this.#entries.size > ENTRIES_MAX) {
      const [oldest] = this.#entries.keys();
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
    return entry;
  }
}

function slowDown(waitMs: number): IdentityRefusal {
  const seconds = Math.ceil(waitMs / 1000);
  return identityRefusal('slow-down', `Too many failed sign-ins. Try again in ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  });
}
