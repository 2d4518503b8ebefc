/**
 * A Merkle-sum tree of an exchange's liabilities in one currency; each leaf has one user's balance. A node has a digest
 * and a sum, and its digest covers the digests and sums of both children, so no sum can be replaced. Leaves are sorted
 * by digest, which reveals nothing about users. verify-liabilities.mjs verifies paths independently of this code.
 */

import { createHmac, hash } from 'node:crypto';

const DIGEST_BYTES = 32;
const SUM_BYTES = 16;
export const NODE_BYTES: number = DIGEST_BYTES + SUM_BYTES;
const SUM_END = 1n << 128n;
const LOW = (1n << 64n) - 1n;
const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);

/** The content of a leaf. */
export interface Liability {
  /** The name of the log; `record` is the last record whose effect is included. */
  readonly origin: string;
  readonly record: number;
  readonly currency: string;
  /** The user's public id, unique. */
  readonly user: string;
  readonly units: bigint;
}

/** 32 secret bytes, different for each user and tree, so that nobody can guess a leaf's content. */
export function nonceOf(secret: Uint8Array, user: string, currency: string): Buffer {
  return createHmac('sha256', secret).update(`${user}\n${currency}`).digest();
}

/** Digest and sum, in the encoding of the file and of proofs. */
export function leafOf({ origin, record, currency, user, units }: Liability, nonce: Uint8Array): Buffer {
  if (units < 0n || units >= SUM_END) throw new RangeError(`a leaf cannot have a balance of ${units}`);
  const about = createHmac('sha256', nonce)
    .update(`bourse liability\n${origin}\n${record}\n${currency}\n${user}\n${units}\n`)
    .digest();
  const sum = sumBytes(units);
  return Buffer.concat([hash('sha256', Buffer.concat([LEAF, about, sum]), 'buffer'), sum]);
}

/** All levels from the leaves to the root; each is the concatenation of its nodes. */
export function levelsOf(leaves: readonly Buffer[]): Buffer[] {
  const levels: Buffer[] = [Buffer.concat(leaves)];
  for (let size = leaves.length; size > 1; size = Math.ceil(size / 2)) levels.push(above(levels.at(-1)!));
  return levels;
}

function above(level: Buffer): Buffer {
  const size = level.length / NODE_BYTES;
  const made = Buffer.alloc(Math.ceil(size / 2) * NODE_BYTES);
  for (let at = 0; at < size; at += 2) {
    const from = at * NODE_BYTES;
    const to = (at / 2) * NODE_BYTES;
    // The last of an odd number of nodes moves up unchanged.
    if (at + 1 === size) level.copy(made, to, from);
    else joined(level.subarray(from, from + 2 * NODE_BYTES)).copy(made, to);
  }
  return made;
}

function joined(children: Buffer): Buffer {
  const sum = sumIn(children) + sumIn(children.subarray(NODE_BYTES));
  if (sum >= SUM_END) throw new RangeError('the balances sum to more than 128 bits');
  return Buffer.concat([hash('sha256', Buffer.concat([NODE, children]), 'buffer'), sumBytes(sum)]);
}

/** The number of nodes per level, from the leaves up. */
export function levelSizes(leaves: number): number[] {
  const sizes = [leaves];
  while (sizes.at(-1)! > 1) sizes.push(Math.ceil(sizes.at(-1)! / 2));
  return sizes;
}

export interface Sibling {
  readonly side: 'left' | 'right';
  readonly level: number;
  readonly index: number;
}

/** The siblings of the nodes on the path from a leaf to the root. */
export function siblingsOf(index: number, leaves: number): Sibling[] {
  const found: Sibling[] = [];
  for (const [level, size] of levelSizes(leaves).entries()) {
    const at = Math.floor(index / 2 ** level);
    if (at % 2 === 1) found.push({ side: 'left', level, index: at - 1 });
    else if (at + 1 < size) found.push({ side: 'right', level, index: at + 1 });
  }
  return found;
}

export const digestIn = (node: Uint8Array): Uint8Array => node.subarray(0, DIGEST_BYTES);

export function sumIn(node: Buffer): bigint {
  return (node.readBigUInt64BE(DIGEST_BYTES) << 64n) | node.readBigUInt64BE(DIGEST_BYTES + 8);
}

function sumBytes(sum: bigint): Buffer {
  const bytes = Buffer.alloc(SUM_BYTES);
  bytes.writeBigUInt64BE(sum >> 64n);
  bytes.writeBigUInt64BE(sum & LOW, 8);
  return bytes;
}
