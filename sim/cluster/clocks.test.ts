/** Wrong wall clocks, in virtual time. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkCalls, Replay } from './history.ts';
import { NEWEST_RULES, SimNode } from './sim-node.ts';
import { reasonsOf, sendUntil, startNodes } from './three-nodes.ts';

/** Initial wall clocks of a world's nodes. */
const START_TIME = 1_700_000_000_000;

test('if the clock of the leader is set wrong, another node leads, no record has that time, and the node reports not ready', async () => {
  for (const jumpMs of [-120_000, -6000, 6000, 120_000]) {
    const { timeline, network, nodes, leader, others } = await startNodes(Math.abs(jumpMs));
    leader.process.jumpMs = jumpMs;
    const calls = (await Promise.all(nodes.map((node) => sendUntil(node, timeline, 8000)))).flat();
    await timeline.runUntil(14_000);
    assert.ok(
      !leader.sequencer!.isLeading && others.some(({ sequencer }) => sequencer!.isLeading),
      `${jumpMs}`,
    );
    assert.equal(leader.sequencer!.state, 'clock');
    assert.deepEqual(
      others.map(({ sequencer }) => sequencer!.state),
      ['open', 'open'],
    );
    // It must not lead, even if somebody requests it.
    leader.sequencer!.lead();
    await timeline.runUntil(16_000);
    assert.ok(!leader.sequencer!.isLeading);
    const replay = new Replay(network);
    assert.deepEqual(
      [...checkCalls(calls, replay), ...reasonsOf(calls).filter((reason) => reason !== 'none')],
      [],
    );
    const aheadMs = replay.exchange.time - START_TIME - timeline.now;
    assert.ok(aheadMs <= 0 && aheadMs > -10_000, `${aheadMs} ms`);
    leader.process.jumpMs = 0;
    await timeline.runUntil(18_000);
    assert.equal(leader.sequencer!.state, 'open');
  }
});

test('a node that starts alone with a clock behind the log neither leads nor is ready until the clock is set or accepted', async () => {
  for (const end of ['set', 'accepted'] as const) {
    const { timeline, network, nodes } = await startNodes(7);
    for (const node of nodes) node.kill();
    await timeline.runUntil(timeline.now + 1000);
    const last = network.messages.length;
    const alone = new SimNode(network, timeline, {
      name: 'n1',
      run: 'n1-again',
      skewMs: -120_000,
      rules: NEWEST_RULES,
    });
    await timeline.runUntil(timeline.now + 20_000);
    const sequencer = alone.sequencer!;
    assert.deepEqual([sequencer.state, sequencer.isLeading, network.messages.length], ['clock', false, last]);
    if (end === 'set') alone.process.jumpMs = 120_000;
    else sequencer.acceptClock();
    await timeline.runUntil(timeline.now + 1000);
    assert.deepEqual([sequencer.state, sequencer.isLeading], ['open', true], end);
    const calls = await sendUntil(alone, timeline, timeline.now + 50);
    await timeline.runUntil(timeline.now + 1000);
    assert.deepEqual(reasonsOf(calls), ['none']);
  }
});
