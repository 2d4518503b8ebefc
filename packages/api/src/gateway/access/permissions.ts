/** Permissions: the names in stored keys, and the document's names. */

import type { Permission } from '@bourse/core';

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
