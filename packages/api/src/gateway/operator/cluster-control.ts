/** The operator API's view of a cluster, set up when a node starts. */

export interface ClusterNode {
  readonly name: string;
  readonly url: string;
  /** The last record that it has applied, and the digest up to there. */
  readonly seq: number;
  readonly digest: string;
  readonly state: string;
  readonly isLeader: boolean;
}

export interface ClusterLogServer {
  readonly name: string;
  /** `silent`: it does not respond. */
  readonly state: 'current' | 'behind' | 'silent';
  readonly isLeader: boolean;
}

export interface ClusterStatus {
  /** The leader's name; null without a leader. */
  readonly leader: string | null;
  readonly nodes: readonly ClusterNode[];
  readonly logServers: readonly ClusterLogServer[];
  /** What is missing, as in `/readyz`; null for nothing. */
  readonly degraded: string | null;
}

export interface ClusterFigures {
  readonly isLeading: boolean;
  readonly hasLeader: boolean;
  /** Nodes that respond, including this one. */
  readonly nodes: number;
  /** Log servers that are up to date. */
  readonly logServers: number;
  /** No majority of log servers responds here, and the log may continue elsewhere. */
  readonly isIsolated: boolean;
  readonly clockAheadMs: number;
  /** Nodes whose settings differ from this one's, and log servers that acknowledge before they sync. */
  readonly differing: number;
  /** Stream messages since the start that were not written by a node of this cluster. */
  readonly forged: number;
}

/** `clock`: its clock is too far from most others' for the time of records. */
export type LeadResult = 'leads' | 'unknown' | 'clock' | 'timeout';

/** The operator's view and control of the cluster that this node belongs to. */
export interface ClusterControl {
  status(): Promise<ClusterStatus>;
  figures(): ClusterFigures;
  /** Asks the node to take over; resolves once it is the leader. */
  lead(name: string): Promise<LeadResult>;
}
