/** The settings of a node of a cluster. */

import { Type } from '@bourse/api/basics';
import { about } from './about.ts';

const cluster = about('Cluster');

export const CLUSTER_ROWS = {
  cluster: Type.Array(
    Type.String({ pattern: '^((nats|tls)://)?([^@/,]+@)?[A-Za-z0-9._-]+(:[0-9]{1,5})?$' }),
    {
      default: [],
      maxItems: 16,
      ...cluster(
        'Log servers of the cluster that this exchange is a node of. Empty: it runs alone, with its log in its data directory.',
      ),
      expects: 'a list such as nats://10.0.0.1:4222,nats://10.0.0.2:4222,nats://10.0.0.3:4222',
    },
  ),
  clusterCaFile: Type.String({
    default: '',
    ...cluster(
      'File with the CA certificates (PEM) that verify the certificates of the servers, for tls://. Empty: the CAs of this machine.',
    ),
    expects: 'a path',
  }),
  node: Type.String({
    default: '',
    pattern: '^([A-Za-z0-9][A-Za-z0-9_-]{0,31})?$',
    ...cluster('Name of this node, unique in the cluster.'),
    expects: 'up to 32 letters, digits, - and _',
  }),
  clusterStream: Type.String({
    default: 'bourse',
    pattern: '^[A-Za-z0-9_-]{1,32}$',
    ...cluster('Name of the stream that stores the log; two clusters on the same servers need two.'),
    expects: 'up to 32 letters, digits, - and _',
  }),
  clusterCopies: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 5,
    ...cluster(
      'Number of replicas of the log when it is created: 1, 3 or 5. 0: three, or the number of servers in `cluster` if that is smaller.',
      'copies',
    ),
  }),
  clusterLostThrough: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    ...cluster(
      'Accepts that the log has permanently lost its end, up to this record. A node whose snapshots are beyond the end of the log refuses to start, and prints the number to use. 0: nothing is lost.',
      'record',
    ),
  }),
  clusterLogBytes: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 1e15,
    ...cluster(
      'Maximum size of the log on each server when it is created. 0: only limited by the servers.',
      'bytes',
    ),
  }),
};
