/** The nodes of a cluster: status, and change of leader. */

import { shortened } from '@bourse/engine';
import { Type } from '../schema.ts';
import {
  type ClusterControl,
  type ClusterFigures,
  noteCall,
  type OperatorRoute,
  operatorRoute,
  type OperatorServices,
} from './route.ts';
import { operatorRefusal } from './operator-errors.ts';
import type { Metrics } from '../http/metrics.ts';

export const CLUSTER_ROUTES: readonly OperatorRoute[] = [
  operatorRoute({
    id: 'get-cluster',
    method: 'GET',
    path: '/v1/cluster',
    summary: 'The nodes of the cluster, the leader, the position of each node, and the log servers.',
    handle: ({ services }) => controlOf(services).status(),
  }),
  operatorRoute({
    id: 'set-leader',
    method: 'POST',
    path: '/v1/cluster/leader',
    roles: ['admin'],
    policy: 'never',
    summary:
      'Makes another node the leader, as before maintenance of the current one. No request in flight is lost.',
    body: { name: Type.String({ minLength: 1, maxLength: 64 }) },
    async handle({ services, body: { name }, act }) {
      const control = controlOf(services);
      const result = await control.lead(name);
      if (result === 'unknown') {
        const names = (await control.status()).nodes.map((node) => node.name).join(', ');
        throw operatorRefusal(
          'node-unknown',
          `Unknown node '${shortened(name)}'. Expected one of: ${names}.`,
        );
      }
      if (result === 'clock') {
        throw operatorRefusal(
          'clock-wrong',
          `The clock of ${name} differs from most others', and records would have its time. Set it first; \`degraded\` ` +
            'in the status names the difference.',
        );
      }
      if (result === 'timeout') {
        throw operatorRefusal(
          'node-silent',
          `${name} did not take over in time; the leader has not changed.`,
        );
      }
      await noteCall({ act, services }, 'set-leader');
      return control.status();
    },
  }),
];

function controlOf({ cluster }: OperatorServices): ClusterControl {
  if (cluster) return cluster;
  throw operatorRefusal('no-cluster', 'This exchange runs alone: it was started without --cluster.');
}

/** Prometheus metrics of a cluster, as one node sees it. */
export function watchCluster(metrics: Metrics, control: ClusterControl): void {
  const figures = (): ClusterFigures => control.figures();
  metrics.gauge('bourse_cluster_leads', 'This node leads: 1 on one node of a healthy cluster.', () =>
    figures().isLeading ? 1 : 0,
  );
  metrics.gauge('bourse_cluster_has_leader', 'This node knows a leader.', () =>
    figures().hasLeader ? 1 : 0,
  );
  metrics.gauge('bourse_cluster_nodes', 'Nodes that respond, including this one.', () => figures().nodes);
  metrics.gauge(
    'bourse_cluster_log_servers_current',
    'Log servers that are up to date.',
    () => figures().logServers,
  );
  metrics.gauge(
    'bourse_cluster_isolated',
    '1: no majority of log servers responds to this node, and the log may continue elsewhere. Check its network and log server.',
    () => (figures().isIsolated ? 1 : 0),
  );
  metrics.gauge(
    'bourse_cluster_clock_ahead_seconds',
    "Seconds by which this node's clock is ahead of most others'.",
    () => figures().clockAheadMs / 1000,
  );
  metrics.gauge(
    'bourse_cluster_differing',
    "Nodes whose settings differ from this one's, and log servers that are set up wrong. `degraded` names them.",
    () => figures().differing,
  );
  metrics.gauge(
    'bourse_cluster_forged_messages',
    'Stream messages since the start that no node of this cluster wrote. Above 0: check who can reach the log servers.',
    () => figures().forged,
  );
}
