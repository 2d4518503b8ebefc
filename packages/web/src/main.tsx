/** Shows the page, once its files are there. */

import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App, loadPage } from './app.tsx';
import { queryClient } from './exchange/query-client.ts';
import { lendKey } from './session/key-lending.ts';
import { shareSession } from './session/person.ts';
import { copyExactly } from './ui/exact-copy.ts';

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
