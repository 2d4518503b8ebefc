/** Begins the page: what is remembered of the user's taste is applied before the first paint. */

import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { queryClient } from './exchange/query-client.ts';
import { applyPreferences } from './preferences/apply.ts';
import { lendKey } from './session/key-lending.ts';
import './styles/index.css';

applyPreferences();
lendKey();

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
);
