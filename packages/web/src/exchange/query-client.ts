/** What was asked of the exchange, shared by all parts of the page, and how a page sends what changes something. */

import { ApiError } from '@bourse/client';
import { QueryClient, useMutation, type UseMutationOptions } from '@tanstack/react-query';
import { useRef } from 'react';

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

/**
 * A mutation that a second press does not send again. A button is disabled only when the page is drawn again, so two
 * presses at once would otherwise make two keys, or send a withdrawal twice. While a request is under way, the same one
 * is not sent: `mutateAsync` returns the result of the first. Requests without JSON, such as functions, are all the same.
 */
export function useSending<Answer, Sent = void>(options: UseMutationOptions<Answer, Error, Sent>) {
  const mutation = useMutation(options);
  const underWay = useRef(new Map<string, Promise<Answer>>());
  const mutateAsync: typeof mutation.mutateAsync = (...sent) => {
    const key = JSON.stringify(sent[0]);
    const first = underWay.current.get(key);
    if (first !== undefined) return first;
    const answer = mutation.mutateAsync(...sent).finally(() => underWay.current.delete(key));
    underWay.current.set(key, answer);
    return answer;
  };
  const mutate: typeof mutation.mutate = (...sent) => {
    mutateAsync(...sent).catch(() => undefined);
  };
  return { ...mutation, mutate, mutateAsync };
}
