/** What a node knows about the others from their messages. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RoomBus } from '@bourse/test-kit/cluster/networks.ts';
import { ManualClock, settle } from '@bourse/test-kit/manual-clock.ts';
import type { Bus } from '../src/messages/bus.ts';
import { GONE_MS, type NodeState, Presence } from '../src/leadership/presence.ts';
import { degradation, type LogReach, type OtherServer } from '../src/stream/server-state.ts';
import type { Clock } from '../../engine/src/io/clock.ts';

const FOLLOWING: NodeState = { seq: 1, digest: '', isLeader: false, state: 'following' };
const HOUR_MS = 3_600_000;
const REACH: LogReach = { isConnected: true, host: 'log-1:4222', others: [] };
const SEEN = { servers: [], nodes: [], reach: REACH, setup: [] };

function begin(bus: Bus, clock: Clock, name: string, rules = 1): Presence {
  const presence = new Presence({ name, run: `run-${name}`, url: '', rules }, bus, clock);
  presence.begin(
    '',
    () => FOLLOWING,
    () => undefined,
  );
  return presence;
}

function aheadOf(clock: Clock, byMs: () => number): Clock {
  const ahead: Clock = {
    now: () => clock.now() + byMs(),
    elapsed: () => clock.elapsed(),
    after: (delayMs, action) => clock.after(delayMs, action),
    soon: (action) => clock.soon(action),
    next: (action) => clock.next(action),
    get machine() {
      return ahead;
    },
  };
  return ahead;
}

test('new rules apply once every node knows them, but not on a node that has just begun to listen', async () => {
  const [bus, clock] = [new RoomBus(), new ManualClock()];
  const old = begin(bus, clock, 'n1', 1);
  await clock.pass(GONE_MS);
  const upgraded = begin(bus, clock, 'n2', 2);
  // It has received no message yet, which does not mean that no node is alive.
  assert.equal(upgraded.nextRules(1, []).version, 1);
  await clock.pass(GONE_MS);
  assert.equal(upgraded.nextRules(1, []).version, 1, 'n1 knows the old ones only');
  old.end();
  await clock.pass(GONE_MS);
  assert.equal(upgraded.nextRules(1, []).version, 1, 'n1 is away, and may come back as it was');
  begin(bus, clock, 'n1', 2);
  await settle();
  assert.equal(upgraded.nextRules(1, []).version, 2);
  assert.equal(upgraded.nextRules(3, []).version, 3, 'never back');
});

test('a node that starts while another is away learns from the last record which rules that one knows, and later forgets it', async () => {
  const [bus, clock] = [new RoomBus(), new ManualClock()];
  const [upgraded, before] = [begin(bus, clock, 'n2', 2), [{ name: 'n1', rules: 1 }]];
  await clock.pass(GONE_MS);
  let { version, known } = upgraded.nextRules(1, before);
  assert.equal(version, 1, 'n1 was never heard here, and may come back as it was');
  assert.deepEqual(known, [...before, { name: 'n2', rules: 2 }], 'so whoever leads next will know it, too');
  // Its own records name n1 again and again, which makes that no newer.
  for (let minutes = 0; minutes < 10; minutes++) {
    assert.equal(version, 1);
    await clock.pass(60_000);
    ({ version, known } = upgraded.nextRules(1, known));
  }
  await clock.pass(1);
  assert.deepEqual(upgraded.nextRules(1, known), { version: 2, known: [{ name: 'n2', rules: 2 }] });
});

test('the message of a node takes precedence over what a record says about it', async () => {
  const [bus, clock] = [new RoomBus(), new ManualClock()];
  const upgraded = begin(bus, clock, 'n2', 2);
  begin(bus, clock, 'n1', 2);
  await settle();
  await clock.pass(GONE_MS);
  assert.equal(upgraded.nextRules(1, [{ name: 'n1', rules: 1 }]).version, 2);
});

test('a single node with an empty log applies its own rules at once', () => {
  assert.equal(begin(new RoomBus(), new ManualClock(), 'n1', 2).nextRules(0, []).version, 2);
});

test('a clock an hour ahead is reported by the other nodes, and its node takes over last', async () => {
  const [bus, clock] = [new RoomBus(), new ManualClock()];
  const ahead = aheadOf(clock, () => HOUR_MS);
  const [n1, n2, n3] = [begin(bus, ahead, 'n1'), begin(bus, clock, 'n2'), begin(bus, clock, 'n3')];
  await settle();
  await clock.pass(1000);
  assert.deepEqual(
    [n1, n2, n3].map((node) => degradation({ ...SEEN, nodes: node.nodes() })),
    [
      "degraded: the clock of n2 is 3600 s behind this node's; the clock of n3 is 3600 s behind this node's",
      "degraded: the clock of n1 is 3600 s ahead of this node's",
      "degraded: the clock of n1 is 3600 s ahead of this node's",
    ],
  );
  assert.deepEqual(
    [n1, n2, n3].map((node) => node.aheadMs()),
    [HOUR_MS, 0, 0],
  );
  assert.deepEqual(
    [n1, n2, n3].map((node) => node.rank('nobody')),
    [2, 0, 1],
  );
  assert.deepEqual(
    [n1, n3].map((node) => node.rank('run-n2')),
    [1, 0],
  );
});

test('a node left alone remembers the clocks of the others, and notices when its own is corrected', async () => {
  const [bus, clock] = [new RoomBus(), new ManualClock()];
  let aheadMs = HOUR_MS;
  const ahead = aheadOf(clock, () => aheadMs);
  const n1 = begin(bus, ahead, 'n1');
  const n2 = begin(bus, clock, 'n2');
  await settle();
  n2.end();
  await settle();
  await clock.pass(60_000);
  assert.equal(n1.aheadMs(), HOUR_MS, 'of two, the one behind is believed');
  aheadMs = 0;
  assert.equal(n1.aheadMs(), 0);
});

test('if the clock of the leader is wrong, the best present and running node should become the leader', async () => {
  const [bus, clock] = [new RoomBus(), new ManualClock()];
  const n1 = begin(
    bus,
    aheadOf(clock, () => HOUR_MS),
    'n1',
  );
  const states = new Map([
    ['n2', FOLLOWING],
    ['n3', FOLLOWING],
  ]);
  for (const name of states.keys()) {
    const node = new Presence({ name, run: `run-${name}`, url: '', rules: 1 }, bus, clock);
    node.begin(
      '',
      () => states.get(name)!,
      () => undefined,
    );
  }
  await settle();
  assert.equal(n1.successor(), 'run-n2');
  states.set('n2', { ...FOLLOWING, state: 'stopped' });
  await clock.pass(1000);
  assert.equal(n1.successor(), 'run-n3');
  await settle();
  assert.equal(begin(bus, clock, 'n4').successor(), null, 'its own is as good as any');
});

describe('missing servers and nodes are named', () => {
  const node = (name: string, heardMs = 0, isMember = true) => ({ name, heardMs, aheadMs: 3, isMember });
  const servers = (...states: ('current' | 'behind' | 'silent')[]) =>
    states.map((state, at) => ({ name: `log-${at + 1}`, state }));
  const whole = {
    ...SEEN,
    nodes: [node('n1'), node('n2')],
    servers: servers('current', 'current', 'current'),
  };

  test('servers and nodes', () => {
    assert.equal(degradation(whole), undefined);
    const nodes = [node('n1'), node('n2', GONE_MS)];
    assert.equal(
      degradation({ ...whole, servers: servers('current', 'behind', 'current'), nodes }),
      'degraded: log servers that are missing or behind: log-2; nodes that are missing: n2',
    );
  });

  test('a node that failed to start is not missing', () => {
    assert.equal(degradation({ ...whole, nodes: [node('n1'), node('n2', GONE_MS, false)] }), undefined);
  });

  const lost = { ...whole, servers: servers('silent', 'silent', 'silent'), nodes: [node('n2', GONE_MS)] };
  const whyLost = (...states: OtherServer['state'][]): string => {
    const others = states.map((state, at) => ({ host: `log-${at + 2}:4222`, state }));
    return degradation({ ...lost, reach: { ...REACH, others } })!;
  };

  test('a node that is cut off reports neither the log as lost nor the other nodes as missing', () => {
    assert.match(
      degradation({ ...lost, reach: { ...REACH, isConnected: false } })!,
      /^degraded: this node has no connection to any log server: [^;]*; check its network$/,
    );
  });

  test('the log is reported lost if more than half of the servers respond without a leader or do not run', () => {
    const said = /^degraded: the log has lost its majority: .*; nodes that are missing: n2$/;
    assert.match(whyLost('refuses', 'refuses'), said);
    assert.match(whyLost('up', 'silent'), said);
  });

  test('a log server that is cut off from the others is named', () => {
    assert.match(
      whyLost('silent', 'leads'),
      /^degraded: this node is connected to log server log-1:4222, which is cut off from the others: [^;]*; [^;]*$/,
    );
  });

  test('a node that reaches one log server alone does not claim to know about the others', () => {
    assert.match(
      whyLost('silent', 'silent'),
      /^degraded: this node reaches log server log-1:4222 and not log-2:4222, log-3:4222: [^;]*; check the network$/,
    );
    assert.match(whyLost(), /^degraded: this node reaches log server log-1:4222 and not the others: /);
  });

  test('different settings are reported', () => {
    assert.equal(degradation({ ...whole, setup: ['a', 'b'] }), 'degraded: a; b');
  });
});

test('a node that was never ready is not a member, and one that was stays a member when its next start fails', async () => {
  const [bus, clock] = [new RoomBus(), new ManualClock()];
  const watching = begin(bus, clock, 'n1');
  const membersOf = () => Object.fromEntries(watching.nodes().map(({ name, isMember }) => [name, isMember]));
  const speak = (name: string, url: string): void => {
    const presence = new Presence({ name, run: `run-${name}-${url}`, url: '', rules: 1 }, bus, clock);
    presence.begin(
      url,
      () => FOLLOWING,
      () => undefined,
    );
    presence.end();
  };
  speak('n2', '');
  speak('n3', 'http://127.0.0.1:1');
  await settle();
  assert.deepEqual(membersOf(), { n1: true, n2: false, n3: true });
  speak('n3', '');
  await settle();
  assert.deepEqual(membersOf(), { n1: true, n2: false, n3: true });
});

describe('the time of the log', () => {
  const LOG = { lastAheadMs: 0, nowAheadMs: 0 };

  test('a node that is alone is behind the last record, and cannot be ahead of it', async () => {
    const [bus, clock] = [new RoomBus(), new ManualClock()];
    const alone = begin(bus, clock, 'n1');
    alone.compareWith({ ...LOG, lastAheadMs: 120_000 });
    assert.deepEqual([alone.aheadMs(), alone.aloneBehindMs(), alone.successor()], [-120_000, 120_000, null]);
    alone.compareWith({ ...LOG, lastAheadMs: -120_000 });
    assert.deepEqual([alone.aheadMs(), alone.aloneBehindMs()], [0, 0]);
  });

  test('of two nodes whose clocks differ, the one that agrees with the log is right', async () => {
    for (const [logAheadMs, isFirstRight] of [
      [0, true],
      [120_000, false],
    ] as const) {
      const [bus, clock] = [new RoomBus(), new ManualClock()];
      const first = begin(bus, clock, 'n1');
      const second = begin(
        bus,
        aheadOf(clock, () => 120_000),
        'n2',
      );
      first.compareWith({ ...LOG, nowAheadMs: logAheadMs });
      second.compareWith({ ...LOG, nowAheadMs: logAheadMs - 120_000 });
      await clock.pass(GONE_MS);
      const found = [first.successor(), second.successor(), first.aheadMs(), second.aheadMs()];
      assert.deepEqual(found, isFirstRight ? [null, 'run-n1', 0, 120_000] : ['run-n2', null, -120_000, 0]);
      assert.equal(first.aloneBehindMs(), 0);
    }
  });

  test('of two nodes that believe different times of the log, neither waits for the other', async () => {
    const [bus, clock] = [new RoomBus(), new ManualClock()];
    const first = begin(bus, clock, 'n1');
    const second = begin(
      bus,
      aheadOf(clock, () => 120_000),
      'n2',
    );
    // The second has just begun: for it the last record is new, though it was written long ago.
    first.compareWith({ ...LOG, nowAheadMs: 120_000 });
    second.compareWith({ ...LOG, nowAheadMs: -HOUR_MS });
    await clock.pass(GONE_MS);
    assert.deepEqual([first.aheadMs(), second.aheadMs()], [-120_000, 120_000]);
    assert.deepEqual([first.successor(), second.successor()], [null, null]);
  });

  test('most nodes are right, whatever the time of the log', async () => {
    const [bus, clock] = [new RoomBus(), new ManualClock()];
    const nodes = ['n1', 'n2', 'n3'].map((name) => begin(bus, clock, name));
    for (const each of nodes) each.compareWith({ lastAheadMs: 120_000, nowAheadMs: 120_000 });
    await clock.pass(GONE_MS);
    for (const each of nodes) assert.deepEqual([each.aheadMs(), each.successor()], [0, null]);
  });
});

test('a leader that waits for the log reports so, and its messages still count', async () => {
  const [bus, clock] = [new RoomBus(), new ManualClock()];
  const follower = begin(bus, clock, 'n1');
  const leader = new Presence({ name: 'n2', run: 'run-n2', url: '', rules: 1 }, bus, clock);
  let silentMs = 0;
  leader.begin(
    '',
    () => ({ ...FOLLOWING, silentMs }),
    () => undefined,
  );
  await clock.pass(1000);
  const { heardMs } = follower.heard('run-n2');
  assert.equal(follower.heard('run-n2').silentMs, heardMs);
  silentMs = 4000;
  await clock.pass(500);
  assert.deepEqual(follower.heard('run-n2'), { heardMs, silentMs: heardMs + 4000, hasLeft: false });
});
