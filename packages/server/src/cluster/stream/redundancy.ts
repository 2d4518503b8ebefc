/** What is missing of a cluster, in a sentence for operators: redundancy is not lost without a word. */

import { CLOCK_MS_MAX, GONE_MS, type HeardNode } from '../leadership/presence.ts';

export interface SeenServer {
  readonly name: string;
  /** `silent`: nobody answers for it. */
  readonly state: 'current' | 'behind' | 'silent';
}

const NOBODY_ANSWERS =
  'nobody answers for the log: more than half of its servers are gone, or this node is cut off from them; no command is taken here';

/** undefined: nothing is missing. */
export function degradation(
  servers: readonly SeenServer[],
  nodes: readonly Pick<HeardNode, 'name' | 'heardMs' | 'aheadMs'>[],
): string | undefined {
  const current = servers.filter(({ state }) => state === 'current').length;
  const isLost = servers.length > 0 && current <= servers.length / 2;
  const away = servers.filter(({ state }) => state !== 'current').map(({ name }) => name);
  const gone = nodes.filter(({ heardMs }) => heardMs >= GONE_MS).map(({ name }) => name);
  const off = nodes.filter(({ aheadMs, heardMs }) => heardMs < GONE_MS && Math.abs(aheadMs) > CLOCK_MS_MAX);
  const parts = [
    ...(isLost ? [NOBODY_ANSWERS] : []),
    ...(!isLost && away.length > 0 ? [`log servers that are missing or behind: ${away.join(', ')}`] : []),
    ...(gone.length > 0 ? [`nodes that are missing: ${gone.join(', ')}`] : []),
    ...off.map(({ name, aheadMs }) => clockOff(name, aheadMs)),
  ];
  return parts.length > 0 ? `degraded: ${parts.join('; ')}` : undefined;
}

function clockOff(name: string, aheadMs: number): string {
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  return `the clock of ${name} is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} this node's`;
}
