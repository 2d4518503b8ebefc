/** An exchange that runs in this process, and the listeners of its start. */

import type { Reloaded } from '@bourse/api';
import type { GatewayLog } from '@bourse/api/basics';
import type { Engine, RecoveryProgress } from '@bourse/engine';
import type { Sandbox } from '@bourse/sandbox';
import type { Settings } from '../config/settings.ts';
import type { ConnectionFile } from './connection-file.ts';

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
  /** Only where it is one. */
  readonly sandbox?: Sandbox;
  /** Reads settings and tokens again. Not in a sandbox on one machine. */
  readonly reload?: () => Promise<Reloaded>;
  /** Accepts no more requests, finishes those in flight, syncs everything to disk. */
  close(): Promise<void>;
}
