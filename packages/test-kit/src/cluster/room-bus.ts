/** An in-memory bus: delivers messages to all nodes of a test, including the sender, in the next microtask. */

import type { Bus } from '../../../cluster/src/messages/bus.ts';

export class RoomBus implements Bus {
  readonly isConnected = true;
  readonly #listeners = new Map<string, Set<(bytes: Uint8Array) => void>>();

  publish(topic: string, bytes: Uint8Array): void {
    for (const listener of this.#listeners.get(topic) ?? []) queueMicrotask(() => listener(bytes));
  }

  subscribe(topic: string, listener: (bytes: Uint8Array) => void): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners.add(listener));
    return () => void listeners.delete(listener);
  }
}
