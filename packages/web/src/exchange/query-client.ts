/** What was asked of the exchange, shared by all parts of the page. */

import { ApiError } from '@bourse/client';
import { QueryClient } from '@tanstack/react-query';

const RETRIES_MAX = 3;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      refetchOnWindowFocus: false,
      // A refusal says the same when asked again; a lost connection may not.
      retry: (count, error) => !(error instanceof ApiError) && count < RETRIES_MAX,
    },
  },
});
