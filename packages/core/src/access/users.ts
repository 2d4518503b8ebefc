/** Users, their sub-accounts and their API keys. */

import type { AddKey, AddUser, ChangeKey, ChangeUser, Permission, RemoveKey } from '../commands/commands.ts';
import type { EventBatch } from '../events/event-batch.ts';
import { type Rejection, reject } from '../commands/rejections.ts';
import { checkKey, checkLength, checkPrintable, invalidValue } from '../values/text.ts';

const NAME_LENGTH_MAX = 64;
const NOTE_LENGTH_MAX = 255;
const SECRET_LENGTH_MAX = 1024;
const IP_LENGTH_MAX = 64;
const IPS_MAX = 20;
const PERMISSIONS: readonly Permission[] = ['general', 'spot', 'flex-transfers', 'withdrawal'];
const NOBODY = -1;
const TIER_MAX = 12;
/** Limits for users; an operator may create more for them. */
export const SUB_ACCOUNTS_MAX = 100;
const KEYS_MAX = 10;

/** Whether a user may act, as a number. An unknown user has no entry. */
const ACTIVE = 1;
export const FROZEN = 2;
/** The user's master is frozen, and with it the user. */
export const MASTER_FROZEN = 3;

export interface User {
  readonly number: number;
  readonly name: string;
  /** -1 for a master. */
  readonly parent: number;
  readonly tier: number;
  readonly frozen: boolean;
  readonly note: string;
  /** Milliseconds. */
  readonly createdAt: number;
}

export interface Key {
  readonly key: string;
  readonly user: number;
  readonly version: number;
  readonly permissions: readonly Permission[];
  readonly ipAllowList: readonly string[];
  readonly secret: string;
  /** This and the next field are optional. */
  readonly note?: string;
  readonly expires?: number;
  /** Set for a signing key. */
  readonly session?: string;
}

export class Users {
  readonly all: User[] = [];
  /** One byte per user, because every order reads it and user objects are rarely in the CPU cache. */
  #standings = new Uint8Array(1024);
  readonly #names = new Set<string>();
  readonly #keys = new Map<string, Key>();
  /** How many sub-accounts a master has, and how many keys a user. */
  readonly #subCounts = new Map<number, number>();
  readonly #keyCounts = new Map<number, number>();
  readonly #events: EventBatch;

  constructor(events: EventBatch) {
    this.#events = events;
  }

  unknown(user: number): Rejection | null {
    return this.all[user] ? null : reject('user-unknown', { user });
  }

  /** A frozen user may only cancel; a frozen master freezes its sub-accounts. An unknown user is not frozen. */
  frozen(user: number): Rejection | null {
    return this.isFrozen(user) ? reject('user-frozen', { user }) : null;
  }

  /** Whether the user or its master is frozen. */
  isFrozen(user: number): boolean {
    return this.#standings[user] === FROZEN || this.#standings[user] === MASTER_FROZEN;
  }

  /** Known, and not frozen. */
  isActive(user: number): boolean {
    return this.#standings[user] === ACTIVE;
  }

  /** FROZEN, MASTER_FROZEN, or nothing for an unknown user. */
  standing(user: number): number | undefined {
    return this.#standings[user];
  }

  isSubAccount(user: number): boolean {
    return this.all[user].parent !== NOBODY;
  }

  /** The user whose fee rates apply. */
  masterOf(user: number): number {
    const { parent } = this.all[user];
    return parent === NOBODY ? user : parent;
  }

