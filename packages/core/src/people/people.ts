/** People, their sessions, and used tokens. */

import type { Spent } from '../commands/identity-commands.ts';
import type { Activity, Person, Session } from './person.ts';

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

  note(person: Person, row: Activity): void {
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
