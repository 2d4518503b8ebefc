/** The log of a cluster as a mirror reads it: the stream and its snapshots. */

import type { Exchange, LogRecord } from '@bourse/core';
import {
  type ClusterAddress,
  type ClusterKeys,
  connectTo,
  explained,
  NatsStream,
  RecordMac,
  RecordPlaces,
  SnapshotDamaged,
  SnapshotStore,
  StreamReader,
} from '@bourse/cluster';
import {
  inTemporaryDirectory,
  nodeClock,
  nodeDisk,
  removeFile,
  snapshotPath,
  Snapshots,
} from '@bourse/engine';
import type { MirrorSource } from '@bourse/mirror';

/** While the servers are unreachable, a mirror polls for this long before it checks whether to stop. */
const ASK_MS_MAX = 2000;

interface StreamParts {
  readonly stream: NatsStream;
  readonly mac: RecordMac;
  readonly places: RecordPlaces;
  readonly snapshots: SnapshotStore | null;
}

export class StreamSource implements MirrorSource {
  readonly #parts: StreamParts;
  readonly #reader: StreamReader;
  #lastSeq = 0;

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

  /** The last known state while no server responds. */
  async lastSeq(): Promise<number> {
    const { stream } = this.#parts;
    const bounds = await stream.bounds(ASK_MS_MAX).catch(() => {
      // This server may be partitioned from the others.
      stream.leaveServer();
      return null;
    });
    const found = bounds && (await this.#reader.lastSeq(bounds).catch(() => null));
    if (found !== null) this.#lastSeq = found;
    return this.#lastSeq;
  }

  async firstSeq(): Promise<number> {
    const { stream, places } = this.#parts;
    const bounds = await stream.bounds();
    return places.firstRecord(bounds.first, (await this.#reader.lastSeq(bounds)) ?? this.#lastSeq);
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

/** False when it is damaged; an older one may not be. */
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
