/** Simulated clusters: a few seeds; thousands are for `npm run sim -- cluster`. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Outcome } from '@bourse/core';
import { openMarket, order } from '@bourse/test-kit/market.ts';
import { ofSize } from '@bourse/test-kit/run-size.ts';
import type { Unavailable } from '../../packages/engine/src/exchange-port.ts';
import { ANSWER_MS } from '../../packages/cluster/src/deadlines.ts';
import { checkCalls, lastSeqOf, lateOf, Replay } from './history.ts';
import type { SimNode } from './sim-node.ts';
import { outcomesAt, reasonsOf, sendUntil, startNodes } from './three-nodes.ts';

const MINUTE_MS = 60_000;
const SEEDS = ofSize(8, 50);
const RUN = fileURLToPath(new URL('run.ts', import.meta.url));

test('with nodes killed, paused and cut off and servers stalled, there is one order of records, no wrong response, and progress', {
  timeout: ofSize(5, 15) * MINUTE_MS,
}, async (context) => {
  const args = [RUN, '--seeds', String(SEEDS)];
  const { stdout } = await promisify(execFile)(process.execPath, args).catch(
    (error: Error & { stdout: string }) => {
      throw new Error(error.stdout, { cause: error });
    },
  );
  context.diagnostic(stdout);
});

test('if a leader dies with commands of other nodes, the next leader gets them, and their callers notice nothing', async () => {
  for (let seed = 1; seed <= 5; seed++) {
    const { timeline, network, leader, others } = await startNodes(seed);
    // The servers stall, so that commands that reach the leader stay there until it dies.
    network.stalledUntil = 3200;
    const all = others.map((node, at) => {
      const { send, told } = outcomesAt(node);
      for (let i = 0; i < 10; i++) send({ kind: 'add-user', name: `${at}-${i}` });
      return told;
    });
    await timeline.runUntil(3100);
    leader.kill();
    await timeline.runUntil(12_000);
    const outcomes = all.flat();
    assert.equal(outcomes.length, 20);
    assert.ok(outcomes.every(({ kind }) => kind === 'added'));
    assert.equal(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size, 20);
  }
});

test('if every message is lost for a while, commands for the leader are resent, and their callers notice nothing', async () => {
  for (let seed = 1; seed <= 5; seed++) {
    const { timeline, network, nodes, leader, others } = await startNodes(seed);
    network.lost = 1;
    const all = nodes.map((node) => {
      const { send, told } = outcomesAt(node);
      send({ kind: 'add-user', name: node.name });
      return told;
    });
    await timeline.runUntil(3200);
    assert.equal(all.flat().length, 0);
    network.lost = 0;
    // The result of the leader's append is unknown until it stops waiting for the response.
    await timeline.runUntil(6500);
    assert.deepEqual(
      all.map(([outcome]) => outcome?.kind),
      ['added', 'added', 'added'],
      `seed ${seed}`,
    );
    assert.ok(leader.sequencer!.isLeading && others.every(({ sequencer }) => !sequencer!.isLeading));
  }
});

describe('no command is executed after its caller got an error', () => {
  const CUT_MS = 14_000;
  const ANSWERED_MS_MAX = 5200;

  for (const who of ['a node that follows', 'the leader'] as const) {
    test(`${who} is cut off, and comes back`, async () => {
      for (let seed = 1; seed <= 5; seed++) {
        const { timeline, network, leader, others } = await startNodes(seed);
        const node = who === 'the leader' ? leader : others[0];
        network.cut.add(node.name);
        const calls = await sendUntil(node, timeline, timeline.now + CUT_MS);
        network.cut.delete(node.name);
        await timeline.runUntil(timeline.now + 20_000);
        const replay = new Replay(network);
        assert.deepEqual([...checkCalls(calls, replay), ...lateOf(calls, replay)], [], `seed ${seed}`);
        const longest = Math.max(...calls.map(({ sentAt, endedAt }) => endedAt - sentAt));
        assert.ok(longest <= ANSWERED_MS_MAX, `seed ${seed}: answered after ${longest} ms`);
        // Only commands that had left the node before the partition are uncertain.
        const unknown = reasonsOf(calls).filter((reason) => reason === 'unanswered').length;
        assert.ok(unknown <= calls.length / 4, `seed ${seed}: ${unknown} of ${calls.length} are uncertain`);
      }
    });
  }

  test('no node can reach the servers for a while', async () => {
    for (let seed = 1; seed <= 5; seed++) {
      const { timeline, network, nodes, leader } = await startNodes(seed);
      for (const { name } of nodes) network.cut.add(name);
      const calls = await sendUntil(leader, timeline, timeline.now + CUT_MS);
      network.cut.clear();
      await timeline.runUntil(timeline.now + 20_000);
      const replay = new Replay(network);
      assert.deepEqual([...checkCalls(calls, replay), ...lateOf(calls, replay)], [], `seed ${seed}`);
    }
  });
});

test('a node whose state differs stops at one of the next records, long before the next snapshot', async () => {
  for (let seed = 1; seed <= 5; seed++) {
    const { timeline, nodes, leader, others } = await startNodes(seed);
    // Even if it is the leader: the majority has the right state.
    const wrong = seed % 2 === 0 ? leader : others[0];
    wrong.isTampered = true;
    outcomesAt(others[1]).send({ kind: 'add-user', name: 'anybody' });
    await timeline.runUntil(6000);
    assert.deepEqual(
      nodes.map(({ stopped }) => stopped?.name),
      nodes.map((node) => (node === wrong ? 'Diverged' : undefined)),
      `seed ${seed}`,
    );
    assert.ok(nodes.every(({ snapshots }) => snapshots === 0));
  }
});

test('while nodes compare different states, history waits; then the nodes with the right state continue', async () => {
  for (let seed = 1; seed <= 5; seed++) {
    const { timeline, network, nodes, leader, others } = await startNodes(seed);
    const wrong = seed % 2 === 0 ? leader : others[0];
    const right = nodes.filter((node) => node !== wrong);
    wrong.isTampered = true;
    const calls = sendUntil(others[1], timeline, 8000);
    // A read during the dispute is what a round of history begins with.
    const refused = new Set<string>();
    const look = (): void => {
      for (const { name, sequencer } of right)
        sequencer!
          .read(() => undefined)
          .catch((error: Unavailable) => refused.add(`${name} ${error.reason}`));
      timeline.after(100, look);
    };
    look();
    await calls;
    await timeline.runUntil(12_000);
    assert.deepEqual(
      [...refused].toSorted(),
      right.map(({ name }) => `${name} no-leader`),
    );
    assert.deepEqual(
      nodes.map(({ stopped }) => stopped?.name),
      nodes.map((node) => (node === wrong ? 'Diverged' : undefined)),
      `seed ${seed}`,
    );
    const last = lastSeqOf(network.messages);
    for (const { follower, exchange } of right)
      assert.deepEqual([exchange.seq, follower!.checkpoint], [last, last]);
  }
});

test('two nodes with different states and no third one reject everything, are not ready, and can still be closed', async () => {
  const { timeline, leader, others } = await startNodes(3);
  others[0].kill();
  const left = [leader, others[1]];
  others[1].isTampered = true;
  outcomesAt(leader).send({ kind: 'add-user', name: 'anybody' });
  await timeline.runUntil(timeline.now + 5000);
  outcomesAt(leader).send({ kind: 'add-user', name: 'somebody' });
  // Much longer than a comparison takes.
  await timeline.runUntil(timeline.now + 30_000);
  for (const node of left) {
    const calls = await sendUntil(node, timeline, timeline.now + 50);
    await timeline.runUntil(timeline.now + 1000);
    assert.deepEqual(reasonsOf(calls), ['no-leader']);
  }
  for (const { sequencer, stopped } of left)
    assert.deepEqual([stopped, sequencer!.state, sequencer!.isInDispute], [null, 'no-leader', true]);
  const closed: string[] = [];
  for (const { name, sequencer } of left) void sequencer!.close().then(() => closed.push(name));
  await timeline.runUntil(timeline.now + ANSWER_MS + 1000);
  assert.deepEqual(closed.toSorted(), left.map(({ name }) => name).toSorted());
  // Their writes may be wrong.
  for (const { sequencer } of left)
    assert.deepEqual([sequencer!.stopReason !== null, sequencer!.isInDispute], [true, false]);
});

test('a node that has stopped keeps announcing its last state, and no other node disagrees with it', async () => {
  for (const [state, reason] of [
    ['following', 'no-leader'],
    ['stopped', 'none'],
  ] as const) {
    const { timeline, others } = await startNodes(6);
    const { sequencer } = others[0];
    outcomesAt(others[0]).send({ kind: 'add-user', name: 'anybody' });
    await timeline.runUntil(timeline.now + 500);
    const { seq, digest } = sequencer!;
    sequencer!.compare({ run: 'another', seq, digest: digest.replace(/.{4}$/, '0000'), state });
    const calls = await sendUntil(others[0], timeline, timeline.now + 50);
    await timeline.runUntil(timeline.now + 500);
    assert.deepEqual(reasonsOf(calls), [reason], state);
  }
});

describe('an idle cluster', () => {
  const IDLE_MS = 600_000;

  test('appends nothing, and every node knows that it is up to date', async () => {
    const { timeline, network, nodes, leader } = await startNodes(1);
    const { length } = network.messages;
    for (let looks = 0; looks < 100; looks++) {
      await timeline.runUntil(timeline.now + IDLE_MS / 100);
      for (const { sequencer } of nodes) {
        assert.equal(sequencer!.state, 'open');
        assert.ok(sequencer!.ageMs < 1000, `${sequencer!.ageMs} ms`);
      }
    }
    assert.equal(network.messages.length, length);
    assert.ok(leader.sequencer!.isLeading);
  });

  test('replaces a leader that dies or is paused within four seconds, and the old leader learns of it', async () => {
    for (const end of ['kill', 'pause'] as const) {
      const { timeline, network, leader, others } = await startNodes(2);
      await timeline.runUntil(timeline.now + IDLE_MS);
      const { length } = network.messages;
      leader.process[end]();
      await timeline.runUntil(timeline.now + 4000);
      assert.equal(others.filter(({ sequencer }) => sequencer!.isLeading).length, 1, end);
      assert.equal(network.messages.length, length + 1, 'one record says so');
      leader.process.resume();
      await timeline.runUntil(timeline.now + 1000);
      assert.equal(leader.sequencer!.isLeading, end === 'kill');
    }
  });

  test('does not replace a working leader with a node that was paused', async () => {
    const { timeline, network, leader, others } = await startNodes(3);
    const { length } = network.messages;
    for (const { process } of others) process.pause();
    await timeline.runUntil(timeline.now + 5000);
    for (const { process } of others) process.resume();
    await timeline.runUntil(timeline.now + 5000);
    assert.equal(network.messages.length, length);
    assert.ok(leader.sequencer!.isLeading);
  });

  test('reports no leader and the age of its data at a node that is cut off', async () => {
    const { timeline, network, nodes, others } = await startNodes(4);
    network.cut.add(others[0].name);
    await timeline.runUntil(timeline.now + 5000);
    assert.deepEqual(
      nodes.map(({ sequencer }) => sequencer!.state),
      nodes.map((node) => (node === others[0] ? 'no-leader' : 'open')),
    );
    assert.ok(others[0].sequencer!.ageMs > 4000);
    network.cut.clear();
    await timeline.runUntil(timeline.now + 2000);
    assert.equal(others[0].sequencer!.state, 'open');
  });

  test('appends timed events when they are due', async () => {
    const { timeline, network, nodes, leader, others } = await startNodes(5);
    const { send, told } = outcomesAt(others[0]);
    for (const command of openMarket()) send(command);
    send({ ...order(0, 'sell', 1000, 1), timeInForce: 'GTT', cancelAfterSec: 30 });
    await timeline.runUntil(timeline.now + 2000);
    assert.equal(told.at(-1)?.kind, 'order');
    const { length } = network.messages;
    await timeline.runUntil(timeline.now + 25_000);
    assert.equal(network.messages.length, length);
    await timeline.runUntil(timeline.now + 5000);
    assert.equal(network.messages.length, length + 1);
    for (const { exchange } of nodes) assert.deepEqual(exchange.resting(0, 'sell'), []);
    assert.ok(leader.sequencer!.isLeading);
  });
});

describe('an order split over many records', () => {
  const OFFERS = 40;

  /** One meeting per record; user 0 offers at forty prices, and all commands were sent through a non-leading node. */
  async function startWithOffers(seed: number) {
    const { others, ...started } = await startNodes(seed);
    const [other] = others;
    const { send, told } = outcomesAt(other);
    for (const command of openMarket()) send(command);
    send({ kind: 'set-limits', stepsPerRecordMax: 1 });
    for (let i = 0; i < OFFERS; i++) send(order(0, 'sell', 1000 + 10 * i, 1));
    await started.timeline.runUntil(6000);
    told.length = 0;
    send(order(1, 'buy', 9000, OFFERS));
    // It must be executed once, and only after the order is finished.
    send(order(0, 'sell', 8000, 1));
    return { ...started, other, told };
  }

  function checkSwept(told: readonly Outcome[], nodes: readonly SimNode[], seed: number): void {
    const [swept, sold] = told.toSorted((a, b) => sizeOf(b) - sizeOf(a));
    assert.ok(
      swept?.kind === 'order' && swept.done === 'filled' && swept.dealSize === OFFERS,
      `seed ${seed}`,
    );
    assert.ok(sold?.kind === 'order' && sold.dealSize === 0 && sold.done === '', `seed ${seed}`);
    for (const { exchange } of nodes) {
      assert.equal(exchange.hasUnfinished, false);
      assert.deepEqual(
        exchange.resting(0, 'sell').map(({ price }) => price),
        [8000],
      );
    }
  }

  test('commands that wait for it are executed as soon as it is complete', async () => {
    for (let seed = 1; seed <= 5; seed++) {
      const { timeline, nodes, told } = await startWithOffers(seed);
      await timeline.runUntil(timeline.now + 2000);
      checkSwept(told, nodes, seed);
    }
  });

  test('if the leader dies in its middle, the next one continues it exactly once', async () => {
    for (let seed = 1; seed <= 5; seed++) {
      const { timeline, nodes, leader, other, told } = await startWithOffers(seed);
      while (other.exchange.lastPrice(0) < 1050) await timeline.runUntil(timeline.now + 1);
      leader.kill();
      assert.ok(other.exchange.hasUnfinished, 'the leader dies in the middle');
      await timeline.runUntil(timeline.now + 12_000);
      checkSwept(
        told,
        nodes.filter((node) => node !== leader),
        seed,
      );
    }
  });
});

const sizeOf = (outcome: Outcome): number => (outcome.kind === 'order' ? outcome.size : 0);
