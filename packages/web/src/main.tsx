/** Renders the page once its files have loaded. */

// A broadcast channel has one origin; only windows take a target.
/* oxlint-disable unicorn/require-post-message-target-origin */

import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App, loadPage } from './app.tsx';
import { queryClient } from './exchange/query-client.ts';
import { shareSession } from './session/person.ts';
import { onSession, session } from './session/session.ts';
import { copyExactly } from './ui/figure.tsx';

lendKey();
shareSession();
copyExactly();
await loadPage(location.pathname);

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
);

interface Message {
  readonly kind?: unknown;
}

/**
 * Lends this tab's key to other pages of this exchange that request it, such as /docs. The channel reaches only pages
 * of the same origin and stores nothing.
 */
function lendKey(): void {
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
