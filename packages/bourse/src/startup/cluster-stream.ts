/** The stream of a cluster, opened for a node or for a reader, and as the source of a mirror. */

import {
  backUp,
  type BackupContents,
  type ClusterAddress,
  type ClusterKeys,
  ClusterUnfit,
  connectTo,
  deriveClusterKeys,
  explained,
  KeyStream,
  NatsStream,
  RecordMac,
  RecordPlaces,
  restore,
  SnapshotDamaged,
  SnapshotStore,
  StreamReader,
} from '@bourse/cluster';
import type { Exchange, LogRecord } from '@bourse/core';
import {
  inTemporaryDirectory,
  nodeClock,
  nodeDisk,
  removeFile,
  snapshotPath,
  Snapshots,
} from '@bourse/engine';
import type { MirrorSource } from '@bourse/mirror';
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

/** While the servers are unreachable, a mirror polls for this long before it checks whether to stop. */
const ASK_MS_MAX = 2000;

interface StreamParts {
  readonly stream: NatsStream;
  readonly mac: RecordMac;
  readonly places: RecordPlaces;
  readonly snapshots: SnapshotStore | null;
}

/** The log of a cluster as a mirror reads it: the stream and its snapshots. */
export class StreamSource implements MirrorSource {
  readonly #parts: StreamParts;
  readonly #reader: StreamReader;
  /** null until a server has responded. */
  #lastSeq: number | null = null;

  private constructor(parts: StreamParts) {
    this.#parts = parts;
    this.#reader = new StreamReader({ ...parts, clock: nodeClock });
  }

  /** Throws ClusterUnfit, even if the stream does not exist: a mirror does not create it. */
  static async open(address: ClusterAddress, keys: ClusterKeys): Promise<StreamSource> {
    const mac = new RecordMac(keys.records);
    const connection = await connectTo(address, 'mirror');
    try {
      const stream = await NatsStream.open({ connection, address, replicas: 0 });
      const places = await RecordPlaces.find(stream, await stream.bounds(), mac);
      const snapshots = await SnapshotStore.find({ connection, stream: address.stream, keys });
      return new StreamSource({ stream, mac, places, snapshots });
    } catch (error) {
      const why = explained(error, connection);
      await connection.close();
      throw why;
    }
  }

  /** The last known state while no server responds. Waits if there is none: nothing would look like an empty log. */
  async lastSeq(): Promise<number> {
    const { stream } = this.#parts;
    const bounds = await stream.bounds(this.#lastSeq === null ? Infinity : ASK_MS_MAX).catch(() => {
      // This server may be partitioned from the others.
      stream.leaveServer();
      return null;
    });
    const found = bounds && (await this.#reader.lastSeq(bounds).catch(() => null));
    if (found !== null) this.#lastSeq = found;
    return this.#lastSeq ?? 0;
  }

  async firstSeq(): Promise<number> {
    const { stream, places } = this.#parts;
    const bounds = await stream.bounds();
    return places.firstRecord(bounds.first, (await this.#reader.lastSeq(bounds)) ?? this.#lastSeq ?? 0);
  }

  async exchangeBefore(seqMax: number): Promise<Exchange> {
    const { snapshots } = this.#parts;
    const seqs = ((await snapshots?.list()) ?? []).filter((each) => each <= seqMax);
    return inTemporaryDirectory('bourse-mirror-', async (dir) => {
      for (const seq of seqs.toReversed()) if (await fetchState(snapshots!, seq, dir)) break;
      return (await new Snapshots(nodeDisk, dir).restore(seqMax)).exchange;
    });
  }

  read(fromSeq: number, throughSeq: number): AsyncIterable<LogRecord> {
    return this.#reader.read(fromSeq, throughSeq);
  }

  close(): Promise<void> {
    return this.#reader.close();
  }
}

/** Returns false if it is damaged; an older one may be intact. */
async function fetchState(snapshots: SnapshotStore, seq: number, dir: string): Promise<boolean> {
  const path = snapshotPath(dir, seq);
  try {
    await snapshots.getState(seq, path);
    return true;
  } catch (error) {
    await removeFile(path);
    if (!(error instanceof SnapshotDamaged)) throw error;
    return false;
  }
}
