/** The operator's view of the cluster from this node: nodes, log servers, and missing ones of either. */

import type {
  ClusterControl,
  ClusterFigures,
  ClusterLogServer,
  ClusterStatus,
  LeadResult,
} from '@bourse/api';
import {
  type Bus,
  degradation,
  type Forgeries,
  GONE_MS,
  type HeardNode,
  type LogServerState,
  lossOf,
  type NatsStream,
  type NodeSequencer,
  type NodeState,
  type Presence,
  type ReachWatch,
  SUBJECTS,
  writeNodeMessage,
} from '@bourse/cluster';
import type { Clock } from '@bourse/engine';
import type { ClusterSetup } from './cluster-setup.ts';

export interface NodeControlParts {
  readonly sequencer: NodeSequencer;
  readonly presence: Presence;
  readonly stream: NatsStream;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly forgeries: Pick<Forgeries, 'records' | 'messages'>;
  readonly reachWatch: Pick<ReachWatch, 'look' | 'reach'>;
  readonly setup: Pick<ClusterSetup, 'look' | 'sentences'>;
  /** Fingerprints of this node's settings: see cluster-setup.ts. */
  readonly fingerprints: () => string;
}

const LOOK_MS = 1000;
/** A condition is reported after this many checks in a row. */
const LOOKS_TOLD = 3;
const LEAD_MS_MAX = 5000;
const LEAD_LOOK_MS = 20;
/** A node with a clock further off must not lead: exchange time cannot go back. */
const LEAD_CLOCK_MS_MAX = 5000;
const IN_DISPUTE =
  'nodes have different states of the exchange after the same record, and compare them: until most of them agree, this node rejects all requests';
/** A node this many records behind the furthest one is reported as behind. */
const BEHIND_RECORDS = 50;

export class NodeControl implements ClusterControl {
  readonly #parts: NodeControlParts;
  #servers: readonly ClusterLogServer[] = [];
  /** How often in a row a server was seen behind, and how often nobody answered. */
  readonly #behindLooks = new Map<string, number>();
  #unansweredLooks = 0;
  #cancel: () => void = () => undefined;
  #isClosed = false;

  constructor(parts: NodeControlParts) {
    this.#parts = parts;
    void this.#watch();
  }

  /** Of this node, for the others. */
  get state(): NodeState {
    const { sequencer, fingerprints } = this.#parts;
    const { seq, digest, isLeading: isLeader, silentMs, stopReason } = sequencer;
    let state: NodeState['state'] = isLeader ? 'leading' : 'following';
    if (silentMs > GONE_MS) state = 'no-leader';
    if (stopReason) state = 'stopped';
    return { seq, digest, isLeader, state, settings: fingerprints(), silentMs };
  }

  async status(): Promise<ClusterStatus> {
    const { sequencer, presence } = this.#parts;
    const { leader, silentMs } = sequencer;
    const nodes = presence.nodes().filter(({ isMember, heardMs }) => isMember || heardMs < GONE_MS);
    const furthest = Math.max(...nodes.map(({ seq }) => seq));
    return {
      leader: leader.name !== '' && silentMs <= GONE_MS ? leader.name : null,
      nodes: nodes.map((node) => {
        const { name, url, seq, digest, run } = node;
        const isLeader = run === leader.run;
        return { name, url, seq, digest, state: stateOf(node, isLeader, furthest), isLeader };
      }),
      logServers: this.#servers,
      degraded: this.degraded ?? null,
    };
  }

  figures(): ClusterFigures {
    const { sequencer, presence, forgeries, reachWatch, setup } = this.#parts;
    const isLost = this.#servers.some(({ state }) => state === 'silent');
    const { isLeading, leader, silentMs } = sequencer;
    return {
      isLeading,
      hasLeader: leader.name !== '' && silentMs <= GONE_MS,
      nodes: presence.nodes().filter(({ heardMs }) => heardMs < GONE_MS).length,
      logServers: this.#servers.filter(({ state }) => state === 'current').length,
      isIsolated: isLost && lossOf(reachWatch.reach, this.#servers.length) !== 'majority-lost',
      clockAheadMs: presence.aheadMs(),
      differing: setup.sentences.length,
      forged: forgeries.records + forgeries.messages,
    };
  }

  async lead(name: string): Promise<LeadResult> {
    const { sequencer, presence, bus, clock } = this.#parts;
    const node = presence.nodes().find((each) => each.name === name && each.heardMs < GONE_MS);
    if (!node) return 'unknown';
    if (Math.abs(node.aheadMs + presence.aheadMs()) > LEAD_CLOCK_MS_MAX) return 'clock';
    bus.publish(SUBJECTS.to(node.run), writeNodeMessage({ kind: 'lead' }));
    for (let waited = 0; waited < LEAD_MS_MAX; waited += LEAD_LOOK_MS) {
      if (sequencer.leader.run === node.run) return 'leads';
      await new Promise<void>((resolve) => void clock.machine.after(LEAD_LOOK_MS, resolve));
    }
    return 'timeout';
  }

  /** A message about missing nodes or servers; undefined if none is missing. */
  get degraded(): string | undefined {
    const { sequencer, presence, reachWatch, setup } = this.#parts;
    const [nodes, { reach }] = [presence.nodes(), reachWatch];
    const differences = sequencer.isInDispute ? [IN_DISPUTE, ...setup.sentences] : setup.sentences;
    return degradation({ servers: this.#servers, nodes, reach, setup: differences });
  }

  /** Under load, a healthy server is often a few records behind for a moment: that is not reported. */
  #serverOf({ name, isLeader, isCurrent }: LogServerState): ClusterLogServer {
    this.#unansweredLooks = 0;
    const looks = isCurrent ? 0 : (this.#behindLooks.get(name) ?? 0) + 1;
    this.#behindLooks.set(name, looks);
    return { name, state: looks < LOOKS_TOLD ? 'current' : 'behind', isLeader };
  }

  #unanswered(): ClusterLogServer[] {
    const isTold = ++this.#unansweredLooks >= LOOKS_TOLD;
    return this.#servers.map((each) => (isTold ? { ...each, state: 'silent' } : each));
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
  }

  async #watch(): Promise<void> {
    const { stream, clock, setup, presence, reachWatch } = this.#parts;
    const seen = await stream.servers();
    await reachWatch.look(seen !== null);
    this.#servers = seen?.map((each) => this.#serverOf(each)) ?? this.#unanswered();
    await setup.look(presence.nodes().filter(({ heardMs }) => heardMs < GONE_MS));
    if (!this.#isClosed) this.#cancel = clock.machine.after(LOOK_MS, () => void this.#watch());
  }
}

/** An announcement may be half a second old, and the leader may have changed since: the log determines the leader. */
function stateOf({ state, heardMs, seq }: HeardNode, isLeader: boolean, furthest: number): string {
  if (heardMs >= GONE_MS) return 'gone';
  if (state !== 'leading' && state !== 'following') return state;
  if (isLeader) return 'leading';
  return seq + BEHIND_RECORDS < furthest ? 'behind' : 'following';
}
