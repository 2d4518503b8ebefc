/** An exchange that runs in this process, and who is told while it starts. */

import type { Reloaded } from '@bourse/api';
import type { GatewayLog } from '@bourse/api/basics';
import type { Engine, RecoveryProgress } from '@bourse/engine';
import type { Sandbox } from '@bourse/sandbox';
import type { Settings } from '../config/settings.ts';
import type { ConnectionFile } from './connection-file.ts';

export interface StartListeners {
  /** No other process serves this directory. What it throws ends the start. */
  readonly onLocked?: () => Promise<void>;
  readonly onProgress?: (progress: RecoveryProgress) => void;
  readonly log?: GatewayLog;
  /** Reads the settings again from where they came from; left out: they stay, and only token files are read again. */
  readonly reread?: () => Promise<Settings>;
}

export interface RunningExchange {
  readonly connection: ConnectionFile;
  readonly isSandbox: boolean;
  /** The operator token was made at this start. */
  readonly isTokenNew: boolean;
  readonly engine: Engine;
  /** Only where it is one. */
  readonly sandbox?: Sandbox;
  /** Reads settings and tokens again. Not in a sandbox on one machine. */
  readonly reload?: () => Promise<Reloaded>;
  /** Takes no more, answers what is on its way, brings everything to the disk. */
  close(): Promise<void>;
}
