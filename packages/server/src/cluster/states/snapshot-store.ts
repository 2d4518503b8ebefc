/**
 * Snapshots where every node finds them: objects of the servers that keep the log. A snapshot is a list of pieces, each
 * named by its hash: of the state, and of the history up to the same record. Pieces that are there already are not sent
 * again, and of a history of gigabytes most are. The list is written last: where it is, all pieces are, and an upload that
 * ended in its middle leaves the snapshots before it as they were.
 */

import { createHash } from 'node:crypto';
import { Objm, type ObjectInfo, type ObjectStore } from '@nats-io/obj';
import type { NatsConnection } from '@nats-io/transport-node';
import { nodeClock } from '../../io/node-clock.ts';
import { readFilePieces, writeFilePieces, writeFileStream } from '../../io/file-stream.ts';
import { ClusterUnfit, untilAnswered } from '../stream/nats-link.ts';

const KEPT = 2;
const SEQ_DIGITS = 20;
/** The list of a snapshot's pieces. */
const LIST = 'parts';
/** Of versions before pieces: the files as they are. */
const STATE = 'snapshot';
const HISTORY = 'history';
const PIECE = 'piece';
const PIECE_BYTES = 1 << 18;
/** Pieces that no list names stay so long: another node may be about to write the list that does. */
const UNNAMED_MS = 600_000;

/** Where the two files are, or go. */
export interface SnapshotFiles {
  readonly state: string;
  readonly history: string;
}

/** Hashes of the pieces of each file. */
type PieceList = Readonly<Record<keyof SnapshotFiles, readonly string[]>>;

export interface PutSnapshot {
  /** The record of the oldest snapshot that is kept, or 0 while there is only one. */
  readonly oldest: number;
  /** Bytes that were not there yet. */
  readonly bytesSent: number;
}

export class SnapshotStore {
  readonly #connection: NatsConnection;
  readonly #objects: ObjectStore;
  readonly #name: string;
  readonly #now: () => number;

  private constructor(connection: NatsConnection, objects: ObjectStore, name: string, now: () => number) {
    this.#connection = connection;
    this.#objects = objects;
    this.#name = name;
    this.#now = now;
  }

  /** Of a stream that others write; null where nobody has made it yet. */
  static async find(connection: NatsConnection, stream: string): Promise<SnapshotStore | null> {
    const name = nameOfStore(stream);
    const objects = await new Objm(connection).open(name).catch(() => null);
    return objects && new SnapshotStore(connection, objects, name, nodeClock.now);
  }

  /** Made when it is not there. Throws ClusterUnfit. */
  static async open(
    connection: NatsConnection,
    stream: string,
    replicas: number,
    now: () => number = nodeClock.now,
  ): Promise<SnapshotStore> {
    const name = nameOfStore(stream);
    const make = () => new Objm(connection).create(name, { replicas });
    try {
      return new SnapshotStore(connection, await untilAnswered(connection, make), name, now);
    } catch (error) {
      throw error instanceof ClusterUnfit ? error : cannotMake(stream, replicas, error as Error);
    }
  }