  add(command: AddUser, time: number): Rejection | number {
    const { name, parent = NOBODY, note = '' } = command;
    const refused =
      (command.parent === undefined ? null : this.unknown(parent)) ??
      this.#checkSender(command.sender) ??
      checkPrintable('name', name, 1, NAME_LENGTH_MAX) ??
      checkLength('note', note, 0, NOTE_LENGTH_MAX);
    if (refused) return refused;
    if (this.#names.has(name)) return reject('code-taken', { taken: name });
    if (command.sender !== undefined && command.sender !== parent) {
      return reject('not-a-master', { user: command.sender });
    }
    if (parent !== NOBODY && this.isSubAccount(parent)) return reject('not-a-master', { user: parent });
    if (command.sender !== undefined && (this.#subCounts.get(parent) ?? 0) >= SUB_ACCOUNTS_MAX) {
      return reject('sub-accounts-per-user', { max: SUB_ACCOUNTS_MAX });
    }
    const number = this.all.length;
    this.restore({ number, name, parent, tier: 0, frozen: false, note, createdAt: time });
    this.#events.rare({ kind: 'user-added', user: number, name, parent });
    return number;
  }

  change(command: ChangeUser): Rejection | null {
    const refused = this.unknown(command.user);
    if (refused) return refused;
    const user = this.all[command.user];
    const { tier = user.tier, frozen = user.frozen } = command;
    if (!Number.isInteger(tier) || tier < 0 || tier > TIER_MAX) {
      return invalidValue('tier', tier, `an integer from 0 to ${TIER_MAX}`);
    }
    this.restore({ ...user, tier, frozen });
    if (frozen !== user.frozen) {
      for (const each of this.all) if (each.parent === user.number) this.restore(each);
    }
    this.#events.rare({ kind: 'user-changed', user: user.number, tier, frozen });
    return null;
  }

  /** A master before its sub-accounts. */
  restore(user: User): void {
    const { number, parent } = user;
    if (parent !== NOBODY && this.all[number] === undefined) count(this.#subCounts, parent, 1);
    this.all[number] = user;
    if (number >= this.#standings.length) this.#grow(number);
    this.#standings[number] = this.#standingOf(user);
    this.#names.add(user.name);
  }

  #standingOf({ frozen, parent }: User): number {
    if (frozen) return FROZEN;
    return parent !== NOBODY && this.all[parent].frozen ? MASTER_FROZEN : ACTIVE;
  }

  #checkSender(sender: number | undefined): Rejection | null {
    if (sender === undefined) return null;
    return this.unknown(sender) ?? this.frozen(sender);
  }

  /** A user manages the keys of its sub-accounts. */
  #checkOwner(sender: number | undefined, user: number): Rejection | null {
    if (sender === undefined || this.all[user].parent === sender) return null;
    return reject('not-a-sub-account', { user, parent: sender });
  }

  #grow(user: number): void {
    const grown = new Uint8Array(user * 2);
    grown.set(this.#standings);
    this.#standings = grown;
  }

  findKey(key: string): Key | null {
    return this.#keys.get(key) ?? null;
  }

  /** `session`: the session the key belongs to. */
  addKey(command: AddKey, session?: string): Rejection | null {
    const { key, user, version, permissions, ipAllowList, secret, note = '', expires } = command;
    const { sender } = command;
    const refused =
      this.unknown(user) ??
      this.#checkSender(sender) ??
      (sender === undefined ? null : this.frozen(user)) ??
      checkKey(key) ??
      checkSecret(secret) ??
      checkLength('note', note, 0, NOTE_LENGTH_MAX);
    if (refused) return refused;
    if (version !== 2 && version !== 3) return invalidValue('version', version, '2 or 3');
    if (expires !== undefined && !Number.isSafeInteger(expires)) {
      return invalidValue('expires', expires, 'an integer');
    }
    const wrong = checkGrants(permissions, ipAllowList);
    if (wrong) return wrong;
    if (this.#keys.has(key)) return reject('key-taken', { key });
    const barred = this.#checkOwner(sender, user);
    if (barred) return barred;
    if (sender !== undefined && (this.#keyCounts.get(user) ?? 0) >= KEYS_MAX) {
      return reject('keys-per-user', { max: KEYS_MAX });
    }
    this.#setKey({
      key,
      user,
      version,
      permissions,
      ipAllowList,
      secret,
      ...(note !== '' && { note }),
      ...(expires !== undefined && { expires }),
      ...(session !== undefined && { session }),
    });
    return null;
  }

  changeKey(command: ChangeKey): Rejection | null {
    const { sender } = command;
    const barred = this.#checkSender(sender);
    if (barred) return barred;
    const key = this.#keys.get(command.key);
    if (key && sender !== undefined) {
      const frozen = this.frozen(key.user);
      if (frozen) return frozen;
    }
    if (!key) return reject('key-unknown', { key: command.key });
    const { note: noteBefore = '', expires, ...rest } = key;
    const { permissions = key.permissions, ipAllowList = key.ipAllowList, note = noteBefore } = command;
    const wrong = checkLength('note', note, 0, NOTE_LENGTH_MAX) ?? checkGrants(permissions, ipAllowList);
    const refused = wrong ?? this.#checkOwner(sender, key.user);
    if (refused) return refused;
    const kept = { ...(note !== '' && { note }), ...(expires !== undefined && { expires }) };
    this.#setKey({ ...rest, permissions, ipAllowList, ...kept });
    return null;
  }

  /** Allowed even for a frozen user: removing a key takes away rights. */
  removeKey({ key: name, sender }: RemoveKey): Rejection | null {
    const refused = sender === undefined ? null : this.unknown(sender);
    if (refused) return refused;
    const key = this.#keys.get(name);
    if (!key) return reject('key-unknown', { key: name });
    const barred = this.#checkOwner(sender, key.user);
    if (barred) return barred;
    this.#keys.delete(name);
    count(this.#keyCounts, key.user, -1);
    this.#events.rare({ kind: 'key-removed', key: key.key, user: key.user });
    return null;
  }

  restoreKey(key: Key): void {
    if (!this.#keys.has(key.key)) count(this.#keyCounts, key.user, 1);
    this.#keys.set(key.key, key);
  }

  /** Sorted by name, so that the order does not depend on when keys were added. */
  listKeys(): Key[] {
    return [...this.#keys.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
  }

  #setKey(key: Key): void {
    this.restoreKey(key);
    const { secret: _, ...shown } = key;
    this.#events.rare({ kind: 'key-set', ...shown });
  }
}

function count(counts: Map<number, number>, of: number, change: number): void {
  counts.set(of, (counts.get(of) ?? 0) + change);
}

/** The rejection does not repeat the secret. */
function checkSecret(secret: string): Rejection | null {
  const refused = checkPrintable('secret', secret, 1, SECRET_LENGTH_MAX);
  return refused?.code === 'text-invalid' ? { ...refused, value: '' } : refused;
}

function checkGrants(permissions: readonly Permission[], ipAllowList: readonly string[]): Rejection | null {
  for (const permission of permissions) {
    if (!PERMISSIONS.includes(permission)) {
      return invalidValue('permissions', permission, PERMISSIONS.join(', '));
    }
  }
  if (ipAllowList.length > IPS_MAX) {
    return invalidValue('ipAllowList', ipAllowList.length, `at most ${IPS_MAX} addresses`);
  }
  for (const ip of ipAllowList) {
    const refused = checkPrintable('ipAllowList', ip, 1, IP_LENGTH_MAX);
    if (refused) return invalidValue('ipAllowList', ip, `1 to ${IP_LENGTH_MAX} printable ASCII characters`);
  }
  return null;
}
