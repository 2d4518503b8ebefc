/** Users, their sub-accounts and their API keys. */

import type {
  AddKey,
  AddUser,
  ChangeKey,
  ChangeUser,
  Freeze,
  FreezeLevel,
  FreezeUser,
  Permission,
  RemoveKey,
  UnfreezeUser,
} from '../commands/commands.ts';
import type { EventBatch } from '../events/event-batch.ts';
import { type Rejection, reject } from '../commands/rejections.ts';
import { checkKey, checkLength, checkPrintable, invalidValue } from '../values/checks.ts';

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

/** A user's restrictions as bits; ACTIVE distinguishes an unrestricted user from an unknown one. */
const ACTIVE = 1;
export const NO_TRADING = 2;
export const NO_WITHDRAWALS = 4;
/** Everything except cancelling. */
const NO_MORE = 8;
const BARRED: Readonly<Record<FreezeLevel, number>> = {
  trading: NO_TRADING,
  withdrawals: NO_WITHDRAWALS,
  all: NO_TRADING | NO_WITHDRAWALS | NO_MORE,
};
const LEVELS = Object.keys(BARRED) as readonly FreezeLevel[];

/** The freeze that `frozen` stands for if there is no `freeze`. */
const WHOLE: Freeze = { level: 'all', withSubAccounts: true };

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
  /** Absent for an active user, and for one frozen completely with its sub-accounts. */
  readonly freeze?: Freeze;
  /** Set once the user is closed, which is permanent. */
  readonly closed?: true;
}

export interface Key {
  readonly key: string;
  readonly user: number;
  readonly version: number;
  readonly permissions: readonly Permission[];
  readonly ipAllowList: readonly string[];
  readonly secret: string;
  readonly note?: string;
  /** Milliseconds. */
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
  /** The sub-accounts of a master, ascending. */
  readonly #subs = new Map<number, number[]>();
  readonly #keyCounts = new Map<number, number>();
  readonly #events: EventBatch;

  constructor(events: EventBatch) {
    this.#events = events;
  }

  unknown(user: number): Rejection | null {
    return this.all[user] ? null : reject('user-unknown', { user });
  }

  /**
   * Rejects a user who is frozen completely, directly or through its master, and may therefore only cancel. null for an
   * unknown user.
   */
  frozen(user: number): Rejection | null {
    return this.barred(user, NO_MORE);
  }

  /** Rejects if a freeze of the user or its master covers `what`: NO_TRADING or NO_WITHDRAWALS. */
  barred(user: number, what: number): Rejection | null {
    const standing = this.#standings[user];
    if (standing === undefined || (standing & what) === 0) return null;
    if ((standing & NO_MORE) !== 0) return reject('user-frozen', { user });
    return reject('user-frozen', { user, level: what === NO_TRADING ? 'trading' : 'withdrawals' });
  }

  closed(user: number): Rejection | null {
    return this.all[user].closed ? reject('user-closed', { user }) : null;
  }

  /** Whether the user or its master is frozen completely. */
  isFrozen(user: number): boolean {
    return this.frozen(user) !== null;
  }

  /** Known, and not frozen. */
  isActive(user: number): boolean {
    return this.#standings[user] === ACTIVE;
  }

  /** The user's restriction bits; undefined for an unknown user. */
  standing(user: number): number | undefined {
    return this.#standings[user];
  }

  isSubAccount(user: number): boolean {
    return this.all[user].parent !== NOBODY;
  }

