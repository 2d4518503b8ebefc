/**
 * The file of one publication: a JSON head, preceded by its length in four bytes; an index from user and currency to
 * leaf; and the trees, each from the leaves up. A proof reads a few hundred bytes of it.
 */

import type { LiabilityProof } from '@bourse/api';
import { formatUnits } from '@bourse/core';
import { userId } from '@bourse/api/basics';
import {
  digestIn,
  type Disk,
  levelSizes,
  NODE_BYTES,
  nodeDisk,
  nonceOf,
  siblingsOf,
  sumIn,
} from '@bourse/engine';

export interface OwedCurrency {
  readonly currency: string;
  readonly decimals: number;
  /** Sum of all users' balances. */
  readonly units: string;
  /** Base64. */
  readonly root: string;
  readonly leaves: number;
}

export interface FileHead {
  readonly origin: string;
  readonly record: number;
  /** Generation of the venue's secret from which the nonces are derived. */
  readonly generation: number;
  /** Time of the record. */
  readonly time: number;
  readonly entries: number;
  /** The trees were deleted; only the head is left. */
  readonly isDropped?: true;
  readonly currencies: readonly OwedCurrency[];
}

export interface FileEntry {
  readonly user: number;
  /** Index in the head's `currencies`. */
  readonly currency: number;
  readonly leaf: number;
}

const LENGTH_BYTES = 4;
const ENTRY_BYTES = 12;
/** Bounds the memory that a damaged or foreign file can take. */
const HEAD_BYTES_MAX = 1 << 24;

export function headBytes(head: FileHead): Uint8Array {
  const text = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(text.length);
  return Buffer.concat([length, text]);
}

export function entryBytes(entries: readonly FileEntry[]): Uint8Array {
  const bytes = Buffer.alloc(entries.length * ENTRY_BYTES);
  for (const [at, { user, currency, leaf }] of entries.entries()) {
    bytes.writeUInt32LE(user, at * ENTRY_BYTES);
    bytes.writeUInt32LE(currency, at * ENTRY_BYTES + 4);
    bytes.writeUInt32LE(leaf, at * ENTRY_BYTES + 8);
  }
  return bytes;
}

type OpenFile = Awaited<ReturnType<Disk['open']>>;

export class LiabilitiesFile {
  readonly head: FileHead;
  readonly #path: string;
  /** Byte offsets of the index and of each tree. */
  readonly #entriesAt: number;
  readonly #treesAt: readonly number[];

  private constructor(path: string, head: FileHead, entriesAt: number) {
    this.head = head;
    this.#path = path;
    this.#entriesAt = entriesAt;
    const treesAt: number[] = [];
    let at = entriesAt + head.entries * ENTRY_BYTES;
    for (const { leaves } of head.currencies) {
      treesAt.push(at);
      at += levelSizes(leaves).reduce((all, size) => all + size, 0) * NODE_BYTES;
    }
    this.#treesAt = treesAt;
  }

  static async open(path: string): Promise<LiabilitiesFile> {
    return withFile(path, async (file) => {
      const length = (await read(file, 0, LENGTH_BYTES)).readUInt32LE();
      if (length > HEAD_BYTES_MAX) throw new Error(`${path} is damaged: its head is too long`);
      const text = await read(file, LENGTH_BYTES, length);
      return new LiabilitiesFile(path, JSON.parse(text.toString()) as FileHead, LENGTH_BYTES + length);
    });
  }

  /** Proves all balances of the user. */
  proofOf(user: number, secret: Uint8Array): Promise<LiabilityProof> {
    const { origin, record, time } = this.head;
    return withFile(this.#path, async (file) => {
      const balances: LiabilityProof['balances'][number][] = [];
      for (let at = await this.#firstOf(file, user); at < this.head.entries; at++) {
        const entry = await this.#entry(file, at);
        if (entry.user !== user) break;
        balances.push(await this.#balanceOf(file, entry, secret));
      }
      return { id: String(record), record, time, origin, user: userId(user), balances };
    });
  }

  async #balanceOf(file: OpenFile, { user, currency: number, leaf }: FileEntry, secret: Uint8Array) {
    const { currency, decimals, leaves } = this.head.currencies[number];
    const units = sumIn(await this.#node(file, number, 0, leaf));
    const path: LiabilityProof['balances'][number]['path'][number][] = [];
    for (const { side, level, index } of siblingsOf(leaf, leaves)) {
      const node = await this.#node(file, number, level, index);
      path.push({ side, digest: base64(digestIn(node)), units: String(sumIn(node)) });
    }
    return {
      currency,
      balance: formatUnits(units, decimals),
      units: String(units),
      nonce: base64(nonceOf(secret, userId(user), currency)),
      path,
    };
  }

  #node(file: OpenFile, currency: number, level: number, index: number): Promise<Buffer> {
    const before = levelSizes(this.head.currencies[currency].leaves).slice(0, level);
    const nodes = before.reduce((all, size) => all + size, index);
    return read(file, this.#treesAt[currency] + nodes * NODE_BYTES, NODE_BYTES);
  }

  /** Byte offset of the user's first entry, or where it would be. */
  async #firstOf(file: OpenFile, user: number): Promise<number> {
    let [low, high] = [0, this.head.entries];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((await this.#entry(file, middle)).user < user) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  async #entry(file: OpenFile, at: number): Promise<FileEntry> {
    const bytes = await read(file, this.#entriesAt + at * ENTRY_BYTES, ENTRY_BYTES);
    return { user: bytes.readUInt32LE(), currency: bytes.readUInt32LE(4), leaf: bytes.readUInt32LE(8) };
  }
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

async function withFile<T>(path: string, use: (file: OpenFile) => Promise<T>): Promise<T> {
  const file = await nodeDisk.open(path, 'read');
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

async function read(file: OpenFile, at: number, length: number): Promise<Buffer> {
  const bytes = await file.read(at, length);
  if (bytes.length !== length) throw new Error('the liabilities file is truncated');
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
