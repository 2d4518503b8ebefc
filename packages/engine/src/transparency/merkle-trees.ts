/** Merkle trees: of the records of a log (RFC 6962), and of the liabilities in one currency. */

import { createHmac, hash } from 'node:crypto';

// The tree of a log's records; each leaf is a record's chain hash. The root commits to every record, and an inclusion proof
// of a few hundred bytes shows that a record is in the log without the log itself.

const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);
/** Root of a tree without leaves. */
export const EMPTY_ROOT: Uint8Array = hash('sha256', '', 'buffer');

const leafHash = (leaf: Uint8Array): Uint8Array => hash('sha256', Buffer.concat([LEAF, leaf]), 'buffer');

const nodeHash = (left: Uint8Array, right: Uint8Array): Uint8Array =>
  hash('sha256', Buffer.concat([NODE, left, right]), 'buffer');

/**
 * An append-only tree that keeps only the roots of its complete subtrees: one per set bit of its size, largest first.
 */
export class GrowingTree {
  readonly #roots: Uint8Array[];
  #size: number;

  /** `roots`: those of an earlier instance at this size. */
  constructor(size = 0, roots: readonly Uint8Array[] = []) {
    if (roots.length !== bitsOf(size)) {
      throw new RangeError(
        `A tree of ${size} leaves has ${bitsOf(size)} complete subtrees, not ${roots.length}.`,
      );
    }
    this.#size = size;
    this.#roots = [...roots];
  }

  get size(): number {
    return this.#size;
  }

  get roots(): readonly Uint8Array[] {
    return this.#roots;
  }

  add(leaf: Uint8Array): void {
    let root = leafHash(leaf);
    // Merge equally large subtrees, as in a carry.
    for (let rest = this.#size; rest % 2 === 1; rest = Math.floor(rest / 2)) {
      root = nodeHash(this.#roots.pop()!, root);
    }
    this.#roots.push(root);
    this.#size++;
  }

  root(): Uint8Array {
    return this.#roots.length === 0
      ? EMPTY_ROOT
      : this.#roots.reduceRight((right, left) => nodeHash(left, right));
  }
}

/** `path`: the siblings from the leaf up to the root. */
interface InclusionProof {
  readonly index: number;
  readonly size: number;
  readonly path: readonly Uint8Array[];
}

/** Builds the inclusion proof of one leaf in a single pass over all leaves, in O(log n) memory. */
export class ProofMaker {
  readonly #index: number;
  readonly #size: number;
  /** Complete subtrees of the leaves seen so far; `path` is set in the one that contains the leaf. */
  readonly #subtrees: { root: Uint8Array; size: number; path: Uint8Array[] | null }[] = [];
  #seen = 0;

  constructor(index: number, size: number) {
    if (!(index >= 0 && index < size)) throw new RangeError(`A tree of ${size} leaves has no leaf ${index}.`);
    this.#index = index;
    this.#size = size;
  }

