/**
 * Snapshots where every node finds them: objects of the servers that keep the log. Each is two files of the same record:
 * the state, and the history up to there. The state is written last, so where it is the history is too.
 */

import { Objm, type ObjectStore } from '@nats-io/obj';
import type { NatsConnection } from '@nats-io/transport-node';
import { ClusterUnfit, untilAnswered } from '../stream/nats-link.ts';
import { readFileStream, writeFileStream } from '../../io/file-stream.ts';

const KEPT = 2;
const SEQ_DIGITS = 20;
const STATE = 'snapshot';
const HISTORY = 'history';

/** Where the two files are, or go. */
export interface SnapshotFiles {
  readonly state: string;
  readonly history: string;
}

export class SnapshotStore {
  readonly #objects: ObjectStore;

  private constructor(objects: ObjectStore) {
    this.#objects = objects;
  }

  /** Of a stream that others write; null where nobody has made it yet. */
  static async find(connection: NatsConnection, stream: string): Promise<SnapshotStore | null> {
    const objects = await new Objm(connection).open(nameOfStore(stream)).catch(() => null);
    return objects && new SnapshotStore(objects);
  }

  /** Made when it is not there. Throws ClusterUnfit. */
  static async open(connection: NatsConnection, stream: string, replicas: number): Promise<SnapshotStore> {
    const make = () => new Objm(connection).create(nameOfStore(stream), { replicas });
    try {
      return new SnapshotStore(await untilAnswered(connection, make));
    } catch (error) {
      throw error instanceof ClusterUnfit ? error : cannotMake(stream, replicas, error as Error);
    }
  }

  /** Records of those that are there, ascending. */
  async list(): Promise<number[]> {
    const found = await this.#objects.list();
    const names = found.filter(({ deleted }) => !deleted).map(({ name }) => name.split('.'));
    return names
      .filter(([, kind]) => kind === STATE)
      .map(([seq]) => Number(seq))
      .toSorted((a, b) => a - b);
  }

  /**
   * Then removes all but the newest two. Resolves to the record of the oldest that is kept, or 0 while there is only
   * one.
   */
  async put(seq: number, files: SnapshotFiles): Promise<number> {
    await this.#objects.put({ name: nameOf(seq, HISTORY) }, readFileStream(files.history));
    await this.#objects.put({ name: nameOf(seq, STATE) }, readFileStream(files.state));
    const seqs = await this.list();
    for (const old of seqs.slice(0, -KEPT)) {
      await this.#objects.delete(nameOf(old, STATE));
      await this.#objects.delete(nameOf(old, HISTORY));
    }
    return seqs.length >= KEPT ? seqs.at(-KEPT)! : 0;
  }

  /** What the servers give back is compared with its hash. */
  async get(seq: number, files: SnapshotFiles): Promise<void> {
    await this.#fetch(nameOf(seq, HISTORY), files.history);
    await this.getState(seq, files.state);
  }

  /** Without the history. */
  getState(seq: number, path: string): Promise<void> {
    return this.#fetch(nameOf(seq, STATE), path);
  }

  async #fetch(name: string, path: string): Promise<void> {
    const found = await this.#objects.get(name);
    if (found === null) throw new Error(`the snapshot store has no ${name}`);
    await writeFileStream(path, found.data);
    const fault = await found.error;
    if (fault) throw fault;
  }
}

function cannotMake(stream: string, replicas: number, { message }: Error): ClusterUnfit {
  return new ClusterUnfit(
    `The store '${nameOfStore(stream)}' for snapshots with ${replicas} copies cannot be made (${message}). Start as many log ` +
      'servers as copies are wanted, with room for them, or ask for fewer with --cluster-copies.',
  );
}

const nameOfStore = (stream: string): string => `${stream}-snapshots`;
const nameOf = (seq: number, kind: string): string => `${String(seq).padStart(SEQ_DIGITS, '0')}.${kind}`;
