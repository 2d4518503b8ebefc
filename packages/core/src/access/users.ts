/** Users and their sub-accounts, and the keys they come in with. */

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

/** Whether a user may act, as a number. For an unknown user the array has no entry. */
const ACTIVE = 1;
export const FROZEN = 2;

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
  /** Only where one was given. */
  readonly note?: string;
}

export class Users {
  readonly all: User[] = [];
  /** A byte a user: every order asks for it, and the users themselves are rarely in the processor's cache. */
  private standings = new Uint8Array(1024);
  private readonly names = new Set<string>();
  private readonly keys = new Map<string, Key>();
  private readonly events: EventBatch;

  constructor(events: EventBatch) {
    this.events = events;
  }

  unknown(user: number): Rejection | null {
    return this.all[user] ? null : reject('user-unknown', { user });
  }

  /** A frozen user only cancels. An unknown one is not frozen. */
  frozen(user: number): Rejection | null {
    return this.all[user]?.frozen ? reject('user-frozen', { user }) : null;
  }

  /** Known, and not frozen. */
  isActive(user: number): boolean {
    return this.standings[user] === ACTIVE;
  }

  /** FROZEN, or nothing for an unknown user. */
  standing(user: number): number | undefined {
    return this.standings[user];
  }

  isSubAccount(user: number): boolean {
    return this.all[user].parent !== NOBODY;
  }

  /** The user whose fee rates count. */
  masterOf(user: number): number {
    const { parent } = this.all[user];
    return parent === NOBODY ? user : parent;
  }

  add(command: AddUser, time: number): Rejection | number {
    const { name, parent = NOBODY, note = '' } = command;
    const refused =
      (command.parent === undefined ? null : this.unknown(parent)) ??
      checkPrintable('name', name, 1, NAME_LENGTH_MAX) ??
      checkLength('note', note, 0, NOTE_LENGTH_MAX);
    if (refused) return refused;
    if (this.names.has(name)) return reject('code-taken', { taken: name });
    if (parent !== NOBODY && this.isSubAccount(parent)) return reject('not-a-master', { user: parent });
    const number = this.all.length;
    this.restore({ number, name, parent, tier: 0, frozen: false, note, createdAt: time });
    this.events.rare({ kind: 'user-added', user: number, name, parent });
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
    this.events.rare({ kind: 'user-changed', user: user.number, tier, frozen });
    return null;
  }

  restore(user: User): void {
    this.all[user.number] = user;
    if (user.number >= this.standings.length) this.grow(user.number);
    this.standings[user.number] = user.frozen ? FROZEN : ACTIVE;
    this.names.add(user.name);
  }

  private grow(user: number): void {
    const grown = new Uint8Array(user * 2);
    grown.set(this.standings);
    this.standings = grown;
  }

  findKey(key: string): Key | null {
    return this.keys.get(key) ?? null;
  }

  addKey(command: AddKey): Rejection | null {
    const { key, user, version, permissions, ipAllowList, secret, note = '' } = command;
    const refused =
      this.unknown(user) ??
      checkKey(key) ??
      checkSecret(secret) ??
      checkLength('note', note, 0, NOTE_LENGTH_MAX);
    if (refused) return refused;
    if (version !== 2 && version !== 3) return invalidValue('version', version, '2 or 3');
    const wrong = checkGrants(permissions, ipAllowList);
    if (wrong) return wrong;
    if (this.keys.has(key)) return reject('key-taken', { key });
    this.setKey({ key, user, version, permissions, ipAllowList, secret, ...(note !== '' && { note }) });
    return null;
  }

  changeKey(command: ChangeKey): Rejection | null {
    const key = this.keys.get(command.key);
    if (!key) return reject('key-unknown', { key: command.key });
    const { note: noteBefore = '', ...rest } = key;
    const { permissions = key.permissions, ipAllowList = key.ipAllowList, note = noteBefore } = command;
    const wrong = checkLength('note', note, 0, NOTE_LENGTH_MAX) ?? checkGrants(permissions, ipAllowList);
    if (wrong) return wrong;
    this.setKey({ ...rest, permissions, ipAllowList, ...(note !== '' && { note }) });
    return null;
  }

  removeKey(command: RemoveKey): Rejection | null {
    const key = this.keys.get(command.key);
    if (!key) return reject('key-unknown', { key: command.key });
    this.keys.delete(key.key);
    this.events.rare({ kind: 'key-removed', key: key.key, user: key.user });
    return null;
  }

  restoreKey(key: Key): void {
    this.keys.set(key.key, key);
  }

  /** By name: the order does not depend on when they were made. */
  listKeys(): Key[] {
    return [...this.keys.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
  }

  private setKey(key: Key): void {
    this.restoreKey(key);
    const { secret: _, ...shown } = key;
    this.events.rare({ kind: 'key-set', ...shown });
  }
}

/** What is wrong with a secret is said without repeating it. */
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
