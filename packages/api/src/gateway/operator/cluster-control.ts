/** What the operator's interface knows of a cluster; whoever starts a node puts it together. */

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
  /** `silent`: nobody answers for it. */
  readonly state: 'current' | 'behind' | 'silent';
  readonly isLeader: boolean;
}

export interface ClusterStatus {
  /** Its name; null while nobody leads. */
  readonly leader: string | null;
  readonly nodes: readonly ClusterNode[];
  readonly logServers: readonly ClusterLogServer[];
  /** What is missing, as `/readyz` says it; null for nothing. */
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

/** What an operator sees and does of the cluster that this exchange is a node of. */
export interface ClusterControl {
  status(): Promise<ClusterStatus>;
  figures(): ClusterFigures;
  /** Asks the node to take over; resolves when it leads. */
  lead(name: string): Promise<LeadResult>;
}
