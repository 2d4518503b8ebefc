/** API keys: their permissions, their names, and keys that expire. */

import { randomBytes } from 'node:crypto';
import type { Key, Permission, Session } from '@bourse/core';
import type { Clock } from '@bourse/engine';
import type { Catalogue } from '../../views/catalogue.ts';
import { invalid } from '../errors/refusal.ts';
import { orderId, parseOrderId } from '../ids.ts';
import { shown } from '../members.ts';

export const PERMISSION_NAMES = {
  general: 'General',
  spot: 'Spot',
  'flex-transfers': 'FlexTransfers',
  withdrawal: 'Withdrawal',
} as const satisfies Record<Permission, string>;

/** Names from the interface document, used in messages. */
export const DOCUMENTED_NAMES = {
  ...PERMISSION_NAMES,
  spot: 'Spot Trading',
} as const satisfies Record<Permission, string>;

export type PermissionName = (typeof PERMISSION_NAMES)[Permission];

export const permissionNames = (permissions: readonly Permission[]): PermissionName[] =>
  permissions.map((permission) => PERMISSION_NAMES[permission]);

export function permissionsOf(names: readonly PermissionName[]): Permission[] {
  const entries = Object.entries(PERMISSION_NAMES) as [Permission, PermissionName][];
  return entries.filter(([, name]) => names.includes(name)).map(([permission]) => permission);
}

const KEY_RANDOM_BYTES = 6;

/** A new key's name: the time in seconds, and 48 random bits. */
export function newKeyName(time: number): string {
  return orderId(randomBytes(KEY_RANDOM_BYTES).readUIntBE(0, KEY_RANDOM_BYTES), time);
}

/** 0 for keys with other names: the exchange does not store their creation time. */
export const keyCreatedAt = (key: string): number => (parseOrderId(key)?.seconds ?? 0) * 1000;

export const permissionText = (permissions: readonly Permission[]): string =>
  permissionNames(permissions).join(',');

/** The family's aliases for permissions; null for products that do not exist here and grant nothing. */
const ALIASES: ReadonlyMap<string, Permission | null> = new Map<string, Permission | null>([
  ['InnerTransfer', 'flex-transfers'],
  ['Spot Trading', 'spot'],
  ['Futures', null],
  ['Margin', null],
]);

/** Parses the permissions of a sub-account's key, such as `General,Spot`; it always has General. */
export function readPermissions(text: string): Permission[] {
  const granted = new Set<Permission>(['general']);
  for (const name of text.split(',').map((each) => each.trim())) {
    const permission = name === '' ? null : permissionNamed(name);
    if (permission === undefined || permission === 'withdrawal') {
      throw invalid(`permission ${shown(name)} must be General, Spot, FlexTransfers or InnerTransfer.`);
    }
    if (permission) granted.add(permission);
  }
  return [...granted];
}

function permissionNamed(name: string): Permission | null | undefined {
  const alias = ALIASES.get(name);
  if (alias !== undefined) return alias;
  const entries = Object.entries(PERMISSION_NAMES) as [Permission, string][];
  return entries.find(([, each]) => each === name)?.[0];
}

/** Operators' sessions end sooner than others: when idle, and in any case. */
const OPERATOR_IDLE_MS = 15 * 60_000;
export const OPERATOR_SESSION_MS = 8 * 3_600_000;

export interface SessionTimes {
  readonly sessionIdleMs: number;
}

export interface KeyBook {
  key(name: string): Key | undefined;
}

/**
 * The catalogue's keys without expired ones. Signing keys of sessions expire when the session ends or is idle, API keys
 * at their expiry date. A session's last use is in memory only, and nodes of a cluster report it to each other; a restart
 * resets it.
 */
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

  /** The earliest that a session that begins or is used now may end. */
  get idleMsMin(): number {
    return Math.min(this.#times.sessionIdleMs, OPERATOR_IDLE_MS);
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

  /** Whether the key, or its session, has ended. Does not count as a use. */
  hasEnded(key: Key): boolean {
    return key.expires !== undefined && this.#endOf(key) <= this.#clock.now();
  }

  /** Records a use of the user's session; false if it had already ended. */
  use(session: Session, user: number): boolean {
    if (!this.isOpen(session, user)) return false;
    this.#use(session.id, this.#clock.now());
    return true;
  }

  /** Whether the user's session is active. Does not count as a use. */
  isOpen({ id, createdAt, expires }: Session, user: number): boolean {
    return Math.min(expires, this.#sessionEnd(id, createdAt, user)) > this.#clock.now();
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
    const until = this.#clock.now() - this.#times.sessionIdleMs;
    for (const [session, usedAt] of this.#usedAt) if (usedAt <= until) this.#usedAt.delete(session);
  }

  /** Keys that expire, each with its expiry unless it is used. */
  *ending(): Iterable<{ readonly key: Key; readonly end: number }> {
    for (const key of this.#catalogue.keys()) {
      if (key.expires !== undefined) yield { key, end: this.#endOf(key) };
    }
  }

  #endOf({ key, user, expires = Infinity, session }: Key): number {
    if (session === undefined) return expires;
    return Math.min(expires, this.#sessionEnd(session, this.#catalogue.sessionCreatedAt(key), user));
  }

  #use(session: string, now: number): void {
    this.#usedAt.set(session, now);
    this.#onUsed(session);
  }

  #sessionEnd(session: string, createdAt: number, user: number): number {
    const { sessionIdleMs } = this.#times;
    const used = this.#usedAt.get(session) ?? Math.max(this.#beganAt, createdAt);
    if (!this.#catalogue.isOperator(user)) return used + sessionIdleMs;
    // A session opened before its person became an operator expires later than operators' sessions.
    return Math.min(used + Math.min(sessionIdleMs, OPERATOR_IDLE_MS), createdAt + OPERATOR_SESSION_MS);
  }
}
