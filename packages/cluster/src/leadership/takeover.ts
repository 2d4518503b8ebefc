/**
 * When a node takes over: the leader announces itself twice a second, so silence means that it is gone. A leader that is
 * heard but appends nothing, although commands are pending, gets more time: another node could not append either. Nodes
 * try one after the other, because two at once would only cost a rejected append.
 */

/** How long to wait after a leader has announced that it leaves. */
const LEFT_MS = 500;
/** How long a node, even the leader, may be silent before it counts as gone. */
export const GONE_MS = 2000;
/** How long a leader may be heard without appending while commands are pending. */
const STUCK_MS = 10_000;
/** Delay between two nodes that may take over. */
const STEP_MS = 300;

/** Time since a process was last heard. */
export interface Heard {
  readonly heardMs: number;
  /** The same, and before that for how long it did not know itself that the log takes records. */
  readonly silentMs: number;
  /** It announced that it leaves. */
  readonly hasLeft: boolean;
}

export interface Silence extends Heard {
  /** Since the last record of the log arrived. */
  readonly recordMs: number;
  /** Since a command has been pending without a record; 0 if none is. */
  readonly stuckMs: number;
  /** The log has no leader: it is empty, or its last writer was not a node. */
  readonly hasNoLeader: boolean;
  /** The node's rank among those heard: 0 tries first. */
  readonly rank: number;
}

export function isTakeoverDue(silence: Silence): boolean {
  const { recordMs, heardMs, hasLeft, stuckMs, hasNoLeader, rank } = silence;
  const waitMs = rank * STEP_MS;
  if (hasNoLeader) return recordMs >= waitMs;
  if (stuckMs >= STUCK_MS + waitMs) return true;
  return Math.min(recordMs, heardMs) >= (hasLeft ? LEFT_MS : GONE_MS) + waitMs;
}
