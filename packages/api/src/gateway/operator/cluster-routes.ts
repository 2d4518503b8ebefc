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
        throw operatorRefusal('node-unknown', `There is no node '${shortened(name)}'; there are ${names}.`);
      }
      if (result === 'clock') {
        throw operatorRefusal(
          'clock-wrong',
          `The clock of ${name} is not where most others' are, and records would have its time; set it first. What is ` +
            'wrong with whose is in `degraded` of the status.',
        );
      }
      if (result === 'timeout') {
        throw operatorRefusal(
          'node-silent',
          `${name} did not take over in time; the cluster goes on as it was.`,
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
