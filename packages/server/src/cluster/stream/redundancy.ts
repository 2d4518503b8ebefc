/** What is missing of a cluster, in a sentence for operators: redundancy is not lost without a word. */

import { CLOCK_MS_MAX, GONE_MS, type HeardNode } from '../leadership/presence.ts';

export interface SeenServer {
  readonly name: string;
  /** `silent`: nobody answers for it. */
  readonly state: 'current' | 'behind' | 'silent';
}

export interface ClusterSeen {
  readonly servers: readonly SeenServer[];
  readonly nodes: readonly Pick<HeardNode, 'name' | 'heardMs' | 'aheadMs' | 'isMember'>[];
  /** This node has a connection to a log server. */
  readonly isConnected: boolean;
  /** What differs between nodes, or is set up wrong: a sentence for each. */
  readonly setup: readonly string[];
}

const CUT_OFF =
  'this node has no connection to any log server: it takes no command, and other nodes may; look at its network';
const MAJORITY_LOST =
  'the log has lost its majority: more than half of its servers are gone or do not reach each other, and no node takes a command';

/** undefined: nothing is missing. */
export function degradation({ servers, nodes, isConnected, setup }: ClusterSeen): string | undefined {
  const current = servers.filter(({ state }) => state === 'current').length;
  const isLost = servers.length > 0 && current <= servers.length / 2;
  const away = servers.filter(({ state }) => state !== 'current').map(({ name }) => name);
  const gone = nodes
    .filter(({ heardMs, isMember }) => isMember && heardMs >= GONE_MS)
    .map(({ name }) => name);
  const off = nodes.filter(({ aheadMs, heardMs }) => heardMs < GONE_MS && Math.abs(aheadMs) > CLOCK_MS_MAX);
  const parts = [
    ...(isLost ? [isConnected ? MAJORITY_LOST : CUT_OFF] : []),
    ...(!isLost && away.length > 0 ? [`log servers that are missing or behind: ${away.join(', ')}`] : []),
    // A node that is cut off hears nobody: that says nothing of the others.
    ...(gone.length > 0 && !(isLost && !isConnected) ? [`nodes that are missing: ${gone.join(', ')}`] : []),
    ...off.map(({ name, aheadMs }) => clockOff(name, aheadMs)),
    ...setup,
  ];
  return parts.length > 0 ? `degraded: ${parts.join('; ')}` : undefined;
}

function clockOff(name: string, aheadMs: number): string {
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  return `the clock of ${name} is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} this node's`;
}
