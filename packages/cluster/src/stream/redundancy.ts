/** Describes what a cluster lacks, for operators, so that lost redundancy does not go unnoticed. */

import { type LogLoss, type LogReach, lossOf, type OtherServer } from './log-reach.ts';
import { CLOCK_MS_MAX, type HeardNode } from '../leadership/presence.ts';
import { GONE_MS } from '../leadership/takeover.ts';

export interface SeenServer {
  readonly name: string;
  /** `silent`: it does not respond. */
  readonly state: 'current' | 'behind' | 'silent';
}

export interface ClusterSeen {
  readonly servers: readonly SeenServer[];
  readonly nodes: readonly Pick<HeardNode, 'name' | 'heardMs' | 'aheadMs' | 'isMember'>[];
  readonly reach: LogReach;
  /** A message for each difference between nodes or wrong configuration. */
  readonly setup: readonly string[];
}

const LOSSES: Readonly<Record<LogLoss, (reach: LogReach) => string>> = {
  'cut-off': () =>
    'this node has no connection to any log server: it takes no command, and other nodes may; look at its network',
  minority: ({ host }) =>
    `this node is connected to log server ${host}, which is cut off from the others: it takes no command, and other nodes ` +
    'may; it connects to another log server, look at the network of this one',
  'majority-lost': () =>
    'the log has lost its majority: more than half of its servers are gone or do not reach each other, and no node takes a command',
  unknown: ({ host, others }) =>
    `this node reaches log server ${host} and not ${silentIn(others)}: they are gone, and no node takes a command, or this ` +
    'node and its log server are cut off, and other nodes do; look at the network',
};

const silentIn = (others: readonly OtherServer[]): string =>
  others
    .filter(({ state }) => state === 'silent')
    .map(({ host }) => host)
    .join(', ') || 'the others';

/** undefined: nothing is missing. */
export function degradation({ servers, nodes, reach, setup }: ClusterSeen): string | undefined {
  const isSilent = servers.length > 0 && servers.every(({ state }) => state === 'silent');
  const loss = isSilent ? lossOf(reach, servers.length) : null;
  const away = servers.filter(({ state }) => state !== 'current').map(({ name }) => name);
  const gone = nodes
    .filter(({ heardMs, isMember }) => isMember && heardMs >= GONE_MS)
    .map(({ name }) => name);
  const off = nodes.filter(({ aheadMs, heardMs }) => heardMs < GONE_MS && Math.abs(aheadMs) > CLOCK_MS_MAX);
  const parts = [
    ...(loss ? [LOSSES[loss](reach)] : []),
    ...(!isSilent && away.length > 0 ? [`log servers that are missing or behind: ${away.join(', ')}`] : []),
    // A node that may be partitioned hears nobody: that says nothing about the others.
    ...(gone.length > 0 && (loss === null || loss === 'majority-lost')
      ? [`nodes that are missing: ${gone.join(', ')}`]
      : []),
    ...off.map(({ name, aheadMs }) => clockOff(name, aheadMs)),
    ...setup,
  ];
  return parts.length > 0 ? `degraded: ${parts.join('; ')}` : undefined;
}

function clockOff(name: string, aheadMs: number): string {
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  return `the clock of ${name} is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} this node's`;
}
