/**
 * Keys that end: signing keys of sessions, which also end when nobody uses the session for a while, and API keys with a
 * date. The time of a session's last use is in memory only, and nodes of a cluster report it to each other; a restart
 * resets it.
 */

import type { Key } from '@bourse/core';
import type { Clock } from '@bourse/engine';
import type { Catalogue } from '../../views/catalogue.ts';
import type { KeyBook } from './authenticate.ts';

export interface SessionTimes {
  readonly sessionIdleMs: number;
}

export class SessionKeys implements KeyBook {
  readonly #catalogue: Catalogue;
  readonly #clock: Clock;
  readonly #times: SessionTimes;
  readonly #usedAt = new Map<string, number>();
  readonly #beganAt: number;
  #onUsed: (session: string) => void = () => undefined;

  constructor(catalogue: Catalogue, clock: Clock, times: SessionTimes) {
    this.#catalogue = catalogue;
    this.#clock = clock;
    this.#times = times;
    this.#beganAt = clock.now();
  }

  get idleMs(): number {
    return this.#times.sessionIdleMs;
  }

  /** One that has ended is unknown. To ask for a signing key is to use its session. */
  key(name: string): Key | undefined {
    const key = this.#catalogue.key(name);
    // Most keys have no end: nothing more is done for them.
    if (key === undefined || key.expires === undefined) return key;
    const now = this.#clock.now();
    if (this.#endOf(key) <= now) return undefined;
    if (key.session !== undefined) this.#use(key.session, now);
    return key;
  }

  /** Notes a call with the session; false when it had ended by then. */
  use(session: string, createdAt: number, idleMsMax = Infinity): boolean {
    const now = this.#clock.now();
    if (this.#idleEnd(session, createdAt, idleMsMax) <= now) return false;
    this.#use(session, now);
    return true;
  }

  /** Whether the session is active. Does not count as a use. */
  isOpen(session: string, createdAt: number, idleMsMax = Infinity): boolean {
    return this.#idleEnd(session, createdAt, idleMsMax) > this.#clock.now();
  }

  /** Called for each use of a session here. */
  onUsed(listener: (session: string) => void): void {
    this.#onUsed = listener;
  }

  /** The session was just used at another node. */
  noteUsed(session: string): void {
    this.#usedAt.set(session, this.#clock.now());
  }

  /** 0 before the first use that is known. */
  usedAt(session: string): number {
    return this.#usedAt.get(session) ?? 0;
  }

  begin(session: string): void {
    this.#use(session, this.#clock.now());
  }

  forget(session: string): void {
    this.#usedAt.delete(session);
  }

  /** Sessions that ended otherwise, by a change of the password or by another sign-in, leave a row that says nothing. */
  forgetIdle(): void {
    const until = this.#clock.now() - this.idleMs;
    for (const [session, usedAt] of this.#usedAt) if (usedAt <= until) this.#usedAt.delete(session);
  }

  /** Those that end, and when each does unless it is used. */
  *ending(): Iterable<{ readonly key: Key; readonly end: number }> {
    for (const key of this.#catalogue.keys()) {
      if (key.expires !== undefined) yield { key, end: this.#endOf(key) };
    }
  }

  #endOf({ expires = Infinity, session }: Key): number {
    return session === undefined ? expires : Math.min(expires, this.#idleEnd(session, 0));
  }

  #use(session: string, now: number): void {
    this.#usedAt.set(session, now);
    this.#onUsed(session);
  }

  #idleEnd(session: string, createdAt: number, idleMsMax = Infinity): number {
    const used = this.#usedAt.get(session) ?? Math.max(this.#beganAt, createdAt);
    return used + Math.min(this.#times.sessionIdleMs, idleMsMax);
  }
}
