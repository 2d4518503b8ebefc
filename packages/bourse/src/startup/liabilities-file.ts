/**
 * The file of one set of trees: a head in JSON, behind its length in four bytes; then which leaf is whose, by user and
 * currency; then the trees, each from its leaves up. A proof reads some hundred bytes of it.
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
  /** All that users have of it. */
  readonly units: string;
  /** Base64. */
  readonly root: string;
  readonly leaves: number;
}

export interface FileHead {
  readonly origin: string;
  readonly record: number;
  /** Of the venue's secret that the nonces come from. */
  readonly generation: number;
  /** Of the record. */
  readonly time: number;
  readonly entries: number;
  /** Nothing follows the head any more. */
  readonly isDropped?: true;
  readonly currencies: readonly OwedCurrency[];
}

export interface FileEntry {
  readonly user: number;
  /** Its place in the head. */
  readonly currency: number;
  readonly leaf: number;
}

const LENGTH_BYTES = 4;
const ENTRY_BYTES = 12;
/** A file that somebody else wrote must not fill the memory. */
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
  /** Where the entries begin, and each tree. */
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

  /** Of all that the user had. */
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

  /** Where the user's entries begin, or would. */
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
  if (bytes.length !== length) throw new Error('the file of liabilities is cut off');
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
