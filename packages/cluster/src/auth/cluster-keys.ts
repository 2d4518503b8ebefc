/**
 * The keys with which nodes authenticate what they write to the log servers: whoever can reach the servers, but does not
 * have the venue's secret, can destroy messages there and cannot make any. Each use has a key of its own, bound to the
 * stream's name, so that nothing of one cluster is taken by another one with the same secret.
 */

import { hkdfSync } from 'node:crypto';

export interface ClusterKeys {
  readonly records: Uint8Array;
  readonly messages: Uint8Array;
  readonly snapshots: Uint8Array;
}

const KEY_BYTES = 32;

/** `secretKey`: 64 hex digits. */
export function deriveClusterKeys(secretKey: string, stream: string): ClusterKeys {
  const derive = (use: string): Uint8Array =>
    new Uint8Array(
      hkdfSync('sha256', Buffer.from(secretKey, 'hex'), '', `bourse cluster ${stream} ${use}`, KEY_BYTES),
    );
  return { records: derive('records'), messages: derive('messages'), snapshots: derive('snapshots') };
}
