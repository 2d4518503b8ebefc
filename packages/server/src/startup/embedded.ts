/** The engine of one process and one directory: core and sequencer on this thread, the follower on a thread of its own. */

import type { Settings } from '../config/settings.ts';
import { type Engine, type EngineOptions, openEngine } from '../engine/engine.ts';
import { FollowerThread } from '../engine/follower-thread.ts';
import type { Clock } from '../io/clock.ts';
import { type DirectoryOptions, openDirectory } from './data-directory.ts';
import type { FollowerTask } from './follower-worker.ts';

export interface EmbeddedOptions
  extends Required<Pick<EngineOptions, 'onProgress' | 'onWarning' | 'onStop'>>,
    Required<Pick<DirectoryOptions, 'onLocked'>> {
  readonly settings: Settings;
  readonly clock: Clock;
  /** The follower's thread was started; it is not ready yet. */
  readonly onFollowerStart: () => void;
}

const WORKER = new URL('./follower-worker.ts', import.meta.url);

export async function openEmbedded(options: EmbeddedOptions): Promise<Engine> {
  const { settings, clock, onFollowerStart, onLocked, ...listeners } = options;
  const { data: dir, snapshotRecords, snapshotBytes, historyRetentionMs: retentionMs } = settings;
  const startedAt = clock.elapsed();
  const task: FollowerTask = { dir, limits: { snapshotRecords, snapshotBytes, retentionMs } };
  return openEngine({
    ...(await openDirectory(dir, { onLocked, onWarning: listeners.onWarning })),
    clock,
    startedAt,
    startFollower() {
      const starting = FollowerThread.start(WORKER, task);
      onFollowerStart();
      return starting;
    },
    limits: { queueMax: settings.queueCommandsMax, queueBytesMax: settings.queueBytesMax },
    keepSegments: settings.keepLog,
    ...listeners,
  });
}
