/** The engine of one process and one directory: core and sequencer on this thread, the follower on another. */

import { type Clock, type Engine, type EngineOptions, type FollowerLink, openEngine } from '@bourse/engine';
import type { Settings } from '../config/settings.ts';
import type { OpenDirectory } from './data-directory.ts';
import type { FollowerTask } from './follower-worker.ts';

export interface EmbeddedOptions
  extends Partial<Pick<EngineOptions, 'isWatched' | 'onProgress' | 'onWarning' | 'onAlarm' | 'onStop'>> {
  readonly settings: Settings;
  /** The data directory, opened. */
  readonly directory: OpenDirectory;
  readonly clock: Clock;
  readonly startFollower: (task: FollowerTask) => Promise<FollowerLink>;
  /** When the start began, by the machine's clock. */
  readonly startedAt?: number;
}

export const FOLLOWER_WORKER = new URL('./follower-worker.ts', import.meta.url);

export function openEmbedded(options: EmbeddedOptions): Promise<Engine> {
  const { settings, directory, clock, startFollower, ...others } = options;
  const { data: dir, snapshotRecords, snapshotBytes, historyRetentionMs: retentionMs } = settings;
  const limits = { snapshotRecords, snapshotBytes, retentionMs };
  const { logCopy } = settings;
  const task: FollowerTask = { dir, limits, ...(logCopy !== '' && { logCopy }) };
  return openEngine({
    ...directory,
    clock,
    startFollower: () => startFollower(task),
    limits: { queueMax: settings.queueCommandsMax, queueBytesMax: settings.queueBytesMax },
    clockJumpMsMax: settings.clockJumpMsMax,
    keepSegments: logCopy === '',
    ...others,
  });
}
