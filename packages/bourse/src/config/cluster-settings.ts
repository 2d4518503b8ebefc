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
        'Servers that keep the log of a cluster, of which this exchange is a node then. Empty: it runs alone, and its log is in its directory.',
      ),
      expects: 'a list such as nats://10.0.0.1:4222,nats://10.0.0.2:4222,nats://10.0.0.3:4222',
    },
  ),
  clusterCaFile: Type.String({
    default: '',
    ...cluster(
      'File with the CA certificates (PEM) that those of the servers are checked with, for tls://. Empty: the CAs of this machine.',
    ),
    expects: 'a path',
  }),
  node: Type.String({
    default: '',
    pattern: '^([A-Za-z0-9][A-Za-z0-9_-]{0,31})?$',
    ...cluster('Name of this node: each has its own.'),
    expects: 'up to 32 letters, digits, - and _',
  }),
  clusterStream: Type.String({
    default: 'bourse',
    pattern: '^[A-Za-z0-9_-]{1,32}$',
    ...cluster('Name of the stream that the log is in; two clusters on the same servers have two.'),
    expects: 'up to 32 letters, digits, - and _',
  }),
  clusterCopies: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 5,
    ...cluster(
      'How many servers keep the log, when it is made: 1, 3 or 5. 0: three, or as many as cluster names if those are fewer.',
      'copies',
    ),
  }),
  clusterLostThrough: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    ...cluster(
      'The log has lost its end for good, through this record: go on without it. A node whose snapshots are beyond the end of the log refuses to start, and says which number to give. 0: nothing is lost.',
      'record',
    ),
  }),
  clusterLogBytes: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 1e15,
    ...cluster('Room for the log on each server, when it is made. 0: what the servers have.', 'bytes'),
  }),
};
