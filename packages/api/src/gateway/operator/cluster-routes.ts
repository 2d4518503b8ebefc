/** The nodes of a cluster: status, and change of leader. */

import { shortened } from '@bourse/engine';
import { Type } from '../schema.ts';
import type { ClusterControl } from './cluster-control.ts';
import { operatorRefusal } from './operator-errors.ts';
import { noteCall, type OperatorRoute, operatorRoute, type OperatorServices } from './route.ts';

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
