import type { Catalogue, Reloaded } from '@bourse/api';
import { type GatewayLog, type PermissionName, permissionNames, userId } from '@bourse/api/basics';
import type { Engine, RecoveryProgress } from '@bourse/engine';
import type { Sandbox } from '@bourse/sandbox';
import { KEYS } from '@bourse/sandbox/basics';
import type { Settings } from '../config/settings.ts';

/** What `--config-out` writes: all that a client, a test or a tool needs to begin. */
export interface ConnectionFile {
  readonly baseUrl: string;
  readonly compatUrl: string;
  readonly operatorUrl: string;
  readonly operatorToken: string;
  /** The address of the identity API; absent if people cannot sign in. */
  readonly identityUrl?: string;
  readonly users: readonly ConnectionUser[];
  /**
   * Only for a sandbox: the address of its control API, and its seed, market and clock as given at the
   * start.
   */
  readonly sandboxUrl?: string;
  readonly seed?: number;
  readonly market?: string;
  readonly clock?: string;
}

export interface ConnectionUser {
  /** The name of the key: `alice-viewer` is a second key of the user `alice` and has her userId. */
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

/** An exchange that runs in this process, and the listeners of its start. */

export interface StartListeners {
  /** Called when this process holds the directory. If it throws, the start fails. */
  readonly onLocked?: () => Promise<void>;
  readonly onProgress?: (progress: RecoveryProgress) => void;
  readonly log?: GatewayLog;
  /** Loads the settings again from their origins; omitted: only token files are read again. */
  readonly reread?: () => Promise<Settings>;
}

export interface RunningExchange {
  readonly connection: ConnectionFile;
  readonly isSandbox: boolean;
  /** The operator token was generated at this start. */
  readonly isTokenNew: boolean;
  readonly engine: Engine;
  /** Only if it is a sandbox. */
  readonly sandbox?: Sandbox;
  /** Reads settings and tokens again. Absent in a sandbox on one machine. */
  readonly reload?: () => Promise<Reloaded>;
  /** Accepts no more requests, finishes those in flight, syncs everything to disk. */
  close(): Promise<void>;
}
