/** Sub-accounts and keys in the terms of the family dialect. */

import { randomBytes } from 'node:crypto';
import type { Permission, User } from '@bourse/core';
import type { Catalogue } from '../../views/catalogue.ts';
import { orderId, parseOrderId } from '../ids.ts';
import { PERMISSION_NAMES, permissionNames } from './permissions.ts';
import { invalid, Refusal } from '../errors/refusal.ts';
import { shown } from '../http/reading/json-body.ts';

/** Users are never removed, so each costs memory forever. */

/** Added to the user's number, so that the first uids do not look like 1, 2, 3. */
const UID_START = 100_000_000;
const KEY_RANDOM_BYTES = 6;

/** The user's uid, for clients that know no other name. */
export const uidOf = (user: number): number => UID_START + user;

export function isMaster(catalogue: Catalogue, user: number): boolean {
  return (catalogue.user(user)?.parent ?? -1) < 0;
}

export function requireMaster(catalogue: Catalogue, user: number): void {
  if (isMaster(catalogue, user)) return;
  throw new Refusal('not-a-master', 'The key belongs to a sub-account.');
}

export function subUsersOf(catalogue: Catalogue, user: number): User[] {
  return catalogue.users().filter(({ parent }) => parent === user);
}

/** Another master's sub-account gets the same error as a nonexistent one, so that names cannot be probed. */
export function subUserNamed(catalogue: Catalogue, user: number, name: string): User {
  requireMaster(catalogue, user);
  const found = subUsersOf(catalogue, user).find((each) => each.name === name);
  if (found) return found;
  throw new Refusal('not-a-sub-account', `You have no sub-account ${shown(name)}.`);
}

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
