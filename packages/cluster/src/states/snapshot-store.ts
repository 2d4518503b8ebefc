/**
 * Snapshots that every node can load: objects on the log servers. A snapshot is a list of chunks, each named by its hash:
 * of the state, and of the history up to the same record. Existing chunks are not uploaded again, which are most of a
 * history of gigabytes. The list is written last: if it exists, all chunks do, and an interrupted upload leaves earlier
 * snapshots intact.
 *
 * A list carries a MAC over its name and its SHA-256; a forged one counts as absent.
 */

import { createHash } from 'node:crypto';
import { Objm, type ObjectInfo, type ObjectStore } from '@nats-io/obj';
import type { NatsConnection } from '@nats-io/transport-node';
import { nodeClock, readFilePieces, writeFilePieces } from '@bourse/engine';
import { type ClusterKeys, Mac } from '../authentication.ts';
import { ClusterUnfit, untilAnswered } from '../stream/nats-link.ts';

const KEPT = 2;
const SEQ_DIGITS = 20;
/** The list of a snapshot's pieces. */
const LIST = 'parts';
const PIECE = 'piece';
const MAC_KEY = 'bourse-mac';
const PIECE_BYTES = 1 << 18;
/** The library's message for bytes that do not match their digest. */
const CORRUPT = /corrupt object/;
/** Unreferenced chunks stay for this long: another node may be about to write the list that refers to them. */
const UNNAMED_MS = 600_000;

/** Where the two files are, or go. */
export interface SnapshotFiles {
  readonly state: string;
  readonly history: string;
}

/** A part of a snapshot is missing in the store or does not match its name; an older snapshot may be intact. */
export class SnapshotDamaged extends Error {
  override readonly name = 'SnapshotDamaged';
}

export interface StoreAddress {
  readonly connection: NatsConnection;
  /** Of the cluster's log. */
  readonly stream: string;
  readonly keys: Pick<ClusterKeys, 'snapshots'>;
  readonly now?: () => number;
}

/** Hashes of the pieces of each file. */
type PieceList = Readonly<Record<keyof SnapshotFiles, readonly string[]>>;

export interface PutSnapshot {
  /** The record of the oldest kept snapshot, or 0 if there is only one. */
  readonly oldest: number;
  /** Bytes that were not there yet. */
  readonly bytesSent: number;
}

export class SnapshotStore {
  readonly #address: StoreAddress;
  readonly #objects: ObjectStore;
  readonly #name: string;
  readonly #mac: Mac;
  readonly #now: () => number;

  private constructor(address: StoreAddress, objects: ObjectStore) {
    this.#address = address;
    this.#objects = objects;
    this.#name = nameOfStore(address.stream);
    this.#mac = new Mac(address.keys.snapshots);
    this.#now = address.now ?? nodeClock.now;
  }

  /** For a stream that others write; null if it does not exist yet. */
  static async find(address: StoreAddress): Promise<SnapshotStore | null> {
    const objects = await new Objm(address.connection).open(nameOfStore(address.stream)).catch(() => null);
    return objects && new SnapshotStore(address, objects);
  }

  /** Creates it if it does not exist. Throws ClusterUnfit. */
  static async open(address: StoreAddress, replicas: number): Promise<SnapshotStore> {
    const { connection, stream } = address;
    const make = () => new Objm(connection).create(nameOfStore(stream), { replicas });
    try {
      return new SnapshotStore(address, await untilAnswered(connection, make));
    } catch (error) {
      throw error instanceof ClusterUnfit ? error : cannotMake(stream, replicas, error as Error);
    }
  }

