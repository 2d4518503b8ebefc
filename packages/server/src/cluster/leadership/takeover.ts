/**
 * When a node takes over: the leader appends a record at least twice a second, so a silent log means that it is gone, or
 * that the log's servers do not answer. A leader that is still heard, and only cannot append, is left more time: another
 * one could not append either. Nodes try one after the other, because two at once would only cost a refused append.
 */

/** The leader appends at least so often, if only an empty record. */
export const TICK_MS = 500;
/** How long nothing is heard of a leader before it is taken to be gone. */
const GONE_MS = 2000;
/** How long a leader may be heard that appends nothing. */
const STUCK_MS = 10_000;
/** Between two nodes that may take over. */
const STEP_MS = 300;

export interface Silence {
  /** Since the last record of the log came. */
  readonly recordMs: number;
  /** Since the leader was last heard; Infinity when it never was, or has said that it leaves. */
  readonly leaderMs: number;
  /** The log has no leader: it is empty, or its last writer was no node. */
  readonly hasNoLeader: boolean;
  /** Of this node among those that are heard: 0 tries first. */
  readonly rank: number;
}

export function isTakeoverDue({ recordMs, leaderMs, hasNoLeader, rank }: Silence): boolean {
  const waitMs = rank * STEP_MS;
  if (hasNoLeader) return recordMs >= waitMs;
  if (recordMs >= STUCK_MS + waitMs) return true;
  const isGone = leaderMs === Infinity ? recordMs >= TICK_MS : leaderMs >= GONE_MS;
  return isGone && recordMs >= (leaderMs === Infinity ? TICK_MS : GONE_MS) + waitMs;
}
