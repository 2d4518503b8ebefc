/** An exchange that runs in this process, and who is told while it starts. */

import type { Engine } from '../engine/engine.ts';
import type { RecoveryProgress } from '../engine/recovery.ts';
import type { GatewayLog } from '../gateway/http/log.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { ConnectionFile } from './connection-file.ts';

export interface StartListeners {
  /** No other process serves this directory. What it throws ends the start. */
  readonly onLocked?: () => Promise<void>;
  readonly onProgress?: (progress: RecoveryProgress) => void;
  readonly log?: GatewayLog;
}

export interface RunningExchange {
  readonly connection: ConnectionFile;
  readonly isSandbox: boolean;
  /** The operator token was made at this start. */
  readonly isTokenNew: boolean;
  readonly engine: Engine;
  /** Only where it is one. */
  readonly sandbox?: Sandbox;
  /** Takes no more, answers what is on its way, brings everything to the disk. */
  close(): Promise<void>;
}
