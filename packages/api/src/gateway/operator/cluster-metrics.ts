/** Prometheus metrics of a cluster, as one node sees it. */

import type { Metrics } from '../http/metrics.ts';
import type { ClusterControl, ClusterFigures } from './cluster-control.ts';

export function watchCluster(metrics: Metrics, control: ClusterControl): void {
  const figures = (): ClusterFigures => control.figures();
  metrics.gauge('bourse_cluster_leads', 'This node leads: 1 on one node of a healthy cluster.', () =>
    figures().isLeading ? 1 : 0,
  );
  metrics.gauge('bourse_cluster_has_leader', 'A node leads, as far as this one hears.', () =>
    figures().hasLeader ? 1 : 0,
  );
  metrics.gauge('bourse_cluster_nodes', 'Nodes that are heard, this one included.', () => figures().nodes);
  metrics.gauge(
    'bourse_cluster_log_servers_current',
    'Log servers that answer and have everything.',
    () => figures().logServers,
  );
  metrics.gauge(
    'bourse_cluster_isolated',
    '1: nobody answers for the log here, and it may go on elsewhere: look at the network of this node and its log server.',
    () => (figures().isIsolated ? 1 : 0),
  );
  metrics.gauge(
    'bourse_cluster_clock_ahead_seconds',
    "How far this node's clock is ahead of most others'.",
    () => figures().clockAheadMs / 1000,
  );
  metrics.gauge(
    'bourse_cluster_differing',
    "Nodes whose settings differ from this one's, and log servers that are set up wrong. `degraded` names them.",
    () => figures().differing,
  );
  metrics.gauge(
    'bourse_cluster_forged_messages',
    'Messages of the log servers that no node of this cluster wrote, since the start. Above 0: look who reaches them.',
    () => figures().forged,
  );
}
