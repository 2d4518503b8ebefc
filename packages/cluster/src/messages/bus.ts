/** What nodes tell each other besides the log. A message comes once or not at all, and nobody learns which. */

export interface Bus {
  publish(topic: string, bytes: Uint8Array): void;
  /** The function that it returns ends the subscription. */
  subscribe(topic: string, onMessage: (bytes: Uint8Array) => void): () => void;
  readonly isConnected: boolean;
}

export const TOPICS = {
  /** Records, sent round by who appended them, as soon as they are durable. */
  tail: 'tail',
  /** Each node’s report of its state. */
  nodes: 'nodes',
  /** Weight that users have spent. */
  limits: 'limits',
  /** Digests of states, where two nodes have different ones. */
  digests: 'digests',
  /** For one process. */
  to: (run: string): string => `to.${run}`,
  /** For one process: another one wants to know whether it is there, or answers that it is. */
  hello: (run: string): string => `hello.${run}`,
} as const;
