/** People, their sessions, and used tokens. Sealed texts are opaque here. */

import type { PasskeyTerms, Spent } from '../commands/identity-commands.ts';

/** A step-up with a second factor is valid for this long. */
export const STEP_UP_MS = 5 * 60_000;
/** Never ends. */
export const FOREVER: number = Number.MAX_SAFE_INTEGER;

export type ActivityKind =
  | 'sign-up'
  | 'sign-in'
  | 'sign-out'
  | 'sessions-ended'
  | 'step-up'
  | 'password-changed'
  | 'email-changed'
  | 'totp-on'
  | 'totp-off'
  | 'recovery-codes'
  | 'passkey-added'
  | 'passkey-removed'
  | 'locked'
  | 'frozen'
  | 'address-added'
  | 'address-removed'
  | 'addresses-only'
  | 'key-added'
  | 'key-changed'
  | 'key-removed'
  | 'withdrawal';

export interface Activity {
  readonly time: number;
  readonly kind: ActivityKind;
  /** '' for none. */
  readonly session: string;
  /** Sealed; '' if unknown. */
  readonly from: string;
}

export interface Passkey extends PasskeyTerms {
  readonly createdAt: number;
}

export interface BookAddress {
  readonly id: string;
  readonly currency: number;
  readonly chain: string;
  readonly address: string;
  readonly memo: string;
  readonly label: string;
  readonly createdAt: number;
  readonly usableFrom: number;
}

export interface Person {
  readonly id: string;
  readonly user: number;
  readonly login: string;
  readonly profile: string;
  readonly verifier: string;
  /** Counts changes of credentials. */
  readonly version: number;
  /** Sealed; '' without TOTP. */
  readonly totp: string;
  /** The latest used step. */
  readonly totpStep: number;
  readonly recoveryCodes: readonly string[];
  readonly passkeys: readonly Passkey[];
  readonly book: readonly BookAddress[];
  /** Withdrawals may only go to the book's addresses until then; 0: no restriction. */
  readonly onlyUntil: number;
  readonly lockedUntil: number;
  readonly withdrawalsLockedUntil: number;
  readonly frozenAt: number;
  readonly createdAt: number;
  /** Keyed hashes of network addresses that signed in, latest last. */
  readonly knownAddresses: readonly string[];
  /** Oldest first. */
  readonly activity: readonly Activity[];
}

export interface Session {
  readonly id: string;
  readonly person: string;
  readonly token: string;
  readonly createdAt: number;
  readonly expires: number;
  readonly steppedUpAt: number;
  /** The name of its signing key. */
  readonly key: string;
  readonly from: string;
}

/** Older rows are dropped. */
const ACTIVITY_MAX = 100;
const SPENT_SWEEP_MIN = 64;

export class People {
  readonly #byId = new Map<string, Person>();
  readonly #byLogin = new Map<string, string>();
  readonly #byUser = new Map<number, string>();
  readonly #sessions = new Map<string, Session>();
  readonly #byToken = new Map<string, string>();
  /** Ids of sessions, by person. */
  readonly #open = new Map<string, Set<string>>();
  /** The expiry of each used token. */
  readonly #spent = new Map<string, number>();
  #sweepAt = SPENT_SWEEP_MIN;

  get size(): number {
    return this.#byId.size;
  }

  get(id: string): Person | null {
    return this.#byId.get(id) ?? null;
  }

  ofLogin(login: string): Person | null {
    return this.get(this.#byLogin.get(login) ?? '');
  }

  /** `user` must be a master. */
  ofUser(user: number): Person | null {
    return this.get(this.#byUser.get(user) ?? '');
  }

  set(person: Person): void {
    const before = this.#byId.get(person.id);
    if (before) this.#byLogin.delete(before.login);
    this.#byId.set(person.id, person);
    this.#byLogin.set(person.login, person.id);
    this.#byUser.set(person.user, person.id);
  }

  remove({ id, login, user }: Person): void {
    this.#byId.delete(id);
    this.#byLogin.delete(login);
    this.#byUser.delete(user);
  }

  addActivity(person: Person, row: Activity): void {
    this.set({ ...person, activity: [...person.activity.slice(1 - ACTIVITY_MAX), row] });
  }

  /** Includes expired sessions. */
  session(id: string): Session | null {
    return this.#sessions.get(id) ?? null;
  }

  sessionOfToken(token: string): Session | null {
    return this.session(this.#byToken.get(token) ?? '');
  }

  /** Oldest first. */
  sessionsOf(person: string): Session[] {
    const ids = [...(this.#open.get(person) ?? [])];
    return ids.map((id) => this.#sessions.get(id) as Session).toSorted(byAge);
  }

  setSession(session: Session): void {
    this.#sessions.set(session.id, session);
    this.#byToken.set(session.token, session.id);
    let ids = this.#open.get(session.person);
    if (!ids) {
      ids = new Set();
      this.#open.set(session.person, ids);
    }
    ids.add(session.id);
  }

  removeSession({ id, token, person }: Session): void {
    this.#sessions.delete(id);
    this.#byToken.delete(token);
    const ids = this.#open.get(person);
    ids?.delete(id);
    if (ids?.size === 0) this.#open.delete(person);
  }

  isSpent(id: string, time: number): boolean {
    return (this.#spent.get(id) ?? -1) >= time;
  }

  spend({ id, until }: Spent, time: number): void {
    this.#spent.set(id, until);
    if (this.#spent.size < this.#sweepAt) return;
    // Expired entries are invisible, so when they are dropped makes no difference.
    for (const [each, end] of this.#spent) if (end < time) this.#spent.delete(each);
    this.#sweepAt = Math.max(SPENT_SWEEP_MIN, this.#spent.size * 2);
  }

  list(): Person[] {
    return [...this.#byId.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  listSessions(): Session[] {
    return [...this.#sessions.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  listSpent(time: number): Spent[] {
    const all = Array.from(this.#spent, ([id, until]) => ({ id, until }));
    return all.filter(({ until }) => until >= time).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }
}

function byAge(a: Session, b: Session): number {
  return a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);
}
