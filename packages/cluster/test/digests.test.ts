/**
 * Nodes compare the effects of records, and complete states at snapshots; builds with another layout are not compared.
 */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Applied, Exchange, SNAPSHOT_VERSION } from '@bourse/core';
import { RoomBus } from '@bourse/test-kit/cluster/networks.ts';
import { ManualClock, settle } from '@bourse/test-kit/manual-clock.ts';
import { makeRecords } from '../../core/test/golden-records.ts';
import { MOMENTS } from '../../core/test/snapshot-moments.ts';
import { Dispute } from '../src/states/dispute.ts';
import { StateDigest } from '../src/states/state-digest.ts';
import { Digest, DIGEST_LAYOUT } from '../../engine/src/digest.ts';

/** The digest of the golden run, by layout number. */
const LAYOUTS: Readonly<Record<number, string>> = {
  1: 'eea328d38ad439babc954bd5bb40f4bf',
};

test('the digest of the golden run is unchanged with this layout', () => {
  const [exchange, digest] = [new Exchange(), new Digest()];
  for (const record of makeRecords()) digest.add(record.seq, exchange.apply(record));
  assert.equal(
    digest.text,
    LAYOUTS[DIGEST_LAYOUT],
    'Rows of the core or their digest have changed: raise DIGEST_LAYOUT, and put the new digest beside the old ones. ' +
      'Otherwise nodes of this build and of the one before would stop each other during an upgrade.',
  );
});

describe('digests of records', () => {
  const records = makeRecords().slice(0, 20);
  /** Calls `on` with each record's number and consequences. */
  const play = (on: (seq: number, applied: Applied) => void): void => {
    const exchange = new Exchange();
    for (const record of records) on(record.seq, exchange.apply(record));
  };

  test('a digest of another layout is neither a disagreement nor adopted', () => {
    const [older, newer, joined] = [new StateDigest(1), new StateDigest(2), new StateDigest(2)];
    for (const each of [older, newer]) assert.ok(each.agreesWith(''));
    play((seq, applied) => {
      // The older build leads until record 10, then the newer one does.
      const writers = (seq <= 10 ? older : newer).text;
      for (const each of [older, newer]) assert.ok(each.agreesWith(writers));
      // It begins while a build leads that it cannot be compared with, and knows nothing until its own leads.
      if (seq > 5) assert.ok(joined.agreesWith(writers));
      assert.equal(joined.text === '', seq <= 10);
      for (const each of [older, newer, joined]) each.add(seq, applied);
    });
    assert.notEqual(older.text, newer.text);
    assert.equal(joined.text, newer.text);
  });

  test('a node that starts from a snapshot agrees with one that kept running', () => {
    for (const [moment, make] of Object.entries(MOMENTS)) {
      const { records: all } = make();
      for (let cut = 1; cut < all.length; cut++) {
        const [lived, started] = [new StateDigest(), new StateDigest()];
        const exchange = new Exchange();
        assert.ok(lived.agreesWith(''));
        for (const record of all.slice(0, cut)) lived.add(record.seq, exchange.apply(record));
        const restored = Exchange.restore(exchange.snapshot());
        for (const record of all.slice(cut)) {
          assert.ok(started.agreesWith(lived.text), `${moment}: before record ${record.seq}, from ${cut}`);
          lived.add(record.seq, exchange.apply(record));
          started.add(record.seq, restored.apply(record));
        }
        assert.equal(started.text, lived.text, `${moment}: from ${cut}`);
      }
    }
  });

  test('a node with another state disagrees with the nodes that have the right one', () => {
    const [right, wrong] = [new StateDigest(), new StateDigest()];
    for (const each of [right, wrong]) assert.ok(each.agreesWith(''));
    play((seq, applied) => {
      assert.equal(wrong.agreesWith(right.text), seq <= 8);
      right.add(seq, applied);
      wrong.add(seq === 8 ? seq + 1 : seq, applied);
    });
  });
});

describe('snapshots', () => {
  function makeNodes(count: number): {
    clock: ManualClock;
    bus: RoomBus;
    nodes: Dispute[];
    stopped: string[];
  } {
    const [clock, bus, stopped] = [new ManualClock(), new RoomBus(), [] as string[]];
    const nodes = Array.from({ length: count }, (_, at) => {
      const name = `n${at + 1}`;
      return new Dispute({
        bus,
        clock,
        run: name,
        digestAfter: () => undefined,
        state: { seq: 900, hash: () => 'live' },
        onLost: ({ message }) => stopped.push(`${name}: ${message}`),
        onWon: () => assert.fail('nobody has to take over'),
      });
    });
    return { clock, bus, nodes, stopped };
  }

  /** Delivers pending messages first. */
  async function pass(clock: ManualClock, ms: number): Promise<void> {
    await settle();
    await clock.pass(ms);
  }

  test('a node whose snapshot differs from those of most others stops itself', async () => {
    const { clock, nodes, stopped } = makeNodes(3);
    nodes.forEach((node, at) => node.snapshotTaken(800, at === 1 ? 'wrong' : 'right'));
    await pass(clock, 5000);
    assert.equal(stopped.length, 1);
    assert.match(
      stopped[0],
      /^n2: after record 800 the state of this node differs from that of the others: it stops/,
    );
    assert.deepEqual(
      nodes.map(({ isOpen }) => isOpen),
      [false, false, false],
    );
  });

  test('a snapshot taken later is compared, too', async () => {
    const { clock, nodes, stopped } = makeNodes(3);
    nodes[0].snapshotTaken(800, 'right');
    await pass(clock, 3000);
    nodes[1].snapshotTaken(800, 'right');
    await pass(clock, 3000);
    nodes[2].snapshotTaken(800, 'wrong');
    await pass(clock, 3000);
    assert.match(stopped.join(), /^n3: after record 800/);
  });

  test('equal digests, and digests of other records or formats, stop no node', async () => {
    const { clock, bus, nodes, stopped } = makeNodes(3);
    for (const node of nodes) node.snapshotTaken(800, 'right');
    nodes[0].snapshotTaken(810, 'one');
    nodes[1].snapshotTaken(820, 'two');
    const said = { run: 'n9', seq: 800, of: 'state', digest: `${SNAPSHOT_VERSION + 1}-other`, asks: false };
    bus.publish('digests', Buffer.from(JSON.stringify(said)));
    await settle();
    // No node asks the others either: a node that asks rejects commands until the question is decided.
    assert.deepEqual(
      nodes.map(({ isOpen }) => isOpen),
      [false, false, false],
    );
    await pass(clock, 5000);
    assert.deepEqual(stopped, []);
    assert.deepEqual(
      nodes.map(({ isOpen }) => isOpen),
      [false, false, false],
    );
  });
});
