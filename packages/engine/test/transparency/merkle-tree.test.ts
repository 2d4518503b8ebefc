/** The tree against a literal implementation of the definition in RFC 6962. */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import {
  ConsistencyMaker,
  EMPTY_ROOT,
  GrowingTree,
  isConsistent,
  ProofMaker,
  rootOfProof,
} from '../../src/transparency/merkle-trees.ts';

const sha = (...parts: readonly Uint8Array[]): Buffer => {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(part);
  return sum.digest();
};

/** The largest power of two below the count. */
function splitOf(count: number): number {
  let split = 1;
  while (split * 2 < count) split *= 2;
  return split;
}

function treeHash(leaves: readonly Uint8Array[]): Buffer {
  if (leaves.length === 0) return sha();
  if (leaves.length === 1) return sha(Buffer.of(0), leaves[0]);
  const split = splitOf(leaves.length);
  return sha(Buffer.of(1), treeHash(leaves.slice(0, split)), treeHash(leaves.slice(split)));
}

function auditPath(index: number, leaves: readonly Uint8Array[]): Buffer[] {
  if (leaves.length === 1) return [];
  const split = splitOf(leaves.length);
  return index < split
    ? [...auditPath(index, leaves.slice(0, split)), treeHash(leaves.slice(split))]
    : [...auditPath(index - split, leaves.slice(split)), treeHash(leaves.slice(0, split))];
}

/** PROOF(m, D[n]) of RFC 6962, 2.1.2. */
function subProof(first: number, leaves: readonly Uint8Array[], isWhole: boolean): Buffer[] {
  if (first === leaves.length) return isWhole ? [] : [treeHash(leaves)];
  const split = splitOf(leaves.length);
  return first <= split
    ? [...subProof(first, leaves.slice(0, split), isWhole), treeHash(leaves.slice(split))]
    : [...subProof(first - split, leaves.slice(split), false), treeHash(leaves.slice(0, split))];
}

const leavesOf = (count: number): Buffer[] =>
  Array.from({ length: count }, (_, at) => sha(Buffer.from(`record ${at}`)));
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe('the Merkle tree of a log', () => {
  test('has the root of RFC 6962 at every size, and resumes from kept roots', () => {
    const leaves = leavesOf(200);
    let tree = new GrowingTree();
    assert.equal(hex(tree.root()), hex(EMPTY_ROOT));
    for (const [at, leaf] of leaves.entries()) {
      tree.add(leaf);
      assert.equal(hex(tree.root()), hex(treeHash(leaves.slice(0, at + 1))), `size ${at + 1}`);
      if (at % 7 === 0) tree = new GrowingTree(tree.size, tree.roots);
    }
    assert.throws(() => new GrowingTree(3, []), /A tree of 3 leaves has 2 complete subtrees, not 0/);
  });

  test('proves of every size that it continues every smaller one, with the path of RFC 6962', () => {
    for (let size = 1; size <= 40; size++) {
      const leaves = leavesOf(size);
      const longer = { size, root: treeHash(leaves) };
      for (let first = 0; first <= size; first++) {
        const about = `${first} of ${size}`;
        const maker = new ConsistencyMaker(first, size);
        for (const leaf of leaves) maker.add(leaf);
        const path = maker.path();
        const shorter = { size: first, root: treeHash(leaves.slice(0, first)) };
        if (first > 0) assert.deepEqual(path.map(hex), subProof(first, leaves, true).map(hex), about);
        assert.equal(isConsistent(shorter, longer, path), true, about);
        const forked = {
          size: first,
          root: treeHash([...leaves.slice(0, first).slice(1), sha(Buffer.of(9))]),
        };
        if (first > 0) assert.equal(isConsistent(forked, longer, path), false, about);
        assert.equal(isConsistent(shorter, { size, root: sha(longer.root) }, path), first === 0, about);
        assert.equal(isConsistent(shorter, longer, [...path, longer.root]), false, about);
        for (const at of path.keys()) {
          assert.equal(isConsistent(shorter, longer, path.with(at, sha(path[at]))), false, about);
          assert.equal(isConsistent(shorter, longer, path.toSpliced(at, 1)), false, about);
        }
      }
    }
    assert.throws(() => new ConsistencyMaker(3, 2), RangeError);
    assert.throws(() => new ConsistencyMaker(1, 2).path(), /needs all 2 leaves, and has seen 0/);
  });

  test('proves every leaf of every size, with the path of RFC 6962', () => {
    for (let size = 1; size <= 40; size++) {
      const leaves = leavesOf(size);
      const root = hex(treeHash(leaves));
      for (let index = 0; index < size; index++) {
        const maker = new ProofMaker(index, size);
        for (const leaf of leaves) maker.add(leaf);
        const proof = maker.proof();
        assert.deepEqual(proof.path.map(hex), auditPath(index, leaves).map(hex), `${index} of ${size}`);
        assert.equal(hex(proof.root), root);
        assert.equal(hex(rootOfProof(leaves[index], proof)!), root);
      }
    }
  });

  test('a proof of something else gives another root, or none', () => {
    const leaves = leavesOf(21);
    const root = hex(treeHash(leaves));
    const maker = new ProofMaker(9, 21);
    for (const leaf of leaves) maker.add(leaf);
    const { path } = maker.proof();
    const rootOf = (leaf: Uint8Array, index: number, size: number, given: readonly Uint8Array[]) => {
      const found = rootOfProof(leaf, { index, size, path: given });
      return found && hex(found);
    };
    assert.equal(rootOf(leaves[9], 9, 21, path), root);
    assert.notEqual(rootOf(leaves[8], 9, 21, path), root);
    for (let index = 0; index < 21; index++) {
      if (index !== 9) assert.notEqual(rootOf(leaves[9], index, 21, path), root, `as leaf ${index}`);
    }
    assert.equal(rootOf(leaves[9], 9, 21, path.slice(1)), null);
    assert.equal(rootOf(leaves[9], 9, 21, [...path, path[0]]), null);
    for (const index of [-1, 21, 0.5, NaN]) assert.equal(rootOf(leaves[9], index, 21, path), null);
    for (let at = 0; at < path.length; at++) {
      const changed = path.map((each, n) => (n === at ? sha(each) : each));
      assert.notEqual(rootOf(leaves[9], 9, 21, changed), root);
    }
    assert.throws(() => new ProofMaker(21, 21), /has no leaf 21/);
    assert.throws(() => new ProofMaker(0, 2).proof(), /needs all 2 leaves, and has seen 0/);
  });
});
