/** Backup and restore of everything on a cluster's log servers. */

import { backUp, type BackupContents, connectTo, restore } from '@bourse/cluster';
import type { Settings } from '../config/settings.ts';
import { addressOf } from './cluster-stream.ts';

/** Throws ClusterUnfit. */
export async function copyCluster(
  what: 'backup' | 'restore',
  settings: Settings,
  dir: string,
): Promise<BackupContents> {
  const address = addressOf(settings);
  const connection = await connectTo(address, what);
  try {
    return await (what === 'backup' ? backUp : restore)(connection, address.stream, dir);
  } finally {
    await connection.close();
  }
}
