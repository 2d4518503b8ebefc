/** Messages between nodes besides the log. A message is delivered at most once, without acknowledgement. */

export interface Bus {
  publish(topic: string, bytes: Uint8Array): void;
  /** The returned function ends the subscription. */
  subscribe(topic: string, onMessage: (bytes: Uint8Array) => void): () => void;
  readonly isConnected: boolean;
}

export const SUBJECTS = {
  /** Durable records, broadcast by their writer. */
  tail: 'tail',
  /** Each node’s report of its state. */
  nodes: 'nodes',
  /** Weight that users have spent. */
  limits: 'limits',
  /** Traffic about people: see shared-traffic.ts. */
  people: 'people',
  /** Digests of states, if two nodes differ. */
  digests: 'digests',
  /** For one process. */
  to: (run: string): string => `to.${run}`,
  /** To one process: another one asks whether it is alive, or replies that it is. */
  hello: (run: string): string => `hello.${run}`,
} as const;
