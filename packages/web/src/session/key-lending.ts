/**
 * Lends the key of this tab to other pages of this exchange, such as /docs, when they ask: over a channel that only pages
 * of the same origin hear, and that keeps nothing.
 */

// A channel is of one origin; only windows take a target.
/* oxlint-disable unicorn/require-post-message-target-origin */

import { session, onSession } from './session.ts';

interface Message {
  readonly kind?: unknown;
}

export function lendKey(): void {
  const channel = new BroadcastChannel('bourse.key');
  const offer = (): void => {
    const current = session();
    if (current !== null) channel.postMessage({ kind: 'offer', name: current.name });
  };
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    const current = session();
    if (data.kind === 'who') offer();
    if (data.kind !== 'give' || current === null) return;
    const { apiKey, apiSecret, apiPassphrase } = current.credentials;
    channel.postMessage({ kind: 'key', name: current.name, apiKey, apiSecret, apiPassphrase });
  });
  onSession(offer);
}
