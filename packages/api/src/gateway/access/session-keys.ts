/**
 * Keys that expire: signing keys of sessions, which also end when the session is idle, and API keys with an expiry
 * date. A session's last use is in memory only, and nodes of a cluster report it to each other; a restart resets it.
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

  /** An expired key is unknown. Looking up a signing key counts as a use of its session. */
  key(name: string): Key | undefined {
    const key = this.#catalogue.key(name);
    // Fast path: most keys never expire.
    if (key === undefined || key.expires === undefined) return key;
    const now = this.#clock.now();
    if (this.#endOf(key) <= now) return undefined;
    if (key.session !== undefined) this.#use(key.session, now);
    return key;
  }

  /** Records a use of the session; false if it had already ended. */
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

  /** The session was used at another node. */
  noteUsed(session: string): void {
    this.#usedAt.set(session, this.#clock.now());
  }

  /** 0 before the first known use. */
  usedAt(session: string): number {
    return this.#usedAt.get(session) ?? 0;
  }

  begin(session: string): void {
    this.#use(session, this.#clock.now());
  }

  forget(session: string): void {
    this.#usedAt.delete(session);
  }

  /** Sessions that ended otherwise, by a password change or another sign-in, leave a stale row. */
  forgetIdle(): void {
    const until = this.#clock.now() - this.idleMs;
    for (const [session, usedAt] of this.#usedAt) if (usedAt <= until) this.#usedAt.delete(session);
  }

  /** Keys that expire, each with its expiry unless it is used. */
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
