/** The stream of a cluster, opened for a node or for a reader. */

import {
  type ClusterAddress,
  type ClusterKeys,
  ClusterUnfit,
  connectTo,
  deriveClusterKeys,
  KeyStream,
  NatsStream,
  RecordMac,
  SnapshotStore,
  StreamReader,
  backUp,
  type BackupContents,
  restore,
} from '@bourse/cluster';
import { nodeClock } from '@bourse/engine';
import { SANDBOX_SECRET_KEY } from '@bourse/sandbox/basics';
import type { Settings } from '../config/settings.ts';
import type { Secrets } from './credentials.ts';

const COPIES = 3;

/** Accepts `nats://a,b,c` for `nats://a,nats://b,nats://c`. */
export function addressOf({
  cluster,
  clusterCaFile,
  clusterStream,
}: Pick<Settings, 'cluster' | 'clusterCaFile' | 'clusterStream'>): ClusterAddress {
  return {
    ...(clusterCaFile !== '' && { caFile: clusterCaFile }),
    servers: cluster.map((url) => (url.includes('://') ? url : `nats://${url}`)),
    stream: clusterStream,
  };
}

export async function openStream(settings: Settings, name: string, keys: ClusterKeys) {
  const address = addressOf(settings);
  const connection = await connectTo(address, name);
  try {
    const replicas = settings.clusterCopies || Math.min(COPIES, address.servers.length);
    const stream = await NatsStream.open({
      connection,
      address,
      replicas,
      bytesMax: settings.clusterLogBytes,
    });
    if (stream.messageBytesMax < 2 * settings.bodyBytesMax) throw tooSmall(stream, settings);
    const snapshots = await SnapshotStore.open({ connection, stream: address.stream, keys }, replicas);
    const sharedKeys = await KeyStream.open(connection, address.stream, replicas);
    return { address, connection, stream, snapshots, sharedKeys };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** A sandbox has the published key, so anybody who reaches its log servers can act as a node. */
export function clusterKeysOf(
  { clusterStream }: Pick<Settings, 'clusterStream'>,
  { secretKey = SANDBOX_SECRET_KEY }: Secrets,
): ClusterKeys {
  return deriveClusterKeys(secretKey, clusterStream);
}

/** For the follower's thread: the stream exists already. */
export async function openStreamReader(address: ClusterAddress, key: Uint8Array): Promise<StreamReader> {
  const connection = await connectTo(address, 'follower');
  const stream = await NatsStream.open({ connection, address, replicas: 0 });
  return StreamReader.open({ stream, clock: nodeClock, mac: new RecordMac(key) });
}

function tooSmall({ messageBytesMax }: NatsStream, { bodyBytesMax }: Settings): ClusterUnfit {
  return new ClusterUnfit(
    `The log servers take messages of ${messageBytesMax} bytes, and a request may have ${bodyBytesMax} (bodyBytesMax): ` +
      `set max_payload of the servers to ${2 * bodyBytesMax} or more.`,
  );
}

// Backup and restore of everything on a cluster's log servers.

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
