/** The operator interface's view of a cluster, assembled at the start of a node. */

export interface ClusterNode {
  readonly name: string;
  readonly url: string;
  /** Of the last record that it has applied, and the digest of everything up to there. */
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
  /** Those that are heard, this one included. */
  readonly nodes: number;
  /** Those that are current. */
  readonly logServers: number;
  /** Nobody answers for the log here, and it may go on elsewhere. */
  readonly isIsolated: boolean;
  readonly clockAheadMs: number;
  /** Nodes whose settings differ from this one's, and log servers that acknowledge before they sync. */
  readonly differing: number;
  /** Messages of the log servers that no node of this cluster wrote, since the start. */
  readonly forged: number;
}

/** `clock`: its clock is too far from most others' for the time of records. */
export type LeadResult = 'leads' | 'unknown' | 'clock' | 'timeout';

/** The operator's view and control of the cluster that this node belongs to. */
export interface ClusterControl {
  status(): Promise<ClusterStatus>;
  figures(): ClusterFigures;
  /** Asks the node to take over; resolves when it is the leader. */
  lead(name: string): Promise<LeadResult>;
}
