/** Takes a snapshot of a stopped directory, so that the next start is fast. History is brought up to date on the way. */

import type { EngineOptions, SnapshotInfo } from '@bourse/engine';
import { openStopped } from './stopped-directory.ts';

export async function takeSnapshot(
  dir: string,
  listeners: Pick<EngineOptions, 'onProgress' | 'onWarning'>,
): Promise<SnapshotInfo> {
  const engine = await openStopped(dir, listeners);
  try {
    return await engine.snapshot();
  } finally {
    await engine.close();
  }
}
