/** What `--config-out` writes: all that a client, a test or a tool needs to begin. */

import type { Catalogue } from '@bourse/api';
import { type PermissionName, permissionNames, userId } from '@bourse/api/basics';
import { KEYS } from '@bourse/sandbox/basics';

export interface ConnectionFile {
  readonly baseUrl: string;
  readonly compatUrl: string;
  readonly operatorUrl: string;
  readonly operatorToken: string;
  /** Where people sign in; left out where they cannot. */
  readonly identityUrl?: string;
  readonly users: readonly ConnectionUser[];
  /** Only of a sandbox: its control interface, the market that lives there, and the word its clock was started with. */
  readonly sandboxUrl?: string;
  readonly seed?: number;
  readonly market?: string;
  readonly clock?: string;
}

export interface ConnectionUser {
  /** Of the key: `alice-viewer` is a second key of the user `alice`, and has her userId. */
  readonly name: string;
  readonly userId: string;
  /** The master's name, for a sub-account. */
  readonly parent: string | null;
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly apiPassphrase: string;
  readonly permissions: readonly PermissionName[];
}

/** An address for people: browsers have passkeys for host names only. */
export const pageUrl = (address: string): string =>
  address.replace(/^(https?:\/\/)127\.0\.0\.1(?=[:/]|$)/, '$1localhost');

/** The published keys that are still there, with the permissions they have now. */
export function sandboxUsers(catalogue: Catalogue): ConnectionUser[] {
  return KEYS.flatMap(({ name, apiKey, apiSecret, apiPassphrase }) => {
    const key = catalogue.key(apiKey);
    if (!key) return [];
    const parent = catalogue.user(catalogue.user(key.user)?.parent ?? -1)?.name ?? null;
    const permissions = permissionNames(key.permissions);
    return [{ name, userId: userId(key.user), parent, apiKey, apiSecret, apiPassphrase, permissions }];
  });
}
