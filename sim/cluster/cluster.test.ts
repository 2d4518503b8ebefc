/** Simulated clusters: a few seeds; thousands are for `npm run sim -- cluster`. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '@bourse/test-tools/random.ts';
import { ofSize } from '@bourse/test-tools/run-size.ts';
import { Network } from './network.ts';
import { NEWEST_RULES, SimNode } from './sim-node.ts';
import { Timeline } from './timeline.ts';
import { runWorld } from './world.ts';

const MINUTE_MS = 60_000;
const SEEDS = ofSize(12, 1000);

test('nodes that are killed, paused and cut off, servers that stall: one order, no wrong answer, and it goes on', {
  timeout: ofSize(5, 60) * MINUTE_MS,
}, async (context) => {
  let [commands, answered, snapshots] = [0, 0, 0];
  for (let seed = 1; seed <= SEEDS; seed++) {
    const report = await runWorld(seed);
    assert.deepEqual(report.faults, [], `seed ${seed}`);
    commands += report.commands;
    answered += report.answered;
    snapshots += report.snapshots;
  }
  assert.ok(answered > commands / 2);
  assert.ok(snapshots > SEEDS);
  context.diagnostic(
    `${SEEDS} worlds, ${commands} commands, ${answered} answered, ${snapshots} whole states compared`,
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
      Array.from({ length: 10 }, (_, i) => sequencer!.submit({ kind: 'add-user', name: `${at}-${i}` })),
    );
    // Virtual time stands still behind the end of the test, so nothing is awaited that may never come.
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
