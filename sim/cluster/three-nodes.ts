/** Three nodes in virtual time, for tests that inject one fault. */

import type { Command, Outcome } from '@bourse/core';
import { Random } from '@bourse/test-kit/random.ts';
import { submit } from '@bourse/test-kit/submit.ts';
import { Unavailable } from '../../packages/engine/src/exchange-port.ts';
import type { Call } from './history.ts';
import { Network } from './network.ts';
import { NEWEST_RULES, SimNode } from './sim-node.ts';
import { Timeline } from './timeline.ts';

/** Three healthy nodes with a leader. */
export async function startNodes(seed: number) {
  const timeline = new Timeline();
  const network = new Network(timeline, new Random(seed));
  const nodes = ['n1', 'n2', 'n3'].map(
    (name) =>
      new SimNode(network, timeline, { name, run: `${name}-${seed}`, skewMs: 0, rules: NEWEST_RULES }),
  );
  await timeline.runUntil(3000);
  const leader = nodes.find(({ sequencer }) => sequencer!.isLeading)!;
  const others = nodes.filter((node) => node !== leader);
  return { timeline, network, nodes, leader, others };
}

/** Collects outcomes as they arrive: virtual time advances only in `runUntil`, so they cannot be awaited. */
export function outcomesAt({ sequencer }: SimNode): { send: (command: Command) => void; told: Outcome[] } {
  const told: Outcome[] = [];
  const send = (command: Command): void => {
    void submit(sequencer!, command).then(
      ({ outcome }) => told.push(outcome),
      () => undefined,
    );
  };
  return { send, told };
}

/** Sends a command to this node every `everyMs` until then; each entry has the result and its time. */
export async function sendUntil(
  node: SimNode,
  timeline: Timeline,
  end: number,
  everyMs = 50,
): Promise<Call[]> {
  const calls: Call[] = [];
  while (timeline.now < end) {
    const name = `${node.name}-${timeline.now}`;
    const call: Call = {
      name,
      sentAt: timeline.now,
      endedAt: Infinity,
      seq: 0,
      outcome: null,
      refused: null,
    };
    calls.push(call);
    submit(node.sequencer!, { kind: 'add-user', name }).then(
      ({ outcome, seq }) => Object.assign(call, { outcome, seq, endedAt: timeline.now }),
      (refused: Error) => Object.assign(call, { refused, endedAt: timeline.now }),
    );
    await timeline.runUntil(timeline.now + everyMs);
  }
  return calls;
}

export const reasonsOf = (calls: readonly Call[]): string[] =>
  calls.map(({ refused }) => (refused instanceof Unavailable ? refused.reason : 'none'));