  /** Ascending. */
  subAccountsOf(user: number): readonly number[] {
    return this.#subs.get(user) ?? [];
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
    if (parent !== NOBODY && this.all[parent].closed) return reject('user-closed', { user: parent });
    if (command.sender !== undefined && command.sender !== parent) {
      return reject('not-a-master', { user: command.sender });
    }
    if (parent !== NOBODY && this.isSubAccount(parent)) return reject('not-a-master', { user: parent });
    if (command.sender !== undefined && this.subAccountsOf(parent).length >= SUB_ACCOUNTS_MAX) {
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
    const { tier = user.tier, frozen } = command;
    if (!Number.isInteger(tier) || tier < 0 || tier > TIER_MAX) {
      return invalidValue('tier', tier, `an integer from 0 to ${TIER_MAX}`);
    }
    const over = this.closed(command.user);
    if (over) return over;
    this.#set({ ...(frozen === undefined ? user : withFreeze(user, frozen ? WHOLE : null)), tier });
    return null;
  }

  /** Only extends an existing freeze: reducing it takes `unfreeze`, which may need approval. */
  freeze({ user, level, withSubAccounts }: FreezeUser): Rejection | null {
    const refused = this.unknown(user);
    if (refused) return refused;
    if (!LEVELS.includes(level)) return invalidValue('level', level, LEVELS.join(', '));
    const over = this.closed(user);
    if (over) return over;
    const before = freezeOf(this.all[user]);
    const isLess =
      before !== null &&
      ((BARRED[before.level] & ~BARRED[level]) !== 0 || (before.withSubAccounts && !withSubAccounts));
    if (isLess) return reject('frozen-already', { user, level: before.level });
    this.#set(withFreeze(this.all[user], { level, withSubAccounts }));
    return null;
  }

  /** Also lifts what sub-accounts inherited from the master; `withSubAccounts` lifts their own freezes, too. */
  unfreeze({ user, withSubAccounts }: UnfreezeUser): Rejection | null {
    const refused = this.unknown(user) ?? this.closed(user);
    if (refused) return refused;
    this.#set(withFreeze(this.all[user], null));
    if (!withSubAccounts) return null;
    for (const number of this.subAccountsOf(user)) {
      const each = this.all[number];
      if (each.frozen && !each.closed) this.#set(withFreeze(each, null));
    }
    return null;
  }

  /** Permanent. The caller has checked that the user has no money, orders or open deposits. */
  close(user: number): void {
    this.#set({ ...withFreeze(this.all[user], WHOLE), closed: true });
  }

  #set(user: User): void {
    const before = this.all[user.number];
    this.restore(user);
    if (before.frozen !== user.frozen || before.freeze !== user.freeze) {
      for (const number of this.subAccountsOf(user.number)) this.restore(this.all[number]);
    }
    const { number, tier, frozen, freeze, closed } = user;
    const more = { ...(freeze && { freeze }), ...(closed && { closed }) };
    this.#events.rare({ kind: 'user-changed', user: number, tier, frozen, ...more });
  }

  /** A master before its sub-accounts. */
  restore(user: User): void {
    const { number, parent } = user;
    if (parent !== NOBODY && this.all[number] === undefined) {
      const subs = this.#subs.get(parent);
      if (subs) subs.push(number);
      else this.#subs.set(parent, [number]);
    }
    this.all[number] = user;
    if (number >= this.#standings.length) this.#grow(number);
    this.#standings[number] = this.#standingOf(user);
    this.#names.add(user.name);
  }

  #standingOf(user: User): number {
    const own = freezeOf(user);
    const inherited = user.parent === NOBODY ? null : freezeOf(this.all[user.parent]);
    return (
      ACTIVE |
      (own === null ? 0 : BARRED[own.level]) |
      (inherited?.withSubAccounts ? BARRED[inherited.level] : 0)
    );
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
    const over = this.closed(user);
    if (over) return over;
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
    return byName([...this.#keys.values()]);
  }

  /** Sorted by name. */
  keysOf(users: readonly number[]): Key[] {
    return byName([...this.#keys.values()].filter(({ user }) => users.includes(user)));
  }

  #setKey(key: Key): void {
    this.restoreKey(key);
    const { secret: _, ...shown } = key;
    this.#events.rare({ kind: 'key-set', ...shown });
  }
}

const byName = (keys: readonly Key[]): Key[] => keys.toSorted((a, b) => (a.key < b.key ? -1 : 1));

export const freezeOf = ({ frozen, freeze = WHOLE }: User): Freeze | null => (frozen ? freeze : null);

/** null: not frozen. */
function withFreeze(user: User, freeze: Freeze | null): User {
  const { freeze: _, ...rest } = user;
  const isWhole = freeze?.level === WHOLE.level && freeze.withSubAccounts;
  return { ...rest, frozen: freeze !== null, ...(freeze !== null && !isWhole && { freeze }) };
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