  /** Records of those that are there, ascending. */
  async list(): Promise<number[]> {
    return seqsOf(await this.#infos());
  }

  /** Then removes all but the newest two, and pieces that none of them has. */
  async put(seq: number, files: SnapshotFiles): Promise<PutSnapshot> {
    const there = new Set((await this.#infos()).map(({ name }) => name));
    let bytesSent = 0;
    const send = async (path: string): Promise<string[]> => {
      const hashes: string[] = [];
      for await (const bytes of readFilePieces(path, PIECE_BYTES)) {
        const hash = hashOf(bytes);
        hashes.push(hash);
        if (there.has(pieceName(hash))) continue;
        await this.#objects.putBlob({ name: pieceName(hash) }, bytes);
        there.add(pieceName(hash));
        bytesSent += bytes.length;
      }
      return hashes;
    };
    const list: PieceList = { history: await send(files.history), state: await send(files.state) };
    await this.#objects.putBlob({ name: nameOf(seq, LIST) }, Buffer.from(JSON.stringify(list)));
    const infos = await this.#infos();
    const missing = namesIn(list).filter((name) => !infos.some((info) => info.name === name));
    if (missing.length > 0) {
      await this.#remove(nameOf(seq, LIST));
      throw new Error(`another node has removed ${missing.length} pieces meanwhile`);
    }
    await this.#clean(infos);
    const seqs = seqsOf(infos);
    return { oldest: seqs.length >= KEPT ? seqs.at(-KEPT)! : 0, bytesSent };
  }

  /** Whatever the servers return is compared with its hash. */
  async get(seq: number, files: SnapshotFiles): Promise<void> {
    const list = await this.#listOf(seq);
    if (list === null) await this.#fetch(nameOf(seq, HISTORY), files.history);
    else await this.#join(list.history, files.history);
    await this.getState(seq, files.state, list);
  }

  /** Without the history. */
  async getState(seq: number, path: string, known?: PieceList | null): Promise<void> {
    const list = known === undefined ? await this.#listOf(seq) : known;
    return list === null ? this.#fetch(nameOf(seq, STATE), path) : this.#join(list.state, path);
  }

  /** Removes the snapshots of later records: the log that they belong to is gone. */
  async removeBeyond(seqMax: number): Promise<void> {
    for (const { name } of await this.#infos()) if (seqOf(name) > seqMax) await this.#remove(name);
  }

  async #infos(): Promise<ObjectInfo[]> {
    return (await this.#objects.list()).filter(({ deleted }) => !deleted);
  }

  async #listOf(seq: number): Promise<PieceList | null> {
    const bytes = await this.#objects.getBlob(nameOf(seq, LIST));
    return bytes && (JSON.parse(Buffer.from(bytes).toString()) as PieceList);
  }

  async #join(hashes: readonly string[], path: string): Promise<void> {
    const fetchPiece = async (hash: string): Promise<Uint8Array> => {
      const bytes = await this.#objects.getBlob(pieceName(hash));
      if (bytes === null || hashOf(bytes) !== hash)
        throw new Error(`the snapshot store has no ${pieceName(hash)}`);
      return bytes;
    };
    await writeFilePieces(path, hashes, fetchPiece);
  }

  async #fetch(name: string, path: string): Promise<void> {
    const found = await this.#objects.get(name);
    if (found === null) throw new Error(`the snapshot store has no ${name}`);
    await writeFileStream(path, found.data);
    const fault = await found.error;
    if (fault) throw fault;
  }

  async #clean(infos: readonly ObjectInfo[]): Promise<void> {
    const kept = seqsOf(infos).slice(-KEPT);
    const named = new Set<string>();
    for (const seq of kept) for (const name of namesIn(await this.#listOf(seq))) named.add(name);
    for (const { name, mtime } of infos) {
      const isOld = seqOf(name) < kept[0];
      const isUnnamed = isPiece(name) && !named.has(name) && Date.parse(mtime) < this.#now() - UNNAMED_MS;
      if (isOld || isUnnamed) await this.#remove(name);
    }
  }

  /** Leaves no mark behind: the library's own removal leaves one for each object that ever was. */
  async #remove(name: string): Promise<void> {
    await this.#objects.delete(name);
    const encoded = Buffer.from(name).toString('base64').replaceAll('+', '-').replaceAll('/', '_');
    const filter = `$O.${this.#name}.M.${encoded}`;
    await this.#connection.request(`$JS.API.STREAM.PURGE.OBJ_${this.#name}`, JSON.stringify({ filter }));
  }
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const pieceName = (hash: string): string => `${PIECE}.${hash}`;
const isPiece = (name: string): boolean => name.startsWith(`${PIECE}.`);
const namesIn = (list: PieceList | null): string[] =>
  list === null ? [] : [...list.state, ...list.history].map(pieceName);
/** NaN of what is not named by a record. */
const seqOf = (name: string): number => (isPiece(name) ? Number.NaN : Number(name.split('.')[0]));

function seqsOf(infos: readonly Pick<ObjectInfo, 'name'>[]): number[] {
  const whole = infos.filter(({ name }) => name.endsWith(`.${LIST}`) || name.endsWith(`.${STATE}`));
  return whole.map(({ name }) => seqOf(name)).toSorted((a, b) => a - b);
}

function cannotMake(stream: string, replicas: number, { message }: Error): ClusterUnfit {
  return new ClusterUnfit(
    `The store '${nameOfStore(stream)}' for snapshots with ${replicas} copies cannot be made (${message}). Start as many log ` +
      'servers as copies are wanted, with room for them, or ask for fewer with --cluster-copies.',
  );
}

const nameOfStore = (stream: string): string => `${stream}-snapshots`;
const nameOf = (seq: number, kind: string): string => `${String(seq).padStart(SEQ_DIGITS, '0')}.${kind}`;