  add(leaf: Uint8Array): void {
    const path = this.#seen === this.#index ? [] : null;
    this.#subtrees.push({ root: leafHash(leaf), size: 1, path });
    this.#seen++;
    while (this.#subtrees.length > 1 && this.#subtrees.at(-2)!.size === this.#subtrees.at(-1)!.size)
      this.#join();
  }

  /** Call after adding all leaves. */
  proof(): InclusionProof & { readonly root: Uint8Array } {
    if (this.#seen !== this.#size) {
      throw new RangeError(`A proof needs all ${this.#size} leaves, and has seen ${this.#seen}.`);
    }
    while (this.#subtrees.length > 1) this.#join();
    const [{ root, path }] = this.#subtrees;
    return { index: this.#index, size: this.#size, path: path!, root };
  }

  #join(): void {
    const right = this.#subtrees.pop()!;
    const left = this.#subtrees.pop()!;
    const path = left.path ?? right.path;
    path?.push(left.path ? right.root : left.root);
    this.#subtrees.push({ root: nodeHash(left.root, right.root), size: left.size + right.size, path });
  }
}

/** Computes the root from the proof; null if the path's length does not fit the leaf's index and the size. */
export function rootOfProof(leaf: Uint8Array, { index, size, path }: InclusionProof): Uint8Array | null {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size) return null;
  let root = leafHash(leaf);
  let [at, last] = [index, size - 1];
  let used = 0;
  while (last > 0) {
    const isRight = at % 2 === 1;
    // A last node without a sibling moves up unchanged.
    if (isRight || at < last) {
      if (used === path.length) return null;
      const sibling = path[used++];
      root = isRight ? nodeHash(sibling, root) : nodeHash(root, sibling);
    }
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return used === path.length ? root : null;
}

/**
 * Builds the consistency proof of RFC 6962, 2.1.2, in a single pass over the leaves: it shows that the first `first`
 * leaves are those of the earlier tree.
 */
export class ConsistencyMaker {
  readonly #size: number;
  /** In the order of the proof. */
  readonly #parts: readonly Part[];
  /** In the order of the leaves. */
  readonly #waiting: Part[];
  #seen = 0;

  constructor(first: number, size: number) {
    if (!(first >= 0 && first <= size)) {
      throw new RangeError(`A tree of ${size} leaves does not continue one of ${first}.`);
    }
    this.#size = size;
    this.#parts = first === 0 ? [] : partsOf(first, 0, size, true);
    this.#waiting = this.#parts.toSorted((one, other) => one.from - other.from);
  }

  add(leaf: Uint8Array): void {
    const at = this.#seen++;
    const [part] = this.#waiting;
    if (part === undefined || at < part.from) return;
    part.tree.add(leaf);
    if (at + 1 === part.end) this.#waiting.shift();
  }

  /** Call after adding all leaves. */
  path(): Uint8Array[] {
    if (this.#seen !== this.#size) {
      throw new RangeError(`A proof needs all ${this.#size} leaves, and has seen ${this.#seen}.`);
    }
    return this.#parts.map(({ tree }) => tree.root());
  }
}

interface Part {
  readonly from: number;
  readonly end: number;
  readonly tree: GrowingTree;
}

/** `isFirst`: the part may be the complete shorter tree, whose root the verifier has. */
function partsOf(first: number, from: number, end: number, isFirst: boolean): Part[] {
  const part = (start: number, stop: number): Part => ({ from: start, end: stop, tree: new GrowingTree() });
  const size = end - from;
  if (first === size) return isFirst ? [] : [part(from, end)];
  let half = 1;
  while (half * 2 < size) half *= 2;
  return first <= half
    ? [...partsOf(first, from, from + half, isFirst), part(from + half, end)]
    : [...partsOf(first - half, from + half, end, false), part(from, from + half)];
}

interface SizedRoot {
  readonly size: number;
  readonly root: Uint8Array;
}

/** Verifies that the longer tree begins with the leaves of the shorter one (RFC 9162, 2.1.4.2). */
export function isConsistent(shorter: SizedRoot, longer: SizedRoot, path: readonly Uint8Array[]): boolean {
  const isEqual = (one: Uint8Array, other: Uint8Array): boolean => Buffer.from(one).equals(other);
  if (shorter.size > longer.size || shorter.size < 0) return false;
  if (shorter.size === longer.size) return path.length === 0 && isEqual(shorter.root, longer.root);
  if (shorter.size === 0) return path.length === 0 && isEqual(shorter.root, EMPTY_ROOT);
  let [at, last] = [shorter.size - 1, longer.size - 1];
  for (; at % 2 === 1; at = Math.floor(at / 2)) last = Math.floor(last / 2);
  // The shorter tree is a complete subtree, so the proof omits its root.
  const [start, ...steps] = at === 0 ? [shorter.root, ...path] : path;
  if (start === undefined) return false;
  let [first, second] = [start, start];
  for (const step of steps) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      first = nodeHash(step, first);
      second = nodeHash(step, second);
      for (; at % 2 === 0 && at !== 0; at /= 2) last = Math.floor(last / 2);
    } else second = nodeHash(second, step);
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 && isEqual(first, shorter.root) && isEqual(second, longer.root);
}

function bitsOf(size: number): number {
  let bits = 0;
  for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) bits += rest % 2;
  return bits;
}

// A Merkle-sum tree of an exchange's liabilities in one currency; each leaf has one user's balance. A node has a digest and
// a sum, and its digest covers the digests and sums of both children, so no sum can be replaced. Leaves are sorted by
// digest, which reveals nothing about users. verify-liabilities.mjs verifies paths independently of this code.

const DIGEST_BYTES = 32;
const SUM_BYTES = 16;
export const NODE_BYTES: number = DIGEST_BYTES + SUM_BYTES;
const SUM_END = 1n << 128n;
const LOW = (1n << 64n) - 1n;

/** The content of a leaf. */
interface Liability {
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

interface Sibling {
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
