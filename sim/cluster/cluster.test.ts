/** Simulated clusters: a few seeds; thousands are for `npm run sim -- cluster`. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command, Outcome } from '@bourse/core';
import { openMarket, order } from '@bourse/test-tools/market.ts';
import { Random } from '@bourse/test-tools/random.ts';
import { ofSize } from '@bourse/test-tools/run-size.ts';
import { Network } from './network.ts';
import { NEWEST_RULES, SimNode } from './sim-node.ts';
import { Timeline } from './timeline.ts';
import { runWorld } from './world.ts';
import { submit } from '../../packages/server/src/engine/submit.ts';

const MINUTE_MS = 60_000;
const SEEDS = ofSize(8, 80);
/** Seeds that once found a fault. */
const KEPT = [
  // A node without the new rules is cut off; both others are started anew meanwhile, and never hear of it.
  5017,
  // The leader may not follow its clock, and the node with the best one has stopped.
  5074,
];

test('nodes that are killed, paused and cut off, servers that stall: one order, no wrong answer, and it goes on', {
  timeout: ofSize(5, 15) * MINUTE_MS,
}, async (context) => {
  let [commands, answered, snapshots] = [0, 0, 0];
  for (const seed of [...KEPT, ...Array.from({ length: SEEDS }, (_, at) => at + 1)]) {
    const report = await runWorld(seed);
    assert.deepEqual(report.faults, [], `seed ${seed}`);
    commands += report.commands;
    answered += report.answered;
    snapshots += report.snapshots;
  }
  assert.ok(answered > commands / 2);
  assert.ok(snapshots > SEEDS);
  context.diagnostic(
    `${KEPT.length + SEEDS} worlds, ${commands} commands, ${answered} answered, ${snapshots} whole states compared`,
  );
});

test('a leader dies with the commands of other nodes: the next one gets them, and their callers notice nothing', async () => {
  for (let seed = 1; seed <= 5; seed++) {
    const timeline = new Timeline();
    const network = new Network(timeline, new Random(seed));
    const nodes = ['n1', 'n2', 'n3'].map(
      (name) =>
        new SimNode(network, timeline, { name, run: `${name}-${seed}`, skewMs: 0, rules: NEWEST_RULES }),
    );
    await timeline.runUntil(3000);
    const leader = nodes.find(({ sequencer }) => sequencer!.isLeading)!;
    const others = nodes.filter((node) => node !== leader);
    // The servers stall, so that what reaches the leader stays there until it dies.
    network.stalledUntil = 3200;
    const answers = others.flatMap(({ sequencer }, at) =>
      Array.from({ length: 10 }, (_, i) => submit(sequencer!, { kind: 'add-user', name: `${at}-${i}` })),
    );
    // Not awaited: virtual time moves only while `runUntil` runs, so an answer that comes later would never come.
    const outcomes: Awaited<(typeof answers)[number]>[] = [];
    for (const answer of answers) void answer.then((each) => outcomes.push(each)).catch(() => undefined);
    await timeline.runUntil(3100);
    leader.kill();
    await timeline.runUntil(12_000);
    assert.equal(outcomes.length, answers.length);
    assert.ok(outcomes.every(({ outcome }) => outcome.kind === 'added'));
    assert.equal(new Set(outcomes.map(({ outcome }) => JSON.stringify(outcome))).size, 20);
  }
});

test('a leader dies in the middle of an order that goes over many records: the next one goes on with it, once', async () => {
  const OFFERS = 40;
  let cutShort = 0;
  for (let seed = 1; seed <= 5; seed++) {
    const timeline = new Timeline();
    const network = new Network(timeline, new Random(seed));
    const nodes = ['n1', 'n2', 'n3'].map(
      (name) =>
        new SimNode(network, timeline, { name, run: `${name}-${seed}`, skewMs: 0, rules: NEWEST_RULES }),
    );
    await timeline.runUntil(3000);
    const leader = nodes.find(({ sequencer }) => sequencer!.isLeading)!;
    const other = nodes.find((node) => node !== leader)!;
    const told: Outcome[] = [];
    const send = (command: Command): void => {
      void submit(other.sequencer!, command).then(
        ({ outcome }) => told.push(outcome),
        () => undefined,
      );
    };
    for (const command of openMarket()) send(command);
    send({ kind: 'set-limits', stepsPerRecordMax: 1 });
    for (let i = 0; i < OFFERS; i++) send(order(0, 'sell', 1000 + 10 * i, 1));
    await timeline.runUntil(6000);
    told.length = 0;
    send(order(1, 'buy', 9000, OFFERS));
    // It must not be carried out before the order is through, and not twice.
    send(order(0, 'sell', 8000, 1));
    while (other.exchange.lastPrice(0) < 1050) await timeline.runUntil(timeline.now + 1);
    leader.kill();
    if (other.exchange.hasUnfinished) cutShort++;
    await timeline.runUntil(timeline.now + 12_000);
    const [swept, sold] = told.toSorted((a, b) => sizeOf(b) - sizeOf(a));
    assert.ok(
      swept?.kind === 'order' && swept.done === 'filled' && swept.dealSize === OFFERS,
      `seed ${seed}`,
    );
    assert.ok(sold?.kind === 'order' && sold.dealSize === 0 && sold.done === '');
    for (const { exchange } of nodes.filter((node) => node !== leader)) {
      assert.equal(exchange.hasUnfinished, false);
      assert.deepEqual(
        exchange.resting(0, 'sell').map(({ price }) => price),
        [8000],
      );
    }
  }
  assert.ok(cutShort > 0, 'no leader died in the middle');
});

const sizeOf = (outcome: Outcome): number => (outcome.kind === 'order' ? outcome.size : 0);
