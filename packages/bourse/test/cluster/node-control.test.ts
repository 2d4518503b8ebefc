import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settle } from '@bourse/test-kit/manual-clock.ts';
import type { HeardNode } from '../../../cluster/src/leadership/presence.ts';
import { NodeControl, type NodeControlParts } from '../../src/startup/node-control.ts';

const REACH_WATCH = {
  look: async () => undefined,
  reach: { isConnected: true, host: 'log-1:4222', others: [] },
};

const heard = (name: string, more: Partial<HeardNode> = {}): HeardNode => ({
  name,
  run: `run-${name}`,
  url: '',
  rules: 1,
  seq: 100,
  digest: '',
  isLeader: false,
  state: 'following',
  isMember: true,
  heardMs: 10,
  aheadMs: 0,
  offMs: 0,
  ...more,
});

/** The cluster status while `leader` leads and the nodes have announced these states. */
async function statesOf(leader: string, nodes: readonly HeardNode[]): Promise<Record<string, string>> {
  const parts = {
    sequencer: { leader: { name: leader, run: `run-${leader}` }, silentMs: 0 },
    presence: { nodes: () => nodes, aheadMs: () => 0 },
    stream: { servers: async () => [] },
    reachWatch: REACH_WATCH,
    setup: { look: async () => undefined, sentences: [] },
    clock: { machine: { after: () => () => undefined } },
  };
  const control = new NodeControl(parts as unknown as NodeControlParts);
  const { nodes: shown } = await control.status();
  control.close();
  return Object.fromEntries(shown.map(({ name, state }) => [name, state]));
}

test('a node that has just become the leader is shown as the leader, whatever it reported before', async () => {
  const nodes = [heard('n1', { state: 'leading', isLeader: true }), heard('n2'), heard('n3')];
  assert.deepEqual(await statesOf('n2', nodes), { n1: 'following', n2: 'leading', n3: 'following' });
});

test('a node that lags, is lost or has stopped is shown as such', async () => {
  const nodes = [
    heard('n1', { state: 'leading', isLeader: true }),
    heard('n2', { seq: 1 }),
    heard('n3', { heardMs: 5000 }),
    heard('n4', { state: 'stopped' }),
  ];
  assert.deepEqual(await statesOf('n1', nodes), { n1: 'leading', n2: 'behind', n3: 'gone', n4: 'stopped' });
});

test('a comparison of different states is named, because the node rejects all requests meanwhile', () => {
  const parts = {
    sequencer: { isInDispute: true },
    presence: { nodes: () => [heard('n1')], aheadMs: () => 0 },
    stream: { servers: async () => [] },
    reachWatch: REACH_WATCH,
    setup: { look: async () => undefined, sentences: ['another setting'] },
    clock: { machine: { after: () => () => undefined } },
  };
  const control = new NodeControl(parts as unknown as NodeControlParts);
  assert.match(
    control.degraded!,
    /^degraded: nodes have different states of the exchange .* rejects all requests; another setting$/,
  );
  control.close();
});

test('a log server is reported only if it stays behind, not if it lags for a moment', async () => {
  let look = (): void => undefined;
  let isCurrent = true;
  const parts = {
    sequencer: { leader: { name: 'n1', run: 'run-n1' }, silentMs: 0, isLeading: true },
    presence: { nodes: () => [heard('n1')], aheadMs: () => 0 },
    stream: {
      servers: async () => [
        { name: 'log-1', isLeader: true, isCurrent: true },
        { name: 'log-3', isLeader: false, isCurrent: true },
        { name: 'log-2', isLeader: false, isCurrent },
      ],
    },
    reachWatch: REACH_WATCH,
    setup: { look: async () => undefined, sentences: [] },
    forgeries: { records: 1, messages: 2 },
    clock: { machine: { after: (_: number, action: () => void) => ((look = action), () => undefined) } },
  };
  const control = new NodeControl(parts as unknown as NodeControlParts);
  const seen: (string | undefined)[] = [];
  for (const each of [false, false, true, false, false, false]) {
    isCurrent = each;
    look();
    await settle();
    seen.push(control.degraded);
  }
  const told = 'degraded: log servers that are missing or behind: log-2';
  assert.deepEqual(seen, [undefined, undefined, undefined, undefined, undefined, told]);
  assert.deepEqual(control.figures(), {
    isLeading: true,
    hasLeader: true,
    nodes: 1,
    logServers: 2,
    isIsolated: false,
    clockAheadMs: 0,
    differing: 0,
    forged: 3,
  });
  control.close();
});
