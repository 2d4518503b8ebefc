/**
 * The exchange as one process. This function is the architecture: each line needs only those above it, and closing goes
 * the other way.
 */

import type { Settings } from '../config/settings.ts';
import type { Engine } from '../engine/engine.ts';
import type { RecoveryProgress } from '../engine/recovery.ts';
import { type GatewayLog, makeLog } from '../gateway/http/log.ts';
import { nodeClock } from '../io/node-clock.ts';
import type { ConnectionFile } from './connection-file.ts';
import { openEmbedded } from './embedded.ts';
import { readSecrets } from './credentials.ts';
import { prepareSandbox } from './sandbox.ts';
import { prepareVenue } from './venue.ts';

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
  /** Takes no more, answers what is on its way, brings everything to the disk. */
  close(): Promise<void>;
}

export async function startExchange(
  settings: Settings,
  listeners: StartListeners = {},
): Promise<RunningExchange> {
  const log = listeners.log ?? makeLog(settings.logLevel);
  const clock = nodeClock;
  // Credentials are read first: when they are wrong, no data directory has been made yet.
  const secrets = await readSecrets(settings);
  const { promise: followerStarts, resolve: onFollowerStart } = Promise.withResolvers<void>();
  const opening = openEmbedded({
    settings,
    clock,
    onFollowerStart,
    onLocked: listeners.onLocked ?? (async () => undefined),
    onProgress: listeners.onProgress ?? (() => undefined),
    onWarning: (sentence) => log.warn(sentence),
    onStop: (why) =>
      log.fatal({ err: why }, 'the engine has stopped for good and answers nothing more: start again'),
  });
  // The follower's thread loads its code for some hundred milliseconds: meanwhile this one loads the gateway's.
  await Promise.race([followerStarts, opening]);
  const loading = import('./service.ts');
  // Waited for below, when there is an engine to close should it fail.
  loading.catch(() => undefined);
  const engine = await opening;
  try {
    const { openService } = await loading;
    const credentials = await (settings.venue ? prepareVenue : prepareSandbox)(settings, secrets, engine);
    const { history } = engine;
    const service = await openService({ settings, port: engine, history, clock, log, credentials });
    return {
      connection: service.connection,
      isSandbox: credentials.isSandbox,
      isTokenNew: credentials.isTokenNew,
      engine,
      async close() {
        await service.close();
        await engine.close();
      },
    };
  } catch (error) {
    await engine.close();
    throw error;
  }
}
