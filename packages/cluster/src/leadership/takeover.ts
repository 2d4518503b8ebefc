/**
 * When a node takes over: the leader reports twice a second that it is there, so silence means that it is gone. A leader
 * that is heard but appends nothing, although commands wait, gets more time: another node could not append either.
 * Nodes try one after the other, because two at once would only cost a refused append.
 */

/** How long after a leader said that it leaves. */
const LEFT_MS = 500;
/** How long nothing is heard of a leader before it is taken to be gone. */
const GONE_MS = 2000;
/** How long a leader may be heard that appends nothing, while commands wait. */
const STUCK_MS = 10_000;
/** Between two nodes that may take over. */
const STEP_MS = 300;

/** When a process was last heard. */
export interface Heard {
  readonly heardMs: number;
  /** The same, and before that for how long it did not know itself that the log takes records. */
  readonly silentMs: number;
  /** It said that it leaves. */
  readonly hasLeft: boolean;
}

export interface Silence extends Heard {
  /** Since the last record of the log came. */
  readonly recordMs: number;
  /** Since a command waits without a record; 0 while none does. */
  readonly stuckMs: number;
  /** The log has no leader: it is empty, or its last writer was no node. */
  readonly hasNoLeader: boolean;
  /** Of this node among those that are heard: 0 tries first. */
  readonly rank: number;
}

export function isTakeoverDue(silence: Silence): boolean {
  const { recordMs, heardMs, hasLeft, stuckMs, hasNoLeader, rank } = silence;
  const waitMs = rank * STEP_MS;
  if (hasNoLeader) return recordMs >= waitMs;
  if (stuckMs >= STUCK_MS + waitMs) return true;
  return Math.min(recordMs, heardMs) >= (hasLeft ? LEFT_MS : GONE_MS) + waitMs;
}
