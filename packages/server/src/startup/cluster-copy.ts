/** Backup and restore of everything that the log servers of a cluster keep. */

import { connectTo } from '../cluster/stream/nats-link.ts';
import { type BackupContents, backUp, restore } from '../cluster/stream/stream-backup.ts';
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
