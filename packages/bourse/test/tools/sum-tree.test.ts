/** Proofs of liabilities between the exchange's trees and the file that customers run, and an exchange that cheats. */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { Random } from '@bourse/test-kit/random.ts';
import { CheckpointSigner } from '../../../engine/src/transparency/checkpoint.ts';
import {
  digestIn,
  leafOf,
  levelsOf,
  NODE_BYTES,
  nonceOf,
  siblingsOf,
  sumIn,
} from '../../../engine/src/transparency/merkle-trees.ts';
import { verifyLiabilities } from '../../src/tools/verify-liabilities.mjs';

const ORIGIN = 'bourse/test';
const RECORD = 1200;
const SECRET = createHash('sha256').update('a secret').digest();
const signer = new CheckpointSigner(ORIGIN, createHash('sha256').update('a seed').digest());

interface Step {
  side: string;
  digest: string;
  units: string;
}

interface Proof {
  origin: string;
  record: number;
  user: string;
  balances: { currency: string; units: string; nonce: string; path: Step[] }[];
}

interface Published {
  record: number;
  currencies: { currency: string; decimals: number; units: string; root: string }[];
  checkpoint: string;
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const idOf = (user: number): string => `user-${user}`;
const leaf = (user: string, units: bigint): Buffer =>
  leafOf({ origin: ORIGIN, record: RECORD, currency: 'BTC', user, units }, nonceOf(SECRET, user, 'BTC'));

/** A signed publication of any claimed sum. */
function publish(units: bigint, root: Uint8Array): Published {
  const currencies = [{ currency: 'BTC', decimals: 8, units: String(units), root: base64(root) }];
  const list = currencies.map((each) => `${each.currency} ${each.decimals} ${each.units} ${each.root}\n`);
  const digest = createHash('sha256').update(list.join('')).digest('base64');
  const checkpoint = signer.sign(RECORD, createHash('sha256').digest(), [`liabilities ${digest}`]);
  return { record: RECORD, currencies, checkpoint };
}

interface Tree {
  readonly leaves: readonly Buffer[];
  readonly levels: readonly Buffer[];
  readonly published: Published;
}

function treeOf(leaves: readonly Buffer[]): Tree {
  const levels = levelsOf(leaves);
  const root = levels.at(-1)!;
  return { leaves, levels, published: publish(sumIn(root), digestIn(root)) };
}

function proofOf({ leaves, levels }: Tree, user: string, units: bigint, own = leaf(user, units)): Proof {
  const index = leaves.findIndex((each) => each.equals(own));
  const path = siblingsOf(index, leaves.length).map(({ side, level, index: at }) => {
    const node = levels[level].subarray(at * NODE_BYTES, (at + 1) * NODE_BYTES);
    return { side, digest: base64(digestIn(node)), units: String(sumIn(node)) };
  });
  const nonce = base64(nonceOf(SECRET, user, 'BTC'));
  return {
    origin: ORIGIN,
    record: RECORD,
    user,
    balances: [{ currency: 'BTC', units: String(units), nonce, path }],
  };
}

function verify(proof: Proof, published: Published, user = proof.user) {
  const roots = JSON.stringify({ items: [published] });
  return verifyLiabilities(JSON.stringify(proof), roots, { key: signer.verifierKey, user });
}

const honest = (balances: readonly bigint[]): Tree =>
  treeOf(
    balances
      .map((units, user) => leaf(idOf(user), units))
      .toSorted((one, other) => Buffer.compare(one, other)),
  );

describe('a tree of liabilities', () => {
  test('proves every user in trees of every size, with exact sums', () => {
    const seed = Math.floor(Math.random() * 2 ** 32);
    const random = new Random(seed);
    for (let size = 1; size <= 33; size++) {
      const balances = Array.from(
        { length: size },
        () => BigInt(random.bits()) ** BigInt(1 + (random.bits() % 3)),
      );
      const tree = honest(balances);
      const total = balances.reduce((all, each) => all + each, 0n);
      assert.equal(tree.published.currencies[0].units, String(total), `seed ${seed}, size ${size}`);
      for (const [user, units] of balances.entries()) {
        const { balances: verified, isSigned } = verify(proofOf(tree, idOf(user), units), tree.published);
        assert.equal(verified.length, 1, `seed ${seed}, size ${size}, user ${user}`);
        assert.equal(isSigned, true);
      }
    }
  });

  test('has sums of at most 128 bits, none of them negative', () => {
    const most = 2n ** 128n - 1n;
    const tree = honest([most - 5n, 5n]);
    assert.equal(tree.published.currencies[0].units, String(most));
    verify(proofOf(tree, idOf(0), most - 5n), tree.published);
    assert.throws(() => honest([most, 1n]), /sum to more than 128 bits/);
    assert.throws(() => leaf(idOf(0), -1n), /cannot have a balance of -1/);
    assert.throws(() => leaf(idOf(0), most + 1n), RangeError);
  });
});

describe('an exchange that cheats', () => {
  const balances = [500n, 30n, 7n, 120n, 64n];
  const tree = honest(balances);

  test('by leaving a user out has no proof for that user', () => {
    const without = treeOf(tree.leaves.filter((each) => !each.equals(leaf(idOf(3), 120n))));
    assert.equal(without.published.currencies[0].units, '601');
    assert.throws(() => verify(proofOf(tree, idOf(3), 120n), without.published), /does not lead to the root/);
    verify(proofOf(without, idOf(0), 500n), without.published);
  });

  test('by leaving a balance or a user out of the proof is caught by whoever knows the balance', () => {
    const none = { ...proofOf(tree, idOf(3), 120n), balances: [] };
    assert.throws(() => verify(none, tree.published), /it owes user user-3 nothing/);
    const roots = JSON.stringify({ items: [tree.published] });
    const check = (proof: Proof, ...expected: string[]) =>
      verifyLiabilities(JSON.stringify(proof), roots, { key: signer.verifierKey, balances: expected });
    const whole = proofOf(tree, idOf(3), 120n);
    for (const right of ['BTC=0.0000012', 'BTC=0.00000120', 'BTC=00.0000012']) check(whole, right, 'ETH=0');
    assert.throws(
      () => check(none, 'BTC=0.0000012'),
      /BTC: the exchange counts 0 for user user-3, not 0.0000012/,
    );
    assert.throws(() => check(whole, 'BTC=0.0000013'), /BTC: the exchange counts 0.0000012 for user user-3/);
    assert.throws(() => check(whole, 'ETH=1'), /ETH: the exchange counts 0 for user user-3, not 1/);
    for (const wrong of ['BTC', 'BTC=', '=1', 'BTC=-1', 'BTC=1e3', '']) {
      assert.throws(() => check(whole, wrong), /is not CURRENCY=AMOUNT/, wrong);
    }
    assert.equal(check(none, 'BTC=0').balances.length, 0, 'whoever had nothing can say so');
  });

  test('by signing two sets of roots with one checkpoint is caught by everybody', () => {
    const other = honest([500n, 30n]);
    const lines = [tree, other].map(({ published }) => published.checkpoint.split('\n')[3]);
    const checkpoint = signer.sign(RECORD, createHash('sha256').digest(), lines);
    for (const each of [tree, other]) {
      assert.throws(
        () => verify(proofOf(each, idOf(0), 500n), { ...each.published, checkpoint }),
        /The checkpoint has 2 liabilities lines; expected one/,
      );
    }
    const none = signer.sign(RECORD, createHash('sha256').digest(), []);
    assert.throws(
      () => verify(proofOf(tree, idOf(0), 500n), { ...tree.published, checkpoint: none }),
      /has 0 liabilities lines/,
    );
  });

  test('by a negative leaf is caught, whether written with a minus sign or as a sum that overflows', () => {
    const proof = proofOf(tree, idOf(0), 500n);
    for (const [at, { units }] of proof.balances[0].path.entries()) {
      for (const lie of [
        `-${units}`,
        String(2n ** 128n - 400n),
        String(2n ** 128n + BigInt(units)),
        '1e3',
        '',
      ]) {
        const changed = structuredClone(proof);
        changed.balances[0].path[at].units = lie;
        assert.throws(
          () => verify(changed, tree.published),
          /negative or not a number|too large|to the root/,
          lie,
        );
      }
    }
    const negative = structuredClone(proof);
    negative.balances[0].units = '-500';
    assert.throws(() => verify(negative, tree.published), /is not a number of units: -500/);
  });

  test('by publishing a smaller sum over the right root is caught by every user', () => {
    const root = tree.levels.at(-1)!;
    const smaller = publish(300n, digestIn(root));
    for (const [user, units] of balances.entries()) {
      assert.throws(
        () => verify(proofOf(tree, idOf(user), units), smaller),
        /the sums lead to 721 units, but the exchange published 300/,
      );
    }
  });

  test('by counting only the larger of two children is caught by the user of the smaller', () => {
    // Maxwell's tree hashes the sum of the children only, so that each side can be shown another one.
    const [one, other] = [leaf(idOf(0), 500n), leaf(idOf(1), 30n)];
    const pair = treeOf([one, other]);
    const claimed = publish(500n, digestIn(pair.levels.at(-1)!));
    for (const units of ['0', '470']) {
      const proof = proofOf(pair, idOf(1), 30n);
      proof.balances[0].path[0].units = units;
      assert.throws(() => verify(proof, claimed), /does not lead to the root/);
    }
  });

  test('by giving two users of the same balance one leaf is caught by the second', () => {
    const shared = treeOf([leaf(idOf(0), 30n), leaf(idOf(2), 7n)].toSorted((a, b) => Buffer.compare(a, b)));
    const forFirst = proofOf(shared, idOf(0), 30n);
    verify(forFirst, shared.published, idOf(0));
    assert.throws(() => verify(forFirst, shared.published, idOf(1)), /belongs to user user-0, not to user-1/);
    assert.throws(
      () => verify({ ...forFirst, user: idOf(1) }, shared.published),
      /does not lead to the root/,
    );
  });

  test('by showing an inner node as a leaf, or a proof of another record or currency, is caught', () => {
    const proof = proofOf(tree, idOf(1), 30n);
    const shorter = structuredClone(proof);
    shorter.balances[0].path.shift();
    assert.throws(() => verify(shorter, tree.published), /does not lead to the root/);
    assert.throws(
      () => verify({ ...proof, record: 1201 }, tree.published),
      /contains no publication of record 1201/,
    );
    assert.throws(
      () => verify({ ...proof, record: 1201 }, { ...tree.published, record: 1201 }),
      /The checkpoint covers 1200 records/,
    );
    const other = structuredClone(proof);
    other.balances[0].currency = 'ETH';
    assert.throws(() => verify(other, tree.published), /published no root of ETH/);
    const twice = structuredClone(proof);
    twice.balances.push(twice.balances[0]);
    assert.throws(() => verify(twice, tree.published), /contains a currency twice/);
  });

  test('by showing each user other roots would need another signature', () => {
    const other = honest([500n, 30n]);
    const mixed = { ...other.published, checkpoint: tree.published.checkpoint };
    assert.throws(() => verify(proofOf(other, idOf(0), 500n), mixed), /do not match the signed checkpoint/);
    const forged = new CheckpointSigner(ORIGIN, SECRET);
    const proof = JSON.stringify(proofOf(tree, idOf(0), 500n));
    const roots = JSON.stringify({ items: [tree.published] });
    assert.throws(
      () => verifyLiabilities(proof, roots, { key: forged.verifierKey }),
      /did not sign this checkpoint/,
    );
    assert.equal(verifyLiabilities(proof, roots).isSigned, false);
  });

  test('by changing any character of a proof changes what it proves', () => {
    const text = JSON.stringify(proofOf(tree, idOf(4), 64n));
    const roots = JSON.stringify({ items: [tree.published] });
    let refused = 0;
    for (let at = 0; at < text.length; at++) {
      const changed = `${text.slice(0, at)}${text[at] === '7' ? '8' : '7'}${text.slice(at + 1)}`;
      assert.throws(
        () => verifyLiabilities(changed, roots, { key: signer.verifierKey, user: idOf(4) }),
        { name: 'ProofWrong' },
        `character ${at}`,
      );
      refused++;
    }
    assert.equal(refused, text.length);
  });
});
