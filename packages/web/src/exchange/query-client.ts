/** What was asked of the exchange, shared by all parts of the page. */

import { ApiError } from '@bourse/client';
import { QueryClient } from '@tanstack/react-query';

const RETRIES_MAX = 3;

export const queryClient = new QueryClient({
  defaultOptions: {
    // By default the library holds what is sent while the browser is offline, and sends it when it is back: an order
    // would reach a market that has moved, after the user was told nothing. Like this it fails at once.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 10_000,
      refetchOnWindowFocus: false,
      // A refusal says the same when asked again; a lost connection may not.
      retry: (count, error) => !(error instanceof ApiError) && count < RETRIES_MAX,
    },
  },
});