  /** The records of existing snapshots, ascending. */
  async list(): Promise<number[]> {
    return seqsOf(await this.#infos());
  }

  /** Also removes all but the newest two, and chunks that none of them refers to. */
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
    await this.#putList(nameOf(seq, LIST), Buffer.from(JSON.stringify(list)));
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

  /** Everything the servers return is compared with its hash. */
  async get(seq: number, files: SnapshotFiles): Promise<void> {
    const { history, state } = await this.#listOf(seq);
    await this.#join(history, files.history);
    await this.#join(state, files.state);
  }

  /** Without the history. */
  async getState(seq: number, path: string): Promise<void> {
    await this.#join((await this.#listOf(seq)).state, path);
  }

  /** Removes the snapshots of later records: their log is gone. */
  async removeBeyond(seqMax: number): Promise<void> {
    for (const { name } of await this.#infos()) if (seqOf(name) > seqMax) await this.#remove(name);
  }

  /** Lists written by nodes, and chunks that match their names. */
  async #infos(): Promise<ObjectInfo[]> {
    const infos = (await this.#objects.list()).filter(({ deleted }) => !deleted);
    return infos.filter((info) =>
      isPiece(info.name) ? info.name === pieceName(digestOf(info).toString('hex')) : this.#isOurs(info),
    );
  }

  async #putList(name: string, bytes: Uint8Array): Promise<void> {
    const signed = Buffer.from(this.#mac.sign(contextOf(name), Buffer.from(hashOf(bytes), 'hex')));
    await this.#objects.putBlob({ name, metadata: { [MAC_KEY]: signed.toString('hex') } }, bytes);
  }

  /** Whether a node signed this digest for this name; the library compares the bytes with the digest. */
  #isOurs(info: ObjectInfo): boolean {
    const signed = Buffer.from(info.metadata?.[MAC_KEY] ?? '', 'hex');
    const opened = this.#mac.open(contextOf(info.name), signed);
    return opened !== null && digestOf(info).equals(opened);
  }

  async #listOf(seq: number): Promise<PieceList> {
    const name = nameOf(seq, LIST);
    const found = await this.#objects.get(name);
    if (found === null || !this.#isOurs(found.info))
      throw new SnapshotDamaged(`the snapshot store has no ${name}`);
    return (await new Response(found.data).json()) as PieceList;
  }

  async #join(hashes: readonly string[], path: string): Promise<void> {
    const fetchPiece = async (hash: string): Promise<Uint8Array> => {
      const bytes = await this.#objects.getBlob(pieceName(hash)).catch((error: Error) => {
        if (CORRUPT.test(error.message)) return null;
        throw error;
      });
      if (bytes === null || hashOf(bytes) !== hash)
        throw new SnapshotDamaged(`the snapshot store has no ${pieceName(hash)}`);
      return bytes;
    };
    await writeFilePieces(path, hashes, fetchPiece);
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

  /** Leaves no tombstone: the library's own removal leaves one for each object. */
  async #remove(name: string): Promise<void> {
    await this.#objects.delete(name);
    const encoded = Buffer.from(name).toString('base64').replaceAll('+', '-').replaceAll('/', '_');
    const filter = `$O.${this.#name}.M.${encoded}`;
    await this.#address.connection.request(
      `$JS.API.STREAM.PURGE.OBJ_${this.#name}`,
      JSON.stringify({ filter }),
    );
  }
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const pieceName = (hash: string): string => `${PIECE}.${hash}`;
const isPiece = (name: string): boolean => name.startsWith(`${PIECE}.`);
const namesIn = (list: PieceList): string[] => [...list.state, ...list.history].map(pieceName);
/** SHA-256 of its bytes, as the library has it. */
const digestOf = ({ digest }: ObjectInfo): Buffer => Buffer.from(digest.replace('SHA-256=', ''), 'base64url');
const contextOf = (name: string): string => `${name}\0`;
/** NaN if it is not named after a record. */
const seqOf = (name: string): number => (isPiece(name) ? Number.NaN : Number(name.split('.')[0]));

function seqsOf(infos: readonly Pick<ObjectInfo, 'name'>[]): number[] {
  const whole = infos.filter(({ name }) => name.endsWith(`.${LIST}`));
  return whole.map(({ name }) => seqOf(name)).toSorted((a, b) => a - b);
}

function cannotMake(stream: string, replicas: number, { message }: Error): ClusterUnfit {
  return new ClusterUnfit(
    `The store '${nameOfStore(stream)}' for snapshots with ${replicas} replicas cannot be created (${message}). Start at ` +
      'least that many log servers, with free space, or set a smaller number with --cluster-copies.',
  );
}

const nameOfStore = (stream: string): string => `${stream}-snapshots`;
const nameOf = (seq: number, kind: string): string => `${String(seq).padStart(SEQ_DIGITS, '0')}.${kind}`;
