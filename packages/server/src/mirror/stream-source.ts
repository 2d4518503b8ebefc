/** The log of a cluster as a mirror reads it: the stream, in which every record that can be read stays, and its snapshots. */

import type { Exchange, LogRecord } from '@bourse/core';
import { type ClusterAddress, connectTo, explained } from '../cluster/stream/nats-link.ts';
import { NatsStream } from '../cluster/stream/nats-stream.ts';
import { RecordPlaces } from '../cluster/stream/record-places.ts';
import { SnapshotStore } from '../cluster/states/snapshot-store.ts';
import { StreamReader } from '../cluster/stream/stream-reader.ts';
import { snapshotPath, Snapshots } from '../engine/snapshots.ts';
import { nodeClock } from '../io/node-clock.ts';
import { nodeDisk } from '../io/node-disk.ts';
import { inTemporaryDirectory } from '../io/temporary-directory.ts';
import type { MirrorSource } from './mirror-source.ts';

/** While the servers are away, a mirror looks so long for new records before it looks whether it shall stop. */
const ASK_MS_MAX = 2000;

interface StreamParts {
  readonly stream: NatsStream;
  readonly places: RecordPlaces;
  readonly snapshots: SnapshotStore | null;
}

export class StreamSource implements MirrorSource {
  readonly #parts: StreamParts;
  readonly #reader: StreamReader;
  #lastSeq = 0;

  private constructor(parts: StreamParts) {
    this.#parts = parts;
    this.#reader = new StreamReader(parts.stream, nodeClock, parts.places);
  }

  /** Throws ClusterUnfit, also when there is no such stream: a mirror makes none. */
  static async open(address: ClusterAddress): Promise<StreamSource> {
    const connection = await connectTo(address, 'mirror');
    try {
      const stream = await NatsStream.open({ connection, address, replicas: 0 });
      const places = await RecordPlaces.find(stream, await stream.bounds());
      const snapshots = await SnapshotStore.find(connection, address.stream);
      return new StreamSource({ stream, places, snapshots });
    } catch (error) {
      const why = explained(error, connection);
      await connection.close();
      throw why;
    }
  }

  /** What is known while nobody answers: the mirror waits for more then. */
  async lastSeq(): Promise<number> {
    const { stream, places } = this.#parts;
    const bounds = await stream.bounds(ASK_MS_MAX).catch(() => null);
    if (bounds) this.#lastSeq = places.lastRecord(bounds.last);
    return this.#lastSeq;
  }

  async firstSeq(): Promise<number> {
    const { stream, places } = this.#parts;
    return places.firstRecord(await stream.bounds());
  }

  async exchangeBefore(seqMax: number): Promise<Exchange> {
    const { snapshots } = this.#parts;
    const seq = (await snapshots?.list())?.findLast((each) => each <= seqMax) ?? 0;
    return inTemporaryDirectory('bourse-mirror-', async (dir) => {
      if (seq > 0) await snapshots!.getState(seq, snapshotPath(dir, seq));
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
