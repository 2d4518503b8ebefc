/**
 * The keys with which nodes authenticate what they write to the log servers. Whoever reaches the servers without the
 * venue's secret can destroy messages but not create any. Each use has its own key, bound to the stream's name, so that
 * another cluster with the same secret accepts nothing of this one.
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
